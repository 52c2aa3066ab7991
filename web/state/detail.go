package state

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
	"pcpscope/web/format"
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
	Stats       Stats
}

// mostInstances is how many rows the details list.
const mostInstances = 50

// Select shows a metric's details.
func (w *Work) Select(name string) {
	m := w.Metric(name)
	if m == nil {
		return
	}
	w.Selected = name
	asked := 0
	if w.Detail != nil {
		asked = w.Detail.asked
	}
	d := &Detail{Metric: m, Labels: labels(m.Labels), Loading: true, asked: asked + 1}
	if w.Detail != nil && w.Detail.Metric == m { // no flicker while the same is asked again
		d.Instances, d.Logged, d.Shown, d.All = w.Detail.Instances, w.Detail.Logged, w.Detail.Shown, w.Detail.All
	}
	w.Detail = d
	window := w.Window
	w.app.work(func() func() {
		cadence, count := w.observed(m)
		var list []api.Instance
		if m.InDom != nil {
			list = w.instancesOf(*m.InDom)
		}
		var frame *api.Frame
		if m.Type != "STRING" {
			frame, _, _, _ = w.ask(w.ctx, []string{m.Name}, window, nil)
		}
		return func() {
			if w.Detail != d {
				return
			}
			d.Loading = false
			d.Logged = logged(count, cadence)
			d.All = len(list)
			d.Instances, d.Shown = w.instanceRows(m, list, frame, window)
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

func (w *Work) instanceRows(m *api.Metric, list []api.Instance, f *api.Frame, window Window) ([]InstanceRow, format.Shown) {
	stats := map[string]Stats{}
	largest, whole, units := 0.0, true, ""
	if f != nil {
		w.leaveOut(f)
		for _, c := range f.Columns {
			s := statsOf(f.Start, f.Times, c.Values, window)
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
	shown := format.Show(units, w.Utilisation(m), largest, whole)
	var rows []InstanceRow
	for _, i := range list {
		s, ok := stats[i.Name]
		if !ok {
			s = statsOf(0, nil, nil, window)
		}
		rows = append(rows, InstanceRow{ID: i.ID, Name: i.Name, Called: cmp.Or(i.Title, i.Name), Labels: labels(i.Labels), First: i.First, Last: i.Last, Stats: s})
	}
	if len(rows) > mostInstances { // the largest are what people look for
		sorting.Stable(rows, func(a, b InstanceRow) int {
			return cmp.Or(cmp.Compare(min(b.Stats.Count, 1), min(a.Stats.Count, 1)), cmp.Compare(b.Stats.Max, a.Stats.Max))
		})
		rows = rows[:mostInstances]
	}
	return rows, shown
}

// TypeText is a metric's type in words.
func TypeText(t string) string {
	words := map[string]string{
		"32": "32-bit signed", "U32": "32-bit unsigned", "64": "64-bit signed", "U64": "64-bit unsigned",
		"FLOAT": "32-bit floating point", "DOUBLE": "64-bit floating point", "STRING": "text",
		"AGGREGATE": "bytes", "EVENT": "event records", "HIGHRES_EVENT": "event records",
	}
	if w := words[t]; w != "" {
		return t + ", " + w
	}
	return t
}

// SemanticsText says what a metric's values mean and how they are shown.
func (w *Work) SemanticsText(m *api.Metric) string {
	if m.Semantics == "counter" && w.rates() {
		return "counter, shown as a rate"
	}
	return m.Semantics
}

// UnitsText says a metric's unit and what it is shown in.
func (w *Work) UnitsText(m *api.Metric, shown format.Shown) string {
	units := m.Units
	if units == "" {
		units = "none"
	}
	if w.Utilisation(m) {
		return units + ", shown as % of time"
	}
	if shown.Unit != "" && shown.Unit != format.Short(m.Units) {
		return units + ", shown as " + shown.Unit
	}
	return units
}

// labels lists a set of labels by name; values that are no texts as JSON.
func labels(raw json.RawMessage) [][2]string {
	var set map[string]json.RawMessage
	if json.Unmarshal(raw, &set) != nil {
		return nil
	}
	var list [][2]string
	for name, value := range set {
		var s string
		if json.Unmarshal(value, &s) != nil {
			s = string(value)
		}
		list = append(list, [2]string{name, s})
	}
	sorting.Stable(list, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return list
}

// HelpText is the metric's help where it says more than the one line.
func HelpText(m *api.Metric) string {
	if m.Help == m.Oneline {
		return ""
	}
	return unwrap(m.Help)
}

// unwrap undoes the line breaks of a text that was set for terminals: lines
// that follow each other become one, unless the second is indented or a point
// of a list.
func unwrap(text string) string {
	var b strings.Builder
	blank := false
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		line = strings.TrimRight(line, " \t\r")
		switch {
		case line == "":
			blank = true
			continue
		case i == 0:
		case blank:
			b.WriteString("\n\n")
		case strings.ContainsRune(" \t*-+", rune(line[0])):
			b.WriteByte('\n')
		default:
			b.WriteByte(' ')
		}
		blank = false
		b.WriteString(line)
	}
	return b.String()
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
