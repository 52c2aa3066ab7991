package engine

import (
	"errors"
	"io"
	"syscall/js"

	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

// newGunzip reads gzip with the browser's built-in decoder, which is several
// times faster than one in WebAssembly. See container.Offload.
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
	at, end        int      // the unread part of it
	closed         bool
	fed, given     int           // bytes in and out
	failed         error         // error of src
	ended          chan struct{} // closed when src is no longer used
}

// feedSize is the maximum amount of compressed data given to the decoder at
// once. Everything that a piece unpacks to is in the browser's memory at the
// same time, in the worst case a thousand times as much; so pieces begin small
// and stay small if they unpack to more than unpackedSize.
const (
	feedSize     = 256 << 10
	minFeed      = 4 << 10
	unpackedSize = 4 << 20
)

// next is the size of the piece after one of size last. The output of that
// piece is not known yet, only that of earlier ones.
func (g *gunzip) next(last int) int {
	ratio := max(1, g.given/max(1, g.fed))
	return max(minFeed, min(2*last, feedSize, unpackedSize/ratio))
}

// feed writes all input to the decoder. If reading it fails, it aborts the decoder,
// so that Read does not wait for more.
func (g *gunzip) feed(src io.Reader) {
	defer close(g.ended)
	if err := g.feedAll(src); err != nil {
		g.failed = err
		g.writer.Call("abort").Call("catch", ignore)
	}
}

// feedAll turns a panic, in a browser callback or for want of room, into an error
// of this file, so that it does not end the engine.
func (g *gunzip) feedAll(src io.Reader) (err error) {
	defer pcp.Recover("reading a compressed file", &err)
	buf := make([]byte, feedSize)
	for size := minFeed; !g.closed; size = g.next(size) {
		n, err := io.ReadFull(src, buf[:size])
		if n > 0 {
			g.fed += n
			chunk := uint8Array.New(n)
			js.CopyBytesToJS(chunk, buf[:n])
			if _, failed := rpc.Await(g.writer.Call("write", chunk)); failed != nil {
				return nil // Read fails, too
			}
		}
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			rpc.Await(g.writer.Call("close"))
			return nil
		default:
			return err
		}
	}
	return nil
}

func (g *gunzip) Read(p []byte) (int, error) {
	for g.at == g.end {
		result, err := rpc.Await(g.reader.Call("read"))
		switch {
		case g.failed != nil:
			return 0, g.failed
		case err != nil:
			return 0, errors.New(err.Error()) // not yet a fault of the file: the built-in decoder takes over
		case result.Get("done").Bool():
			return 0, io.EOF
		}
		g.chunk = result.Get("value")
		g.at, g.end = 0, g.chunk.Length()
	}
	n := js.CopyBytesToGo(p, g.chunk.Call("subarray", g.at, min(g.end, g.at+len(p))))
	g.at += n
	g.given += n
	return n, nil
}

func (g *gunzip) Close() error {
	if g.closed {
		return nil
	}
	g.closed = true
	// Not writer.abort(), which waits for the current piece, and that for
	// somebody to read its output.
	g.reader.Call("cancel").Call("catch", ignore)
	<-g.ended
	return nil
}

var ignore = js.FuncOf(func(js.Value, []js.Value) any { return nil })
