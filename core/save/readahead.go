package save

import (
	"io"

	"pcpscope/core/pcp"
)

// ahead reads a file from its start, reading the next piece while the previous
// one is processed: in a browser another process does it.
type ahead struct {
	pieces chan piece
	free   chan []byte
	stop   chan struct{}
	now    piece
	left   []byte
}

type piece struct {
	bytes []byte
	err   error // after these bytes
}

func newAhead(at io.ReaderAt, size int64) *ahead {
	a := &ahead{pieces: make(chan piece), free: make(chan []byte, 2), stop: make(chan struct{})}
	n := min(size, backSize)
	a.free <- make([]byte, n)
	a.free <- make([]byte, n)
	go a.run(at, size)
	return a
}

func (a *ahead) run(at io.ReaderAt, size int64) {
	defer close(a.pieces)
	for off := int64(0); off < size; {
		var p piece
		select {
		case p.bytes = <-a.free:
		case <-a.stop:
			return
		}
		p.bytes = p.bytes[:min(int64(cap(p.bytes)), size-off)]
		n, err := readAt(at, p.bytes, off)
		if off += int64(n); n < len(p.bytes) {
			p.bytes, p.err = p.bytes[:n], err
			if err == nil || err == io.EOF {
				p.err = io.ErrUnexpectedEOF
			}
		}
		select {
		case a.pieces <- p:
		case <-a.stop:
			return
		}
		if p.err != nil {
			return
		}
	}
}

// readAt recovers from a panic in the file storage, so that it only ends this
// save.
func readAt(at io.ReaderAt, b []byte, off int64) (n int, err error) {
	defer pcp.Recover("reading back what was saved", &err)
	return at.ReadAt(b, off)
}

func (a *ahead) Read(b []byte) (int, error) {
	for len(a.left) == 0 {
		if a.now.err != nil {
			return 0, a.now.err
		}
		if a.now.bytes != nil {
			a.free <- a.now.bytes
		}
		p, more := <-a.pieces
		if !more {
			p.err = io.EOF
		}
		a.now, a.left = p, p.bytes
	}
	n := copy(b, a.left)
	a.left = a.left[n:]
	return n, nil
}

// Close ends the reading.
func (a *ahead) Close() { close(a.stop) }
