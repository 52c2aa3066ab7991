package canvas

import (
	"syscall/js"

	"pcpscope/wasm/rpc"
)

// Page is the object that this program shares with the scripts of its page.
func Page() js.Value { return js.Global().Get("pcpscopePage") }

// Do has the scripts do something. A message that they cannot read, or that
// cannot be read here, is a mistake in ours: the types agree.
func Do[Request, Reply any](c Call[Request, Reply], in Request) (out Reply) {
	if err := rpc.Decode(rpc.FromJS(send(c, in)), &out); err != nil {
		panic(err)
	}
	return out
}

// Ask has the scripts do what takes a while, and waits for it.
func Ask[Request, Reply any](c Call[Request, Reply], in Request) (out Reply, err error) {
	wire, err := rpc.Await(send(c, in))
	if err != nil {
		return out, err
	}
	err = rpc.Decode(rpc.FromJS(wire), &out)
	return out, err
}

func send[Request, Reply any](c Call[Request, Reply], in Request) js.Value {
	wire, _ := rpc.Encode(in).ToJS()
	return Page().Get("charts").Call("call", string(c), wire)
}

// Listen hears what the user does on the canvases. heard is called by the
// event's own callback, which must not wait.
func Listen(heard func(Event)) {
	Page().Get("charts").Call("listen", js.FuncOf(func(_ js.Value, args []js.Value) any {
		e, err := DecodeEvent(args[0].String(), rpc.FromJS(args[1]))
		if err != nil {
			panic(err)
		}
		heard(e)
		return nil
	}))
}

// Later calls f once the next frame is on the screen.
func Later(f func()) {
	var done js.Func
	done = js.FuncOf(func(js.Value, []js.Value) any {
		done.Release()
		f()
		return nil
	})
	Page().Get("charts").Call("later", done)
}
