package rpc

import (
	"context"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A Transport carries calls to the engine and returns the replies. The page's
// goes to the worker; a test's to a server in the same process.
type Transport interface {
	// Call waits for the reply to a method of the protocol. Errors are
	// *pcp.Fault. If ctx ends, the engine stops working on the call. progress
	// may be nil.
	Call(ctx context.Context, method string, request Message, progress func(api.Progress)) (Message, error)
}

// A Yielder is a transport whose program must not block for long.
type Yielder interface {
	// Yield lets the event loop run, if it has not for a while. It must not be
	// called from the browser's callbacks, which cannot wait.
	Yield()
}

// Yield calls the transport's Yield, if it has one.
func Yield(t Transport) {
	if r, ok := t.(Yielder); ok {
		r.Yield()
	}
}

// Invoke calls a method over a transport and waits for its reply.
func Invoke[Request, Reply any](ctx context.Context, t Transport, call Call[Request, Reply], in Request, progress func(api.Progress)) (out Reply, err error) {
	err = invoke(ctx, t, string(call), in, &out, progress)
	return out, err
}

// invoke does that for all types: compiled once for each, it would add 5 KB to the download.
func invoke(ctx context.Context, t Transport, method string, in, out any, progress func(api.Progress)) error {
	if ctx.Err() != nil {
		return pcp.Faultf(pcp.Cancelled, "The call was cancelled.")
	}
	var rest func()
	if r, ok := t.(Yielder); ok {
		rest = r.Yield
	}
	reply, err := t.Call(ctx, method, EncodeYielding(in, rest), progress)
	if err != nil {
		return err
	}
	return decode(reply, out, rest)
}
