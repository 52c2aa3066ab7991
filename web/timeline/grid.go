package timeline

import (
	"time"

	"pcpscope/core/pcp"
)

// steps are the distances of grid points that people expect.
var steps = []time.Duration{
	time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond,
	100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 20 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 20 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 48 * time.Hour, 7 * 24 * time.Hour,
}

// Step chooses the distance of grid points for a window: no finer than the
// logger's own, no more than points of them.
func Step(length, cadence int64, points int) int64 {
	least := max(length/int64(max(points, 2)), 1)
	if cadence > 0 && cadence >= least {
		return cadence
	}
	for _, s := range steps {
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
