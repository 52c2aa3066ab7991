package state

import (
	"fmt"
	"math"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
)

// loadMetrics lists all metrics of the source.
func (w *Work) loadMetrics() {
	n := len(w.Metrics)
	t := TableData{Page: "metrics", Name: "metrics", Title: format.Plural(n, "metric"), Rows: n, SortBy: -1, Empty: "This source has no metrics."}
	columns := []TableColumn{
		texts1("metric", "minmax(200px, 2fr)", n), texts1("what it is", "minmax(160px, 3fr)", n), texts1("values", "84px", n), texts1("semantics", "84px", n),
		texts1("type", "84px", n), texts1("unit", "120px", n), texts1("instance domain", "110px", n), texts1("PMID", "84px", n),
	}
	columns[0].Strong, columns[1].Faint, columns[7].Mono = true, true, true
	records := TableColumn{Head: "records", Kind: "number", Width: "76px", Numbers: make([]float64, n)}
	size := TableColumn{Head: "size", Kind: "figure", As: "size (byte)", Width: "84px", Numbers: make([]float64, n), Texts: make([]string, n)}
	for i := range w.Metrics {
		m := &w.Metrics[i]
		indom := ""
		if m.InDom != nil {
			indom = *m.InDom
		}
		for k, text := range []string{m.Name, m.Oneline, w.Tree.states[m.Name], m.Semantics, m.Type, m.Units, indom, m.PMID} {
			columns[k].Texts = append(columns[k].Texts, text)
		}
		records.Numbers[i], size.Numbers[i] = math.NaN(), math.NaN()
		if a, known := w.weights[m.Name]; known {
			records.Numbers[i], size.Numbers[i], size.Texts[i] = float64(a.Records), float64(a.Bytes), format.Bytes(float64(a.Bytes))
		}
	}
	t.Columns = columns
	if w.Source.Kind == "archive" {
		t.Columns = append(t.Columns, records, size)
	}
	w.Drawer.show(t)
}

// loadInstances lists every instance of the selected metric, with the times
// at which it was seen first and last.
func (w *Work) loadInstances() {
	m := w.Metric(w.Selected)
	if m == nil || m.InDom == nil {
		why := "Select a metric to see its instances."
		if m != nil {
			why = m.Name + " has no instances."
		}
		w.Drawer.show(TableData{Page: "instances", SortBy: -1, Empty: why})
		return
	}
	name, indom := m.Name, *m.InDom
	w.askDrawer(func() (TableData, error) { return w.instanceTable(name, indom, w.instancesOf(indom)), nil })
}

func (w *Work) instanceTable(metric, indom string, list []api.Instance) TableData {
	n := len(list)
	t := TableData{Name: "instances", Title: format.Plural(n, "instance"), Note: "of the domain " + indom + ", which " + metric + " has", Rows: n, SortBy: -1, Empty: "No instance was ever seen."}
	id := TableColumn{Head: "ID", Kind: "id", Width: "90px", Faint: true, Numbers: make([]float64, n)}
	name, about := texts1("instance", "minmax(160px, 2fr)", n), texts1("labels", "minmax(120px, 2fr)", n)
	name.Strong, about.Faint = true, true
	first := TableColumn{Head: "first seen", Kind: "time", Width: "150px", Numbers: make([]float64, n), Texts: make([]string, n)}
	last := TableColumn{Head: "last seen", Kind: "time", Width: "150px", Numbers: make([]float64, n), Texts: make([]string, n)}
	seen := TableColumn{Head: "between", Kind: "figure", As: "between (s)", Width: "110px", Numbers: make([]float64, n), Texts: make([]string, n)}
	for i := range list {
		in := &list[i]
		id.Numbers[i] = float64(in.ID)
		name.Texts = append(name.Texts, in.Name)
		var own []string
		for _, l := range labels(in.Labels) {
			own = append(own, fmt.Sprintf("%s: %s", l[0], l[1]))
		}
		about.Texts = append(about.Texts, strings.Join(own, ", "))
		for _, c := range []struct {
			column *TableColumn
			at     pcp.Time
		}{{&first, in.First}, {&last, in.Last}} {
			c.column.Numbers[i], c.column.Texts[i] = c.at.Since(0), w.Clock.DateTime(c.at)
		}
		seen.Numbers[i], seen.Texts[i] = in.Last.Since(in.First), format.Span(int64(in.Last-in.First))
	}
	t.Columns = []TableColumn{id, name, first, last, seen, about}
	titles := make([]string, n)
	for i := range list {
		titles[i] = list[i].Title
	}
	t.titled(1, titles)
	return t
}
