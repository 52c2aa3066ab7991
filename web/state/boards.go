package state

import (
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// atOnce is how many panels of a dashboard are fetched before it is known
// which of them can be seen.
const atOnce = 5

// ShowBoard shows a dashboard in place of the panels there are.
func (w *Work) ShowBoard(id string) {
	if w.app.Insight == nil {
		return
	}
	w.app.work(func() func() {
		d, err := w.app.Insight.Dashboard(w.ctx, w.Source.ID, id)
		return func() {
			if err != nil {
				w.app.failed(err)
				w.app.refuse("dashboard", err)
				return
			}
			w.remember()
			w.setBoard(&d)
		}
	})
}

// ShowNthBoard shows a dashboard by its number in the list, from 1. It
// reports whether there is such a one.
func (w *Work) ShowNthBoard(n int) bool {
	list := w.Numbered()
	if n < 1 || n > len(list) {
		return false
	}
	w.ShowBoard(list[n-1].ID)
	return true
}

// Numbered are the dashboards that have keys: the first nine without a
// heading.
func (w *Work) Numbered() []api.DashboardInfo {
	var list []api.DashboardInfo
	for _, b := range w.Boards {
		if b.Available && b.Group == "" && len(list) < 9 {
			list = append(list, b)
		}
	}
	return list
}

// setBoard replaces the panels by those of a dashboard.
func (w *Work) setBoard(d *api.Dashboard) {
	w.Board, w.app.Comparing = d, false
	for _, p := range w.Panels {
		p.forget()
	}
	w.Panels = nil
	for i, p := range d.Panels {
		panel := panelOf(d, p)
		w.app.lastPanel++
		panel.ID = w.app.lastPanel
		n := &Panel{ID: panel.ID}
		n.apply(panel)
		n.far = w.app.Lazy && i >= atOnce
		w.Panels = append(w.Panels, n)
		w.fetch(n)
	}
	w.Active = 0
	if len(w.Panels) > 0 {
		w.Active = w.Panels[0].ID
	}
	w.app.Fresh++
}

// adopt takes over a dashboard that was resolved anew after all of the source
// had been read: panels that turned out to have no values go. Panels that the
// user has added stay.
func (w *Work) adopt(d *api.Dashboard) {
	w.Board = d
	for _, p := range slices.Clone(w.Panels) {
		if p.Part != "" && !slices.ContainsFunc(d.Panels, func(a api.DashboardPanel) bool { return a.ID == p.Part }) {
			w.drop(p)
		}
	}
	for _, a := range d.Panels {
		for _, p := range w.Panels {
			fresh := panelOf(d, a)
			if p.Whole {
				fresh.swap()
			}
			if p.Part == a.ID && !slices.Equal(fresh.Thresholds, p.Thresholds) { // a rule was set
				p.Thresholds = fresh.Thresholds
				if p.Frame != nil {
					p.Levels = p.levels(p.Frame)
				}
				p.Rev++
			}
			if p.Part == a.ID && !slices.Equal(fresh.Metrics, p.Metrics) {
				p.Metrics, p.Strokes = fresh.Metrics, fresh.Strokes
				w.fetch(p)
			}
		}
	}
}

// panelOf makes a panel of one in a dashboard.
func panelOf(d *api.Dashboard, a api.DashboardPanel) Panel {
	p := Panel{Title: a.Title, What: a.What, Log: a.Log, Look: Look{Part: a.ID, Style: a.Style, Unit: a.Unit, Usual: a.Usual, Next: a.Next,
		Thresholds: a.Thresholds, Max: a.Max, Top: a.Top, Leaves: a.Leaves, Decimals: a.Decimals, Commands: a.Commands}}
	if d.Group == "From the archive" || d.Group == "Imported" {
		p.Usual, p.Next = "", ""
	}
	for _, s := range a.Series {
		p.Metrics = append(p.Metrics, s.Expression)
		p.Strokes = append(p.Strokes, Stroke{Name: s.Name, Role: s.Role, Unit: s.Unit, Units: s.Units, All: s.All, Below: s.Below, Bold: s.Bold, Right: s.Right, Quiet: s.Hidden})
	}
	accounted := slices.ContainsFunc(d.Panels, func(p api.DashboardPanel) bool { return p.ID == "cpu" }) // samples of processes are those of CPU time
	if what, ok := consumed[a.ID]; ok && d.ID == "processes" && accounted {
		p.Who = &Who{What: what, By: "command", Top: max(a.Top, 7)}
		p.Title = whoTitle(p.Who)
		p.Style = "topn"
	}
	return p
}

// consumed are the panels of processes that say who used a resource.
var consumed = map[string]string{"cpu": "cpu", "memory": "memory", "read": "read", "write": "write", "user": "userCPU", "sys": "sysCPU", "wait": "waiting", "blkio": "blocked", "swapped": "swapped",
	"major": "major", "minor": "minor", "voluntary": "voluntary", "involuntary": "forced", "threads": "threads", "files": "files"}

// NewBoard clears the panels: a dashboard of the user's own begins.
func (w *Work) NewBoard() {
	w.remember()
	for _, p := range w.Panels {
		p.forget()
	}
	w.Panels, w.Active, w.Board = nil, 0, nil
}

// See tells which panels are on the screen or near it: the others are not
// fetched until they are.
func (w *Work) See(ids []int) {
	for _, p := range w.Panels {
		p.far = !slices.Contains(ids, p.ID)
		if !p.far && p.waits().stale {
			w.fetch(p)
		}
	}
}

// OutOfSight says that a panel is neither on the screen nor near it.
func (p *Panel) OutOfSight() bool { return p.far }

// Boots are when the host started, as far as known.
func (w *Work) Boots() []pcp.Time {
	if w.Overview == nil {
		return nil
	}
	return w.Overview.Boots
}
