package app

import (
	"pcpscope/core/pcp"
	"pcpscope/web/export"
	"pcpscope/web/format"
)

// CommandsOf returns command lines of PCP's tools that print a panel's numbers.
func (tab *Tab) CommandsOf(p *Panel) []string { return tab.sheet(nil).Commands(p.exported()) }

// sheet is the content of an export of panels.
func (tab *Tab) sheet(panels []*Panel) *export.Sheet {
	s := &export.Sheet{Source: &tab.Source, Clock: tab.Clock, Window: tab.Window, OtherZone: otherZone(tab), Metric: tab.Metric}
	for _, p := range panels {
		s.Panels = append(s.Panels, p.exported())
	}
	return s
}

// otherZone reports whether the times of the window are in another zone than that which PCP's
// tools take with -z: the label's value of TZ, which may be the offset of standard time alone
// where the zone that it names has summer time (spec/interp.md section 15.7).
func otherZone(tab *Tab) bool {
	if tab.Times.Zone != "" {
		return true
	}
	offset, known := format.OffsetOf(tab.Source.Timezone)
	differs := func(t pcp.Time) bool {
		unix, _ := t.Split()
		return offset(unix) != tab.Clock.At(t)
	}
	return known && (differs(tab.Window.Start) || differs(tab.Window.End))
}

// ExportView saves the values of all panels of the view: kind is "csv" or
// "json".
func (s *Share) ExportView(kind string) {
	if tab := s.app.current; tab != nil {
		tab.data.complete(tab.Dashboard.Panels, func() { s.export(tab, kind, tab.Dashboard.Panels) })
	}
}

// complete fetches the values of all panels, including those never scrolled to, and then
// calls done.
func (f *Fetcher) complete(panels []*Panel, done func()) {
	missing := 1 // counts this call
	arrived := func() {
		if missing--; missing == 0 {
			done()
		}
	}
	for _, p := range panels {
		if !p.stale && !p.Loading {
			continue
		}
		missing++
		p.arrived = append(p.arrived, arrived)
		if p.stale {
			p.away = false
			f.fetch(p)
			p.away = true
		}
	}
	arrived()
}

// ExportPanel saves the values of one panel.
func (s *Share) ExportPanel(p *Panel, kind string) {
	if tab := s.app.current; tab != nil {
		s.export(tab, kind, []*Panel{p})
	}
}

func (s *Share) export(tab *Tab, kind string, panels []*Panel) {
	if s.app.Page.Save == nil {
		return
	}
	name := "pcpscope-" + export.SafeName(tab.Title())
	if len(panels) == 1 {
		name += "-" + export.SafeName(panels[0].Heading())
	}
	switch kind {
	case "csv":
		s.app.Page.Save(name+".csv", "text/csv", tab.sheet(panels).CSV())
	case "json":
		s.app.Page.Save(name+".json", "application/json", tab.sheet(panels).JSON())
	}
}

// SavePicture saves a panel's chart as "svg" or "png".
func (s *Share) SavePicture(p *Panel, kind string) {
	tab := s.app.current
	if tab == nil || s.app.Page.Picture == nil {
		return
	}
	s.app.Page.Picture(p, kind, "pcpscope-"+export.SafeName(tab.Title())+"-"+export.SafeName(p.Heading())+"."+kind, tab.sheet(nil).PictureOf(p.exported()))
}
