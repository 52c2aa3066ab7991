package core

import (
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/derived"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// What an expression says of a point may rest on the hour before it. Without
// that the first part of every chart would be empty, and a chart of ten minutes
// all of it: such expressions are worked out from earlier on, as far as the
// source has that, and what lies before the grid is cut off.

// earlier is an evaluation on the same grid with what an expression looks back
// to before it, and how many points that is; e itself and 0 for most.
func (e *evaluation) earlier(b *derived.Bound) (*evaluation, int) {
	n := b.History(e.grid.Step)
	if n == 0 {
		return e, 0
	}
	start, _ := e.src.span()
	n = min(n, int(max(0, int64(e.grid.Start-start))/e.grid.Step)+1) // the first point may be a little late
	if wide := e.wider[n]; wide != nil {
		return wide, n
	}
	wide := e.src.newEvaluation(series.Grid{Start: e.grid.Start - pcp.Time(int64(n)*e.grid.Step), Step: e.grid.Step, Count: e.grid.Count + n})
	wide.gaps, wide.extent, wide.ctx, wide.lost, wide.room = e.gaps, e.extent, e.ctx, e.lost, e.room
	if e.wider == nil {
		e.wider = map[int]*evaluation{}
	}
	e.wider[n] = wide
	return wide, n
}

// cut takes the first n points from a frame, and instances that were there only
// then.
func cut(f *series.Frame, grid series.Grid, n int) {
	f.Grid = grid
	causes := map[*series.Cause]*series.Cause{nil: nil}
	for i := range f.Vectors {
		v := &f.Vectors[i]
		v.Vals = v.Vals[n:]
		if v.Why != nil {
			v.Why = v.Why[n:]
		}
		if _, done := causes[v.Cause]; !done {
			causes[v.Cause] = &series.Cause{Operands: v.Cause.Operands, Which: v.Cause.Which[n:], Why: v.Cause.Why[n:]}
		}
		v.Cause = causes[v.Cause]
		codes := v.Codes
		v.Codes = nil
		for at, code := range codes {
			if at >= n {
				if v.Codes == nil {
					v.Codes = map[int]pcp.Code{}
				}
				v.Codes[at-n] = code
			}
		}
	}
	f.Vectors = slices.DeleteFunc(f.Vectors, func(v series.Vector) bool { return gone(&v) })
}

// gone says that an instance was nowhere on the grid.
func gone(v *series.Vector) bool {
	for i := range v.Vals {
		why := v.Missing(i)
		if why == series.OperandMissing && v.Cause != nil {
			why = v.Cause.Why[i]
		}
		if why != series.InstanceAbsent {
			return false
		}
	}
	return true
}

// history is how long before a window the query's expressions look back.
func (src *source) history(q api.Query, w window) pcp.Time {
	step, err := intervalOf(q, w)
	if err != nil || step <= 0 || q.Mode == "raw" {
		return 0
	}
	n := 0
	for _, name := range q.Metrics {
		if _, logged := src.lookup(name); logged {
			continue
		}
		if b, err := src.bind(name); err == nil {
			n = max(n, b.History(step))
		}
	}
	return pcp.Time(int64(n) * step)
}
