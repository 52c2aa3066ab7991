package canvas

import (
	"syscall/js"

	"pcpscope/wasm/rpc"
)

// Page is the object that this program shares with the page's scripts.
func Page() js.Value { return js.Global().Get("pcpscopePage") }

// Do calls a script. Messages that either side cannot read are bugs: both sides have the
// same types.
func Do[Request, Reply any](c Call[Request, Reply], in Request) (out Reply) {
	decode(send(string(c), in), &out)
	return out
}

func decode(wire js.Value, out any) {
	if err := rpc.Decode(rpc.FromJS(wire), out); err != nil {
		panic(err)
	}
}

// Ask calls a script that takes a while, and waits for its reply.
func Ask[Request, Reply any](c Call[Request, Reply], in Request) (out Reply, err error) {
	wire, err := rpc.Await(send(string(c), in))
	if err != nil {
		return out, err
	}
	err = rpc.Decode(rpc.FromJS(wire), &out)
	return out, err
}

func send(call string, in any) js.Value {
	wire, _ := rpc.Encode(in).ToJS()
	return Page().Get("charts").Call("call", call, wire)
}

// Listen receives what the user does on the canvases. heard is called from the event's own
// callback, which must not block.
func Listen(handle func(Event)) {
	Page().Get("charts").Call("listen", js.FuncOf(func(_ js.Value, args []js.Value) any {
		e, err := DecodeEvent(args[0].String(), rpc.FromJS(args[1]))
		if err != nil {
			panic(err)
		}
		handle(e)
		return nil
	}))
}

// Later calls f once the next frame is on screen.
func Later(f func()) {
	var done js.Func
	done = js.FuncOf(func(js.Value, []js.Value) any {
		done.Release()
		f()
		return nil
	})
	Page().Get("charts").Call("later", done)
}
