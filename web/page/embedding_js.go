package page

import (
	"encoding/json"
	"strconv"
	"syscall/js"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/app"
	"pcpscope/web/canvas"
)

// embedding is what scripts around the page can do with it: the page that frames
// it, links that name an archive, tests. pcpscopePage.view has
//
//	open(files)          opens files as boot.js provides them; promises the Opened
//	window(start, end)   shows a time range, given as texts of nanoseconds
//	panels(text)         replaces the panels: a JSON array of arrays of metrics
//	source(id)           shows another open source
//	close(id)            closes a source
//	state()              what is shown, as JSON: see shown
//	session()            the text of a session file
//	restore(text)        restores a session; promises, as JSON, the fault or the
//	                     names of missing sources
//	changed(text)        is called with the state after each change, if it is set
type embedding struct {
	view js.Value
	last string
}

// shown is what the page shows. Times are strings: JSON numbers are not precise enough.
type shown struct {
	Source api.SourceID `json:"source,omitempty"`
	Start  string       `json:"start"`
	End    string       `json:"end"`
	Panels [][]string   `json:"panels"`
	Cursor string       `json:"cursor,omitempty"`
	Metric string       `json:"metric,omitempty"` // the metric in the details

	Reading *api.Progress `json:"reading,omitempty"` // progress of reading
}

func nanos(t pcp.Time) string { return strconv.FormatInt(int64(t), 10) }

func describe(app *app.App) string {
	tab := app.Current()
	if tab == nil && app.Intake.Reading == nil {
		return "null"
	}
	s := shown{Panels: [][]string{}}
	if app.Intake.Reading != nil {
		s.Reading = &app.Intake.Reading.Progress
	}
	if tab != nil {
		s.Source, s.Start, s.End, s.Metric = tab.Source.ID, nanos(tab.Window.Start), nanos(tab.Window.End), tab.Selected
		for _, p := range tab.Dashboard.Panels {
			s.Panels = append(s.Panels, p.Metrics)
		}
		if app.Cursor.On {
			s.Cursor = nanos(app.Cursor.At)
		}
	}
	text, _ := json.Marshal(s)
	return string(text)
}

// report announces a change. It is called under the loop's lock.
func (o *embedding) report(app *app.App) {
	if o.view.IsUndefined() {
		return
	}
	text := describe(app)
	if text == o.last {
		return
	}
	o.last = text
	if changed := o.view.Get("changed"); changed.Type() == js.TypeFunction {
		changed.Invoke(text)
	}
}

// listen provides the functions. All of them run outside the event's callback, since they
// may have to wait for the loop's lock.
func (o *embedding) listen(p *page) {
	view := js.Global().Get("Object").New()
	act := func(name string, f func(args []js.Value) (draw bool)) {
		view.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
			return promise(func(done func(any)) {
				p.app.Loop.Lock()
				draw := f(args)
				if draw {
					p.app.Loop.UnlockRender()
				} else {
					p.app.Loop.UnlockOnly()
				}
				done(draw)
			})
		}))
	}
	act("window", p.viewWindow)
	act("panels", p.viewPanels)
	act("source", p.viewSource)
	act("close", p.viewClose)
	view.Set("open", js.FuncOf(p.viewOpen))
	view.Set("state", js.FuncOf(p.viewState))
	view.Set("session", js.FuncOf(p.viewSession))
	view.Set("restore", js.FuncOf(p.viewRestore))
	p.app.Loop.Lock()
	o.view = view
	p.app.Loop.UnlockOnly()
	canvas.Page().Set("view", view)
	js.Global().Call("dispatchEvent", js.Global().Get("Event").New("pcpscope-view"))
}

// promise runs work off the event loop and returns a promise of its result.
func promise(work func(done func(any))) js.Value {
	var start js.Func
	start = js.FuncOf(func(_ js.Value, args []js.Value) any {
		defer start.Release()
		resolve := args[0]
		go work(func(v any) { resolve.Invoke(v) })
		return nil
	})
	return js.Global().Get("Promise").New(start)
}
