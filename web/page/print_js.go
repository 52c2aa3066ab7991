package page

import (
	"syscall/js"
	"time"

	"pcpscope/web/report"
)

// printStyle shows the report instead of the page, if there is one.
const printStyle = `@media screen { .printed { display: none } }
@page { margin: 14mm 12mm; }
@media print {
  :root { color-scheme: light !important }
  html, body { display: block !important; height: auto !important; overflow: visible !important; background: #fff !important }
  body > :not(.printed) { display: none !important }
}
`

// printing replaces the page with a report while the browser prints: the page itself would
// be cut off on paper. The browser does not wait: it prints what is there when it fires
// the event.
func (p *page) printing() {
	var stood, sheet js.Value // present only while printing
	window := js.Global()
	sheets := func() js.Value { return window.Get("document").Get("adoptedStyleSheets") }
	clear := func() {
		if stood.IsUndefined() {
			return
		}
		stood.Call("remove")
		list := sheets()
		if i := list.Call("indexOf", sheet); i.Int() >= 0 {
			list.Call("splice", i, 1)
		}
		stood = js.Undefined()
	}
	window.Call("addEventListener", "beforeprint", js.FuncOf(func(js.Value, []js.Value) any {
		clear()
		p.app.Loop.Lock()
		body := p.app.Share.Printed()
		p.app.Loop.UnlockOnly()
		if body == "" {
			return nil // the empty page prints well enough as it is
		}
		stood = window.Get("document").Call("createElement", "div")
		stood.Set("className", "printed")
		root := stood.Call("attachShadow", map[string]any{"mode": "open"}) // isolates the report from the page's styles
		root.Set("innerHTML", body)                                        // the report escapes all text from files
		root.Get("adoptedStyleSheets").Call("push", styled(report.Style))
		window.Get("document").Get("body").Call("append", stood)
		sheet = styled(printStyle)
		sheets().Call("push", sheet)
		return nil
	}))
	window.Call("addEventListener", "afterprint", js.FuncOf(func(js.Value, []js.Value) any {
		clear()
		return nil
	}))
	print := js.FuncOf(func(js.Value, []js.Value) any {
		window.Call("print")
		return nil
	})
	p.app.Page.Print = func() { // it blocks until the user is done: no lock may be held
		window.Call("setTimeout", print, 0)
	}
}

func styled(css string) js.Value {
	sheet := js.Global().Get("CSSStyleSheet").New()
	sheet.Call("replaceSync", css)
	return sheet
}

// Panels that were never on screen are fetched one by one once the page has been idle for
// a while, so that the whole view can be printed.
const (
	idleDelay = 2 * time.Second
	nextDelay = 50 * time.Millisecond
)

// complete is called when the page is idle.
func (p *page) complete() {
	after := idleDelay
	if p.completing {
		after = nextDelay
	}
	if p.idleDelay == nil {
		p.idleDelay = time.AfterFunc(after, func() {
			p.app.Loop.Lock()
			if p.completing = !js.Global().Get("document").Get("hidden").Bool() && p.app.Idle() && p.app.Share.Complete(); p.completing {
				p.app.Loop.UnlockRender()
			} else {
				p.app.Loop.UnlockOnly()
			}
		})
		return
	}
	p.idleDelay.Reset(after)
}
