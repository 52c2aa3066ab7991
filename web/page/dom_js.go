package page

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// Typed access to the page around the components.
var window = dom.GetWindow()

// element gives an element its type; nil if there is none. The library's own conversion
// needs its table of all element types, a 60 kB download.
func element(v js.Value) *dom.BasicHTMLElement {
	if !v.Truthy() {
		return nil
	}
	return &dom.BasicHTMLElement{BasicElement: &dom.BasicElement{BasicNode: &dom.BasicNode{Value: v}}}
}

// document is a function because the program also runs where there is none.
func document() js.Value { return js.Global().Get("document") }

func byID(id string) *dom.BasicHTMLElement { return element(document().Call("getElementById", id)) }

func query(selector string) *dom.BasicHTMLElement {
	return element(document().Call("querySelector", selector))
}

// active is the focused element.
func active() *dom.BasicHTMLElement { return element(document().Get("activeElement")) }

// hide hides or shows an element.
func hide(e *dom.BasicHTMLElement, hidden bool) { e.Set("hidden", hidden) }

// listen calls heard for each event of a kind. The library's own AddEventListener needs its
// table of all event types, a 5 kB download.
func listen(target js.Value, kind string, heard func(event js.Value)) {
	target.Call("addEventListener", kind, js.FuncOf(func(_ js.Value, args []js.Value) any {
		heard(args[0])
		return nil
	}))
}
