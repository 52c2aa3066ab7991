package page

import (
	"syscall/js"

	"github.com/vugu/vugu"

	"pcpscope/wasm/rpc"
	"pcpscope/web/canvas"
	"pcpscope/web/render"
)

// drawing applies what the components build to the page, and passes events on the page to
// the components: see static/drawing.js.
type drawing struct {
	js     js.Value
	render render.Renderer
}

// newDrawing replaces the element with an ID. The page is drawn after each event that a
// component has handled.
func newDrawing(id string, loop loop) *drawing {
	d := &drawing{js: canvas.Page().Get("drawing")}
	d.js.Call("mount", id)
	d.js.Call("listen", js.FuncOf(func(_ js.Value, args []js.Value) any {
		loop.Lock()
		if handle := d.render.Handler(args[0].Int(), args[1].String()); handle != nil {
			var about canvas.DOMEvent
			if err := rpc.Decode(rpc.FromJS(args[2]), &about); err != nil {
				panic(err)
			}
			handle(event{vugu.NewDOMEvent(loop, summary(about)), d.js})
		}
		loop.UnlockRender()
		return nil
	}))
	return d
}

// An event is the one the scripts are currently handling: what Vugu would ask of its own
// functions on window is answered from it.
type event struct {
	vugu.DOMEvent
	drawing js.Value
}

func (e event) PreventDefault()  { e.drawing.Call("preventDefault") }
func (e event) StopPropagation() { e.drawing.Call("stopPropagation") }

// summary is what components read of events, in Vugu's form.
func summary(e canvas.DOMEvent) map[string]any {
	target := map[string]any{}
	if e.Target.Value != nil {
		target["value"] = *e.Target.Value
	}
	if e.Target.SelectionStart != nil {
		target["selectionStart"] = float64(*e.Target.SelectionStart)
	}
	return map[string]any{"shiftKey": e.ShiftKey, "ctrlKey": e.CtrlKey, "metaKey": e.MetaKey, "target": target}
}

// show updates the page.
func (d *drawing) show(results *vugu.BuildResults) {
	if steps := d.render.Update(results); len(steps) > 2 {
		d.js.Call("apply", string(steps))
	}
}
