package app

import (
	"slices"

	"pcpscope/core/api"
	"pcpscope/wasm/rpc"
	"pcpscope/web/panel"
)

// A Dashboard is the panels of a tab: a dashboard's, or the user's own.
type Dashboard struct {
	Panels   []*Panel
	Active   int                 // ID of the panel that new metrics go to
	Only     string              // the only instance drawn in panels that have it; "" for all
	Shown    *api.Dashboard      // the one shown; nil if all panels are the user's
	List     []api.DashboardInfo // all available; nil until known
	Imported []api.Dashboard     // imported from pmchart and pmrep files
	asked    int                 // dashboards asked for so far: only the last one is shown
	tab      *Tab
}

// atOnce is how many panels of a dashboard are fetched before it is known which ones are
// visible.
const atOnce = 5

// Open replaces the panels with a dashboard.
func (dashboard *Dashboard) Open(id string) {
	tab := dashboard.tab
	dashboard.asked++
	n := dashboard.asked
	tab.app.work(func() func() {
		d, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Dashboard, rpc.DashboardRequest{Source: tab.Source.ID, ID: id}, nil)
		return func() {
			if err != nil {
				tab.app.failed(err)
				tab.app.refuse("dashboard", err)
				return
			}
			if n != dashboard.asked {
				return
			}
			tab.History.remember()
			dashboard.set(&d)
		}
	})
}

// OpenNth opens a dashboard by its number in the list, from 1. It reports whether it
// exists.
func (d *Dashboard) OpenNth(n int) bool {
	list := d.Numbered()
	if n < 1 || n > len(list) {
		return false
	}
	d.Open(list[n-1].ID)
	return true
}

// Numbered are the dashboards with number keys: the first nine without a heading.
func (d *Dashboard) Numbered() []api.DashboardInfo {
	var list []api.DashboardInfo
	for _, b := range d.List {
		if b.Available && b.Group == "" && len(list) < 9 {
			list = append(list, b)
		}
	}
	return list
}

// set replaces the panels with those of a dashboard.
func (dashboard *Dashboard) set(d *api.Dashboard) {
	dashboard.Shown = d
	dashboard.tab.app.Layout.endComparison()
	for _, p := range dashboard.Panels {
		p.forget()
	}
	dashboard.Panels = nil
	for i, p := range d.Panels {
		n := dashboard.newPanel(panel.FromDashboard(d, p))
		n.away = dashboard.tab.app.Page.Lazy && i >= atOnce
		dashboard.Panels = append(dashboard.Panels, n)
		dashboard.tab.data.fetch(n)
	}
	dashboard.Active = 0
	if len(dashboard.Panels) > 0 {
		dashboard.Active = dashboard.Panels[0].ID
	}
	dashboard.tab.app.Layout.ToTopRev++
}

// adopt takes over a dashboard resolved again after the whole source was read: panels that
// turned out to have no values are removed. Panels that the user added stay.
func (dashboard *Dashboard) adopt(d *api.Dashboard) {
	dashboard.Shown = d
	for _, p := range slices.Clone(dashboard.Panels) {
		if p.Part != "" && !slices.ContainsFunc(d.Panels, func(a api.DashboardPanel) bool { return a.ID == p.Part }) {
			dashboard.drop(p)
		}
	}
	for _, a := range d.Panels {
		for _, p := range dashboard.Panels {
			if p.Part != a.ID {
				continue
			}
			fresh := panel.FromPart(d, a.ID, p.Whole)
			if !slices.Equal(fresh.Thresholds, p.Thresholds) { // a rule was changed
				p.change(func(s *panel.Settings) { s.Thresholds = fresh.Thresholds })
				dashboard.tab.data.show(p)
			}
			if !slices.Equal(fresh.Metrics, p.Metrics) {
				p.change(func(s *panel.Settings) { s.Metrics, s.Lines = fresh.Metrics, fresh.Lines })
				dashboard.tab.data.fetch(p)
			}
		}
	}
}

// New removes all panels, to start the user's own dashboard.
func (d *Dashboard) New() {
	d.tab.History.remember()
	for _, p := range d.Panels {
		p.forget()
	}
	d.Panels, d.Active, d.Shown = nil, 0, nil
	d.tab.app.Layout.endComparison()
}

// SetVisible sets which panels are on or near the screen: the others are fetched only when
// they get there.
func (d *Dashboard) SetVisible(ids []int) {
	for _, p := range d.Panels {
		p.away = !slices.Contains(ids, p.ID)
		if !p.away && p.stale {
			d.tab.data.fetch(p)
		}
	}
}

// ShowImported shows an imported dashboard. It reports whether it exists.
func (d *Dashboard) ShowImported(id string) bool {
	for i := range d.Imported {
		if d.Imported[i].ID == id {
			d.tab.History.remember()
			d.set(&d.Imported[i])
			return true
		}
	}
	return false
}

// known is the dashboard shown if every page has it; nil if it was imported.
func (d *Dashboard) known() *api.Dashboard {
	if d.Shown != nil && slices.ContainsFunc(d.List, func(b api.DashboardInfo) bool { return b.ID == d.Shown.ID }) {
		return d.Shown
	}
	return nil
}
