package app

import (
	"slices"

	"pcpscope/core/api"
	"pcpscope/wasm/rpc"
	"pcpscope/web/panel"
)

// A Dashboard is the panels of a tab, of a dashboard or the user's own.
type Dashboard struct {
	Panels   []*Panel
	Active   int                 // ID of the panel that new metrics go to
	Only     string              // the instance that alone is drawn in panels that have it; "" for all
	Shown    *api.Dashboard      // the one that is shown; nil where the panels are the user's alone
	List     []api.DashboardInfo // all there are; nil while they are not known
	Imported []api.Dashboard     // of files of pmchart and pmrep
	tab      *Tab
}

// atOnce is how many panels of a dashboard are fetched before it is known
// which of them can be seen.
const atOnce = 5

// Open shows a dashboard in place of the panels there are.
func (dashboard *Dashboard) Open(id string) {
	tab := dashboard.tab
	tab.app.work(func() func() {
		d, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Dashboard, rpc.DashboardRequest{Source: tab.Source.ID, ID: id}, nil)
		return func() {
			if err != nil {
				tab.app.failed(err)
				tab.app.refuse("dashboard", err)
				return
			}
			tab.History.remember()
			dashboard.set(&d)
		}
	})
}

// OpenNth shows a dashboard by its number in the list, from 1. It
// reports whether there is one.
func (d *Dashboard) OpenNth(n int) bool {
	list := d.Numbered()
	if n < 1 || n > len(list) {
		return false
	}
	d.Open(list[n-1].ID)
	return true
}

// Numbered are the dashboards that have keys: the first nine without a
// heading.
func (d *Dashboard) Numbered() []api.DashboardInfo {
	var list []api.DashboardInfo
	for _, b := range d.List {
		if b.Available && b.Group == "" && len(list) < 9 {
			list = append(list, b)
		}
	}
	return list
}

// set replaces the panels by those of a dashboard.
func (dashboard *Dashboard) set(d *api.Dashboard) {
	dashboard.Shown, dashboard.tab.app.Layout.Comparing = d, false
	for _, p := range dashboard.Panels {
		p.forget()
	}
	dashboard.Panels = nil
	for i, p := range d.Panels {
		n := dashboard.newPanel(panel.OfDashboard(d, p))
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

// adopt takes over a dashboard that was resolved again after all of the source
// had been read: panels that turned out to have no values go. Panels that the
// user has added stay.
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
			fresh := panel.OfPart(d, a.ID, p.Whole)
			if !slices.Equal(fresh.Thresholds, p.Thresholds) { // a rule was set
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

// New clears the panels: a dashboard of the user's own begins.
func (d *Dashboard) New() {
	d.tab.History.remember()
	for _, p := range d.Panels {
		p.forget()
	}
	d.Panels, d.Active, d.Shown = nil, 0, nil
}

// SetVisible reports which panels are on the screen or near it: the others are not
// fetched until they are.
func (d *Dashboard) SetVisible(ids []int) {
	for _, p := range d.Panels {
		p.away = !slices.Contains(ids, p.ID)
		if !p.away && p.stale {
			d.tab.data.fetch(p)
		}
	}
}

// ShowImported shows an imported dashboard. It reports whether there is one
// with the ID.
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

// known is the dashboard that is shown, if every page knows it: nil for
// one that was imported.
func (d *Dashboard) known() *api.Dashboard {
	if d.Shown != nil && slices.ContainsFunc(d.List, func(b api.DashboardInfo) bool { return b.ID == d.Shown.ID }) {
		return d.Shown
	}
	return nil
}
