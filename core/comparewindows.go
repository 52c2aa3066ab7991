package core

import (
	"cmp"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// compared returns the sources of a query; they are the same if there is one.
func (s *Session) compared(q api.CompareQuery) (a, b *source, err error) {
	if a, err = s.source(q.Source); err != nil || q.Other == 0 {
		return a, a, err
	}
	b, err = s.source(q.Other)
	return a, b, err
}

// comparedWindows returns the windows of a query, cut to what was recorded. It
// refuses a window that is empty or in which nothing was recorded.
func (s *Session) comparedWindows(q api.CompareQuery, a, b *source) (wa, wb window, err error) {
	if wa, err = s.window(a, q.AStart, q.AEnd, q.Zone); err != nil {
		return wa, wb, err
	}
	if wb, err = s.window(b, q.BStart, q.BEnd, q.Zone); err != nil {
		return wa, wb, err
	}
	if wa.from >= wa.to || wb.from >= wb.to {
		return wa, wb, pcp.Faultf(pcp.BadArgument, "Both windows must end after they start.")
	}
	for _, x := range []struct {
		src *source
		*window
		name string
	}{{a, &wa, "A"}, {b, &wb, "B"}} {
		first, last := x.src.span()
		if x.to < first || x.from > last {
			return wa, wb, pcp.Faultf(pcp.BadArgument, "Nothing was recorded in window %s: the recording is from %s to %s.", x.name, first.Std().UTC().Format("2006-01-02 15:04:05 MST"), last.Std().UTC().Format("2006-01-02 15:04:05 MST"))
		}
		if cut := x.recorded(first, last); cut.from < cut.to { // a moment cannot be compared
			*x.window = cut
		}
	}
	return wa, wb, nil
}

// withDefaults sets what a query leaves open. It refuses settings out of range.
func withDefaults(q *api.CompareQuery) error {
	if !(q.Effect >= 0 && q.Effect <= 1) {
		return pcp.Faultf(pcp.BadArgument, "The effect, %g, is not between 0 and 1.", q.Effect)
	}
	if !(q.Shift >= 0) {
		return pcp.Faultf(pcp.BadArgument, "The smallest shift, %g, is not a number above 0.", q.Shift)
	}
	q.Effect = cmp.Or(q.Effect, minEffect)
	q.Shift = cmp.Or(q.Shift, minShift)
	q.Points = cmp.Or(q.Points, comparePoints)
	return checkPoints(q.Points)
}
