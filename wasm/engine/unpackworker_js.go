package engine

import (
	"bufio"
	"context"
	"io"
	"runtime/debug"
	"syscall/js"

	"pcpscope/core/container"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

const chunkSize = 1 << 20

// unpackingGarbage is the garbage collection target of such a worker, in
// percent. It has little memory in use and makes little garbage, so frequent
// collections cost nothing.
const unpackingGarbage = 20

// unpack is the whole program of an engine's worker: it sends the contents of one
// file after the other, a limited number of chunks ahead of the reader. It
// receives {more: the memory of a chunk} for each chunk read, "quit" when the
// rest of the file is not wanted, and "end" when there are no more files.
func unpack(job js.Value) {
	debug.SetGCPercent(unpackingGarbage)
	var leave chan struct{}
	var free []js.Value // memory of chunks that were read
	quit, jobs := make(chan struct{}, 1), make(chan js.Value, 1)
	begin := func(job js.Value) {
		leave = make(chan struct{}, job.Get("ahead").Int())
		for range cap(leave) {
			leave <- struct{}{}
		}
		select {
		case <-quit: // of the file before
		default:
		}
		jobs <- job
	}
	note := func(to chan<- struct{}) {
		select {
		case to <- struct{}{}:
		default:
		}
	}
	begin(job)
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		switch data := args[0].Get("data"); {
		case data.Type() == js.TypeString && data.String() == "quit":
			note(quit)
		case data.Type() == js.TypeString:
			close(jobs)
		case data.Get("more").Truthy():
			if more := data.Get("more"); more.Get("byteLength").Int() == chunkSize {
				free = append(free, more)
			}
			note(leave)
		default:
			begin(data.Get("job"))
		}
		return nil
	}))
	chunk := func(n int) js.Value {
		if len(free) == 0 {
			return uint8Array.New(js.Global().Get("ArrayBuffer").New(chunkSize), 0, n)
		}
		last := free[len(free)-1]
		free = free[:len(free)-1]
		return uint8Array.New(last, 0, n)
	}
	buf := make([]byte, chunkSize)
	for job := range jobs {
		err := send(job.Get("file"), container.Compression(job.Get("kind").Int()), buf, chunk, leave, quit)
		if err == context.Canceled {
			js.Global().Call("postMessage", map[string]any{"idle": true, "ready": true})
			continue
		}
		end := map[string]any{"end": true} // one message: the engine has the next file at once
		if err != nil {
			end["fault"], _ = rpc.Encode(*pcp.AsFault(err)).ToJS()
		}
		js.Global().Call("postMessage", end)
	}
}

// send sends the contents of a file in chunks made by chunk, and returns
// context.Canceled once quit is closed. It checks only between chunks: a program
// must not exit while a promise of the browser is pending.
func send(file js.Value, c container.Compression, buf []byte, chunk func(n int) js.Value, leave, quit <-chan struct{}) error {
	at, size, err := readBlob(file)
	if err != nil {
		return err
	}
	in := &countedReader{r: bufio.NewReaderSize(io.NewSectionReader(at, 0, size), int(min(readSize, size))), size: size}
	r, err := c.NewReader(in)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		n, err := io.ReadFull(r, buf)
		if n > 0 {
			select {
			case <-quit:
				return context.Canceled
			case <-leave:
			}
			to := chunk(n)
			js.CopyBytesToJS(to, buf[:n])
			js.Global().Call("postMessage", map[string]any{"chunk": to, "passed": in.read}, []any{to.Get("buffer")})
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

// readSize is how much of a file is read at once, because each read takes some
// milliseconds, in which nothing is unpacked.
const readSize = 4 << 20

// countedReader counts the bytes read, in the small steps in which they are
// unpacked.
type countedReader struct {
	r    io.Reader
	size int64
	read int64
}

func (r *countedReader) Size() int64 { return r.size }

func (r *countedReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	r.read += int64(n)
	return n, err
}
