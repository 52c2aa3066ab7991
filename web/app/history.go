package app

import (
	"slices"

	"pcpscope/core/api"
	"pcpscope/web/panel"
	"pcpscope/web/timeline"
)

// History is the undo and redo history of views.
type History struct {
	past, future []view
	tab          *Tab
}

// A view is one state that undo returns to: the window and what the panels show.
type view struct {
	window    timeline.Window
	panels    []savedPanel
	dashboard *api.Dashboard
	active    int
	only      string
}

// savedPanel is a panel as stored for undo.
type savedPanel struct {
	ID       int
	settings panel.Settings
}

func (h *History) now() view {
	tab := h.tab
	v := view{window: tab.Window, active: tab.Dashboard.Active, dashboard: tab.Dashboard.Shown, only: tab.Dashboard.Only}
	for _, p := range tab.Dashboard.Panels {
		v.panels = append(v.panels, savedPanel{p.ID, p.Settings})
	}
	return v
}

// remember pushes the current view onto the undo history. It is called before each change
// of view.
func (h *History) remember() {
	h.past = append(h.past, h.now())
	if len(h.past) > 200 {
		h.past = slices.Delete(h.past, 0, 1)
	}
	h.future = nil
}

// CanUndo and CanRedo report whether there is a view to return to.
func (h *History) CanUndo() bool { return len(h.past) > 0 }

func (h *History) CanRedo() bool { return len(h.future) > 0 }

// Changes is the number of changes that can be undone.
func (h *History) Changes() int { return len(h.past) }

// GoTo undoes or redoes until that many changes are left, as far as possible.
func (h *History) GoTo(changes int) {
	for len(h.past) > changes && h.CanUndo() {
		h.Undo()
	}
	for len(h.past) < changes && h.CanRedo() {
		h.Redo()
	}
}

// Undo returns to the previous view.
func (h *History) Undo() { h.move(&h.past, &h.future) }

// Redo reverts an Undo.
func (h *History) Redo() { h.move(&h.future, &h.past) }

func (h *History) move(from, to *[]view) {
	n := len(*from)
	if n == 0 {
		return
	}
	v := (*from)[n-1]
	*from = (*from)[:n-1]
	*to = append(*to, h.now())
	h.restore(v)
}

func (h *History) restore(v view) {
	tab := h.tab
	moved := tab.Window != v.window || tab.Dashboard.Only != v.only
	tab.Window, tab.Dashboard.Active, tab.Dashboard.Shown, tab.Dashboard.Only = v.window, v.active, v.dashboard, v.only
	old := tab.Dashboard.Panels
	tab.Dashboard.Panels = nil
	for _, s := range v.panels {
		i := slices.IndexFunc(old, func(p *Panel) bool { return p.ID == s.ID })
		p := &Panel{ID: s.ID}
		if i >= 0 {
			p = old[i]
		}
		same := slices.Equal(p.Metrics, s.settings.Metrics) && p.Frame != nil
		p.set(s.settings)
		tab.Dashboard.Panels = append(tab.Dashboard.Panels, p)
		if !same && !moved {
			tab.data.fetch(p)
		}
	}
	if moved {
		tab.app.windowChanged()
		tab.data.refresh()
	}
}
