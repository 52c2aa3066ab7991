package archive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"pcpscope/core/budget"
	"pcpscope/core/container"
	"pcpscope/core/pcp"
)

const (
	blockSize  = 16 << 20 // for plain files: browsers prefer few large reads
	mediumSize = 2 << 20  // for plain files of less than a block, most of which would be empty
	packedSize = 1 << 20  // decompressed bytes: one block must not block the page; two are in use at a time
	headroom   = 1 << 19  // before each block, for the partial record at the end of the previous one
)

// A stream delivers the uncompressed bytes of a member as a moving window. The
// next block is read or decompressed while the current one is decoded.
type stream struct {
	win   []byte // delivered and not yet consumed
	base  int64  // offset of win[0] in the uncompressed file
	err   error  // why the bytes end; io.EOF at a proper end
	raw   atomic.Int64
	lost  atomic.Pointer[pcp.Fault] // why the file could not be read further
	pack  bool                      // the file is compressed; known with the first block
	kind  container.Compression
	next  chan block
	free  chan []byte
	own   int    // bytes claimed for a window larger than a block
	buf   []byte // memory of win; nil for a window larger than a block
	ctx   context.Context
	stop  context.CancelFunc
	ended sync.WaitGroup

	m     *Member
	u     container.Unpacker
	held  *budget.Claim // for windows larger than a block; may be nil
	src   io.ReadCloser // nil until opened
	size  int           // of the pieces to read from src
	begun bool
}

type block struct {
	buf  []byte
	from int // where its bytes begin: after the headroom, if there is one
	to   int
	err  error
}

// blocks reuses buffers between archives: fresh memory is expensive in wasm.
var blocks = map[int]*sync.Pool{blockSize: {}, mediumSize: {}, packedSize: {}}

func getBlock(size int) []byte {
	if p := blocks[size]; p != nil {
		if b, ok := p.Get().(*[]byte); ok {
			return *b
		}
		return make([]byte, headroom+size)
	}
	return make([]byte, size) // for a small file that is read at once
}

func putBlock(b []byte) {
	if p := blocks[len(b)-headroom]; p != nil {
		p.Put(&b)
	}
}

// open starts reading m. The caller must close the stream.
func (m *Member) open(ctx context.Context, u container.Unpacker, held *budget.Claim) *stream {
	s := m.stream(ctx, u, held)
	s.begin()
	return s
}

// ahead returns a stream whose bytes are already being unpacked in another
// thread, or nil. The caller must begin or close it.
func (m *Member) ahead(ctx context.Context, u container.Unpacker, held *budget.Claim) *stream {
	kind, err := m.compression(ctx)
	if err != nil || kind == container.None {
		return nil
	}
	s := m.stream(ctx, u, held)
	r, err := u.Ahead(kind, s.section())
	if err != nil {
		s.stop()
		return nil
	}
	s.pack, s.kind, s.src, s.size = true, kind, r, packedSize
	return s
}

func (m *Member) stream(ctx context.Context, u container.Unpacker, held *budget.Claim) *stream {
	ctx, cancel := context.WithCancel(ctx)
	return &stream{m: m, u: u, held: held, ctx: ctx, next: make(chan block), free: make(chan []byte, 2), stop: cancel}
}

func (s *stream) begin() {
	s.begun = true
	s.ended.Add(1)
	go func() {
		defer s.ended.Done()
		s.produce(s.ctx)
	}()
}

// close ends reading and returns the buffers.
func (s *stream) close() {
	s.stop()
	s.grown(0)
	if !s.begun {
		s.src.Close()
		return
	}
	for b := range s.next {
		if b.buf != nil {
			putBlock(b.buf)
		}
	}
	s.ended.Wait()
	if s.buf != nil {
		putBlock(s.buf)
	}
	for range len(s.free) {
		putBlock(<-s.free)
	}
	s.win, s.buf = nil, nil
}

// produce alternates between two buffers, reading blocks until the file ends. A
// panic of the reader or decompressor also ends it.
func (s *stream) produce(ctx context.Context) {
	defer close(s.next)
	defer func() {
		if e := recover(); e != nil {
			s.send(ctx, block{err: pcp.Panicked("reading "+s.m.Name, e)})
		}
	}()
	if s.src == nil {
		if err := s.open(); err != nil {
			s.send(ctx, block{err: err})
			return
		}
	}
	src, size := s.src, s.size
	defer src.Close()
	out := int64(0)
	for i := 0; ; i++ {
		var buf []byte
		if i < 2 {
			buf = getBlock(size)
		} else {
			select {
			case buf = <-s.free:
			case <-ctx.Done():
				return
			}
		}
		from := len(buf) - size
		n, err := io.ReadFull(src, buf[from:])
		if out += int64(n); s.pack && s.kind.Bomb(s.raw.Load(), out) {
			err = container.BombFault(out)
		}
		if err == io.ErrUnexpectedEOF { // a shorter last block; real failures are faults
			err = io.EOF
		}
		if !s.send(ctx, block{buf, from, from + n, err}) {
			putBlock(buf)
			return
		}
		if err != nil {
			return
		}
	}
}

func (s *stream) send(ctx context.Context, b block) bool {
	select {
	case s.next <- b:
		return true
	case <-ctx.Done():
		return false
	}
}

// open opens the uncompressed bytes and chooses the size of the pieces to read.
func (s *stream) open() error {
	kind, err := s.m.compression(s.ctx)
	if err != nil {
		s.lost.Store(pcp.AsFault(err))
		return err
	}
	if kind == container.None {
		s.src, s.size = io.NopCloser(s.section()), blockSize
		switch {
		case s.m.Size < mediumSize:
			s.size = int(max(s.m.Size, 1)) + 1 // one byte more, so that the first read sees the end
		case s.m.Size < blockSize:
			s.size = mediumSize
		}
		return nil
	}
	s.pack, s.kind, s.size = true, kind, packedSize
	s.src, err = s.u.NewReader(kind, s.section())
	return err
}

// section reads the file as given, and counts the bytes read.
func (s *stream) section() *section { return &section{ctx: s.ctx, m: s.m, raw: &s.raw, lost: &s.lost} }

// compression detects from its first bytes how m is compressed.
func (m *Member) compression(ctx context.Context) (container.Compression, error) {
	head := make([]byte, min(m.Size, container.SniffLen))
	if n, err := container.ReadAt(ctx, m.At, head, 0); n < len(head) {
		return container.None, readFault(m.Name, int64(n), err)
	}
	return container.Sniff(head), nil
}

// A section reads a member from its start, in pieces as large as asked for.
type section struct {
	ctx  context.Context
	m    *Member
	at   int64
	raw  *atomic.Int64
	lost *atomic.Pointer[pcp.Fault] // a decompressor may hide why its input ended
}

// File, Passed and Done serve decompressors in other threads: see
// container.Input.
func (s *section) File() (io.ReaderAt, int64) { return s.m.At, s.m.Size }
func (s *section) Passed(n int64)             { s.raw.Store(n) }
func (s *section) Done() <-chan struct{}      { return s.ctx.Done() }
func (s *section) Size() int64                { return s.m.Size }

// Seek lets a decoder start over after another one has failed.
func (s *section) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += s.at
	case io.SeekEnd:
		offset += s.m.Size
	}
	if offset < 0 || offset > s.m.Size {
		return s.at, errors.New("seek beyond the file")
	}
	s.at = offset
	s.lost.Store(nil)
	return s.at, nil
}

func (s *section) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	left := s.m.Size - s.at
	if left <= 0 {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), left)]
	n, err := container.ReadAt(s.ctx, s.m.At, p, s.at)
	s.at += int64(n)
	s.raw.Store(s.at)
	if n > 0 {
		return n, nil
	}
	if stopped := s.ctx.Err(); stopped != nil {
		return 0, stopped
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	f := readFault(s.m.Name, s.at, err)
	s.lost.Store(f)
	return 0, f
}

// unread returns why the stream ended, if its file could not be read further.
func (s *stream) unread() *pcp.Fault {
	if s.err == nil {
		return nil
	}
	return s.lost.Load()
}

func readFault(file string, at int64, err error) *pcp.Fault {
	var known *pcp.Fault
	if errors.As(err, &known) { // a message of its own, such as a server's
		return known.In(file).At(at, "")
	}
	return pcp.Faultf(pcp.Internal, "The file could not be read: %v.", err).In(file).At(at, "")
}

// need makes the window at least n bytes long, and reports whether it could.
// Memory grows with the bytes available, not with n.
func (s *stream) need(ctx context.Context, n int) bool {
	for len(s.win) < n && s.err == nil {
		select {
		case b, ok := <-s.next:
			if !ok {
				s.err = cmpErr(ctx.Err(), io.EOF)
				return false
			}
			s.err = b.err
			if err := s.append(b); err != nil {
				s.err = err
			}
			runtime.Gosched() // where there is one thread: the next block is asked for before this one is decoded
		case <-ctx.Done():
			s.err = ctx.Err()
		}
	}
	return len(s.win) >= n
}

func cmpErr(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// append adds a block to the window: the rest of the window moves into the
// headroom of the block or, if it is too long, into memory of its own.
func (s *stream) append(b block) error {
	if b.buf == nil {
		return nil
	}
	old := s.buf
	if len(s.win) <= b.from {
		at := b.from - len(s.win)
		copy(b.buf[at:], s.win)
		s.win, s.buf = b.buf[at:b.to], b.buf
		s.grown(0)
	} else {
		more := b.buf[b.from:b.to]
		if room := 2*len(s.win) + len(more); cap(s.win)-len(s.win) < len(more) || old != nil { // so that later blocks are appended in place
			if err := s.grown(room + len(s.win)); err != nil {
				s.free <- b.buf
				return err
			}
			s.win = append(make([]byte, 0, room), s.win...)
		}
		s.win, s.buf = append(s.win, more...), nil
		s.free <- b.buf
	}
	if old != nil {
		s.free <- old
	}
	return nil
}

// grown replaces the claim for a window larger than a block by one of n bytes.
func (s *stream) grown(n int) error {
	if err := s.held.Take(int64(n - s.own)); err != nil {
		return err
	}
	s.own = n
	return nil
}

// skip consumes n bytes of the window.
func (s *stream) skip(n int) {
	s.win = s.win[n:]
	s.base += int64(n)
}

// readAll returns all uncompressed bytes of m, as far as they can be read and
// fit into the claim; err says why they end early.
func (m *Member) readAll(ctx context.Context, u container.Unpacker, limit int, held *budget.Claim) (data []byte, err error) {
	if kind, err := m.compression(ctx); err != nil {
		return nil, err
	} else if kind == container.None && m.Size <= int64(limit) {
		if err := held.Take(m.Size); err != nil {
			return nil, err
		}
		data = make([]byte, m.Size)
		if n, err := container.ReadAt(ctx, m.At, data, 0); n < len(data) {
			return data[:n], readFault(m.Name, int64(n), err)
		}
		return data, nil
	}
	s := m.open(ctx, u, held)
	defer s.close()
	var pieces [][]byte // joined at the end: growing by doubling would hold three times as much
	size := 0
	for s.need(ctx, 1) {
		if size+len(s.win) > limit {
			err = pcp.Faultf(pcp.OutOfMemory, "The file is larger than %d MiB when unpacked; the rest is not read.", limit>>20).In(m.Name)
			break
		}
		if err = held.Take(2 * int64(len(s.win))); err != nil {
			break
		}
		pieces = append(pieces, slices.Clone(s.win))
		size += len(s.win)
		s.skip(len(s.win))
	}
	if lost := s.unread(); err == nil && lost != nil {
		err = lost
	} else if err == nil && s.err != io.EOF {
		err = s.err
	}
	if len(pieces) == 1 {
		data = pieces[0]
	} else {
		data = slices.Concat(pieces...)
	}
	held.Take(-int64(size)) // of the pieces
	return data, err
}

// instead has m read from data, all of its bytes, which stay in memory anyway, and
// frees what a container's contents were unpacked to.
func (m *Member) instead(data []byte) {
	if unpacked, ok := m.At.(container.SpoolFile); ok && int64(len(data)) == m.Size {
		m.At = bytes.NewReader(data)
		unpacked.Discard()
	}
}

// Unpacked returns all bytes of a member, uncompressed.
func (m *Member) Unpacked(ctx context.Context, u container.Unpacker, held *budget.Claim) ([]byte, error) {
	return m.readAll(ctx, u, 1<<31-1, held)
}
