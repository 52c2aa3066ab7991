package core

import (
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A window is the stretch of time that a question is about.
type window struct {
	from, to pcp.Time
}

// window resolves start and end against the source: nothing means its ends,
// texts are PCP's time syntax. Spec: interp 15.
func (src *source) window(start, end *api.When, zone string) (window, error) {
	from, to := src.span()
	w := window{from, to}
	if start != nil && start.Nanos != nil {
		w.from = pcp.Time(*start.Nanos)
	}
	if end != nil && end.Nanos != nil {
		w.to = pcp.Time(*end.Nanos)
	}
	return w, nil
}

// gridOf makes the grid of a query: from the start in steps of the interval,
// up to the end or for count points.
func gridOf(q api.Query, w window) (series.Grid, error) {
	g := series.Grid{Start: w.from, Count: q.Count}
	step, err := intervalOf(q, w)
	if err != nil {
		return g, err
	}
	g.Step = step
	if g.Count == 0 && step != 0 {
		g.Count = int((int64(w.to)-int64(w.from))/step) + 1
	}
	switch {
	case g.Count < 1:
		return g, pcp.Faultf(pcp.BadArgument, "The window ends before it starts.")
	case g.Count > maxPoints:
		return g, pcp.Faultf(pcp.OutOfMemory, "%d points are too many for one query; ask for a longer interval.", g.Count)
	}
	return g, nil
}

// intervalOf returns the step in nanoseconds. Without one it is a second, as
// with PCP's tools, or with pixels what gives about one point for each.
func intervalOf(q api.Query, w window) (int64, error) {
	if q.Interval != nil && q.Interval.Nanos != nil {
		if *q.Interval.Nanos == 0 && q.Count != 1 {
			return 0, pcp.Faultf(pcp.BadArgument, "The interval is zero.")
		}
		return *q.Interval.Nanos, nil
	}
	if q.Pixels > 1 && w.to > w.from {
		return max(1, int64(w.to-w.from)/int64(q.Pixels-1)), nil
	}
	return int64(time.Second), nil
}
