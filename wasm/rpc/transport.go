package rpc

import (
	"context"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A Transport carries calls to the engine and brings their answers back. The
// page's goes to the worker; a test's goes to a server in the same process.
type Transport interface {
	// Call waits for the answer to a method of the protocol. Errors are
	// *pcp.Fault. When ctx ends the engine stops working on the call. progress
	// may be nil.
	Call(ctx context.Context, method string, request Message, progress func(api.Progress)) (Message, error)
}

// A Rester is a transport whose program must not be busy for long at a time.
type Rester interface {
	// Rest lets others have their turn, if they have not had it for a while.
	// It is not for callbacks of the browser's, which must not wait.
	Rest()
}

// Rest lets others have their turn where the transport's program must.
func Rest(t Transport) {
	if r, ok := t.(Rester); ok {
		r.Rest()
	}
}

// Invoke calls a method over a transport and waits for its reply.
func Invoke[Request, Reply any](ctx context.Context, t Transport, call Call[Request, Reply], in Request, progress func(api.Progress)) (out Reply, err error) {
	if ctx.Err() != nil {
		return out, pcp.Faultf(pcp.Cancelled, "The call was cancelled.")
	}
	reply, err := t.Call(ctx, string(call), Encode(in), progress)
	if err != nil {
		return out, err
	}
	var rest func()
	if r, ok := t.(Rester); ok {
		rest = r.Rest
	}
	err = decode(reply, &out, rest)
	return out, err
}
