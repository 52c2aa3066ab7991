package rpc

import (
	"context"
	"syscall/js"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A Client calls the engine through a Pcpscope object, for Go in the page.
type Client struct{ Pcpscope js.Value }

// Call makes a Client a Transport. The data of the answer stay where they are,
// but for the arrays that are decoded: see Numbers.
func (c Client) Call(ctx context.Context, method string, request Message, progress func(api.Progress)) (Message, error) {
	if err := ctx.Err(); err != nil {
		return Message{}, pcp.Faultf(pcp.Cancelled, "The call was cancelled.")
	}
	abort := js.Global().Get("AbortController").New()
	defer context.AfterFunc(ctx, func() { abort.Call("abort") })()
	options := object.New()
	options.Set("signal", abort.Get("signal"))
	if progress != nil {
		report := js.FuncOf(func(_ js.Value, args []js.Value) any {
			p := first(args)
			progress(api.Progress{Phase: p.Get("phase").String(), Done: p.Get("done").Float(), Total: p.Get("total").Float()})
			return nil
		})
		defer report.Release()
		options.Set("onProgress", report)
	}
	wire, _ := request.ToJS()
	v, err := Await(c.Pcpscope.Call("callWire", method, wire, options))
	if err != nil {
		return Message{}, err
	}
	return Keep(v), nil
}

// faultOf reads the fault out of an Error of pcpscope.js. Anything else that
// was thrown is a mistake in the program.
func faultOf(e js.Value) error {
	if e.Type() == js.TypeObject {
		if wire := e.Get("wire"); wire.Type() == js.TypeObject {
			var f pcp.Fault
			if Decode(FromJS(wire), &f) == nil {
				return &f
			}
		}
	}
	return pcp.Faultf(pcp.Internal, "%s", js.Global().Get("String").Invoke(e).String())
}
