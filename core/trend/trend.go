// Package trend reports how fast something grows.
package trend

import (
	"math"
	"slices"
)

// Points is how many points Slope compares at most: 64 have 2,016 pairs, so
// that its cost is bounded however many points there are.
const Points = 64

// Slope is the slope of a series after Theil and Sen: the median of the slopes
// between all pairs of points. It stays what it is as long as less than about
// 29 % of the points are far off: a file that is written and deleted again, or
// a single jump, does not move it, as it would move a least-squares line.
//
// xs ascend and are as many as ys; points whose y is NaN are left out. Of more
// than Points points so many are taken, evenly spread from the first to the
// last. The result is in units of y for one of x, NaN where there are fewer
// than two points.
func Slope(xs, ys []float64) float64 { return new(Sloper).Slope(xs, ys) }

// A Sloper computes one slope after the other without allocating for each. Its
// zero value is ready.
type Sloper struct {
	at     []int
	slopes []float64
}

// Slope is the function of that name.
func (s *Sloper) Slope(xs, ys []float64) float64 {
	at, level := s.at[:0], true
	for i, y := range ys {
		if y == y {
			at = append(at, i)
			level = level && y == ys[at[0]]
		}
	}
	s.at = at
	if n := len(at); n > Points {
		for k := range Points {
			at[k] = at[k*(n-1)/(Points-1)] // never one that was overwritten: k*(n-1)/(Points-1) >= k
		}
		at = at[:Points]
	}
	if level && len(at) > 1 && xs[at[len(at)-1]] > xs[at[0]] {
		return 0
	}
	slopes := s.slopes[:0]
	for k, i := range at {
		for _, j := range at[:k] {
			if d := xs[i] - xs[j]; d > 0 {
				slopes = append(slopes, (ys[i]-ys[j])/d)
			}
		}
	}
	s.slopes = slopes
	return middle(slopes)
}

// middle is Median without sorting all of vals: it only parts them again and
// again until what belongs in the middle is there. vals end up in some order.
func middle(vals []float64) float64 {
	n := len(vals)
	if n == 0 || slices.ContainsFunc(vals, math.IsNaN) {
		return Median(vals)
	}
	upper := nth(vals, n/2)
	if n%2 == 1 {
		return upper
	}
	return (slices.Max(vals[:n/2]) + upper) / 2
}

// nth moves the value that sorting would put at place k there, what is not
// larger before it and what is not smaller behind it. (Hoare's selection)
func nth(vals []float64, k int) float64 {
	lo, hi := 0, len(vals)-1
	for lo < hi {
		pivot := vals[lo+(hi-lo)/2]
		i, j := lo, hi
		for i <= j {
			for vals[i] < pivot {
				i++
			}
			for vals[j] > pivot {
				j--
			}
			if i <= j {
				vals[i], vals[j] = vals[j], vals[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return vals[k]
		}
	}
	return vals[k]
}

// Median sorts vals and returns the middle one, or the mean of the two in the
// middle; NaN for none.
func Median(vals []float64) float64 {
	n := len(vals)
	if n == 0 {
		return math.NaN()
	}
	slices.Sort(vals)
	if n%2 == 0 {
		return (vals[n/2-1] + vals[n/2]) / 2
	}
	return vals[n/2]
}
