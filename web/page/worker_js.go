package page

import (
	"context"
	"time"

	"pcpscope/core/api"
	"pcpscope/wasm/rpc"
)

// worker carries calls to the engine, through the Pcpscope of the page.
type worker struct {
	rpc.Client
	yielder *yielder
}

var (
	_ rpc.Transport = worker{}
	_ rpc.Yielder   = worker{}
)

func (w worker) Call(ctx context.Context, method string, request rpc.Message, progress func(api.Progress)) (rpc.Message, error) {
	w.yielder.call()
	if method == string(rpc.Close) {
		return w.close(request)
	}
	return w.Client.Call(ctx, method, request, seldom(progress))
}

// close goes through pcpscope.js, which also releases memory.
func (w worker) close(request rpc.Message) (rpc.Message, error) {
	var q rpc.SourceRequest
	if err := rpc.Decode(request, &q); err != nil {
		return rpc.Message{}, err
	}
	_, err := rpc.Await(w.Pcpscope.Call("close", int(q.Source)))
	return rpc.Encode(rpc.Closed{}), err
}

// seldom lets four reports a second through: each draws the page.
func seldom(progress func(api.Progress)) func(api.Progress) {
	if progress == nil {
		return nil
	}
	var last time.Time
	return func(p api.Progress) {
		if now := time.Now(); now.Sub(last) >= 250*time.Millisecond || p.Done >= p.Total {
			last = now
			go progress(p) // it takes the loop's lock, for which a callback must not wait
		}
	}
}
