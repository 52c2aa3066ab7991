package web

import (
	"time"

	"pcpscope/web/format"
	"pcpscope/web/state"
)

// Title names the source on screen.
func (c *Topbar) Title() string {
	if w := c.App.Current(); w != nil {
		return w.Title()
	}
	if r := c.App.Reading; r != nil {
		return format.Plural(len(r.Files), "file")
	}
	return ""
}

// Subtitle says which time it covers.
func (c *Topbar) Subtitle() string {
	w := c.App.Current()
	switch {
	case w == nil:
		return "reading…"
	case c.App.Reading != nil:
		return w.Subtitle() + ", reading…"
	}
	return w.Subtitle()
}

// PhoneLine is the window with its date and zone, where there is no room for
// more.
func (c *Topbar) PhoneLine() string {
	w := c.App.Current()
	if w == nil {
		return c.Subtitle()
	}
	if comparing(c.App) != nil {
		return c.Window()
	}
	return w.Clock.Dated(w.Window.Start, w.Window.End) + " " + c.Zone()
}

// Expanded is the aria-expanded of a menu's button.
func (c *Topbar) Expanded(menu string) string {
	if c.App.Menu == menu {
		return "true"
	}
	return "false"
}

// Window is the stretch of time on screen.
func (c *Topbar) Window() string {
	if comparing(c.App) != nil {
		return "Comparing A and B"
	}
	if w := c.App.Current(); w != nil {
		return w.Clock.Range(w.Window.Start, w.Window.End)
	}
	return ""
}

// Zone is the distance of the host's clock from UTC.
func (c *Topbar) Zone() string {
	if w := c.App.Current(); w != nil {
		return w.Clock.Offset(w.Window.Start)
	}
	return ""
}

// ZoneLine says whose clock the times are.
func (c *Topbar) ZoneLine() string {
	w := c.App.Current()
	if w == nil {
		return ""
	}
	if w.Times.Zone != "" {
		return "Times are shown on another clock: " + w.Clock.Name + ", " + c.Zone()
	}
	return "Times are those of the host’s clock: " + w.Clock.Name + ", " + c.Zone()
}

// CanUndo and CanRedo say whether there is a view to go to.
func (c *Topbar) CanUndo() bool { return c.App.Current() != nil && c.App.Current().CanUndo() }
func (c *Topbar) CanRedo() bool { return c.App.Current() != nil && c.App.Current().CanRedo() }

// SourceClass marks the source on screen.
func (c *Topbar) SourceClass(w *state.Work) string {
	if w == c.App.Current() {
		return "grow on"
	}
	return "grow"
}

// SourceLine is what tells one source from another.
func (c *Topbar) SourceLine(w *state.Work) string {
	s := w.Source
	line := s.Name + " · " + w.Clock.Dated(s.Start, s.End) + " " + w.Clock.Offset(s.Start)
	return line + " · " + format.Plural(s.Metrics, "metric")
}

// A Span is a choice of the time menu.
type Span struct {
	ID, Text string
	Length   time.Duration // 0: everything
}

// Spans are the choices that fit into the source.
func (c *Topbar) Spans() []Span {
	list := []Span{{"all", "Everything", 0}}
	w := c.App.Current()
	if w == nil {
		return list
	}
	for _, s := range []Span{
		{"1m", "Last minute", time.Minute}, {"10m", "Last 10 minutes", 10 * time.Minute}, {"1h", "Last hour", time.Hour},
		{"6h", "Last 6 hours", 6 * time.Hour}, {"24h", "Last 24 hours", 24 * time.Hour}, {"7d", "Last 7 days", 7 * 24 * time.Hour},
	} {
		if int64(s.Length) < w.Whole().Len() {
			list = append(list, s)
		}
	}
	return list
}

// ShowLast acts on a choice of the time menu.
func (c *Topbar) ShowLast(s Span) {
	c.App.Menu = ""
	c.App.Current().ShowLast(s.Length)
}

// work is the source on screen, for the texts beside the strip.
func (c *PulseInfo) work() *state.Work { return c.App.Current() }

// Name is what the strip shows.
func (c *PulseInfo) Name() string {
	if w := c.work(); w != nil {
		return w.Pulse.Name
	}
	return ""
}

// Of is its unit.
func (c *PulseInfo) Of() string {
	if w := c.work(); w != nil {
		return w.Pulse.Of
	}
	return ""
}

// First gives average and 95th percentile.
func (c *PulseInfo) First() string {
	w := c.work()
	if w == nil || w.Pulse.Stats.Count == 0 {
		return ""
	}
	p := w.Pulse
	if p.ReadTo != nil {
		return "read to " + w.Clock.Within(*p.ReadTo, w.Source.Start, w.Source.End)
	}
	return "average " + p.Shown.Text(p.Stats.Avg) + " · p95 " + p.Shown.Text(p.Stats.P95)
}

// Second gives the maximum and its time.
func (c *PulseInfo) Second() string {
	w := c.work()
	if w == nil || w.Pulse.Stats.Count == 0 {
		return ""
	}
	p := w.Pulse
	if p.ReadTo != nil {
		if w.Preview() {
			return "the rest was not read"
		}
		return "the rest is still to come"
	}
	return "maximum " + p.Shown.Text(p.Stats.Max) + " at " + w.Clock.Within(p.Stats.MaxAt, w.Source.Start, w.Source.End)
}

// Compute is called by Vugu before each Build.
func (c *PulseInfo) Compute() { c.worst = c.worstText() }

// Worst says which minute was the worst.
func (c *PulseInfo) Worst() string { return c.worst }

func (c *PulseInfo) worstText() string {
	w := c.work()
	if w == nil {
		return ""
	}
	worst, mean, ok := w.WorstMinute()
	if !ok {
		return ""
	}
	return w.Pulse.Name + " " + w.Pulse.Shown.Text(mean) + " on average, " + w.Clock.Range(worst.Start, worst.End)
}

// ShowWorst shows the worst minute, and who used it.
func (c *PulseInfo) ShowWorst() {
	if w := c.work(); w != nil {
		w.ShowWorstMinute()
	}
}

// ShowMaximum goes to the maximum.
func (c *PulseInfo) ShowMaximum() {
	if w := c.work(); w != nil {
		w.ShowSpan(w.Pulse.Stats.MaxAt, w.Pulse.Stats.MaxAt)
	}
}
