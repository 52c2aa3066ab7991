package browser

import (
	"syscall/js"
	"time"
)

// turn is how long the engine computes before it lets messages in.
const turn = 20 * time.Millisecond

var (
	lastTurn time.Time // when messages could come in
	resume   = make(chan struct{})
	channel  js.Value
)

// StartYielding must come before the first yield.
func StartYielding() {
	channel = js.Global().Get("MessageChannel").New()
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		Turned()
		close(resume)
		resume = make(chan struct{})
		return nil
	}))
}

// Yield goes round the event loop once if that has not happened for a while.
// A message to oneself does it; a timer would cost 4 ms.
func Yield() {
	if time.Since(lastTurn) >= turn {
		yieldNow()
	}
}

// Turned says that messages could come in now.
func Turned() { lastTurn = time.Now() }

func yieldNow() {
	wait := resume
	channel.Get("port2").Call("postMessage", js.Null())
	<-wait
}
