package app

import (
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/timeline"
)

// Explain shows what was unusual in the window, above the panels. It follows the window.
type Explain struct {
	Open   bool
	Result *api.Explanation // nil until it is known
	Fault  string

	tab    *Tab
	of     timeline.Window // of the last request
	asking bool
}

// Available reports whether the source has other periods to compare a window with.
func (e *Explain) Available() bool {
	tab := e.tab
	return tab != nil && tab.Source.Kind == "archive" && tab.Rates()
}

// Visible reports whether it is above the panels.
func (e *Explain) Visible() bool { return e.Available() && e.Open }

// Toggle explains the window, or hides the explanation.
func (e *Explain) Toggle() {
	e.Open = !e.Open
	if e.Open {
		e.tab.app.Layout.endComparison()
		e.tab.app.Layout.ToTopRev++
	}
}

// Of explains a time range: it becomes the window, or a minute around it if it is shorter.
func (e *Explain) Of(start, end pcp.Time) {
	const least = pcp.Time(60e9)
	if around := (least - (end - start)) / 2; around > 0 {
		start, end = start-around, end+around
	}
	tab := e.tab
	tab.app.Layout.Sheet = ""
	tab.Zoom(start, end)
	if !e.Open {
		e.Toggle()
	}
	tab.app.Layout.ToTopRev++
}

// Waiting reports that the source must be read first.
func (e *Explain) Waiting() bool { return e.tab.Source.Loaded < 1 }

// RefreshExplain requests the explanation of the present window, and what moves with a series in it, unless they
// are shown already. It is called before each drawing, under the lock.
func (a *App) RefreshExplain() {
	tab := a.current
	if tab != nil {
		tab.Moves.refresh()
	}
	if tab == nil || !tab.Explain.Visible() || tab.Explain.Waiting() || tab.Explain.asking || tab.Explain.of == tab.Window {
		return
	}
	tab.Explain.ask()
}

func (e *Explain) ask() {
	tab, w := e.tab, e.tab.Window
	e.of, e.asking = w, true
	start, end := int64(w.Start), int64(w.End)
	q := api.ExplainQuery{Source: tab.Source.ID, Start: &api.When{Nanos: &start}, End: &api.When{Nanos: &end}}
	tab.app.work(func() func() {
		r, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Explain, q, nil)
		return func() {
			e.asking, e.Fault, e.Result = false, "", nil
			if err != nil {
				e.Fault = pcp.AsFault(err).Message
				return
			}
			e.Result = &r
		}
	})
}

// Current reports whether the answer is about the visible window.
func (e *Explain) Current() bool { return !e.asking && e.of == e.tab.Window }

// ShowSince moves the cursor to where a row left its range.
func (e *Explain) ShowSince(at pcp.Time) {
	tab := e.tab
	if at < tab.Window.Start || at > tab.Window.End {
		tab.Zoom(at-pcp.Time(tab.Window.Len()/4), max(tab.Window.End, at))
	}
	tab.app.Cursor.Set(at)
}

// ShowRow shows the metric of a row in a panel, or for a command the table of processes.
func (e *Explain) ShowRow(metric, command string) {
	if layout := &e.tab.app.Layout; command == "" {
		e.ShowSeries(metric)
	} else if layout.Drawer != "processes" {
		layout.ToggleDrawer("processes")
	}
}

// ShowSeries adds the metric of a row to a panel, unless one shows it already, and selects it.
func (e *Explain) ShowSeries(metric string) {
	tab := e.tab
	if !tab.Dashboard.Showing(metric) {
		tab.Dashboard.AddPanel(metric)
	}
	tab.Select(metric)
}

// Text is the explanation as copied into a ticket.
func (e *Explain) Text() string {
	r, tab := e.Result, e.tab
	if r == nil {
		return ""
	}
	head := tab.Source.Host + ", " + tab.Clock.Full(r.Start, r.End)
	lines := slices.Clone(r.Text)
	for i := range min(len(r.Rows), len(lines)) {
		if at := r.Rows[i].Since; at != nil {
			lines[i] = strings.TrimSuffix(lines[i], ".") + "; since " + tab.Clock.Within(*at, tab.Source.Start, tab.Source.End) + "."
		}
	}
	if r.Why != "" {
		lines = append(lines, r.Why)
	}
	return copied(append([]string{head}, lines...))
}

// Copy copies it.
func (e *Explain) Copy() {
	if copy := e.tab.app.Page.Copy; copy != nil {
		copy(e.Text())
	}
}
