package ui

import (
	"pcpscope/web/app"
	"pcpscope/web/format"
)

// panel is the preview; nil if there is none.
func (c *derivePage) panel() *app.Panel {
	if !c.Editing() {
		return nil
	}
	return c.D().Preview
}

// view shows the preview in the same way as the panels.
func (c *DerivePreview) view() *PanelView {
	v := viewOf(c.App, c.App.Current(), c.panel())
	return &v
}

// HasChart reports whether there is something to draw.
func (c *DerivePreview) HasChart() bool {
	p := c.panel()
	return p != nil && len(p.Series) > 0 && p.Fault == ""
}

// Key and ChartID let the canvas find its place.
func (c *DerivePreview) Key() string {
	if c.panel() == nil {
		return ""
	}
	return c.view().Key()
}

func (c *DerivePreview) ChartID() string {
	if c.panel() == nil {
		return "chart-none"
	}
	return c.view().ChartID()
}

// ChartClass reserves space for the chart only if it is drawn.
func (c *DerivePreview) ChartClass() string {
	if c.HasChart() {
		return "chart"
	}
	return "chart none"
}

// PreviewUnit is the unit of the chart.
func (c *DerivePreview) PreviewUnit() string {
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
func (c *DerivePreview) PreviewText() string {
	if m := c.valid(); m != nil {
		return m.Name
	}
	return ""
}

// PreviewMessage replaces the chart if there is none.
func (c *DerivePreview) PreviewMessage() string {
	switch p := c.panel(); {
	case !c.Editing() || c.HasChart():
		return ""
	case p == nil:
		return "The chart of the expression appears here as soon as it is valid."
	case p.Fault != "":
		return p.Fault
	case p.Frame == nil:
		return "Computing…"
	case len(p.Texts) > 0:
		return "The values are text, which is not drawn. A panel lists it."
	}
	return ""
}

// ScaleClass and ScalePressed mark the selected scale.
func (c *DerivePreview) ScaleClass(log bool) string {
	if p := c.panel(); p != nil && p.Log == log {
		return "on"
	}
	return ""
}

func (c *DerivePreview) ScalePressed(log bool) string {
	if c.ScaleClass(log) != "" {
		return "true"
	}
	return "false"
}

// LegendHead, Rows, Zeros and Rest are the table below the chart.
func (c *DerivePreview) LegendHead() string {
	if c.HasChart() && c.panel().Series[0].Instance != "" {
		return "Instance"
	}
	return "Series"
}

func (c *DerivePreview) Rows() []LegendRow {
	if !c.HasChart() {
		return nil
	}
	rows := c.view().Rows()
	for i := range rows {
		rows[i].Class = "legend-row body"
	}
	return rows
}

func (c *DerivePreview) Zeros() string {
	if !c.HasChart() {
		return ""
	}
	return c.view().Zeros()
}

func (c *DerivePreview) Rest() string {
	if !c.HasChart() || c.panel().Rest() == 0 {
		return ""
	}
	return format.Count(c.panel().Rest()) + " more, not drawn"
}
