package web

import (
	"pcpscope/web/format"
	"pcpscope/web/state"
)

// panel is the preview; nil while there is none.
func (c *Derive) panel() *state.Panel {
	if !c.Editing() {
		return nil
	}
	return c.D().Preview
}

// view shows the preview as the panels are shown.
func (c *Derive) view() *PanelView {
	return &PanelView{App: c.App, Work: c.App.Current(), Panel: c.panel()}
}

// HasChart says whether there is something to draw.
func (c *Derive) HasChart() bool {
	p := c.panel()
	return p != nil && len(p.Series) > 0 && p.Fault == ""
}

// Key and ChartID are how the canvas finds its place.
func (c *Derive) Key() string {
	if c.panel() == nil {
		return ""
	}
	return c.view().Key()
}

func (c *Derive) ChartID() string {
	if c.panel() == nil {
		return "chart-none"
	}
	return c.view().ChartID()
}

// ChartClass keeps the chart's room free only when it is drawn.
func (c *Derive) ChartClass() string {
	if c.HasChart() {
		return "chart"
	}
	return "chart none"
}

// PreviewUnit says what the chart is drawn in.
func (c *Derive) PreviewUnit() string {
	if !c.HasChart() {
		return ""
	}
	text := c.view().Unit()
	if c.panel().Log {
		text += ", log scale"
	}
	return text
}

// PreviewText is the expression that is drawn.
func (c *Derive) PreviewText() string {
	if m := c.valid(); m != nil {
		return m.Name
	}
	return ""
}

// PreviewMessage stands where a chart would.
func (c *Derive) PreviewMessage() string {
	switch p := c.panel(); {
	case !c.Editing() || c.HasChart():
		return ""
	case p == nil:
		return "The chart of the expression appears here as soon as it is valid."
	case p.Fault != "":
		return p.Fault
	case p.Frame == nil:
		return "Computing…"
	}
	return ""
}

// ScaleClass and ScalePressed mark the scale that is chosen.
func (c *Derive) ScaleClass(log bool) string {
	if p := c.panel(); p != nil && p.Log == log {
		return "on"
	}
	return ""
}

func (c *Derive) ScalePressed(log bool) string {
	if c.ScaleClass(log) != "" {
		return "true"
	}
	return "false"
}

// LegendHead, Rows, Zeros and Rest are the table below the chart.
func (c *Derive) LegendHead() string {
	if c.HasChart() && c.panel().Series[0].Instance != "" {
		return "Instance"
	}
	return "Series"
}

func (c *Derive) Rows() []LegendRow {
	if !c.HasChart() {
		return nil
	}
	rows := c.view().Rows()
	for i := range rows {
		rows[i].Class = "legend-row body"
	}
	return rows
}

func (c *Derive) Zeros() string {
	if !c.HasChart() {
		return ""
	}
	return c.view().Zeros()
}

func (c *Derive) Rest() string {
	if !c.HasChart() || c.panel().Rest() == 0 {
		return ""
	}
	return format.Count(c.panel().Rest()) + " more, not drawn"
}
