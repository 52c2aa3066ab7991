package interp

import (
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A plan maps a metric's rows to an axis, for all of its instances and for
// every metric with the same rows.
type plan struct {
	times []pcp.Time
	part  []part // one for each stretch of the segment, in order
}

// A part is a plan's view of one stretch. Rows are clipped to [r0, r1), the
// observations that may be used for its points; of these, rows [lo, hi) lie
// among the points and have an entry in the table.
type part struct {
	*stretch
	r0, r1 int
	lo, hi int
	table  []reach
}

// A reach has the first point at or after a row, and the first one after it.
type reach struct{ from, after int32 }

func newPlan(x *axis, seg int, times []pcp.Time) *plan {
	p := &plan{times: times}
	for i := range x.stretch {
		if st := &x.stretch[i]; st.seg == seg {
			p.part = append(p.part, lay(x, st, times))
		}
	}
	return p
}

// lay merges the rows and the points of one stretch.
func lay(x *axis, st *stretch, times []pcp.Time) part {
	p := part{stretch: st}
	if st.from > st.to { // no rows, but a position among them, for the reasons
		p.r0 = before(times, x.at[st.g0])
		p.r1, p.lo, p.hi = p.r0, p.r0, p.r0
		return p
	}
	p.r0, p.r1 = before(times, st.from), upTo(times, st.to)
	if p.r1 < p.r0 {
		p.r1 = p.r0
	}
	p.lo = max(p.r0, min(p.r1, before(times, x.at[st.g0])))
	p.hi = max(p.lo, min(p.r1, upTo(times, x.at[st.g1-1])))
	p.table = make([]reach, p.hi-p.lo)
	g, at := st.g0, x.at[:st.g1]
	for i, t := range times[p.lo:p.hi] {
		for g < len(at) && at[g] < t {
			g++
		}
		p.table[i].from = int32(g)
		if g < len(at) && at[g] == t {
			p.table[i].after = int32(g) + 1
		} else {
			p.table[i].after = int32(g)
		}
	}
	return p
}

// from returns the first point at or after row r.
func (p *part) from(r int) int {
	switch i := r - p.lo; {
	case i < 0:
		return p.g0
	case i >= len(p.table):
		return p.g1
	default:
		return int(p.table[i].from)
	}
}

// after returns the first point after row r.
func (p *part) after(r int) int {
	switch i := r - p.lo; {
	case i < 0:
		return p.g0
	case i >= len(p.table):
		return p.g1
	default:
		return int(p.table[i].after)
	}
}

// find returns the run from which a walk over the part must begin: the last one
// with a value before row lo, or else the first one that reaches r0.
func (p *part) find(runs []series.Run) int {
	row := uint32(p.r0)
	if p.lo > p.r0 {
		row = uint32(p.lo - 1)
	}
	k := runAt(runs, row)
	for k > 0 && runs[k].Row&^series.RowNum != 0 && runs[k].Row&series.RowNum > uint32(p.r0) {
		k--
	}
	return max(k, 0)
}

// runAt returns the run that contains a row, -1 before the first.
func runAt(runs []series.Run, row uint32) int {
	lo, hi := 0, len(runs)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); runs[mid].Row&series.RowNum <= row {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}
