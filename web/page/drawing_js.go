package page

import (
	"syscall/js"

	"github.com/vugu/vugu"

	"pcpscope/web/render"
)

// drawing puts what the components build onto the page, and what the user
// does there before the components: see static/drawing.js.
type drawing struct {
	js     js.Value
	render render.Renderer
}

// newDrawing takes the place of the element with an ID. The page is drawn after
// each event that a component has handled.
func newDrawing(id string, loop loop) *drawing {
	d := &drawing{js: js.Global().Get("pcpdrawing")}
	d.js.Call("mount", id)
	d.js.Call("listen", js.FuncOf(func(_ js.Value, args []js.Value) any {
		loop.Lock()
		if handle := d.render.Handler(args[0].Int(), args[1].String()); handle != nil {
			handle(vugu.NewDOMEvent(loop, summary(args[2])))
		}
		loop.UnlockRender()
		return nil
	}))
	return d
}

// summary is what the components ask of events.
func summary(event js.Value) map[string]any {
	about := map[string]any{}
	for _, key := range []string{"shiftKey", "ctrlKey", "metaKey"} {
		if v := event.Get(key); v.Type() == js.TypeBoolean {
			about[key] = v.Bool()
		}
	}
	target, of := event.Get("target"), map[string]any{}
	if v := target.Get("value"); v.Type() == js.TypeString {
		of["value"] = v.String()
	}
	if v := target.Get("selectionStart"); v.Type() == js.TypeNumber {
		of["selectionStart"] = v.Float()
	}
	about["target"] = of
	return about
}

// show brings the page up to date.
func (d *drawing) show(results *vugu.BuildResults) {
	if steps := d.render.Update(results); len(steps) > 2 {
		d.js.Call("apply", string(steps))
	}
}
