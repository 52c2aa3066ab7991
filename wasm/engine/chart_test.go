package engine

import (
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/chart"
)

// The legend of who used what has the mean over time, which is not that of samples that are
// unevenly far apart: 30 % for 10 s and 10 % for 30 s are 15 %.
func TestMeanOfConsumers(t *testing.T) {
	f := consumers(&api.Consumers{Start: 1e18, Times: []float64{10, 40}, Units: "%", Series: []api.Consumer{{Name: "a", Kind: "named", Values: []float64{30, 10}, Mean: 15}}})
	if s := chart.StatsOf(f, &f.Columns[0], 1e18, 1e18+60e9); s.Avg != 15 || s.Max != 30 || s.MaxAt != 1e18+10e9 || s.Min != 10 || s.Last != 10 || s.P95 != 30 || s.Count != 2 {
		t.Errorf("statistics %+v", s)
	}
	if none := consumers(&api.Consumers{Start: 1e18}); len(none.Columns) != 0 {
		t.Errorf("columns %+v of no samples", none.Columns)
	}
}

// On top of the chart is what was not sampled, then estimates, with their standard errors
// (1 % at least), then further commands, and those with names at the bottom.
func TestOrderOfConsumers(t *testing.T) {
	f := consumers(&api.Consumers{Times: []float64{10}, Units: "%", Series: []api.Consumer{
		{Name: "make", Kind: "named", Values: []float64{1}}, {Name: "others", Kind: "others", Values: []float64{2}},
		{Name: "cc1plus", Kind: "estimated", Error: 11.2, Values: []float64{3}}, {Name: "as", Kind: "estimated", Error: 0.2, Values: []float64{4}}, {Name: "rest", Kind: "in no sample", Values: []float64{5}}}})
	var names []string
	for _, c := range f.Columns {
		if names = append(names, c.Metric); c.Units != "" {
			t.Errorf("%s is in %q, want no units", c.Metric, c.Units)
		}
	}
	if got, want := strings.Join(names, "; "), "rest; cc1plus ± 11, estimate; as ± 1, estimate; others; make"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
