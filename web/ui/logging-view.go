package ui

import (
	"math"
	"strconv"

	"pcpscope/core/api"
	"pcpscope/web/format"
	"pcpscope/web/table"
)

// maxLogged is the maximum number of rows of its tables.
const maxLogged = 8

// Open reports whether the tables are above the panels: on the collector's dashboard, once
// an archive has been read.
func (c *LoggingView) Open() bool {
	tab := c.App.Current()
	return tab != nil && tab.Findings.Overview != nil && tab.Dashboard.Shown != nil && tab.Dashboard.Shown.ID == "collector" && tab.Source.Kind == "archive"
}

// A LoggedGroup is one row: metrics with the same logging interval.
type LoggedGroup struct {
	Every, Such, Metrics, Samples, Mean, Class, Jitter, Missed, Longest, Size string
}

// Groups are the rows, largest group first.
func (c *LoggingView) Groups() []LoggedGroup {
	if !c.Open() {
		return nil
	}
	groups := c.App.Current().Findings.Overview.Coverage
	var list []LoggedGroup
	for i := range groups[:min(len(groups), maxLogged)] {
		list = append(list, loggedGroup(&groups[i]))
	}
	return list
}

func loggedGroup(g *api.Coverage) LoggedGroup {
	l := LoggedGroup{Every: "once", Metrics: format.Count(g.Metrics), Samples: format.Count(g.Samples), Mean: format.Dash, Jitter: format.Dash, Missed: format.Dash, Longest: format.Dash, Size: format.Bytes(float64(g.Bytes))}
	if len(g.Examples) > 0 {
		l.Such = "such as " + g.Examples[0]
	}
	switch {
	case g.Interval > 0:
		l.Every, l.Missed, l.Longest = often(g.Interval), format.Count(g.Missed), format.Span(int64(g.Longest*1e9))
		l.Mean, l.Jitter = briefly(g.Mean), "±"+briefly(g.Jitter)
		if g.Mean > 1.5*g.Interval {
			l.Class = "look"
		}
	case g.Samples > 1:
		l.Every = "seldom"
	}
	return l
}

// often formats the interval of records, to the hundredth of a second if it is below ten
// seconds.
func often(interval float64) string {
	if interval >= 1 && interval < 10 {
		return strconv.FormatFloat(interval, 'f', -1, 64) + " s"
	}
	return format.Span(int64(math.Round(interval * 1e9)))
}

// briefly formats a time, to the millisecond if that is meaningful.
func briefly(s float64) string {
	switch {
	case s == 0:
		return "0 s"
	case s < 0.99995:
		return format.Number(1000*s, 1) + " ms"
	case s < 100:
		return format.Number(s, 3) + " s"
	}
	return format.Number(s, 1) + " s"
}

// OmittedText counts the groups not listed.
func (c *LoggingView) OmittedText() string {
	if c.Open() {
		if n := len(c.App.Current().Findings.Overview.Coverage) - maxLogged; n > 0 {
			return "and " + format.Plural(n, "smaller group")
		}
	}
	return ""
}

// Breaks counts marks and gaps.
func (c *LoggingView) Breaks() string {
	if !c.Open() {
		return ""
	}
	marks, gaps := 0, 0
	for _, g := range c.App.Current().Source.Gaps {
		if g.Why == "mark" {
			marks++
		} else {
			gaps++
		}
	}
	if marks+gaps == 0 {
		return "no marks, no gaps"
	}
	return format.Plural(marks, "mark") + ", " + format.Plural(gaps, "gap")
}

// A LoggedMetric is one row: a metric and the space it takes.
type LoggedMetric struct{ Name, Records, Values, Size, Share string }

// Largest are the metrics that take most space.
func (c *LoggingView) Largest() []LoggedMetric {
	if !c.Open() {
		return nil
	}
	largest, total := c.App.Current().Findings.Largest(maxLogged)
	var list []LoggedMetric
	for _, a := range largest {
		list = append(list, LoggedMetric{Name: a.Metric, Records: format.Count(a.Records), Values: format.Count(a.Values), Size: format.Bytes(float64(a.Bytes)), Share: format.Number(100*float64(a.Bytes)/float64(max(total, 1)), 1) + " %"})
	}
	return list
}

// Total is the space taken by the values of all metrics.
func (c *LoggingView) Total() string {
	if !c.Open() {
		return ""
	}
	if _, total := c.App.Current().Findings.Largest(1); total > 0 {
		return format.Bytes(float64(total)) + " of values before compression"
	}
	return ""
}

// Select shows the details of a metric.
func (c *LoggingView) Select(name string) { c.App.Current().Select(name) }

// ShowAll lists all metrics in the drawer, largest first.
func (c *LoggingView) ShowAll() {
	c.App.Layout.ViewTable("metrics", table.View{Sort: "size", Down: true})
	if c.App.Layout.Drawer != "metrics" {
		c.App.Layout.ToggleDrawer("metrics")
	}
}
