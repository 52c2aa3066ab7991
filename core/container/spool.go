package container

import (
	"io"
	"sync/atomic"

	"pcpscope/core/budget"
	"pcpscope/core/pcp"
)

// A Spool keeps unpacked files that must be read again: in memory, or wherever
// the host program has space.
type Spool interface {
	// Create starts a file. The name is for people only.
	Create(name string) (SpoolFile, error)
	// Note claims the memory for what is stored about a file besides its bytes,
	// for as long as the files exist.
	Note(bytes int) error
}

// A SpoolFile is written once from start to end, and then read with random
// access.
type SpoolFile interface {
	io.Writer
	io.ReaderAt
	Size() int64
	// Discard frees the file, which must not be used afterwards.
	Discard()
}

// Memory is a Spool in memory.
type Memory struct {
	held  *budget.Claim
	noted atomic.Int64 // of held, besides the bytes of files
}

// NewMemory returns a Spool in the memory of a claim.
func NewMemory(held *budget.Claim) *Memory { return &Memory{held: held} }

// Used returns how many bytes the files take.
func (m *Memory) Used() int64 { return m.held.Held() - m.noted.Load() }

// Release frees all files, which must not be used afterwards.
func (m *Memory) Release() {
	m.noted.Store(0)
	m.held.Release()
}

// Create starts a file. Writing beyond the budget fails with a *pcp.Fault of
// kind OutOfMemory.
func (m *Memory) Create(name string) (SpoolFile, error) {
	return &memoryFile{memory: m, name: name}, nil
}

// Note fails with a *pcp.Fault of kind OutOfMemory.
func (m *Memory) Note(bytes int) error {
	if err := m.held.Take(int64(bytes)); err != nil {
		return err
	}
	m.noted.Add(int64(bytes))
	return nil
}

const spoolChunk = 256 << 10

// memoryFile holds chunks of spoolChunk bytes; a small file's only chunk grows
// as needed.
type memoryFile struct {
	memory *Memory
	name   string
	chunks [][]byte
	size   int64
}

func (f *memoryFile) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		last := len(f.chunks) - 1
		if last < 0 || len(f.chunks[last]) == spoolChunk {
			f.chunks = append(f.chunks, nil)
			last++
		}
		chunk := f.chunks[last]
		k := min(len(p), spoolChunk-len(chunk))
		if need := len(chunk) + k; need > cap(chunk) { // no more than a chunk, which append would give
			size := min(max(need, 2*cap(chunk)), spoolChunk)
			if last > 0 {
				size = spoolChunk
			}
			f.chunks[last] = append(make([]byte, 0, size), chunk...)
		}
		if err := f.memory.held.Take(int64(k)); err != nil {
			return n, pcp.AsFault(err).In(f.name)
		}
		f.chunks[last] = append(f.chunks[last], p[:k]...)
		f.size += int64(k)
		n, p = n+k, p[k:]
	}
	return n, nil
}

func (f *memoryFile) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, pcp.Faultf(pcp.Internal, "A negative offset was asked for.").In(f.name)
	}
	for n < len(p) {
		if off >= f.size {
			return n, io.EOF
		}
		k := copy(p[n:], f.chunks[off/spoolChunk][off%spoolChunk:])
		n, off = n+k, off+int64(k)
	}
	return n, nil
}

func (f *memoryFile) Size() int64 { return f.size }

func (f *memoryFile) Discard() {
	f.memory.held.Take(-f.size)
	f.chunks, f.size = nil, 0
}
