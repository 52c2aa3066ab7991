package panel

import (
	"math"
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/web/timeline"
)

// Stats describes the values of one series within a window, in the unit of
// the frame. All are NaN where there is no value.
type Stats struct {
	Last, Avg, P95, Min, Max float64
	MaxAt                    pcp.Time
	Count                    int
	Whole                    bool // all values are whole numbers
}

// StatsOf describes the values whose times lie within the window. The grid is
// even, so that the mean of the points is the mean over time.
func StatsOf(start pcp.Time, times, values []float64, w timeline.Window) Stats {
	nan := math.NaN()
	s := Stats{Last: nan, Avg: nan, P95: nan, Min: nan, Max: nan, Whole: true}
	from, to := float64(w.Start-start)/1e9, float64(w.End-start)/1e9
	const jitter = 1e-6 // grid points stand where the window ends
	var sum float64
	var seen []float64
	for i, v := range values {
		if i >= len(times) || math.IsNaN(v) || times[i] < from-jitter || times[i] > to+jitter {
			continue
		}
		sum += v
		seen = append(seen, v)
		s.Whole = s.Whole && v == math.Trunc(v)
		s.Last = v
		if !(v <= s.Max) { // also while Max is NaN
			s.Max, s.MaxAt = v, start+pcp.Time(math.Round(times[i]*1e9))
		}
		if !(v >= s.Min) {
			s.Min = v
		}
	}
	s.Count = len(seen)
	if s.Count == 0 {
		s.Whole = false
		return s
	}
	s.Avg = sum / float64(s.Count)
	slices.Sort(seen)
	s.P95 = seen[int(math.Ceil(0.95*float64(len(seen))))-1]
	return s
}
