package engine

import (
	"context"
	"io"
	"syscall/js"

	"pcpscope/core/container"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

const chunkSize = 1 << 20

// unpack is all that the program does in a worker of the engine's: it sends
// what is in one file, a limited number of chunks ahead of the reader. It is sent "more"
// for each chunk that was read, and "quit".
func unpack(job js.Value) {
	ahead := job.Get("ahead").Int()
	leave, quit := make(chan struct{}, ahead), make(chan struct{}, 1)
	for range ahead {
		leave <- struct{}{}
	}
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		to := leave
		if args[0].Get("data").String() == "quit" {
			to = quit
		}
		select {
		case to <- struct{}{}:
		default:
		}
		return nil
	}))
	end := map[string]any{"end": true}
	switch err := send(job.Get("file"), container.Compression(job.Get("kind").Int()), leave, quit); err {
	case nil:
	case context.Canceled:
		return
	default:
		end["fault"], _ = rpc.Encode(*pcp.AsFault(err)).ToJS()
	}
	js.Global().Call("postMessage", end)
}

// send returns context.Canceled when it was told to quit. It does so between
// chunks only: a program must not end while the browser owes it an answer.
func send(file js.Value, c container.Compression, leave, quit <-chan struct{}) error {
	at, size, err := readBlob(file)
	if err != nil {
		return err
	}
	in := &countedReader{SectionReader: io.NewSectionReader(at, 0, size)}
	r, err := c.NewReader(in)
	if err != nil {
		return err
	}
	defer r.Close()
	buf := make([]byte, chunkSize)
	for {
		n, err := io.ReadFull(r, buf)
		if n > 0 {
			select {
			case <-quit:
				return context.Canceled
			case <-leave:
			}
			chunk := uint8Array.New(n)
			js.CopyBytesToJS(chunk, buf[:n])
			js.Global().Call("postMessage", map[string]any{"chunk": chunk, "passed": in.read}, []any{chunk.Get("buffer")})
		}
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			return nil
		default:
			return err
		}
	}
}

// countedReader counts what was read.
type countedReader struct {
	*io.SectionReader
	read int64
}

func (r *countedReader) Read(p []byte) (int, error) {
	n, err := r.SectionReader.Read(p)
	r.read += int64(n)
	return n, err
}
