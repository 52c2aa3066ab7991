package page

import (
	"syscall/js"
	"time"

	"pcpscope/web/app"
)

// editor is the part of the derived metric editor that only the browser can do: caret and
// completion list.
type editor struct {
	caret int    // revision of the last caret position applied
	page  string // the page shown before
}

// sync is called after each drawing, under the loop's lock.
func (e *editor) sync(d *app.Editor) {
	opened := d.Page != e.page
	e.page = d.Page
	if d.Page != "editor" {
		return
	}
	text := byID("derive-text")
	if !text.Truthy() {
		return
	}
	if d.CaretRev != e.caret || opened {
		e.caret = d.CaretRev
		text.Call("focus", map[string]any{"preventScroll": true})
		text.Call("setSelectionRange", d.Caret, d.Caret)
	}
	if on := query("#derive-popup .candidate.on"); d.Completing && on.Truthy() {
		on.Call("scrollIntoView", map[string]any{"block": "nearest"})
	}
}

// save downloads a text as a file.
func save(name, kind, text string) {
	blob := js.Global().Get("Blob").New([]any{text}, map[string]any{"type": kind})
	saveBlob(name, blob)
}

func saveBlob(name string, blob js.Value) {
	url := js.Global().Get("URL").Call("createObjectURL", blob)
	a := document().Call("createElement", "a")
	a.Set("href", url)
	a.Set("download", name)
	a.Call("click")
	time.AfterFunc(10*time.Second, func() { js.Global().Get("URL").Call("revokeObjectURL", url) })
}
