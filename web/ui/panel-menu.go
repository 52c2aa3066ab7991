package ui

import (
	"strconv"
	"strings"

	"pcpscope/web/panel"
)

func chosen(on bool) string {
	if on {
		return "on"
	}
	return ""
}

// Styles are the ways to draw the panel.
func (c *PanelMenu) Styles() []Choice {
	now := c.Panel.Style
	if now == "" && c.Panel.Stack {
		now = "stack"
	}
	if now == "" || now == "topn" {
		now = "line"
		if c.Panel.Stacked() {
			now = "stack"
		}
	}
	if now == "utilisation" {
		now = "stack"
	}
	if c.Panel.Table {
		now = "rows"
	}
	styles := [][2]string{{"line", "Lines"}, {"stack", "Areas"}, {"bar", "Bars"}, {"heatmap", "Heat map"}, {"state", "States"}, {"rows", "Table"}}
	if c.Panel.Style == "event" {
		styles = [][2]string{{"event", "Events"}, {"rows", "Table"}}
	}
	var list []Choice
	for _, s := range styles {
		list = append(list, Choice{"style-" + s[0], s[0], s[1], chosen(now == s[0])})
	}
	return list
}

// SetStyle sets the style.
func (c *PanelMenu) SetStyle(style string) {
	c.App.Layout.Menu = ""
	c.Tab.Dashboard.Change(c.Panel.ID, func(p *panel.Settings) {
		if p.Table = style == "rows"; !p.Table {
			p.Style, p.Stack = style, false
		}
	})
}

// Scales are the ways to scale the values.
func (c *PanelMenu) Scales() []Choice {
	p := c.Panel
	fixed := p.High > p.Low
	list := []Choice{
		{"scale-auto", "", "Automatic", chosen(!p.Log && !p.Share && !fixed)}, {"scale-log", "log", "Logarithmic", chosen(p.Log)},
		{"scale-share", "share", "Each scaled to its maximum", chosen(p.Share)},
	}
	if p.Throughput() {
		list = append(list, Choice{"scale-bits", "bits", "Bits per second", chosen(p.Bits)})
	}
	return list
}

// SetScale sets the scaling.
func (c *PanelMenu) SetScale(scale string) {
	c.App.Layout.Menu = ""
	c.Tab.Dashboard.Change(c.Panel.ID, func(p *panel.Settings) {
		if scale == "bits" { // independent of the others
			p.Bits = !p.Bits
			return
		}
		p.Log, p.Share, p.Low, p.High = scale == "log", scale == "share", 0, 0
	})
}

// Low and High are the ends of a scale set by the user.
func (c *PanelMenu) Low() string { return c.end(c.Panel.Low) }

func (c *PanelMenu) High() string { return c.end(c.Panel.High) }

func (c *PanelMenu) end(v float64) string {
	if c.Panel.High <= c.Panel.Low {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// SetLow and SetHigh set the ends, once they form a range.
func (c *PanelMenu) SetLow(text string) {
	if v, err := number(text); err == nil {
		c.Tab.Dashboard.Change(c.Panel.ID, func(p *panel.Settings) { p.Low = v })
	}
}

func (c *PanelMenu) SetHigh(text string) {
	if v, err := number(text); err == nil {
		c.Tab.Dashboard.Change(c.Panel.ID, func(p *panel.Settings) { p.High, p.Log, p.Share = v, false, false })
	}
}

func number(text string) (float64, error) {
	return strconv.ParseFloat(strings.TrimSpace(strings.ReplaceAll(text, ",", "")), 64)
}

// AllDrawn reports whether all lines are drawn anyway.
func (c *PanelMenu) AllDrawn() bool {
	return c.Panel.All <= panel.MaxLines && c.Panel.Filter == "" && c.Panel.Top == 0
}

// Tops are the choices for the number of lines.
func (c *PanelMenu) Tops() []Choice {
	now := c.Panel.Top
	if now == 0 {
		now = panel.MaxLines
	}
	var list []Choice
	for _, n := range []int{5, 8, 15, 30} {
		list = append(list, Choice{"lines-" + strconv.Itoa(n), strconv.Itoa(n), "Top " + strconv.Itoa(n), chosen(n == now)})
	}
	return list
}

// SetTop draws more or fewer lines.
func (c *PanelMenu) SetTop(n string) {
	c.App.Layout.Menu = ""
	top, _ := strconv.Atoi(n)
	c.Tab.Dashboard.Change(c.Panel.ID, func(p *panel.Settings) {
		p.Top = top
		if p.Breakdown != nil {
			q := *p.Breakdown
			q.Top, p.Breakdown = top, &q
		}
	})
}

// SetFilter draws the lines whose names match.
func (c *PanelMenu) SetFilter(text string) {
	c.App.Layout.Menu = ""
	c.Tab.Dashboard.Change(c.Panel.ID, func(p *panel.Settings) { p.Filter = strings.TrimSpace(text) })
}

// Orders are the columns that the legend can be sorted by.
func (c *PanelMenu) Orders() []Choice {
	var list []Choice
	for _, o := range [][2]string{{"", "As drawn"}, {"name", "Name"}, {"avg", "Average"}, {"p95", "p95"}, {"max", "Maximum"}} {
		list = append(list, Choice{"order-" + o[0], o[0], o[1], chosen(c.Panel.Order == o[0])})
	}
	return list
}

// SetOrder sorts the legend.
func (c *PanelMenu) SetOrder(order string) {
	c.App.Layout.Menu = ""
	c.Tab.Dashboard.Change(c.Panel.ID, func(p *panel.Settings) { p.Order = order })
}

// Dots shows or hides logged values as points over the lines.
func (c *PanelMenu) Dots() {
	c.App.Layout.Menu = ""
	c.Tab.Dashboard.Change(c.Panel.ID, func(p *panel.Settings) { p.Dots = !p.Dots })
}

// DotsText is the label of Dots.
func (c *PanelMenu) DotsText() string {
	if c.Panel.Dots {
		return "Hide the logged points"
	}
	return "Show the logged points"
}

// Whole switches between all instances and those chosen by the dashboard.
func (c *PanelMenu) Whole() {
	c.App.Layout.Menu = ""
	c.Tab.Dashboard.Change(c.Panel.ID, (*panel.Settings).ToggleWhole)
}

// WholeText is the label of Whole.
func (c *PanelMenu) WholeText() string {
	switch p := c.Panel; {
	case p.InnermostOnly && p.Whole:
		return "Only innermost groups"
	case p.InnermostOnly:
		return "Also show parent groups"
	case p.Whole:
		return "Hide virtual instances"
	}
	return "Also show virtual instances"
}

// Advice says what the panel shows, what is normal, and what to look at next.
func (c *PanelMenu) Advice() []string {
	var list []string
	for _, t := range [][2]string{{"", c.Panel.What}, {"Normal: ", c.Panel.Usual}, {"Next: ", c.Panel.Next}} {
		if t[1] != "" {
			list = append(list, t[0]+t[1])
		}
	}
	return list
}

// TallText is the label of Tall.
func (c *PanelMenu) TallText() string {
	if c.Panel.Tall {
		return "Shorter chart"
	}
	return "Taller chart"
}

// Commands are command lines that print the panel's numbers.
func (c *PanelMenu) Commands() []string { return c.Tab.CommandsOf(c.Panel) }

// Removable are the metrics that can be removed one by one.
func (c *PanelMenu) Removable() []string {
	if c.Panel.Part != "" {
		return nil
	}
	return c.Panel.Metrics
}

// The other entries of the menu.
func (c *PanelMenu) Tall() {
	c.App.Layout.Menu = ""
	c.Tab.Dashboard.SetTall(c.Panel.ID, !c.Panel.Tall)
}

func (c *PanelMenu) Move(by int) {
	c.App.Layout.Menu = ""
	c.Tab.Dashboard.MovePanel(c.Panel.ID, by)
}

func (c *PanelMenu) Duplicate() {
	c.App.Layout.Menu = ""
	c.Tab.Dashboard.DuplicatePanel(c.Panel.ID)
}

func (c *PanelMenu) RemoveMetric(metric string) {
	c.App.Layout.Menu = ""
	c.Tab.Dashboard.RemoveMetric(c.Panel.ID, metric)
}

func (c *PanelMenu) Remove() {
	c.App.Layout.Menu = ""
	c.Tab.Dashboard.RemovePanel(c.Panel.ID)
}
