package page

import (
	"syscall/js"
	"time"
)

// turn is how long the page's program may be busy with what can wait. A frame
// is 16 ms, and something has to be drawn in it, too.
const turn = 6 * time.Millisecond

// yielder goes round the browser's event loop by a message to itself: a timer
// would cost 4 ms.
type yielder struct {
	channel js.Value
	last    time.Time // when the browser had its turn
	called  time.Time // when calls were begun to be counted
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

// yield lets the browser have its turn if it has not had it for a while.
func (r *yielder) yield() {
	if time.Since(r.last) < turn {
		return
	}
	wait := r.resume
	r.channel.Get("port2").Call("postMessage", js.Null())
	<-wait
}

// atOnce is how many calls may go to the engine in one turn: each costs the
// page a fraction of a millisecond, and what opens a hundred sources makes
// hundreds.
const atOnce = 6

// call counts a call that goes to the engine, and rests where there are many.
func (r *yielder) call() {
	if now := time.Now(); now.Sub(r.called) > turn {
		r.called, r.calls = now, 0
	}
	if r.calls++; r.calls > atOnce {
		r.calls = 0
		r.yield()
	}
}
