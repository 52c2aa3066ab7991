package departures

import (
	"math"

	"pcpscope/core/trend"
)

const aroundSteps = 20 // of a block

// Around is what is usual around each step of a series: the median of three
// blocks of 20 steps, and how far values mostly are off it, as a standard
// deviation.
type Around struct{ medians, spreads []float64 }

// AroundOf looks at the steps of a series, NaN where there is none. Where no
// value can be least off its surroundings, the spread is infinite: medians take
// time.
func AroundOf(vals []float64, least float64) (a Around) {
	var near []float64
	for from := 0; from < len(vals); from += aroundSteps {
		values := vals[max(0, from-aroundSteps):min(len(vals), from+2*aroundSteps)]
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range values {
			if v < low {
				low = v
			}
			if v > high {
				high = v
			}
		}
		median, spread := low, math.Inf(1)
		if high-low >= least {
			near = near[:0]
			for _, v := range values {
				if v == v {
					near = append(near, v)
				}
			}
			median = trend.Middle(near)
			for i := range near {
				near[i] = math.Abs(near[i] - median)
			}
			spread = 1.4826 * trend.Middle(near)
		}
		a.medians, a.spreads = append(a.medians, median), append(a.spreads, spread)
	}
	return a
}

func (a Around) at(step int) (median, spread float64) {
	return a.medians[step/aroundSteps], a.spreads[step/aroundSteps]
}
