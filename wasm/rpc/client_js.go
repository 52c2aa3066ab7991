package rpc

import (
	"context"
	"strings"
	"syscall/js"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A Client calls the engine through a Pcpscope object, for Go in the page.
type Client struct {
	Pcpscope js.Value
	Pause    func() // lets the browser run, see Yielder; may be nil
}

// Yield makes a Client a Yielder.
func (c Client) Yield() {
	if c.Pause != nil {
		c.Pause()
	}
}

// Call makes a Client a Transport. The data of the reply stay in JavaScript,
// except for arrays that are decoded: see Numbers.
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
	wire, _ := request.toJS(c.Yield)
	v, err := Await(c.Pcpscope.Call("callWire", method, wire, options))
	if err != nil {
		return Message{}, err
	}
	return c.keep(v), nil
}

// pieces is how many characters of a reply are copied between two rests.
const pieces = 1 << 20

// keep is Keep for replies of any length.
func (c Client) keep(v js.Value) Message {
	text := object.Invoke(v.Get("text")) // as an object, because Go cannot call methods of a primitive string
	size := text.Get("length").Int()
	if size <= pieces || c.Pause == nil {
		return Keep(v)
	}
	var b strings.Builder
	for at := 0; at < size; {
		to := min(at+pieces, size)
		if code := text.Call("charCodeAt", to-1).Int(); to < size && code >= 0xd800 && code < 0xdc00 {
			to-- // first half of a surrogate pair
		}
		b.WriteString(text.Call("slice", at, to).String())
		at = to
		c.Yield()
	}
	m := keepData(v)
	m.Text = b.String()
	return m
}

// faultOf extracts the fault from an Error of pcpscope.js. Any other
// exception is a bug.
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
