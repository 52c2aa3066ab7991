package rpc

import (
	"context"
	"syscall/js"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A Client calls the engine through a Pcpscope object, for Go in the page.
type Client struct{ Pcpscope js.Value }

// Call makes a Client a Transport.
func (c Client) Call(ctx context.Context, method string, request Message, progress func(api.Progress)) (Message, error) {
	v, err := c.do(ctx, "callWire", method, request, progress)
	if err != nil {
		return Message{}, err
	}
	return FromJS(v), nil
}

// Object calls a method and returns its reply as the JavaScript API gives it:
// for frames, whose arrays go to the chart without passing through Go.
func (c Client) Object(ctx context.Context, method string, in any, progress func(api.Progress)) (js.Value, error) {
	return c.do(ctx, "callWireObject", method, Encode(in), progress)
}

func (c Client) do(ctx context.Context, how, method string, request Message, progress func(api.Progress)) (js.Value, error) {
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
	wire, _ := request.ToJS()
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
