package page

import (
	"encoding/json"
	"slices"
	"strconv"
	"syscall/js"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/app"
	"pcpscope/web/canvas"
	"pcpscope/web/session"
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

// restored is the result of restoring a session.
type restored struct {
	Fault   *pcp.Fault `json:"fault,omitempty"`
	Missing []string   `json:"missing"` // names of its sources that are not open
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
	act("window", func(args []js.Value) bool {
		tab := p.app.Current()
		start, err1 := strconv.ParseInt(args[0].String(), 10, 64)
		end, err2 := strconv.ParseInt(args[1].String(), 10, 64)
		if tab == nil || err1 != nil || err2 != nil {
			return false
		}
		tab.Zoom(pcp.Time(start), pcp.Time(end))
		return true
	})
	act("panels", func(args []js.Value) bool {
		tab := p.app.Current()
		var panels [][]string
		if tab == nil || json.Unmarshal([]byte(args[0].String()), &panels) != nil {
			return false
		}
		tab.Dashboard.SetPanels(panels)
		return true
	})
	act("source", func(args []js.Value) bool {
		id := api.SourceID(args[0].Float())
		p.app.Show(id)
		return p.app.Current() != nil && p.app.Current().Source.ID == id
	})
	act("close", func(args []js.Value) bool {
		id := api.SourceID(args[0].Float())
		if !slices.ContainsFunc(p.app.Tabs, func(tab *app.Tab) bool { return tab.Source.ID == id }) {
			return false
		}
		p.app.Close(id)
		return true
	})
	view.Set("open", js.FuncOf(func(_ js.Value, args []js.Value) any {
		files := filesOf(args[0], func() {})
		return promise(func(done func(any)) {
			p.app.Loop.Lock()
			p.refused = -1
			p.app.Intake.OpenThen(files, func(opened api.Opened, err error) {
				if err != nil {
					opened.Rejected = append(opened.Rejected, api.Rejected{Fault: *pcp.AsFault(err)})
				}
				wire, _ := rpc.Encode(opened).ToJS()
				done(wire)
			})
			p.app.Loop.UnlockRender()
		})
	}))
	view.Set("state", js.FuncOf(func(js.Value, []js.Value) any {
		return promise(func(done func(any)) {
			p.app.Loop.Lock()
			defer p.app.Loop.UnlockOnly()
			done(describe(p.app))
		})
	}))
	view.Set("session", js.FuncOf(func(js.Value, []js.Value) any {
		return promise(func(done func(any)) {
			p.app.Loop.Lock()
			defer p.app.Loop.UnlockOnly()
			done(p.app.Session().Text())
		})
	}))
	view.Set("restore", js.FuncOf(func(_ js.Value, args []js.Value) any {
		wire := js.Global().Get("Object").Invoke(args[0])
		return promise(func(done func(any)) {
			out := restored{Missing: []string{}}
			var kept *session.Session
			var err error = session.TooLarge()
			if wire.Get("length").Int() <= session.MaxBytes {
				kept, err = session.Parse([]byte(wire.Call("toString").String()), func() { rpc.Yield(p.app.Engine) })
			}
			if err != nil {
				out.Fault = pcp.AsFault(err)
			} else {
				p.app.Loop.Lock()
				p.app.Restore(kept)
				for _, source := range p.app.Missing() {
					out.Missing = append(out.Missing, source.Name)
				}
				p.app.Loop.UnlockRender()
			}
			answer, _ := json.Marshal(out)
			done(string(answer))
		})
	}))
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
