package ui

import (
	"strconv"

	"pcpscope/web/format"
	"pcpscope/web/panel"
)

// NoGrid reports whether the panel's points are not evenly spaced.
func (c *PanelMenu) NoGrid() bool {
	return c.Panel.Breakdown != nil || c.Panel.Style == "event" || c.Panel.Style == "table" || c.Panel.Frame != nil && c.Panel.Step <= 0
}

// NoDays reports whether there are no days to compare for the panel's first metric.
func (c *PanelMenu) NoDays() bool {
	return c.Panel.Breakdown != nil || len(c.Panel.Metrics) == 0 || c.Panel.Style == "event" || len(c.Panel.Texts) > 0 || !c.Tab.Days.Available()
}

// Days shows the days of the panel's first metric.
func (c *PanelMenu) Days() {
	c.App.Layout.Menu = ""
	c.Tab.Days.ShowMetric(c.Panel.Metrics[0])
	c.App.Layout.ToTopRev++
}

// Reductions are the choices for reducing a step to a point.
func (c *PanelMenu) Reductions() []Choice {
	var list []Choice
	for _, r := range panel.Reductions {
		list = append(list, Choice{"reduce-" + r[0], r[0], r[1], chosen(c.Panel.Reduction() == r[0])})
	}
	return list
}

// SetReduction sets the reduction.
func (c *PanelMenu) SetReduction(reduce string) {
	c.App.Layout.Menu = ""
	c.Tab.Dashboard.Change(c.Panel.ID, func(p *panel.Settings) {
		if p.Reduce = ""; p.Reduction() != reduce {
			p.Reduce = reduce
		}
	})
}

// Grids are the choices of intervals.
func (c *PanelMenu) Grids() []Choice {
	list := []Choice{{"grid-auto", "", "Automatic", chosen(c.Panel.Every == 0)}}
	for _, g := range []float64{60, 600, 3600, 86400} {
		list = append(list, Choice{"grid-" + grid(g), grid(g), format.Span(int64(g * 1e9)), chosen(c.Panel.Every == g)})
	}
	return list
}

// Grid is the chosen interval in seconds.
func (c *PanelMenu) Grid() string {
	if c.Panel.Every == 0 {
		return ""
	}
	return grid(c.Panel.Every)
}

func grid(seconds float64) string { return strconv.FormatFloat(seconds, 'f', -1, 64) + "s" }

// SetGrid sets the interval of points, in PCP's syntax; empty for as many points as there
// is room for.
func (c *PanelMenu) SetGrid(text string) {
	c.App.Layout.Menu = ""
	c.Tab.Dashboard.SetGrid(c.Panel.ID, text)
}
