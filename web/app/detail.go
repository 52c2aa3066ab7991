package app

import (
	"cmp"
	"fmt"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
	"pcpscope/web/format"
	"pcpscope/web/metric"
	"pcpscope/web/panel"
	"pcpscope/web/timeline"
)

// Detail is what the column at the right shows of a metric.
type Detail struct {
	Metric    *api.Metric
	Labels    [][2]string
	Instances []InstanceRow
	All       int // instances of the domain, of which Instances may show a part
	Logged    string
	Shown     format.Shown
	Loading   bool
	asked     int
}

// An InstanceRow is one instance, or the metric itself where it has none, and
// how it fares in the window.
type InstanceRow struct {
	ID          int32
	Name        string
	Called      string      // by people; its name where they do not
	Labels      [][2]string // its own
	First, Last pcp.Time
	Stats       panel.Stats
}

// maxInstances is how many rows the details list.
const maxInstances = 50

// Select shows a metric's details.
func (tab *Tab) Select(name string) {
	m := tab.Metric(name)
	if m == nil {
		return
	}
	tab.Selected = name
	asked := 0
	if tab.Detail != nil {
		asked = tab.Detail.asked
	}
	d := &Detail{Metric: m, Labels: metric.Labels(m.Labels), Loading: true, asked: asked + 1}
	if tab.Detail != nil && tab.Detail.Metric == m { // no flicker while the same is asked again
		d.Instances, d.Logged, d.Shown, d.All = tab.Detail.Instances, tab.Detail.Logged, tab.Detail.Shown, tab.Detail.All
	}
	tab.Detail = d
	window := tab.Window
	tab.app.work(func() func() {
		often, count := tab.data.observed(m)
		var list []api.Instance
		if m.InDom != nil {
			list = tab.data.instancesOf(*m.InDom)
		}
		var frame *api.Frame
		if m.Type != "STRING" {
			frame, _ = tab.data.ask(tab.ctx, []string{m.Name}, window)
		}
		return func() {
			if tab.Detail != d {
				return
			}
			d.Loading = false
			d.Logged = logged(count, often.usual)
			d.All = len(list)
			d.Instances, d.Shown = tab.instanceRows(m, list, frame, window)
		}
	})
}

func logged(count int, cadence int64) string {
	switch {
	case count == 0:
		return "never"
	case count == 1 || cadence == 0:
		return format.Plural(count, "time")
	}
	return format.Count(count) + " times, every " + format.Span(cadence)
}

func (tab *Tab) instanceRows(m *api.Metric, list []api.Instance, f *api.Frame, window timeline.Window) ([]InstanceRow, format.Shown) {
	stats := map[string]panel.Stats{}
	largest, whole, units := 0.0, true, ""
	if f != nil {
		f = timeline.LeaveOut(f, tab.holes())
		for _, c := range f.Columns {
			s := panel.StatsOf(f, &c, window)
			name := ""
			if c.Instance != nil {
				name = c.Instance.Name
			}
			stats[name] = s
			units = c.Units
			if s.Count > 0 {
				largest, whole = max(largest, s.Max, -s.Min), whole && s.Whole
			}
		}
	}
	shown := format.Show(units, metric.Utilisation(m, tab.Rates()), largest, whole)
	var rows []InstanceRow
	for _, i := range list {
		s, ok := stats[i.Name]
		if !ok {
			s = panel.StatsOf(&api.Frame{}, &api.Column{}, window)
		}
		rows = append(rows, InstanceRow{ID: i.ID, Name: i.Name, Called: cmp.Or(i.Title, i.Name), Labels: metric.Labels(i.Labels), First: i.First, Last: i.Last, Stats: s})
	}
	if len(rows) > maxInstances { // the largest are what people look for
		sorting.Stable(rows, func(a, b InstanceRow) int {
			return cmp.Or(cmp.Compare(min(b.Stats.Count, 1), min(a.Stats.Count, 1)), cmp.Compare(b.Stats.Max, a.Stats.Max))
		})
		rows = rows[:maxInstances]
	}
	return rows, shown
}

// InDomText names a metric's instance domain and counts its instances.
func (d *Detail) InDomText() string {
	if d.Metric.InDom == nil {
		return "none, one value"
	}
	if d.Loading && d.All == 0 {
		return *d.Metric.InDom
	}
	return fmt.Sprintf("%s, %s", *d.Metric.InDom, format.Plural(d.All, "instance"))
}
