package app

import "pcpscope/web/panel"

// SetBreakdown changes the grouping of the process panels.
func (d *Dashboard) SetBreakdown(by string, top int) {
	d.tab.History.remember()
	for _, p := range d.Panels {
		if p.Breakdown != nil {
			q := *p.Breakdown
			q.By, q.Top = by, top
			p.change(func(s *panel.Settings) { s.Breakdown, s.Title = &q, q.Title() })
			d.tab.data.fetch(p)
		}
	}
}

// Breakdown is the current grouping of the process panels; nil if there are none.
func (d *Dashboard) Breakdown() *panel.Breakdown {
	for _, p := range d.Panels {
		if p.Breakdown != nil {
			return p.Breakdown
		}
	}
	return nil
}

// Groupings of cgroups.
const (
	Innermost = "innermost" // those without cgroups below them
	BySlice   = "slice"
	AllGroups = "all"
)

// Grouping is the grouping of the cgroup panels; "" if there are none.
func (d *Dashboard) Grouping() string {
	for _, p := range d.Panels {
		switch {
		case !p.InnermostOnly:
		case p.Slices:
			return BySlice
		case p.Whole:
			return AllGroups
		default:
			return Innermost
		}
	}
	return ""
}

// SetGrouping changes the grouping of the cgroup panels.
func (d *Dashboard) SetGrouping(by string) {
	d.tab.History.remember()
	for _, p := range d.Panels {
		if p.InnermostOnly {
			p.change(func(s *panel.Settings) {
				if s.Whole != (by == AllGroups) {
					s.ToggleWhole()
				}
				s.Slices = by == BySlice
			})
			d.tab.data.fetch(p)
		}
	}
}
