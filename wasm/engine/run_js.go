package engine

import (
	"context"
	"os"
	"runtime/debug"
	"strconv"
	"syscall/js"
	"time"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/garbage"
	"pcpscope/wasm/rpc"
)

// Run serves the page for as long as the worker lives.
//
// The environment contains AFTER, the last source number in use, and WORKERS,
// how many more workers may be started. In one of these the program is given
// a job, and does nothing else.
//
// Incoming messages: {id, method, wire} is a call, {cancel: id} cancels one.
// A call to export includes the program that writes tables. Outgoing
// messages: {ready: version} once, then {id, progress}, and for each call one
// {id, wire} or {id, fault}.
func Run(version string) {
	if job := js.Global().Get("pcpscopeJob"); job.Truthy() {
		unpack(job)
		return
	}
	debug.SetMemoryLimit(memoryLimit)
	garbage.Pace(leastGarbage)
	startYielding()
	scope := js.Global()
	after, _ := strconv.Atoi(os.Getenv("AFTER")) // 0 if unset
	workers, _ := strconv.Atoi(os.Getenv("WORKERS"))
	lanes := maxUnpackers(workers)
	unpackers, first := &unpackers{}, &precedence{}
	reading := func() {
		first.wait()
		yield()
	}
	session := core.NewSession(core.Options{
		After: api.SourceID(after), Lanes: lanes, Zone: zones{}.load, Yield: yield, YieldReading: reading, Offload: offload{unpackers}.open, Compose: compose, Zstd: newZstdWriter,
	})
	files := &files{workers: unpackers}
	server := NewServer(session, fetcher{watchRefusals()}, files.read)
	server.Yield, server.first = yield, first
	spare := &idleTime{server: server, session: session}
	server.SaveTo(newBlobs)
	server.WriteTablesWith(startTables)
	called := false
	scope.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		lastTurn = time.Now()
		m := args[0].Get("data")
		if id := m.Get("cancel"); !id.IsUndefined() {
			server.Cancel(id.Int())
			return nil
		}
		called = true
		if program := m.Get("tables"); program.Truthy() {
			scope.Set("pcpscopeTables", program)
		}
		spare.end()
		go func() {
			answer(server, m)
			spare.begin()
		}()
		return nil
	}))
	ready := js.Global().Get("Object").New()
	ready.Set("ready", version)
	scope.Call("postMessage", ready)
	unpackers.start(lanes)
	time.Sleep(settle)
	warm(yield, func() bool {
		yield()
		return !called
	})
	select {}
}

// memoryLimit is the heap size from which the garbage collector works harder.
// WebAssembly ends at 4 GiB, and a session's budget counts only live memory.
const memoryLimit = 3 << 30

// leastGarbage is how many bytes of garbage may accumulate: reading needs as much anyway.
const leastGarbage = 24 << 20

// idleTime runs work for likely questions while nothing else is asked.
type idleTime struct {
	server  *Server
	session *core.Session
	turn    int  // number of calls
	working bool // something is being worked out ahead
}

// pause is the idle time before it starts.
const pause = 100 * time.Millisecond

// begin is called after a call.
func (s *idleTime) begin() {
	turn := s.turn
	time.AfterFunc(pause, func() {
		if s.turn != turn || s.server.Busy() {
			return
		}
		s.session.PausePreparing(false)
		if s.working {
			return
		}
		s.working = true
		s.session.Prepare(context.Background())
		s.working = false
	})
}

// end is called before a call.
func (s *idleTime) end() {
	s.turn++
	s.session.PausePreparing(true)
}

// settle is how long the engine leaves the CPU to the starting page.
const settle = 300 * time.Millisecond

// answer answers a call. Nothing but the message itself may end the engine.
func answer(s *Server, m js.Value) {
	id := m.Get("id").Int()
	reply := js.Global().Get("Object").New()
	reply.Set("id", id)
	out, fault := s.Call(context.Background(), id, m.Get("method").String(), rpc.FromJS(m.Get("wire")), reporter(id))
	key := "wire"
	if fault != nil {
		key, out = "fault", rpc.Encode(*fault)
	}
	if err := post(reply, key, out); err != nil { // the fault is small
		reply.Delete(key)
		post(reply, "fault", rpc.Encode(*pcp.AsFault(err)))
	}
}

// post sends a reply. It fails where the browser has no room for it.
func post(reply js.Value, key string, out rpc.Message) (err error) {
	defer pcp.Recover("sending an answer", &err)
	wire, transfer := out.ToJS()
	reply.Set(key, wire)
	js.Global().Call("postMessage", reply, transfer)
	return nil
}

// often is the minimum interval between progress reports.
const often = 50 * time.Millisecond

// reporter reports progress to the page, immediately for a new phase and at
// the end, otherwise at intervals.
func reporter(id int) func(api.Progress) {
	var last time.Time
	var phase string
	return func(p api.Progress) {
		if p.Phase == phase && p.Done < p.Total && time.Since(last) < often {
			return
		}
		last, phase = time.Now(), p.Phase
		o := js.Global().Get("Object").New()
		o.Set("phase", p.Phase)
		o.Set("done", p.Done)
		o.Set("total", p.Total)
		m := js.Global().Get("Object").New()
		m.Set("id", id)
		m.Set("progress", o)
		js.Global().Call("postMessage", m)
		yield()
	}
}
