package ui

import (
	"github.com/vugu/vugu"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/app"
	"pcpscope/web/format"
)

// PanelKept is a PanelView that is built again only when something that it
// shows has changed: with dozens of panels, building them all would take
// longer than all else that a click causes.
type PanelKept struct {
	App   *app.App
	Tab   *app.Tab
	Panel *app.Panel

	view  PanelView
	built *vugu.BuildOut
	look  look
}

// look is what a panel's view depends on beside the panel. A test knows
// what the view asks for.
type look struct {
	work                 *app.Tab
	panel                *app.Panel
	rev                  int  // of the panel: settings and values
	waiting, away        bool // of it, which change without
	active, menu, tables bool
	zone, only           string
	segments             *format.Segment
	metrics              *api.Metric
	known                int // metrics there are
	ends                 pcp.Time
}

// Build is called by Vugu at each drawing. What it returns is, where nothing
// has changed, what it returned before: then nothing of it is sent to the page.
func (c *PanelKept) Build(in *vugu.BuildIn) *vugu.BuildOut {
	look := c.lookNow()
	if c.built == nil || look != c.look {
		c.view = PanelView{c.App, c.Tab, c.Panel}
		c.built = c.view.Build(in)
		c.look = look
	}
	return c.built
}

func (c *PanelKept) lookNow() look {
	tab := c.Tab
	p := c.Panel
	look := look{work: tab, panel: p, rev: p.Rev, waiting: p.Waiting(), away: p.OutOfSight(), tables: c.App.Layout.Tables, active: tab.Dashboard.Active == p.ID, zone: tab.Clock.Name, only: tab.Dashboard.Only, known: len(tab.Metrics), ends: tab.Source.End}
	look.menu = c.App.Layout.Menu == "panel" && c.App.Layout.MenuFor == p.ID
	if len(tab.Clock.Segments) > 0 {
		look.segments = &tab.Clock.Segments[0]
	}
	if len(tab.Metrics) > 0 {
		look.metrics = &tab.Metrics[0]
	}
	return look
}
