package engine

import (
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
