package rpc

import (
	"context"
	"syscall/js"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A Client calls the engine through a Pcpscope object, for Go in the page.
type Client struct{ Pcpscope js.Value }

// Invoke calls a method and waits for its reply. Errors are *pcp.Fault. When
// ctx ends the engine stops working on the call. progress may be nil.
func Invoke[Request, Reply any](ctx context.Context, c Client, call Call[Request, Reply], in Request, progress func(api.Progress)) (out Reply, err error) {
	v, err := c.do(ctx, "callWire", string(call), in, progress)
	if err != nil {
		return out, err
	}
	err = Decode(FromJS(v), &out)
	return out, err
}

// Object calls a method and returns its reply as the JavaScript API gives it:
// for frames, whose arrays go to the chart without passing through Go.
func (c Client) Object(ctx context.Context, method string, in any, progress func(api.Progress)) (js.Value, error) {
	return c.do(ctx, "callWireObject", method, in, progress)
}

func (c Client) do(ctx context.Context, how, method string, in any, progress func(api.Progress)) (js.Value, error) {
	if err := ctx.Err(); err != nil {
		return js.Value{}, pcp.Faultf(pcp.Cancelled, "The call was cancelled.")
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
	wire, _ := Encode(in).ToJS()
	return Await(c.Pcpscope.Call(how, method, wire, options))
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
