package ui

import (
	"github.com/vugu/vugu"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/app"
	"pcpscope/web/format"
)

// CachedPanel is a PanelView that is rebuilt only when something it shows has changed: with
// dozens of panels, rebuilding all would take longer than everything else a click causes.
type CachedPanel struct {
	App   *app.App
	Tab   *app.Tab
	Panel *app.Panel

	view  PanelView
	built *vugu.BuildOut
	of    shown
}

// PanelContext is the state outside the panel that its view shows.
type PanelContext struct {
	Active  bool   // new metrics are added to it
	Menu    bool   // its menu is open
	Tables  bool   // all panels are shown as tables
	Only    string // the only instance drawn
	Oneline string // help of its first metric that has some
}

// Handlers are what a panel's view acts on.
type Handlers struct {
	App *app.App
	Tab *app.Tab
}

// shown is everything that a panel's view was built from.
type shown struct {
	PanelContext
	panel         *app.Panel
	rev           int  // of the panel: settings and values
	waiting, away bool // state of the panel that changes without rev
	zone          string
	segments      *format.Segment // of the clock
	metrics       *api.Metric     // the first of the list: changes when the source is read again
	known         int             // number of metrics
	ends          pcp.Time
}

// Build is called by Vugu at each drawing. If nothing has changed, it returns its previous
// result, so that nothing is sent to the page.
func (c *CachedPanel) Build(in *vugu.BuildIn) *vugu.BuildOut {
	if of := c.shown(); c.built == nil || of != c.of {
		c.of = of
		c.view = viewOf(c.App, c.Tab, c.Panel)
		c.built = c.view.Build(in)
	}
	return c.built
}

// viewOf is the current state of the panel.
func viewOf(a *app.App, tab *app.Tab, p *app.Panel) PanelView {
	return PanelView{p, around(a, tab, p), tab.Clock, Handlers{a, tab}}
}

func around(a *app.App, tab *app.Tab, p *app.Panel) PanelContext {
	return PanelContext{
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

func (c *CachedPanel) shown() shown {
	tab, p := c.Tab, c.Panel
	of := shown{PanelContext: around(c.App, tab, p), panel: p, rev: p.Rev, waiting: p.Waiting(), away: p.Offscreen(), zone: tab.Clock.Name, known: len(tab.Metrics), ends: tab.Source.End}
	if len(tab.Clock.Segments) > 0 {
		of.segments = &tab.Clock.Segments[0]
	}
	if len(tab.Metrics) > 0 {
		of.metrics = &tab.Metrics[0]
	}
	return of
}
