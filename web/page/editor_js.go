package page

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

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
	area := byID("derive-text")
	if area == nil {
		return
	}
	text := area.Underlying()
	if d.CaretRev != e.caret || opened {
		e.caret = d.CaretRev
		text.Call("focus", map[string]any{"preventScroll": true})
		text.Call("setSelectionRange", d.Caret, d.Caret)
	}
	if on := query("#derive-popup .candidate.on"); d.Completing && on != nil {
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
	a := &dom.HTMLAnchorElement{BasicHTMLElement: element(document().Call("createElement", "a"))}
	a.SetAttribute("href", url.String())
	a.SetAttribute("download", name)
	a.Click()
	window.SetTimeout(func() { js.Global().Get("URL").Call("revokeObjectURL", url) }, 10_000)
}
