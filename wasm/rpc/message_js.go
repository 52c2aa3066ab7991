package rpc

import "syscall/js"

var (
	uint8Array = js.Global().Get("Uint8Array")
	object     = js.Global().Get("Object")
	array      = js.Global().Get("Array")
)

// FromJS converts {text, data, blobs}; data, an ArrayBuffer, is copied.
func FromJS(v js.Value) Message {
	m := Message{Text: v.Get("text").String()}
	if data := v.Get("data"); data.Truthy() {
		view := uint8Array.New(data)
		m.Data = make([]byte, view.Length())
		js.CopyBytesToGo(m.Data, view)
	}
	m.Blobs = blobsOf(v)
	return m
}

func blobsOf(v js.Value) (list []any) {
	if blobs := v.Get("blobs"); blobs.Truthy() {
		for i := range blobs.Length() {
			list = append(list, blobs.Index(i))
		}
	}
	return list
}

// Keep converts {text, data, blobs} but leaves the data in JavaScript; only
// requested parts are copied: see Numbers.
func Keep(v js.Value) Message {
	m := keepData(v)
	m.Text = v.Get("text").String()
	return m
}

// keepData converts all but the text.
func keepData(v js.Value) Message {
	m := Message{Blobs: blobsOf(v), Kept: &Buffer{}}
	if data := v.Get("data"); data.Truthy() {
		m.Kept = &Buffer{JS: data, Len: data.Get("byteLength").Int(), Read: func(at, n int) []byte {
			b := make([]byte, n)
			js.CopyBytesToGo(b, uint8Array.New(data, at, n))
			return b
		}}
	}
	return m
}

// ToJS returns {text, data, blobs}. data is a new ArrayBuffer, or null; the
// second result is the list of what postMessage transfers.
func (m Message) ToJS() (v js.Value, transfer js.Value) { return m.toJS(func() {}) }

// toJS does the same and rests now and then.
func (m Message) toJS(rest func()) (v js.Value, transfer js.Value) {
	v, transfer = object.New(), array.New()
	v.Set("text", m.Text)
	v.Set("data", js.Null())
	if len(m.Data) > 0 {
		bytes := uint8Array.New(len(m.Data))
		js.CopyBytesToJS(bytes, m.Data)
		v.Set("data", bytes.Get("buffer"))
		transfer.Call("push", bytes.Get("buffer"))
	}
	blobs := array.New()
	for i, b := range m.Blobs {
		if i%1000 == 999 {
			rest()
		}
		blobs.Call("push", b)
	}
	v.Set("blobs", blobs)
	return v, transfer
}

// Await waits for a promise. A rejection is returned as an error: a
// *pcp.Fault if the promise comes from pcpscope.js.
func Await(promise js.Value) (js.Value, error) {
	type outcome struct {
		value js.Value
		err   error
	}
	done := make(chan outcome, 1)
	ok := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- outcome{value: first(args)}
		return nil
	})
	defer ok.Release()
	no := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- outcome{err: faultOf(first(args))}
		return nil
	})
	defer no.Release()
	promise.Call("then", ok, no)
	out := <-done
	return out.value, out.err
}

func first(args []js.Value) js.Value {
	if len(args) == 0 {
		return js.Undefined()
	}
	return args[0]
}
