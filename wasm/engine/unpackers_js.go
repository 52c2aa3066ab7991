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

// unpackers are workers of the engine's own, which run the same program and
// only unpack: one file each at a time. Their script is loaded with the page,
// which asks for nothing later; the program runs in them, and takes memory,
// for as long as there are files to unpack, and a little longer.
type unpackers struct {
	list []*unpacker
}

// An unpacker is one of these workers.
type unpacker struct {
	worker js.Value
	idle   bool       // it has nothing to unpack
	jobs   int        // that it was given
	job    *unpacking // nil: what it still sends is not wanted
}

// maxUnpackers is how many workers the engine can have of its own.
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

// startUnpacker returns nil where the browser allows no worker in a worker.
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
		return nil
	}))
	return w
}

// aheadOfAll is how many chunks all workers together may be ahead of who
// reads: they take memory of the browser.
const aheadOfAll = 32

var errBusy = errors.New("all workers are busy")

// open has a file unpacked. The reader is for one goroutine.
func (u *unpackers) open(c container.Compression, file js.Value, in container.Input) (io.ReadCloser, error) {
	for _, w := range u.list {
		if w.idle {
			w.idle = false
			w.jobs++
			w.job = &unpacking{in: in, worker: w.worker, from: w, wake: make(chan struct{}, 1)}
			w.worker.Call("postMessage", map[string]any{"program": js.Global().Get("pcpscopeProgram"), "env": map[string]any{},
				"job": map[string]any{"file": file, "kind": int(c), "ahead": aheadOfAll / len(u.list)}})
			return w.job, nil
		}
	}
	return nil, errBusy
}

// lingering is how long the program waits for another file.
const lingering = 2 * time.Second

// linger ends the program if no file comes soon. It begins anew with the next.
func (w *unpacker) linger() {
	jobs := w.jobs
	time.AfterFunc(lingering, func() {
		if w.idle && w.jobs == jobs {
			w.idle = false // until the script says that the program has ended
			w.worker.Call("postMessage", "end")
		}
	})
}

// hear takes a message: {chunk, passed}, {end, fault}, {idle, ready} when the
// program waits for another file, and from the script {idle} when the program
// has ended, however that came.
func (w *unpacker) hear(m js.Value) {
	j := w.job
	switch chunk := m.Get("chunk"); {
	case m.Get("idle").Truthy():
		w.fail() // unless the end was told
		w.idle = true
		if m.Get("ready").Truthy() {
			w.linger()
		}
	case j == nil:
		w.worker.Call("postMessage", "quit")
	case !chunk.IsUndefined():
		j.chunks = append(j.chunks, chunk)
		j.in.Passed(int64(m.Get("passed").Float()))
		j.signal()
	case m.Get("end").Truthy():
		w.job, j.from = nil, nil
		j.err = io.EOF
		if wire := m.Get("fault"); !wire.IsUndefined() {
			var f pcp.Fault
			if j.err = rpc.Decode(rpc.FromJS(wire), &f); j.err == nil {
				j.err = &f
			}
		}
		j.signal()
	}
}

// fail ends the work at hand: the engine does it itself.
func (w *unpacker) fail() {
	if j := w.job; j != nil {
		w.job, j.from = nil, nil
		j.err = errors.New("the worker ended")
		j.signal()
	}
}

// An unpacking is what comes out of one file.
type unpacking struct {
	in     container.Input
	worker js.Value
	from   *unpacker  // nil when nothing more comes
	chunks []js.Value // Uint8Arrays
	at     int        // in the first of them
	err    error      // behind the last chunk
	wake   chan struct{}
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
		memory := chunk.Get("buffer") // which would be garbage for long; the worker fills it again
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
