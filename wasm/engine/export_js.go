package engine

import (
	"errors"
	"syscall/js"

	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

// tablesWorker is a worker in which the program wasm/tables writes files.
type tablesWorker struct {
	worker js.Value
	room   chan struct{} // a slot for each piece that may be in transit
	done   chan struct{} // closed when files or fault is set
	files  []WrittenFile
	fault  error
}

// piecesAhead is the maximum number of pieces in transit to the worker.
const piecesAhead = 4

// startTables starts the worker. Its program was passed with the call: see
// pcpscope.js.
func startTables(format string) (w TablesWriter, err error) {
	program := js.Global().Get("pcpscopeTables")
	if program.IsUndefined() || js.Global().Get("Worker").IsUndefined() {
		return nil, noTables()
	}
	defer func() {
		if recover() != nil {
			w, err = nil, noTables()
		}
	}()
	t := &tablesWorker{room: make(chan struct{}, piecesAhead), done: make(chan struct{})}
	t.worker = js.Global().Get("Worker").New(js.Global().Get("location").Get("href"))
	t.worker.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		t.hear(args[0].Get("data"))
		return nil
	}))
	t.worker.Set("onerror", js.FuncOf(func(_ js.Value, args []js.Value) any {
		args[0].Call("preventDefault")
		t.end(errors.New("its script did not load"))
		return nil
	}))
	t.worker.Call("postMessage", map[string]any{"program": program, "env": map[string]any{}, "job": map[string]any{"format": format}})
	return t, nil
}

// hear handles a message: {more} for each written piece, {files} or {fault}
// at the end, and {idle} from the script after the program has exited.
func (t *tablesWorker) hear(m js.Value) {
	switch files, fault := m.Get("files"), m.Get("fault"); {
	case m.Get("more").Truthy():
		<-t.room
	case !fault.IsUndefined():
		var f pcp.Fault
		err := rpc.Decode(rpc.FromJS(fault), &f)
		if err == nil {
			err = &f
		}
		t.end(err)
	case !files.IsUndefined():
		for i := range files.Length() {
			f := files.Index(i)
			t.files = append(t.files, WrittenFile{f.Get("name").String(), int64(f.Get("size").Float()), uint32(f.Get("crc").Float()), f.Get("data")})
		}
		t.end(nil)
	case m.Get("idle").Truthy():
		t.end(errors.New("it ended"))
	}
}

// end records the result, once.
func (t *tablesWorker) end(err error) {
	select {
	case <-t.done:
		return
	default:
	}
	if err != nil {
		if t.fault = err; pcp.AsFault(err).Kind == pcp.Internal {
			t.fault = pcp.Faultf(pcp.Internal, "The worker that writes the tables stopped: %v.", err)
		}
	}
	close(t.done)
}

// Write implements TablesWriter.
func (t *tablesWorker) Write(b []byte) (int, error) {
	select {
	case t.room <- struct{}{}:
	case <-t.done:
		if t.fault == nil {
			t.fault = errors.New("it ended early")
		}
		return 0, t.fault
	}
	piece := uint8Array.New(len(b))
	js.CopyBytesToJS(piece, b)
	t.worker.Call("postMessage", map[string]any{"piece": piece}, []any{piece.Get("buffer")})
	return len(b), nil
}

// Files implements TablesWriter.
func (t *tablesWorker) Files() ([]WrittenFile, error) {
	<-t.done
	return t.files, t.fault
}

// Stop implements TablesWriter.
func (t *tablesWorker) Stop() { t.worker.Call("terminate") }
