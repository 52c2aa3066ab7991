package container

import (
	"errors"
	"io"
	"time"

	"pcpscope/core/pcp"
)

// source reads a given file from its beginning, of which some bytes may be known. Another
// goroutine may do the reading (see Offload), so it only counts.
func (x *expander) source(f File, head []byte) io.ReadSeeker {
	w := newWindow(f.At, f.Size)
	w.buf = head
	return &sourceReader{w, x}
}

// again reads an item once more from its beginning.
func (x *expander) again(it item) io.ReadSeeker {
	if it.given {
		return x.source(File{it.known, it.size, it.fixed}, nil)
	}
	return newWindow(it.fixed, it.size)
}

type sourceReader struct {
	*window
	x *expander
}

func (s *sourceReader) Read(p []byte) (int, error) {
	if s.x.ctx.Err() != nil {
		return 0, cancelled()
	}
	n, err := s.window.Read(p)
	s.x.done.Store(s.x.before + s.pos)
	return n, err
}

// tick is called every few KiB of work. It reports progress and checks for
// cancellation.
func (x *expander) tick() error {
	if now := time.Now(); x.progress != nil && now.Sub(x.reported) > 40*time.Millisecond {
		x.reported = now
		x.progress(x.phase, min(x.done.Load(), x.total), x.total)
	}
	if x.opt.Unpacker.Yield != nil {
		x.opt.Unpacker.Yield()
	}
	if x.ctx.Err() != nil {
		return cancelled()
	}
	return nil
}

// A window reads a file with few large requests, because each takes long in a
// browser. It holds no resources, so it may be made for any file.
type window struct {
	at   io.ReaderAt
	size int64
	pos  int64 // of Read
	buf  []byte
	from int64 // offset of buf
}

const windowSize = 128 << 10

func newWindow(at io.ReaderAt, size int64) *window { return &window{at: at, size: size} }

func (w *window) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 { // of a zip of which a part is missing
		return 0, pcp.Faultf(pcp.Corrupt, "The file refers to bytes before its beginning: a part of it is missing.")
	}
	for n < len(p) {
		if off >= w.size {
			return n, io.EOF
		}
		if off < w.from || off >= w.from+int64(len(w.buf)) {
			if err := w.fill(off); err != nil {
				return n, err
			}
		}
		k := copy(p[n:], w.buf[off-w.from:])
		n, off = n+k, off+int64(k)
	}
	return n, nil
}

func (w *window) fill(off int64) error {
	b := w.buf[:cap(w.buf)]
	if room := min(windowSize, w.size); int64(len(b)) < room {
		b = make([]byte, room)
	}
	b = b[:min(int64(len(b)), w.size-off)]
	n, err := w.at.ReadAt(b, off)
	w.buf, w.from = b[:n], off
	if n == 0 {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return unreadable(err)
	}
	return nil
}

// unreadable is the fault of a file that was readable when it was chosen. A browser says in
// a sentence of its own what became of it.
func unreadable(err error) *pcp.Fault {
	var said *pcp.Fault
	if errors.As(err, &said) {
		return said
	}
	return &pcp.Fault{Kind: pcp.Truncated, Message: "The file can no longer be read: " + err.Error() + "."}
}

func (w *window) Read(p []byte) (int, error) {
	if w.pos >= w.size {
		return 0, io.EOF
	}
	k := min(int64(len(p)), w.size-w.pos)
	if k > windowSize { // large reads need no window
		n, err := w.at.ReadAt(p[:k], w.pos)
		w.pos += int64(n)
		if n > 0 {
			err = nil
		}
		return n, err
	}
	n, err := w.ReadAt(p[:k], w.pos)
	w.pos += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

func (w *window) Seek(off int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		off += w.pos
	case io.SeekEnd:
		off += w.size
	}
	if off < 0 {
		return 0, io.ErrUnexpectedEOF
	}
	w.pos = off
	return off, nil
}

const meterStride = 64 << 10

// meter stops a file, compressed as c, that was made to grow without end.
// packed returns how many bytes went in.
func (x *expander) meter(c Compression, r io.Reader, packed func() int64) io.Reader {
	return &meteredReader{r: r, c: c, x: x, packed: packed}
}

// readSoFar is how much of the current file has been read.
func (x *expander) readSoFar() int64 { return x.done.Load() - x.before }

type meteredReader struct {
	r      io.Reader
	c      Compression
	x      *expander
	packed func() int64
	out    int64
}

func (m *meteredReader) Read(p []byte) (int, error) {
	if err := m.x.tick(); err != nil {
		return 0, err
	}
	n, err := m.r.Read(p[:min(len(p), meterStride)])
	m.out += int64(n)
	m.x.unpacked += int64(n)
	if m.x.unpacked > m.x.opt.Unpacked || m.c.Bomb(m.packed(), m.out) {
		return n, BombFault(m.out)
	}
	return n, err
}

// peeker gives access to the beginning of a stream before it is read.
type peeker struct {
	buf []byte // peeked, not yet read
	r   io.Reader
	err error // met while peeking
}

func newPeeker(r io.Reader) *peeker { return &peeker{r: r} }

// head returns the first SniffLen bytes, or fewer with the reason.
func (p *peeker) head() ([]byte, error) {
	b := make([]byte, SniffLen)
	n, err := io.ReadFull(p.r, b)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	p.buf, p.err = b[:n], err
	return p.buf, err
}

func (p *peeker) Read(b []byte) (int, error) {
	if len(p.buf) > 0 {
		n := copy(b, p.buf)
		p.buf = p.buf[n:]
		return n, nil
	}
	if p.err != nil {
		return 0, p.err
	}
	return p.r.Read(b)
}

// readHead returns the first SniffLen bytes of a file.
func readHead(at io.ReaderAt, size int64) ([]byte, error) {
	b := make([]byte, min(size, SniffLen))
	n, err := at.ReadAt(b, 0)
	if n == len(b) || errors.Is(err, io.EOF) {
		err = nil
	}
	if err != nil {
		return b[:n], unreadable(err)
	}
	return b[:n], nil
}

// onlyReader and onlyWriter hide other methods of a value, so that io.Copy uses
// its buffer.
type onlyReader struct{ io.Reader }
type onlyWriter struct{ io.Writer }
