package web

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"pcpscope/web/state"
)

// editor is the part of the page of derived metrics that lives in the
// browser: where the caret stands, and the list below it.
type editor struct {
	caret int    // revision of the caret's wish that was granted
	page  string // that was on screen before
}

// sync is called after each drawing, under the loop's lock.
func (e *editor) sync(d *state.Derive) {
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
	if d.Completing {
		placePopup(text, d)
	}
}

// placePopup puts the list of candidates below the line of the word that they
// complete, and scrolls it to the one that is chosen.
func placePopup(text js.Value, d *state.Derive) {
	popup := byID("derive-popup").Underlying()
	lines := text.Get("previousElementSibling").Get("children")
	at, line := 0, 0
	for i, r := range d.Text { // UTF-16 units do not matter: a line too far is clamped
		if i >= d.Completion.Span[0] {
			break
		}
		if at++; r == '\n' {
			line++
		}
	}
	if n := lines.Length(); n > 0 {
		el := lines.Index(min(line, n-1))
		below := el.Get("offsetTop").Int() + el.Get("offsetHeight").Int()
		popup.Get("style").Call("setProperty", "top", js.Global().Get("String").Invoke(below+8).String()+"px")
	}
	if on := popup.Call("querySelector", ".candidate.on"); on.Truthy() {
		on.Call("scrollIntoView", map[string]any{"block": "nearest"})
	}
}

// save hands a text to the browser as a file to keep.
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
