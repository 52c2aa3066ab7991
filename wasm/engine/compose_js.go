package engine

import "syscall/js"

var normalize = js.Global().Get("String").Get("prototype").Get("normalize")

// compose normalises a text to Unicode's form C, by the browser's function.
func compose(text string) string { return normalize.Call("call", text, "NFC").String() }
