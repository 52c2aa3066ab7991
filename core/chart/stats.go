package chart

import (
	"math"
	"slices"
	"sort"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// StatsOf computes a column's statistics within a window: from all observations
// if the column has Statistics, else from the points of the frame. Their grid
// is even, so the mean of the points is the mean over time. Everything is NaN
// if there is no value.
func StatsOf(f *api.Frame, c *api.Column, from, to pcp.Time) api.Stats {
	s, _ := columnStats(f, c, from, to, false)
	return s
}

// columnStats also returns the sum of the points. share says that values are clamped to a
// share of time.
func columnStats(f *api.Frame, c *api.Column, from, to pcp.Time, share bool) (s api.Stats, sum float64) {
	lasts := c.Semantics == "discrete" // a value holds until the next one
	s, sum = statsOf(f.Start, f.Times, c.Values, from, to, c.Statistics == nil || lasts)
	return observed(s, c.Statistics, share, lasts), sum
}

// observed returns the statistics of all observations of the window, if there
// are more than points of the grid; s if they were not requested. share says
// that values are clamped to a share of time. If a value lasts until the next one,
// that from before the window may be the highest or the lowest in it: the points
// have it, and the observations the time of the others, and the last one.
func observed(s api.Stats, all *api.Statistics, share, lasts bool) api.Stats {
	switch {
	case all == nil:
		return s
	case lasts && (s.Max > all.Maximum || s.Min < all.Minimum):
		s.Min, s.Last = min(s.Min, all.Minimum), all.Last
		if all.Maximum > s.Max || all.Maximum == s.Max && all.MaximumAt < s.MaxAt {
			s.Max, s.MaxAt = all.Maximum, all.MaximumAt
		}
		return s
	}
	limit := func(v float64) float64 {
		if share {
			return percent(v)
		}
		return v
	}
	s.Last, s.Avg, s.P95, s.Min, s.Max = limit(all.Last), limit(all.Average), limit(all.P95), limit(all.Minimum), limit(all.Maximum)
	s.MaxAt, s.Count = all.MaximumAt, all.Count
	for _, v := range []float64{all.Last, all.Minimum, all.Maximum} { // rates may be whole at the points alone
		s.Whole = s.Whole && v == math.Trunc(v)
	}
	return s
}

// withoutLeftOut replaces what is of all observations by what is of the points that are left, if
// samples were left out as the clock was set: the average, which has them in it, and the last
// value, the maximum or minimum if it is theirs.
func withoutLeftOut(f *api.Frame, c *api.Column, from, to pcp.Time, s *api.Stats) {
	all := c.Statistics
	if all == nil || len(c.Why) != len(f.Times) || !slices.Contains(c.Why, ClockSet) {
		return
	}
	leftOut := func(t pcp.Time) bool { // the step that t is in, or the point just before it: the sample that ends at t is that of this point
		k := sort.Search(len(f.Times), func(k int) bool { return at(f, k) >= t })
		if k < len(f.Times) && c.Why[k] == ClockSet {
			return true
		}
		return k > 0 && c.Why[k-1] == ClockSet && (k == len(f.Times) || t-at(f, k-1) < at(f, k)-t)
	}
	highest, lowest := leftOut(all.MaximumAt), leftOut(all.MinimumAt)
	low, high := c.Low, c.High
	if high == nil {
		low, high = c.Values, c.Values
	}
	top, bottom := math.Inf(-1), math.Inf(1)
	sum, points, last, lastOut := 0.0, 0, 0.0, false
	for k := range f.Times {
		t := at(f, k)
		if t < from || t > to {
			continue
		}
		if math.IsNaN(c.Values[k]) {
			lastOut = lastOut || c.Why[k] == ClockSet
			continue
		}
		sum, points, last, lastOut = sum+c.Values[k], points+1, c.Values[k], false
		if bottom = min(bottom, low[k]); highest && high[k] > top {
			top = high[k]
			s.Max, s.MaxAt = top, t
		}
	}
	if points == 0 {
		return
	}
	s.Avg = sum / float64(points)
	if lowest {
		s.Min = bottom
	}
	if lastOut {
		s.Last = last
	}
}

// statsOf also returns the sum of the values. p95 asks for the percentile, which takes
// longer than everything else: NaN without it.
func statsOf(start pcp.Time, times, values []float64, from, to pcp.Time, p95 bool) (s api.Stats, sum float64) {
	nan := math.NaN()
	s = api.Stats{Last: nan, Avg: nan, P95: nan, Min: nan, Max: nan, Whole: true}
	first, last := float64(from-start)/1e9, float64(to-start)/1e9
	const jitter = 1e-6 // grid points at the end of the window
	var seen []float64
	for i, v := range values {
		if i >= len(times) || math.IsNaN(v) || times[i] < first-jitter || times[i] > last+jitter {
			continue
		}
		if p95 {
			if seen == nil {
				seen = make([]float64, 0, len(values)-i)
			}
			seen = append(seen, v)
		}
		sum += v
		s.Count++
		s.Whole = s.Whole && v == math.Trunc(v)
		s.Last = v
		if !(v <= s.Max) { // also while Max is NaN
			s.Max, s.MaxAt = v, start+pcp.Time(math.Round(times[i]*1e9))
		}
		if !(v >= s.Min) {
			s.Min = v
		}
	}
	if s.Count == 0 {
		s.Whole = false
		return s, nan
	}
	s.Avg = sum / float64(s.Count)
	if p95 {
		slices.Sort(seen)
		s.P95 = seen[int(math.Ceil(0.95*float64(len(seen))))-1]
	}
	return s, sum
}
