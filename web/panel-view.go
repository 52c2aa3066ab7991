package web

import (
	"strconv"

	"github.com/vugu/vugu"

	"pcpscope/web/format"
	"pcpscope/web/state"
)

// Key is the panel's number as text.
func (c *PanelView) Key() string { return strconv.Itoa(c.Panel.ID) }

// ID and ChartID are the elements' ids, by which the canvases find them.
func (c *PanelView) ID() string      { return "panel-" + c.Key() }
func (c *PanelView) ChartID() string { return "chart-" + c.Key() }

// Class marks the panel that new metrics go to.
func (c *PanelView) Class() string {
	if c.Panel.ID == c.Work.Active {
		return "panel active"
	}
	return "panel"
}

// ChartClass is the height.
func (c *PanelView) ChartClass() string {
	if c.Panel.Tall {
		return "chart tall"
	}
	return "chart"
}

// NoChart says that there is nothing to draw: the panel shows texts, or says
// why there is no value at all.
func (c *PanelView) NoChart() bool {
	return c.Panel.Fault != "" || len(c.Panel.Texts) > 0 && len(c.Panel.Series) == 0
}

// Unit is the one unit of the panel.
func (c *PanelView) Unit() string {
	switch {
	case c.Panel.Fault != "":
		return ""
	case c.NoChart():
		return format.Plural(len(c.Panel.Texts), "change")
	case len(c.Panel.Series) == 0:
		return ""
	}
	return c.Panel.Shown.Name()
}

// What says what the panel shows.
func (c *PanelView) What() string {
	if c.Panel.What != "" {
		return c.Panel.What
	}
	for _, name := range c.Panel.Metrics {
		if m := c.Work.Metric(name); m != nil && m.Oneline != "" {
			return m.Oneline
		}
	}
	return ""
}

// Message stands where a chart would, when there is none.
func (c *PanelView) Message() string {
	switch {
	case c.Panel.Fault != "":
		return c.Panel.Fault
	case c.Panel.Frame == nil && c.Panel.Loading:
		return "Reading " + c.Panel.Heading() + "…"
	}
	return ""
}

// Texts are the values of a panel of texts, the first hundred.
func (c *PanelView) Texts() []state.Text {
	return c.Panel.Texts[:min(len(c.Panel.Texts), 100)]
}

// Sentence is the chart in words, for those who cannot see it.
func (c *PanelView) Sentence() string {
	if c.NoChart() {
		return c.Message()
	}
	text := "Chart of " + c.Panel.Heading() + ", " + c.Unit() + "."
	for _, r := range c.Rows() {
		text += " " + r.Label + ": average " + r.Avg + ", largest " + r.Max + " at " + r.MaxAt + "."
	}
	return text
}

// LegendHead heads the column of names.
func (c *PanelView) LegendHead() string {
	if len(c.Panel.Series) > 0 && c.Panel.Series[0].Instance != "" && len(c.Panel.Metrics) == 1 {
		return "Instance"
	}
	return "Series"
}

// A LegendRow is one line of the table beside a chart.
type LegendRow struct {
	Key, Label, Title, Name   string
	Class, Swatch, Index      string
	Min, Avg, P95, Max, MaxAt string
}

// Rows are the lines of the chart. Those that are 0 throughout are named
// together below, where there are others.
func (c *PanelView) Rows() []LegendRow {
	p := c.Panel
	fold := c.foldsZeros()
	var rows []LegendRow
	for i := range p.Series {
		s := &p.Series[i]
		if s.Colour == 0 || fold && zero(s) {
			continue
		}
		row := LegendRow{
			Key: s.Key, Label: s.Label, Index: strconv.Itoa(i), Title: s.Metric, Name: s.Metric,
			Class: "legend-row body", Swatch: "swatch c" + strconv.Itoa(s.Colour),
		}
		if s.Instance != "" {
			row.Name = s.Metric + "[" + s.Instance + "]"
			row.Title = row.Name
		}
		if p.Stack {
			row.Swatch += " area"
		}
		if !p.Drawn(s) {
			row.Swatch = "swatch hollow"
		}
		switch {
		case p.Hidden[s.Key]:
			row.Class += " off"
		case p.Solo == s.Key:
			row.Class += " solo"
		}
		row.Min, row.Avg, row.P95, row.Max = p.Shown.Text(s.Stats.Min), p.Shown.Text(s.Stats.Avg), p.Shown.Text(s.Stats.P95), p.Shown.Text(s.Stats.Max)
		row.MaxAt = format.Dash
		if s.Stats.Count > 0 && s.Stats.Max != s.Stats.Min {
			row.MaxAt = c.Work.Clock.Time(s.Stats.MaxAt)
		}
		rows = append(rows, row)
	}
	return rows
}

func zero(s *state.Series) bool {
	return s.Stats.Count > 0 && s.Stats.Min == 0 && s.Stats.Max == 0
}

// foldsZeros says whether some series but not all are 0 throughout.
func (c *PanelView) foldsZeros() bool {
	zeros, lines := 0, 0
	for i := range c.Panel.Series {
		if s := &c.Panel.Series[i]; s.Colour > 0 {
			lines++
			if zero(s) {
				zeros++
			}
		}
	}
	return zeros > 0 && zeros < lines && lines > 3
}

// Zeros names the series that are 0 throughout.
func (c *PanelView) Zeros() string {
	if !c.foldsZeros() {
		return ""
	}
	text := ""
	for i := range c.Panel.Series {
		if s := &c.Panel.Series[i]; s.Colour > 0 && zero(s) {
			if text != "" {
				text += ", "
			}
			text += s.Label
		}
	}
	return text + ": 0 throughout"
}

// RestText says what is not drawn.
func (c *PanelView) RestText() string {
	return format.Count(c.Panel.Rest()) + " more, not drawn: the " + strconv.Itoa(state.MostLines) + " with the largest maximum are"
}

// ClickSeries shows a series alone, or with shift hides it.
func (c *PanelView) ClickSeries(key string, event vugu.DOMEvent) {
	if event.PropBool("shiftKey") {
		c.Work.HideSeries(c.Panel.ID, key)
		return
	}
	c.Work.SoloSeries(c.Panel.ID, key)
}

// MenuOpen says whether the panel's menu is open.
func (c *PanelView) MenuOpen() bool { return c.App.Menu == "panel" && c.App.MenuFor == c.Panel.ID }

// TallText names what Tall does.
func (c *PanelView) TallText() string {
	if c.Panel.Tall {
		return "Lower chart"
	}
	return "Taller chart"
}

// The entries of the menu.
func (c *PanelView) Tall() {
	c.App.Menu = ""
	c.Work.SetTall(c.Panel.ID, !c.Panel.Tall)
}

func (c *PanelView) Move(by int) {
	c.App.Menu = ""
	c.Work.MovePanel(c.Panel.ID, by)
}

func (c *PanelView) RemoveMetric(metric string) {
	c.App.Menu = ""
	c.Work.RemoveMetric(c.Panel.ID, metric)
}

func (c *PanelView) Remove() {
	c.App.Menu = ""
	c.Work.RemovePanel(c.Panel.ID)
}
