package browser

import "syscall/js"

var normalize = js.Global().Get("String").Get("prototype").Get("normalize")

// Compose returns a text in Unicode's normal form C, which the browser knows.
func Compose(text string) string { return normalize.Call("call", text, "NFC").String() }
