package engine

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

// startYielding must come before the first yield.
func startYielding() {
	channel = js.Global().Get("MessageChannel").New()
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		lastTurn = time.Now()
		close(resume)
		resume = make(chan struct{})
		return nil
	}))
}

// yield runs the event loop once if that has not happened for a while. It
// posts itself a message, since a timer would take 4 ms.
func yield() {
	if time.Since(lastTurn) >= turn {
		yieldNow()
	}
}

func yieldNow() {
	wait := resume
	channel.Get("port2").Call("postMessage", js.Null())
	<-wait
}
