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
	if s := observed(points, all, false, false); s.Max != 126.58 || s.MaxAt != start+7*second || s.Avg != 0.17 || s.P95 != 0.4 || s.Last != 0.02 || s.Count != 2880 {
		t.Errorf("statistics of observations = %+v", s)
	}
	if s := observed(points, all, true, false); s.Max != 100 {
		t.Errorf("a share of %v %%", s.Max)
	}
	if s := observed(points, nil, false, false); s != points {
		t.Errorf("statistics without observations = %+v, want those of the points", s)
	}
}

// A setting that was 8 before the window, and was logged as 4 and 6 in it: 8 is the
// maximum, from the start on. If it was 6 or 2, the maximum is the second record.
func TestStatisticsOfSettings(t *testing.T) {
	const start, second = pcp.Time(1_500_000_000e9), pcp.Time(1e9)
	all := &api.Statistics{Count: 2, Average: 5, P95: 5.9, Minimum: 4, Maximum: 6, MinimumAt: start + 14*second, MaximumAt: start + 27*second, Last: 6, LastAt: start + 27*second}
	for _, tt := range []struct {
		before, low, high float64
		at                pcp.Time
	}{{8, 4, 8, 0}, {6, 4, 6, 27}, {2, 2, 6, 27}} {
		points, _ := statsOf(start, []float64{0, 10, 20, 30}, []float64{tt.before, tt.before, 4, 6}, start, start+30*second, true)
		s := observed(points, all, false, true)
		if s.Min != tt.low || s.Max != tt.high || s.MaxAt != start+tt.at*second || s.Last != 6 || !(s.P95 >= 5.9) {
			t.Errorf("%v before: %+v, want %v to %v, the latter first %d s after the start", tt.before, s, tt.low, tt.high, tt.at)
		}
	}
}

// A setting that was 1601 before a window of 30 s, and was logged as 2800 in it: that is the
// last value, also where the points of the grid are a minute apart.
func TestLastOfASetting(t *testing.T) {
	const start, second = pcp.Time(1_500_000_000e9), pcp.Time(1e9)
	all := &api.Statistics{Count: 1, Average: 2800, P95: 2800, Minimum: 2800, Maximum: 2800, MinimumAt: start + 17*second, MaximumAt: start + 17*second, Last: 2800, LastAt: start + 17*second}
	points, _ := statsOf(start, []float64{0, 60}, []float64{1601, 2800}, start, start+30*second, true)
	if s := observed(points, all, false, true); s.Last != 2800 || s.Min != 1601 || s.Max != 2800 {
		t.Errorf("%+v, want 1601 to 2800, and 2800 at the end", s)
	}
}

// Rates of 1 at the points, but between records of 0.974 to 1.035, are no whole numbers: the
// maximum was shown as 1 beside a percentile of 1.03. The figures are those of `pmlogsummary
// -mM` for bind2.sockstat.TCP4Accept in bind2-9.18+.
func TestRatesAreNotWhole(t *testing.T) {
	const start, second = pcp.Time(1_500_000_000e9), pcp.Time(1e9)
	points, _ := statsOf(start, []float64{0, 1, 2}, []float64{1, 1, 1}, start, start+2*second, false)
	all := api.Statistics{Count: 4, Average: 1.004, P95: 1.03, Minimum: 0.974, Maximum: 1.035, Last: 1, LastAt: start + 2*second}
	if s := observed(points, &all, false, false); !points.Whole || s.Whole {
		t.Errorf("whole numbers: points %v, observations %v; want true, false", points.Whole, s.Whole)
	}
	all.Minimum, all.Maximum = 0, 7
	if s := observed(points, &all, false, false); !s.Whole {
		t.Error("0, 1 and 7 are whole numbers")
	}
}
