package page

import (
	"syscall/js"
	"time"
)

// turn is how long the page's program may work on what can wait before it
// yields. A frame is 16 ms, and includes drawing.
const turn = 6 * time.Millisecond

// yielder runs the browser's event loop by posting a message to itself: a timer
// would take 4 ms.
type yielder struct {
	channel js.Value
	last    time.Time // when the event loop last ran
	called  time.Time // since when calls have been counted
	calls   int
	resume  chan struct{}
}

func newYielder() *yielder {
	r := &yielder{channel: js.Global().Get("MessageChannel").New(), resume: make(chan struct{})}
	r.channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		r.last = time.Now()
		close(r.resume)
		r.resume = make(chan struct{})
		return nil
	}))
	return r
}

// yield runs the event loop if that has not happened for a while.
func (r *yielder) yield() {
	if time.Since(r.last) < turn {
		return
	}
	wait := r.resume
	r.channel.Get("port2").Call("postMessage", js.Null())
	<-wait
}

// atOnce is how many calls may go to the engine in one turn: each costs the
// page a fraction of a millisecond, and opening a hundred sources makes
// hundreds.
const atOnce = 6

// call counts a call to the engine, and yields after many of them.
func (r *yielder) call() {
	if now := time.Now(); now.Sub(r.called) > turn {
		r.called, r.calls = now, 0
	}
	if r.calls++; r.calls > atOnce {
		r.calls = 0
		r.yield()
	}
}
