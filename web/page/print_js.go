package page

import (
	"syscall/js"
	"time"

	"pcpscope/web/report"
)

// onPaper shows the report in place of the page, where there is one.
const onPaper = `@media screen { .printed { display: none } }
@page { margin: 14mm 12mm; }
@media print {
  :root { color-scheme: light !important }
  html, body { display: block !important; height: auto !important; overflow: visible !important; background: #fff !important }
  body > :not(.printed) { display: none !important }
}
`

// printing puts a report in place of the page while the browser prints: the page
// itself is a frame that paper would cut. The browser does not wait: it prints what
// is there when it tells.
func (p *page) printing() {
	var stood, sheet js.Value // what is there while it prints
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
			return nil // the empty page is as good on paper
		}
		stood = window.Get("document").Call("createElement", "div")
		stood.Set("className", "printed")
		root := stood.Call("attachShadow", map[string]any{"mode": "open"}) // the styles of the page are not its
		root.Set("innerHTML", body)                                        // of which the report escapes all that is not its own
		root.Get("adoptedStyleSheets").Call("push", styled(report.Style))
		window.Get("document").Get("body").Call("append", stood)
		sheet = styled(onPaper)
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
	p.app.Page.Print = func() { // which waits for the user: nothing may be held meanwhile
		window.Call("setTimeout", print, 0)
	}
}

func styled(css string) js.Value {
	sheet := js.Global().Get("CSSStyleSheet").New()
	sheet.Call("replaceSync", css)
	return sheet
}

// What nobody has looked at is fetched once the page has had nothing to do for a
// while, one panel after the other, so that all of the view is printed.
const (
	leisure = 2 * time.Second
	onward  = 50 * time.Millisecond
)

// complete is called when there is nothing to do.
func (p *page) complete() {
	after := leisure
	if p.completing {
		after = onward
	}
	if p.leisure == nil {
		p.leisure = time.AfterFunc(after, func() {
			p.app.Loop.Lock()
			if p.completing = !js.Global().Get("document").Get("hidden").Bool() && p.app.Idle() && p.app.Share.Complete(); p.completing {
				p.app.Loop.UnlockRender()
			} else {
				p.app.Loop.UnlockOnly()
			}
		})
		return
	}
	p.leisure.Reset(after)
}
