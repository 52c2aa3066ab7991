package app

import (
	"cmp"
	"fmt"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
	"pcpscope/wasm/rpc"
	"pcpscope/web/format"
	"pcpscope/web/metric"
	"pcpscope/web/panel"
	"pcpscope/web/timeline"
)

// Detail is what the details pane shows about a metric.
type Detail struct {
	Metric    *api.Metric
	Help      string // the long help text
	Labels    [][2]string
	Instances []InstanceRow
	All       int // number of instances in the domain; Instances may be only some of them
	Logged    string
	Shown     format.Shown
	Loading   bool
	asked     int
}

// An InstanceRow is one instance, or the metric itself if it has none, with its statistics
// in the window.
type InstanceRow struct {
	ID          int32
	Name        string
	DisplayName string      // the display name, or its name if there is none
	Labels      [][2]string // labels of the instance only
	First, Last pcp.Time
	Stats       panel.Stats
	at          int // index in the list of instances
}

// Single reports whether the metric is a single series of numbers.
func (d *Detail) Single() bool {
	return metric.Numeric(d.Metric) && (d.Metric.InDom == nil || d.All == 1)
}

// maxInstances and maxLabels limit the rows of the details.
const (
	maxInstances = 50
	maxLabels    = 100
)

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
	d := &Detail{Metric: m, Loading: true, asked: asked + 1}
	if tab.Detail != nil && tab.Detail.Metric.Name == name { // avoids flicker when the same metric is requested again
		d.Help, d.Labels = tab.Detail.Help, tab.Detail.Labels
		d.Instances, d.Logged, d.Shown, d.All = tab.Detail.Instances, tab.Detail.Logged, tab.Detail.Shown, tab.Detail.All
	}
	tab.Detail = d
	window, holes, rates := tab.Window, tab.holes(), tab.Rates()
	tab.app.work(func() func() {
		help, labels := m.Help, metric.Labels(m.Labels) // of the expression being edited
		if full, err := tab.inFull(name); err == nil {
			help, labels = metric.HelpText(&full), metric.Labels(full.Labels)
		}
		often := tab.data.observed(m)
		var list []api.Instance
		if m.InDom != nil {
			list = tab.data.instancesOf(*m.InDom)
		}
		var made *rpc.Charted
		if m.Type != "STRING" {
			made, _ = tab.data.describe(tab.ctx, []string{m.Name}, window, holes)
		}
		rows, shown := tab.instanceRows(m, list, made, rates)
		return func() {
			if tab.Detail != d {
				return
			}
			d.Loading = false
			d.Help, d.Labels = help, labels[:min(maxLabels, len(labels))]
			if more := len(labels) - maxLabels; more > 0 {
				d.Labels = append(slices.Clone(d.Labels), [2]string{"…", format.Count(more) + " more"})
			}
			d.Logged = logged(often)
			d.All = len(list)
			d.Instances, d.Shown = rows, shown
		}
	})
}

// logged says how often a metric was logged. Of a few times no interval is usual.
func logged(often api.Cadence) string {
	const few = 6
	count := format.Count(often.Records) + " times, "
	switch {
	case often.Records == 0:
		return "never"
	case often.Records < few || often.Usual == 0:
		return format.Plural(often.Records, "time")
	case often.Closest*3 < often.Usual*2:
		return count + format.Span(int64(often.Closest)) + " to " + format.Span(int64(often.Usual)) + " apart"
	}
	return count + "every " + format.Span(int64(often.Usual))
}

// instanceRows returns the statistics of each instance, where known. It is slow work.
func (tab *Tab) instanceRows(m *api.Metric, list []api.Instance, made *rpc.Charted, rates bool) ([]InstanceRow, format.Shown) {
	rest := func(i int) {
		if i%100 == 0 {
			rpc.Yield(tab.app.Engine)
		}
	}
	stats := map[string]panel.Stats{}
	largest, whole, units := 0.0, true, ""
	if made != nil {
		for i, c := range made.Frame.Columns {
			rest(i)
			s := made.Lines[i].Stats()
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
	shown := format.Show(units, metric.Utilisation(m, rates), largest, whole)
	var rows []InstanceRow
	for k := range list {
		i := &list[k]
		rest(k)
		s, ok := stats[i.Name]
		if !ok {
			s = panel.StatsOf(&api.Frame{}, &api.Column{}, timeline.Window{})
		}
		rows = append(rows, InstanceRow{ID: i.ID, Name: i.Name, DisplayName: cmp.Or(i.Title, i.Name), First: i.First, Last: i.Last, Stats: s, at: k})
	}
	if len(rows) > maxInstances { // keep the largest, which people look for
		sorting.Stable(rows, func(a, b InstanceRow) int {
			return cmp.Or(cmp.Compare(min(b.Stats.Count, 1), min(a.Stats.Count, 1)), cmp.Compare(b.Stats.Max, a.Stats.Max))
		})
		rows = rows[:maxInstances]
	}
	for k := range rows {
		rows[k].Labels = metric.Labels(list[rows[k].at].Labels)
	}
	return rows, shown
}

// InDomText names a metric's instance domain and its number of instances.
func (d *Detail) InDomText() string {
	if d.Metric.InDom == nil {
		return "none, one value"
	}
	if d.Loading && d.All == 0 {
		return *d.Metric.InDom
	}
	return fmt.Sprintf("%s, %s", *d.Metric.InDom, format.Plural(d.All, "instance"))
}
