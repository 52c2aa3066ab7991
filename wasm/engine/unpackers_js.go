package engine

import (
	"context"
	"errors"
	"io"
	"syscall/js"
	"time"

	"pcpscope/core/container"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

// unpackers are the engine's own workers, which read parts of files, or run the
// same program but only unpack, each one file at a time. Their script is loaded
// with the page, which fetches nothing later. The program runs in them, and uses memory,
// only while there are files to unpack and for a moment longer.
type unpackers struct {
	list []*unpacker
}

// An unpacker is one of these workers.
type unpacker struct {
	worker js.Value
	idle   bool       // it has nothing to unpack
	runs   bool       // the program, which takes no parts to read
	jobs   int        // number of jobs it was given
	job    *unpacking // nil: what it still sends is not wanted
	parts  parts      // that it reads
}

// maxUnpackers is how many workers the engine may have.
func maxUnpackers(workers int) int {
	if scope := js.Global(); scope.Get("Worker").IsUndefined() || scope.Get("pcpscopeProgram").IsUndefined() {
		return 0
	}
	return min(max(workers, 0), 8)
}

// start starts up to n of them.
func (u *unpackers) start(n int) {
	for range n {
		if w := startUnpacker(); w != nil {
			u.list = append(u.list, w)
		}
	}
}

// startUnpacker returns nil if the browser does not support nested workers.
func startUnpacker() (w *unpacker) {
	defer func() {
		if recover() != nil {
			w = nil
		}
	}()
	w = &unpacker{worker: js.Global().Get("Worker").New(js.Global().Get("location").Get("href")), idle: true}
	w.worker.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		w.hear(args[0].Get("data"))
		return nil
	}))
	w.worker.Set("onerror", js.FuncOf(func(_ js.Value, args []js.Value) any {
		args[0].Call("preventDefault")
		w.idle = false // its script did not load, unless it says otherwise
		w.fail()
		w.parts.fail()
		return nil
	}))
	return w
}

// aheadOfAll is how many chunks all workers together may be ahead of the
// reader: they take browser memory.
const aheadOfAll = 16

// minAhead is the least for each worker, so that it has something to do while
// the engine reads from another.
const minAhead = 4

var errBusy = errors.New("all workers are busy")

// open has a file unpacked by a worker. The reader is for one goroutine.
func (u *unpackers) open(c container.Compression, file js.Value, in container.Input) (io.ReadCloser, error) {
	for _, w := range u.list {
		if w.idle {
			w.idle, w.runs = false, true
			w.jobs++
			w.job = &unpacking{in: in, worker: w.worker, from: w, wake: make(chan struct{}, 1)}
			w.worker.Call("postMessage", map[string]any{"program": js.Global().Get("pcpscopeProgram"), "env": map[string]any{},
				"job": map[string]any{"file": file, "kind": int(c), "ahead": max(minAhead, aheadOfAll/len(u.list))}})
			return w.job, nil
		}
	}
	return nil, errBusy
}

// idleTimeout is how long the program waits for another file.
const idleTimeout = 2 * time.Second

// exitIfIdle ends the program if no file arrives soon. The next file restarts it.
func (w *unpacker) exitIfIdle() {
	jobs := w.jobs
	time.AfterFunc(idleTimeout, func() {
		if w.idle && w.jobs == jobs {
			w.idle = false // until the script says that the program has ended
			w.worker.Call("postMessage", "end")
		}
	})
}

// hear handles a message: {number, bytes} of a part read, {chunk, passed},
// {end, fault} or, of a file that was not wanted to its end, {idle, ready}, after which
// the program waits for another file, and {idle} from the script after the program has
// exited for any reason.
func (w *unpacker) hear(m js.Value) {
	j := w.job
	switch chunk := m.Get("chunk"); {
	case !m.Get("number").IsUndefined():
		w.parts.take(m)
	case m.Get("idle").Truthy():
		w.fail() // no effect after a proper end
		w.idle = true
		if w.runs = m.Get("ready").Truthy(); w.runs {
			w.exitIfIdle()
		}
	case m.Get("end").Truthy():
		if j != nil {
			j.finish(m.Get("fault"))
		}
		w.job, w.idle = nil, true
		w.exitIfIdle()
	case j == nil:
		w.worker.Call("postMessage", "quit")
	case !chunk.IsUndefined():
		j.chunks = append(j.chunks, chunk)
		j.in.Passed(int64(m.Get("passed").Float()))
		j.signal()
	}
}

// fail gives up the current job, which the engine then does itself.
func (w *unpacker) fail() {
	if j := w.job; j != nil {
		w.job, j.from = nil, nil
		j.err = errors.New("the worker ended")
		j.signal()
	}
}

// An unpacking is the output of one file.
type unpacking struct {
	in     container.Input
	worker js.Value
	from   *unpacker  // nil when there is no more output
	chunks []js.Value // Uint8Arrays
	at     int        // in the first chunk
	err    error      // after the last chunk
	wake   chan struct{}
}

// finish ends the output: at the end of the file, or with a fault.
func (j *unpacking) finish(fault js.Value) {
	j.from, j.err = nil, io.EOF
	if !fault.IsUndefined() {
		var f pcp.Fault
		if j.err = rpc.Decode(rpc.FromJS(fault), &f); j.err == nil {
			j.err = &f
		}
	}
	j.signal()
}

func (j *unpacking) signal() {
	select {
	case j.wake <- struct{}{}:
	default:
	}
}

func (j *unpacking) Read(p []byte) (int, error) {
	for len(j.chunks) == 0 {
		if j.err != nil {
			return 0, j.err
		}
		select {
		case <-j.wake:
		case <-j.in.Done():
			return 0, context.Canceled
		}
	}
	chunk := j.chunks[0]
	size := chunk.Length()
	n := js.CopyBytesToGo(p, chunk.Call("subarray", j.at, min(size, j.at+len(p))))
	if j.at += n; j.at == size {
		j.chunks, j.at = j.chunks[1:], 0
		memory := chunk.Get("buffer") // reused by the worker; the collector would free it late
		j.worker.Call("postMessage", map[string]any{"more": memory}, []any{memory})
	}
	return n, nil
}

func (j *unpacking) Close() error {
	if w := j.from; w != nil {
		w.job, j.from = nil, nil
		w.worker.Call("postMessage", "quit")
	}
	return nil
}
