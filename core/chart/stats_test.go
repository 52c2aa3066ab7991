package chart

import (
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// The legend of a long window has the statistics of all observations: a load
// of 126.58 between grid points is its maximum, and values shown as
// utilisation remain so.
func TestObservedStatistics(t *testing.T) {
	const start, second = pcp.Time(1_500_000_000e9), pcp.Time(1e9)
	points, _ := statsOf(start, []float64{0, 10}, []float64{0.5, 4.87}, start, start+20*second, true)
	all := &api.Statistics{Count: 2880, Average: 0.17, P95: 0.4, Minimum: 0, Maximum: 126.58, MaximumAt: start + 7*second, Last: 0.02, LastAt: start + 19*second}
	if s := observed(points, all, false); s.Max != 126.58 || s.MaxAt != start+7*second || s.Avg != 0.17 || s.P95 != 0.4 || s.Last != 0.02 || s.Count != 2880 {
		t.Errorf("statistics of observations = %+v", s)
	}
	if s := observed(points, all, true); s.Max != 100 {
		t.Errorf("a share of %v %%", s.Max)
	}
	if s := observed(points, nil, false); s != points {
		t.Errorf("statistics without observations = %+v, want those of the points", s)
	}
}
