package panel

import (
	"cmp"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/web/timeline"
)

// ofTime reports whether the values are shares of time, which cannot be more than all of
// it: an interface may move more than the line rate that was logged.
func (s *Settings) ofTime() bool {
	return s.Unit == "%" || slices.ContainsFunc([]string{"% of time", "% of all", "% of one CPU", "% of the CPU", "% of the node", "% of user", "% busy"}, func(unit string) bool {
		return strings.HasPrefix(s.Unit, unit)
	})
}

// ChartQuery adds to a query what the panel needs to know: what to leave out, to sum and to
// compute, so that the page need not read the values themselves. step is the interval of
// the grid in nanoseconds, 0 for single records; wide reports whether a metric has
// instances.
func (s *Settings) ChartQuery(q api.Query, step int64, window timeline.Window, holes, gaps []timeline.Hole, wide func(metric string) bool) api.ChartQuery {
	c := api.ChartQuery{Query: q, Start: window.Start, End: window.End, Texts: s.ByInstance(), Holes: timeline.Chart(holes...)}
	if s.Breakdown != nil {
		from, to := timeline.When(window.Start), timeline.When(window.End)
		c.Consumers = &api.ConsumerQuery{Source: q.Source, What: s.Breakdown.What, By: s.Breakdown.By, Top: s.Breakdown.Top, Start: from, End: to}
	}
	if s.Breakdown != nil || step == 0 {
		c.Breaks = timeline.Chart(slices.Concat(holes, gaps)...)
	}
	for _, limit := range s.Limits() {
		if !slices.Contains(s.Metrics, limit) {
			c.Limits = append(c.Limits, limit)
		}
	}
	if s.Max == 100 && s.ofTime() {
		c.Share = "percent"
		if s.Style == "utilisation" {
			c.Share = "utilisation"
		}
		for _, m := range s.Metrics {
			if s.line(m).Right {
				c.Apart = append(c.Apart, m)
			}
		}
	}
	if s.InnermostOnly && (!s.Whole || s.Slices) {
		c.Groups = "innermost"
	}
	if s.InnermostOnly && s.Slices {
		c.Groups = "slices"
		for _, m := range s.Metrics {
			if s.adds(m) {
				c.Adds = append(c.Adds, m)
			}
		}
	}
	if total := s.total(wide); q.Reduce != "" && total != "" {
		c.Total, c.Query.Metrics = total, append(slices.Clone(q.Metrics), total)
	}
	if s.Stacked() && s.additive() && s.Breakdown == nil && !s.ByInstance() {
		c.Rest = &api.ChartRest{Top: cmp.Or(max(s.Top, 0), MaxLines), Single: s.Style == "topn"}
	}
	return c
}
