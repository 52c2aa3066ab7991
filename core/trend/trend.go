// Package trend tells how fast something grows.
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
func Slope(xs, ys []float64) float64 {
	at := make([]int, 0, len(ys))
	for i, y := range ys {
		if y == y {
			at = append(at, i)
		}
	}
	if n := len(at); n > Points {
		for k := range Points {
			at[k] = at[k*(n-1)/(Points-1)] // never one that was overwritten: k*(n-1)/(Points-1) >= k
		}
		at = at[:Points]
	}
	slopes := make([]float64, 0, len(at)*(len(at)-1)/2)
	for k, i := range at {
		for _, j := range at[:k] {
			if d := xs[i] - xs[j]; d > 0 {
				slopes = append(slopes, (ys[i]-ys[j])/d)
			}
		}
	}
	return Median(slopes)
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
