package container

import (
	"bufio"
	"errors"
	"io"

	"pcpscope/core/pcp"
)

// Offload may read a compressed file by other means than the decoders here:
// with one built into the browser, or in another thread. It declines with an
// error. If its reader fails with anything but a *pcp.Fault, the decoder here
// takes over where it stopped; this requires reading the compressed bytes
// again, so only an input that is an io.Seeker is offloaded. Once the reader is
// closed it must not touch its input any more.
type Offload func(c Compression, r io.ReadSeeker) (io.ReadCloser, error)

// An Input is a file, read from its beginning, that may be offloaded.
type Input interface {
	io.ReadSeeker
	File() (at io.ReaderAt, size int64)
	Passed(n int64)        // reports that the helper has read the file up to n
	Done() <-chan struct{} // closed when the result is no longer wanted
}

// open returns a decoder for r, offloaded or built in.
func (u *Unpacker) open(c Compression, r io.Reader) (io.ReadCloser, error) {
	if s, ok := r.(io.ReadSeeker); ok {
		if h, err := u.handOver(c, s); err == nil {
			return h, nil
		} else if err != errHere {
			return nil, err
		}
	}
	return c.here(r)
}

var errHere = errors.New("nobody else reads it")

func (u *Unpacker) handOver(c Compression, s io.ReadSeeker) (io.ReadCloser, error) {
	if u.Offload == nil {
		return nil, errHere
	}
	start, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	if fast, err := u.Offload(c, s); err == nil {
		return &offloaded{fast: fast, c: c, src: s, start: start}, nil
	}
	if _, err = s.Seek(start, io.SeekStart); err != nil {
		return nil, err
	}
	return nil, errHere
}

// offloaded reads from the offloaded decoder until that fails.
type offloaded struct {
	fast  io.ReadCloser // nil after it has failed
	given int64         // bytes it delivered
	c     Compression
	src   io.ReadSeeker
	start int64
	slow  io.ReadCloser
}

func (h *offloaded) Read(p []byte) (int, error) {
	if h.fast != nil {
		n, err := h.fast.Read(p)
		h.given += int64(n)
		var fault *pcp.Fault
		if err == nil || err == io.EOF || errors.As(err, &fault) {
			return n, err
		}
		if err := h.fallBack(); err != nil {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
	}
	return h.slow.Read(p)
}

func (h *offloaded) fallBack() (err error) {
	h.fast.Close()
	h.fast = nil
	if _, err = h.src.Seek(h.start, io.SeekStart); err != nil {
		return err
	}
	if h.slow, err = h.c.here(h.src); err != nil {
		return err
	}
	_, err = io.CopyN(io.Discard, h.slow, h.given)
	return err
}

func (h *offloaded) Close() error {
	if h.fast != nil {
		return h.fast.Close()
	}
	if h.slow != nil {
		return h.slow.Close()
	}
	return nil
}

// buffered reads a file in pieces of up to 1 MiB, because each takes long in a
// browser. Small files have smaller pieces, so that their progress shows too.
func buffered(r io.Reader) *bufio.Reader {
	size := int64(0)
	if f, ok := r.(interface{ Size() int64 }); ok {
		size = f.Size()
	}
	return bufio.NewReaderSize(r, int(bufferSize(size)))
}

// bufferSize is how much of a compressed file of a size is read at once.
func bufferSize(size int64) int64 { return min(1<<20, max(64<<10, size/16)) }
