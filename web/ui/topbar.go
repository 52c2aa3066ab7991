package ui

import (
	"time"

	"pcpscope/web/app"
	"pcpscope/web/format"
)

// Title names the source on screen.
func (c *Topbar) Title() string {
	if tab := c.App.Current(); tab != nil {
		return tab.Title()
	}
	if r := c.App.Intake.Reading; r != nil {
		return format.Plural(len(r.Files), "file")
	}
	return ""
}

// Subtitle is the time range of the source.
func (c *Topbar) Subtitle() string {
	tab := c.App.Current()
	switch {
	case tab == nil:
		return "reading…"
	case c.App.Intake.Reading != nil:
		return tab.Subtitle() + ", reading…"
	}
	return tab.Subtitle()
}

// PhoneLine is the window with its date and zone, for narrow screens.
func (c *Topbar) PhoneLine() string {
	tab := c.App.Current()
	if tab == nil {
		return c.Subtitle()
	}
	if comparing(c.App) != nil {
		return c.Window()
	}
	return tab.Clock.Dated(tab.Window.Start, tab.Window.End) + " " + c.Zone()
}

// Expanded is the aria-expanded of a menu's button.
func (c *Topbar) Expanded(menu string) string {
	if c.App.Layout.Menu == menu {
		return "true"
	}
	return "false"
}

// Window is the visible time range.
func (c *Topbar) Window() string {
	if comparing(c.App) != nil {
		return "Comparing A and B"
	}
	if tab := c.App.Current(); tab != nil {
		return tab.Clock.RangeOnly(tab.Window.Start, tab.Window.End)
	}
	return ""
}

// Zone is the UTC offset of the clock.
func (c *Topbar) Zone() string {
	if tab := c.App.Current(); tab != nil {
		return tab.Clock.Offsets(tab.Window.Start, tab.Window.End)
	}
	return ""
}

// ZoneLine says which time zone the times are in.
func (c *Topbar) ZoneLine() string {
	tab := c.App.Current()
	if tab == nil {
		return ""
	}
	if tab.Times.Zone != "" {
		return "Times are shown in another time zone: " + tab.Clock.Name + ", " + c.Zone()
	}
	return "Times are in the host’s time zone: " + tab.Clock.Name + ", " + c.Zone()
}

// CanUndo and CanRedo report whether there is a view to return to.
func (c *Topbar) CanUndo() bool { return c.App.Current() != nil && c.App.Current().History.CanUndo() }

func (c *Topbar) CanRedo() bool { return c.App.Current() != nil && c.App.Current().History.CanRedo() }

// SourceClass marks the current source.
func (c *Topbar) SourceClass(tab *app.Tab) string {
	if tab == c.App.Current() {
		return "grow on"
	}
	return "grow"
}

// SourceLine distinguishes the source from others.
func (c *Topbar) SourceLine(tab *app.Tab) string {
	s := tab.Source
	line := s.Name + " · " + tab.Clock.Dated(s.Start, s.End) + " " + tab.Clock.Offsets(s.Start, s.End)
	return line + " · " + format.Plural(s.Metrics, "metric")
}

// A Span is an entry of the time menu.
type Span struct {
	ID, Text string
	Length   time.Duration // 0: everything
}

// Spans are the entries that fit the source.
func (c *Topbar) Spans() []Span {
	list := []Span{{"all", "Everything", 0}}
	tab := c.App.Current()
	if tab == nil {
		return list
	}
	for _, s := range []Span{
		{"1m", "Last minute", time.Minute}, {"10m", "Last 10 minutes", 10 * time.Minute}, {"1h", "Last hour", time.Hour},
		{"6h", "Last 6 hours", 6 * time.Hour}, {"24h", "Last 24 hours", 24 * time.Hour}, {"7d", "Last 7 days", 7 * 24 * time.Hour},
	} {
		if int64(s.Length) < tab.Whole().Len() {
			list = append(list, s)
		}
	}
	return list
}

// ShowLast runs an entry of the time menu.
func (c *Topbar) ShowLast(s Span) {
	c.App.Layout.Menu = ""
	c.App.Current().ShowLast(s.Length)
}

// work is the current source.
func (c *PulseInfo) work() *app.Tab { return c.App.Current() }

// Name is what the strip shows.
func (c *PulseInfo) Name() string {
	if tab := c.work(); tab != nil {
		return tab.Pulse.Name
	}
	return ""
}

// UnitText is its unit.
func (c *PulseInfo) UnitText() string {
	if tab := c.work(); tab != nil {
		return tab.Pulse.Of
	}
	return ""
}

// AverageText gives the average and the 95th percentile.
func (c *PulseInfo) AverageText() string {
	tab := c.work()
	if tab == nil {
		return ""
	}
	p := tab.Pulse
	switch {
	case p.Stats.Count == 0 && p.Name != "" && p.ReadTo == nil && tab.Source.Loaded >= 1:
		return "no values to show"
	case p.Stats.Count == 0:
		return ""
	case p.ReadTo != nil:
		return "read to " + tab.Clock.Within(*p.ReadTo, tab.Source.Start, tab.Source.End)
	}
	return "avg " + p.Shown.For(p.Stats.Avg).Text(p.Stats.Avg) + " · p95 " + p.Shown.For(p.Stats.P95).Text(p.Stats.P95)
}

// MaximumText gives the maximum and its time.
func (c *PulseInfo) MaximumText() string {
	tab := c.work()
	if tab == nil || tab.Pulse.Stats.Count == 0 {
		return ""
	}
	p := tab.Pulse
	if p.ReadTo != nil {
		if tab.Loading.Preview() {
			return "the rest was not read"
		}
		return "the rest is still to come"
	}
	return "max " + p.Shown.For(p.Stats.Max).Text(p.Stats.Max) + " at " + tab.Clock.Within(p.Stats.MaxAt, tab.Source.Start, tab.Source.End)
}

// Missing says how much of the span was not recorded.
func (c *PulseInfo) Missing() string {
	tab := c.work()
	if tab == nil || !tab.Findings.LargelyMissing() {
		return ""
	}
	r := tab.Findings.Recording()
	return "not recorded " + format.Span(int64(r.Missing*1e9)) + ", " + format.Percent(r.Missing/r.Length)
}

// Class makes room for the text about missing data.
func (c *PulseInfo) Class() string {
	if c.Missing() != "" {
		return "pulse-info four"
	}
	return "pulse-info"
}

// Compute is called by Vugu before each Build.
func (c *PulseInfo) Compute() { c.worst = c.worstText() }

// Worst says which minute was worst.
func (c *PulseInfo) Worst() string { return c.worst }

func (c *PulseInfo) worstText() string {
	tab := c.work()
	if tab == nil {
		return ""
	}
	worst, mean, ok := tab.Pulse.WorstMinute()
	if !ok {
		return ""
	}
	return tab.Pulse.Name + " " + tab.Pulse.Shown.For(mean).Text(mean) + " on average, " + tab.Clock.Range(worst.Start, worst.End)
}

// ShowWorst shows the worst minute, and who used the resource.
func (c *PulseInfo) ShowWorst() {
	if tab := c.work(); tab != nil {
		tab.Pulse.ShowWorstMinute()
	}
}

// ShowMaximum jumps to the maximum.
func (c *PulseInfo) ShowMaximum() {
	if tab := c.work(); tab != nil {
		tab.Findings.ShowSpan(tab.Pulse.Stats.MaxAt, tab.Pulse.Stats.MaxAt)
	}
}

// SaveReport saves the report with charts, and closes the menu.
func (c *Topbar) SaveReport() {
	c.App.Layout.Menu = ""
	c.App.Share.SavePage()
}
