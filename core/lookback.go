package core

import (
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/derived"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// The value of an expression at a point may depend on the hour before it.
// Without that hour the first part of every chart would be empty, and a chart
// of ten minutes entirely so: such expressions are evaluated from earlier on,
// as far as the source goes back, and the points before the grid are cut off.

// earlier returns an evaluation on the grid extended backwards by what an
// expression needs, and by how many points; e itself and 0 for most
// expressions.
func (e *evaluation) earlier(b *derived.Bound) (*evaluation, int) {
	n := b.History(e.grid.Step)
	if n == 0 {
		return e, 0
	}
	start, _ := e.src.span()
	n = min(n, int(max(0, int64(e.grid.Start-start))/e.grid.Step)+1) // the first point may be slightly late
	if wide := e.wider[n]; wide != nil {
		return wide, n
	}
	wide := e.src.newEvaluation(series.Grid{Start: e.grid.Start - pcp.Time(int64(n)*e.grid.Step), Step: e.grid.Step, Count: e.grid.Count + n})
	wide.gaps, wide.extent, wide.ctx, wide.lost, wide.claim = e.gaps, e.extent, e.ctx, e.lost, e.claim
	if e.wider == nil {
		e.wider = map[int]*evaluation{}
	}
	e.wider[n] = wide
	return wide, n
}

// cut removes the first n points from a frame, and instances that existed only
// there.
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

// gone reports whether an instance is absent on the whole grid.
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

// history returns the time before a window that the query's expressions need.
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
