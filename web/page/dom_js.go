package page

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// The page around the components, typed.
var window = dom.GetWindow()

// element gives an element its type; nil where there is none. What the
// library itself would make of it depends on its table of all elements with
// all they can do, which is 60 kB to download.
func element(v js.Value) *dom.BasicHTMLElement {
	if !v.Truthy() {
		return nil
	}
	return &dom.BasicHTMLElement{BasicElement: &dom.BasicElement{BasicNode: &dom.BasicNode{Value: v}}}
}

// document is a function since the program runs where there is none, too.
func document() js.Value { return js.Global().Get("document") }

func byID(id string) *dom.BasicHTMLElement { return element(document().Call("getElementById", id)) }

func query(selector string) *dom.BasicHTMLElement {
	return element(document().Call("querySelector", selector))
}

// active is the element that keys go to.
func active() *dom.BasicHTMLElement { return element(document().Get("activeElement")) }

// hide takes an element out of sight, or shows it.
func hide(e *dom.BasicHTMLElement, hidden bool) { e.Set("hidden", hidden) }
