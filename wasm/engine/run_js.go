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
	"pcpscope/wasm/rpc"
)

// Run serves the page for as long as the worker lives.
//
// The environment holds AFTER, the last source number that is taken, and
// WORKERS, how many workers may be used beside this one. In one of these the
// program finds a job, and does that only.
//
// Messages that come in: {id, method, wire} is a call, {cancel: id} ends one.
// A call to export brings the program that writes tables along (tables).
// Messages that go out: {ready: version} once, then {id, progress}, and for
// each call one {id, wire} or {id, fault}.
func Run(version string) {
	if job := js.Global().Get("pcpscopeJob"); job.Truthy() {
		unpack(job)
		return
	}
	debug.SetMemoryLimit(memoryLimit)
	debug.SetGCPercent(garbage)
	startYielding()
	scope := js.Global()
	after, _ := strconv.Atoi(os.Getenv("AFTER")) // 0 where there is none
	workers, _ := strconv.Atoi(os.Getenv("WORKERS"))
	lanes := maxUnpackers(workers)
	unpackers := &unpackers{}
	session := core.NewSession(core.Options{
		After: api.SourceID(after), Lanes: lanes, Zone: zones{}.load, Yield: yield, Offload: offload{unpackers}.open, Compose: compose,
	})
	server := NewServer(session, fetcher{watchRefusals()}, readBlob)
	server.Yield = yield
	spare := &spareTime{server: server, session: session}
	server.KeepOn(newBlobs)
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

// memoryLimit is how much memory the garbage collector lets the program take
// before it works harder: WebAssembly ends at 4 GiB, and the budget of a
// session is of what is in use.
const memoryLimit = 3 << 30

// garbage is how much may come to what is in use, in percent of that, before it
// is collected: what WebAssembly's memory once had it never gives back.
const garbage = 50

// spareTime is that in which nobody asks anything: it goes into what may be
// asked next.
type spareTime struct {
	server  *Server
	session *core.Session
	turn    int  // counts calls
	working bool // something is being worked out ahead
}

// pause is how long nobody asks before it begins.
const pause = 500 * time.Millisecond

// begin is called after a call.
func (s *spareTime) begin() {
	turn := s.turn
	time.AfterFunc(pause, func() {
		if s.turn != turn || s.server.Busy() {
			return
		}
		s.session.Pause(false)
		if s.working {
			return
		}
		s.working = true
		s.session.Prepare(context.Background())
		s.working = false
	})
}

// end is called before a call.
func (s *spareTime) end() {
	s.turn++
	s.session.Pause(true)
}

// settle is how long the engine leaves the machine to the page that starts.
const settle = 300 * time.Millisecond

func answer(s *Server, m js.Value) {
	id := m.Get("id").Int()
	reply := js.Global().Get("Object").New()
	reply.Set("id", id)
	out, fault := s.Call(context.Background(), id, m.Get("method").String(), rpc.FromJS(m.Get("wire")), reporter(id))
	key := "wire"
	if fault != nil {
		key, out = "fault", rpc.Encode(*fault)
	}
	wire, transfer := out.ToJS()
	reply.Set(key, wire)
	js.Global().Call("postMessage", reply, transfer)
}

// often is how far apart progress reports are at least.
const often = 50 * time.Millisecond

// reporter tells the page about progress, at once when the phase changes and
// at the end, otherwise now and then.
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
