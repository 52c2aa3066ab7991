package container

import (
	"io"
	"sync"

	"pcpscope/core/pcp"
)

// A Spool keeps files that were unpacked and must be read again: in memory,
// or wherever whoever runs us has room.
type Spool interface {
	// Create starts a file. The name is for people only.
	Create(name string) (SpoolFile, error)
}

// A SpoolFile is written once from start to end, and then read anywhere.
type SpoolFile interface {
	io.Writer
	io.ReaderAt
	Size() int64
	// Discard gives back what the file takes up. It is not used afterwards.
	Discard()
}

// Memory is a Spool in memory. Its zero value has no room.
type Memory struct {
	mu         sync.Mutex
	used, most int64
}

// NewMemory returns a Spool that keeps at most budget bytes in memory.
func NewMemory(budget int64) *Memory { return &Memory{most: budget} }

// Used returns how many bytes the files take up.
func (m *Memory) Used() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used
}

// Create starts a file. Writing beyond the budget fails with a *pcp.Fault,
// OutOfMemory.
func (m *Memory) Create(name string) (SpoolFile, error) {
	return &memoryFile{memory: m, name: name}, nil
}

func (m *Memory) take(n int64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used+n > m.most {
		return false
	}
	m.used += n
	return true
}

const spoolChunk = 256 << 10

// memoryFile holds chunks of spoolChunk bytes; a small file's only chunk
// grows to what is needed.
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
		k := min(len(p), spoolChunk-len(f.chunks[last]))
		if !f.memory.take(int64(k)) {
			return n, pcp.Faultf(pcp.OutOfMemory, "There is no room for this file: %d MiB of unpacked files are kept already.",
				f.memory.Used()>>20).In(f.name)
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
	f.memory.mu.Lock()
	f.memory.used -= f.size
	f.memory.mu.Unlock()
	f.chunks, f.size = nil, 0
}
