package container

import (
	"bufio"
	"io"

	"github.com/klauspost/compress/gzip"

	"pcpscope/core/pcp"
)

// Gunzip, where it is set, reads gzip instead of the built-in decoder: a
// browser has a faster one. It need not understand files of several streams,
// nor deliver everything that precedes a fault: when it fails, the built-in
// decoder takes over where it stopped. For that the compressed bytes must be
// there to read again, so only an input that is an io.Seeker goes to it.
// Once the reader is closed it must not touch its input any more.
var Gunzip func(io.Reader) (io.ReadCloser, error)

func newGunzip(r io.Reader) (io.ReadCloser, error) {
	if s, ok := r.(io.ReadSeeker); ok && Gunzip != nil {
		start, err := s.Seek(0, io.SeekCurrent)
		if err == nil {
			if fast, err := Gunzip(s); err == nil {
				return &fastGunzip{fast: fast, src: s, start: start}, nil
			}
			_, err = s.Seek(start, io.SeekStart)
		}
		if err != nil {
			return nil, err
		}
	}
	return &slowGunzip{src: bufio.NewReaderSize(r, 64<<10)}, nil
}

// fastGunzip reads through Gunzip until that fails.
type fastGunzip struct {
	fast  io.ReadCloser // nil when it has failed
	given int64         // bytes it delivered
	src   io.ReadSeeker
	start int64
	slow  *slowGunzip
}

func (g *fastGunzip) Read(p []byte) (int, error) {
	if g.fast != nil {
		n, err := g.fast.Read(p)
		g.given += int64(n)
		if err == nil || err == io.EOF {
			return n, err
		}
		if err := g.fallBack(); err != nil {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
	}
	return g.slow.Read(p)
}

func (g *fastGunzip) fallBack() error {
	g.fast.Close()
	g.fast = nil
	if _, err := g.src.Seek(g.start, io.SeekStart); err != nil {
		return err
	}
	g.slow = &slowGunzip{src: bufio.NewReaderSize(g.src, 64<<10)}
	_, err := io.CopyN(io.Discard, g.slow, g.given)
	return err
}

func (g *fastGunzip) Close() error {
	if g.fast != nil {
		return g.fast.Close()
	}
	return nil
}

// slowGunzip reads streams one after the other. Zeros after a stream, with
// which tapes and some copying programs fill a block, are skipped as gzip(1) does.
type slowGunzip struct {
	src *bufio.Reader
	z   *gzip.Reader // nil before the first stream
	in  bool         // inside a stream
}

func (g *slowGunzip) Read(p []byte) (int, error) {
	for {
		if !g.in {
			if err := g.next(); err != nil {
				return 0, err
			}
		}
		n, err := g.z.Read(p)
		if err == io.EOF {
			g.in, err = false, nil
		}
		if n > 0 || err != nil || len(p) == 0 {
			return n, err
		}
	}
}

// next opens the next stream; io.EOF says there is none.
func (g *slowGunzip) next() error {
	first := g.z == nil
	if first {
		g.z = new(gzip.Reader)
	} else if err := g.skipZeros(); err != nil {
		return err
	}
	if head, _ := g.src.Peek(3); !first && Sniff(head) != Gzip {
		return pcp.Faultf(pcp.Corrupt, "Something that is not gzip data follows the gzip data.")
	}
	err := g.z.Reset(g.src)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	g.z.Multistream(false)
	g.in = err == nil
	return err
}

func (g *slowGunzip) skipZeros() error {
	for {
		b, err := g.src.ReadByte()
		if err != nil {
			return err
		}
		if b != 0 {
			return g.src.UnreadByte()
		}
	}
}

func (g *slowGunzip) Close() error { return nil }
