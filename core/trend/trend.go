// Package trend estimates how fast something grows.
package trend

import (
	"math"
	"slices"
)

// Points is the most points that Slope compares: 64 points have 2,016 pairs,
// which bounds the cost.
const Points = 64

// Slope is the Theil-Sen slope of a series: the median of the slopes between
// all pairs of points. It is unaffected as long as less than about 29 % of the
// points are outliers: a file that is written and deleted again, or a single
// jump, does not move it as it would move a least-squares line.
//
// xs ascend and have the same length as ys; points whose y is NaN are left out.
// If there are more than Points points, that many are used, evenly spaced from
// the first to the last. The result is in units of y per unit of x, NaN for
// fewer than two points.
func Slope(xs, ys []float64) float64 { return new(Sloper).Slope(xs, ys) }

// A Sloper computes slopes without allocating for each. Its zero value is ready
// to use.
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
	return Middle(slopes)
}

// Middle is Median of a few hundred values at most, in less time: it partitions vals until
// the middle is in place.
func Middle(vals []float64) float64 {
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

// nth moves the value of rank k to index k, with no larger one before it and no
// smaller one after it (Hoare's selection). sorting.Select does the same for
// times, of which many are equal and whose order nobody can choose; here the
// middle as pivot costs no random numbers.
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

// Median sorts vals and returns the middle value, or the mean of the two middle
// ones; NaN for none.
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

// Quantile returns the q quantile of sorted values, interpolating linearly.
// There must be at least one.
func Quantile(sorted []float64, q float64) float64 {
	place := float64(len(sorted)-1) * q
	k := int(place)
	if k+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[k] + (place-float64(k))*(sorted[k+1]-sorted[k])
}
