package engine

import "syscall/js"

var normalize = js.Global().Get("String").Get("prototype").Get("normalize")

// compose returns a text in Unicode's normal form C, which the browser knows.
func compose(text string) string { return normalize.Call("call", text, "NFC").String() }
