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
	of    shown
}

// Around is what a panel's view shows beside the panel.
type Around struct {
	Active  bool   // new metrics go to it
	Menu    bool   // its menu is open
	Tables  bool   // all panels are shown as tables
	Only    string // the instance that alone is drawn
	Oneline string // of its first metric that has one
}

// Handlers are what a panel's view acts on.
type Handlers struct {
	App *app.App
	Tab *app.Tab
}

// shown is all that a panel's view was built of.
type shown struct {
	Around
	panel         *app.Panel
	rev           int  // of the panel: settings and values
	waiting, away bool // of it, which change without
	zone          string
	segments      *format.Segment // of the clock
	metrics       *api.Metric     // the first of the list: another where the source was read again
	known         int             // metrics there are
	ends          pcp.Time
}

// Build is called by Vugu at each drawing. What it returns is, where nothing
// has changed, what it returned before: then nothing of it is sent to the page.
func (c *PanelKept) Build(in *vugu.BuildIn) *vugu.BuildOut {
	if of := c.shown(); c.built == nil || of != c.of {
		c.of = of
		c.view = viewOf(c.App, c.Tab, c.Panel)
		c.built = c.view.Build(in)
	}
	return c.built
}

// viewOf is the view of a panel as things are.
func viewOf(a *app.App, tab *app.Tab, p *app.Panel) PanelView {
	return PanelView{p, around(a, tab, p), tab.Clock, Handlers{a, tab}}
}

func around(a *app.App, tab *app.Tab, p *app.Panel) Around {
	return Around{
		Active: tab.Dashboard.Active == p.ID, Menu: a.Layout.Menu == "panel" && a.Layout.MenuFor == p.ID,
		Tables: a.Layout.Tables, Only: tab.Dashboard.Only, Oneline: oneline(tab, p),
	}
}

func oneline(tab *app.Tab, p *app.Panel) string {
	for _, name := range p.Metrics {
		if m := tab.Metric(name); m != nil && m.Oneline != "" {
			return m.Oneline
		}
	}
	return ""
}

func (c *PanelKept) shown() shown {
	tab, p := c.Tab, c.Panel
	of := shown{Around: around(c.App, tab, p), panel: p, rev: p.Rev, waiting: p.Waiting(), away: p.OutOfSight(), zone: tab.Clock.Name, known: len(tab.Metrics), ends: tab.Source.End}
	if len(tab.Clock.Segments) > 0 {
		of.segments = &tab.Clock.Segments[0]
	}
	if len(tab.Metrics) > 0 {
		of.metrics = &tab.Metrics[0]
	}
	return of
}
