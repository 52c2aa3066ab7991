package container

import (
	"bufio"
	"compress/gzip"
	"io"

	"pcpscope/core/pcp"
)

// gunzip reads streams end to end. It skips zeros after a stream, with which
// tapes and some copying programs fill a block, as gzip(1) does.
type gunzip struct {
	src *bufio.Reader
	z   *gzip.Reader // nil before the first stream
	in  bool         // inside a stream
}

func (g *gunzip) Read(p []byte) (int, error) {
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

// next opens the next stream; io.EOF if there is none.
func (g *gunzip) next() error {
	first := g.z == nil
	if first {
		g.z = new(gzip.Reader)
	} else if err := g.skipZeros(); err != nil {
		return err
	}
	if head, _ := g.src.Peek(3); !first && Sniff(head) != Gzip {
		return pcp.Faultf(pcp.Corrupt, "The gzip data are followed by something else.")
	}
	err := g.z.Reset(g.src)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	g.z.Multistream(false)
	g.in = err == nil
	return err
}

func (g *gunzip) skipZeros() error {
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

func (g *gunzip) Close() error { return nil }
