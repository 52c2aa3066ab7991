package departures

import (
	"math"
	"slices"

	"pcpscope/core/trend"
)

const (
	burstSteps   = 2   // a burst takes at least
	burstFloors  = 4   // floors from the median around it, at least
	burstSpreads = 8   // standard deviations, at least
	burstShare   = 0.5 // of the level, at least
	burstsADay   = 1   // of a series are expected at most,
	leastBursts  = 3   // and so many more, however short the record;
	standsOut    = 1.5 // if there are more, those count that are so many times as high as the rest
)

// A Burst is a change that is undone before it is a level of its own.
type Burst struct {
	Change     // Before is the median around it, After the level that the burst reached
	End    int // the first step behind it
}

// Bursts finds the short stretches in which a series was far from what is usual
// around them, up to half of 60 steps long; Changes finds longer ones. Of a
// series that has more than one a day only those count that stand out of the
// other ones. Steps are means, NaN where there is none.
func Bursts(vals []float64, around Around, floor, days float64) []Burst {
	var list []Burst
	off := func(i int) float64 { // in floors, where that is far
		usual, spread := around.at(i)
		d := vals[i] - usual
		if math.Abs(d) >= max(burstFloors*floor, burstSpreads*spread, burstShare*max(math.Abs(vals[i]), math.Abs(usual))) {
			return d / floor
		}
		return 0 // NaN as well
	}
	for i := 0; i < len(vals); {
		first := off(i)
		if first == 0 {
			i++
			continue
		}
		end := i + 1
		for j := i + 1; j < len(vals) && j <= end+1; j++ { // a step between may be less
			if off(j)*first > 0 {
				end = j + 1
			}
		}
		usual, _ := around.at(i)
		known := slices.DeleteFunc(slices.Clone(vals[i:end]), math.IsNaN)
		c := Change{At: i, Before: usual, After: middle(known, usual), Times: (mean(known) - usual) / floor}
		if len(known) >= burstSteps && math.Abs(c.Times) >= burstFloors && hasBefore(vals[:i]) && offBothSides(vals, i, end, c, floor) {
			c.After = reached(known, usual, usual)
			list = append(list, Burst{c, end})
		}
		i = end
	}
	most := leastBursts + int(days*burstsADay)
	if len(list) <= most {
		return list
	}
	heights := make([]float64, len(list))
	for i, b := range list {
		heights[i] = math.Abs(b.Times)
	}
	slices.Sort(heights)
	usual := heights[len(heights)-1-most]
	return slices.DeleteFunc(list, func(b Burst) bool { return math.Abs(b.Times) < standsOut*usual })
}

// middle is the level within a burst: of two steps, that of the one farther from usual.
func middle(burst []float64, usual float64) float64 {
	if n := len(burst); n <= 2 {
		if first, last := burst[0], burst[n-1]; math.Abs(last-usual) <= math.Abs(first-usual) {
			return first
		}
		return burst[n-1]
	}
	return inner(burst)
}

// offBothSides reports whether a burst is off what was before it and off what came after it.
// Beside a step, the median of many may be that of the other side: then what was before
// the step, or came after it, is no burst.
func offBothSides(vals []float64, from, end int, c Change, floor float64) bool {
	for _, beside := range [][]float64{vals[max(0, from-aroundSteps/2):from], vals[end:min(len(vals), end+aroundSteps/2)]} {
		usual := trend.Median(slices.DeleteFunc(slices.Clone(beside), math.IsNaN))
		if d := c.After - usual; d*c.Times < 0 || math.Abs(d) < max(burstFloors*floor, burstShare*math.Abs(c.After-c.Before)) { // false of NaN
			return false
		}
	}
	return true
}

// hasBefore reports whether enough is known of what was before a burst: what a host
// does when it boots, or did when its record began, is none.
func hasBefore(before []float64) bool {
	n := 0
	for _, v := range before[max(0, len(before)-aroundSteps/2):] {
		if v == v {
			n++
		}
	}
	return n >= aroundSteps/4
}
