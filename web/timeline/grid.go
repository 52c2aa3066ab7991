package timeline

import (
	"pcpscope/core/api"
	"pcpscope/core/chart"
	"pcpscope/core/pcp"
)

// Step chooses the interval of the grid points for a window: not shorter than the
// logging interval, and so that there are at most points of them.
func Step(length, cadence int64, points int) int64 {
	least := max(length/int64(max(points, 2)), 1)
	if cadence > 0 && cadence >= least {
		return cadence
	}
	for _, s := range chart.Steps {
		if int64(s) >= least && int64(s) >= cadence {
			return int64(s)
		}
	}
	return least
}

// Grid returns the first and the last point of the grid for a window: on
// multiples of step from origin, the start of the source, and one step beyond
// both ends of the window, because a rate needs the sample before.
func Grid(window Window, origin pcp.Time, step int64) (start, end pcp.Time) {
	floor := func(t pcp.Time) pcp.Time {
		n := int64(t-origin) / step
		if int64(t-origin)%step < 0 {
			n--
		}
		return origin + pcp.Time(n*step)
	}
	start = floor(window.Start) - pcp.Time(step)
	end = floor(window.End) + pcp.Time(step)
	return max(start, origin), end
}

// Usual is the usual interval between the observations in a frame, in nanoseconds.
func Usual(f *api.Frame) int64 { return chart.UsualGap(chart.Between(f.Times, f.Marks)) }

// Round is chart.Round.
func Round(nanos float64) int64 { return chart.Round(nanos) }
