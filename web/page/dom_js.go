package page

import "syscall/js"

// Access to the page around the components. An element that there is none of is null.
var window = js.Global()

// document is a function because the program also runs where there is none.
func document() js.Value { return window.Get("document") }

func byID(id string) js.Value { return document().Call("getElementById", id) }

func query(selector string) js.Value { return document().Call("querySelector", selector) }

// active is the focused element.
func active() js.Value { return document().Get("activeElement") }

// attribute is an element's attribute, "" if it has none of the name.
func attribute(element js.Value, name string) string {
	if v := element.Call("getAttribute", name); v.Truthy() {
		return v.String()
	}
	return ""
}

// hide hides or shows an element.
func hide(element js.Value, hidden bool) { element.Set("hidden", hidden) }

// on calls do for each event of a target, such as "click".
func on(target js.Value, event string, do func(e js.Value)) {
	target.Call("addEventListener", event, js.FuncOf(func(_ js.Value, args []js.Value) any {
		do(args[0])
		return nil
	}))
}
