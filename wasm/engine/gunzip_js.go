package engine

import (
	"errors"
	"io"
	"syscall/js"

	"pcpscope/wasm/rpc"
)

// newGunzip reads gzip with the decoder that the browser has built in, which
// is several times faster than any in WebAssembly. See container.Elsewhere.
func newGunzip(src io.Reader) (io.ReadCloser, error) {
	stream := js.Global().Get("DecompressionStream").New("gzip")
	g := &gunzip{
		writer: stream.Get("writable").Call("getWriter"),
		reader: stream.Get("readable").Call("getReader"),
		ended:  make(chan struct{}),
	}
	go g.feed(src)
	return g, nil
}

type gunzip struct {
	writer, reader js.Value
	chunk          js.Value // Uint8Array that the stream gave
	at, end        int      // what is left of it
	closed         bool
	failed         error         // of src
	ended          chan struct{} // closed when src is not touched any more
}

// feedSize is how much compressed data goes to the decoder at a time.
const feedSize = 256 << 10

func (g *gunzip) feed(src io.Reader) {
	defer close(g.ended)
	buf := make([]byte, feedSize)
	for !g.closed {
		n, err := io.ReadFull(src, buf)
		if n > 0 {
			chunk := uint8Array.New(n)
			js.CopyBytesToJS(chunk, buf[:n])
			if _, failed := rpc.Await(g.writer.Call("write", chunk)); failed != nil {
				return // Read hears of it as well
			}
		}
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			rpc.Await(g.writer.Call("close"))
			return
		default:
			g.failed = err
			rpc.Await(g.writer.Call("abort"))
			return
		}
	}
}

func (g *gunzip) Read(p []byte) (int, error) {
	for g.at == g.end {
		result, err := rpc.Await(g.reader.Call("read"))
		switch {
		case g.failed != nil:
			return 0, g.failed
		case err != nil:
			return 0, errors.New(err.Error()) // no fault of the file yet: ours is asked next
		case result.Get("done").Bool():
			return 0, io.EOF
		}
		g.chunk = result.Get("value")
		g.at, g.end = 0, g.chunk.Length()
	}
	n := js.CopyBytesToGo(p, g.chunk.Call("subarray", g.at, min(g.end, g.at+len(p))))
	g.at += n
	return n, nil
}

func (g *gunzip) Close() error {
	if g.closed {
		return nil
	}
	g.closed = true
	rpc.Await(g.writer.Call("abort"))
	<-g.ended
	return nil
}
