package table

import (
	"pcpscope/core/api"
	"pcpscope/web/format"
	"pcpscope/web/timeline"
)

// Summary lists statistics of all series over a window.
func Summary(list []api.Summary, window timeline.Window, clock format.Clock) Table {
	n := len(list)
	t := Table{Name: "summary", Title: clock.Range(window.Start, window.End), Note: format.Count(n) + " series, counters as rates, as in pmlogsummary", Rows: n, SortBy: -1, Empty: "No numeric value in this window."}
	metric, instance, units := textColumn("metric", "minmax(180px, 2fr)", n), textColumn("instance", "minmax(90px, 1fr)", n), textColumn("unit", "96px", n)
	titles := make([]string, n)
	for i := range list {
		metric.Texts = append(metric.Texts, list[i].Metric)
		name := ""
		if list[i].Instance != nil {
			name, titles[i] = list[i].Instance.Name, list[i].Title
		}
		instance.Texts, units.Texts = append(instance.Texts, name), append(units.Texts, list[i].Units)
	}
	t.Columns = []Column{metric, instance, units}
	t.titled(1, titles)
	number := func(head, kind string, of func(s *api.Summary) float64) {
		c := Column{Head: head, Kind: kind, Width: "78px", Decimals: -1, Numbers: make([]float64, n)}
		if kind == "time" {
			c.Decimals = 0
		}
		for i := range list {
			c.Numbers[i] = of(&list[i])
		}
		t.Columns = append(t.Columns, c)
	}
	number("average", "number", func(s *api.Summary) float64 { return s.TimeAverage })
	number("median", "number", func(s *api.Summary) float64 { return s.Median })
	number("p95", "number", func(s *api.Summary) float64 { return s.P95 })
	number("p99", "number", func(s *api.Summary) float64 { return s.P99 })
	number("minimum", "number", func(s *api.Summary) float64 { return s.Minimum })
	number("min. at", "time", func(s *api.Summary) float64 { return s.MinimumAt.Since(0) })
	number("maximum", "number", func(s *api.Summary) float64 { return s.Maximum })
	number("max. at", "time", func(s *api.Summary) float64 { return s.MaximumAt.Since(0) })
	number("std. dev.", "number", func(s *api.Summary) float64 { return s.Stddev })
	number("samples", "number", func(s *api.Summary) float64 { return float64(s.Count) })
	t.Columns[len(t.Columns)-1].Decimals = 0
	return t
}
