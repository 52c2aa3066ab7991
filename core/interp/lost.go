package interp

import (
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Lost reports for each step of the grid whether the interpolated values at its
// points miss an observation of the metric; nil if none does. An observation is
// represented by a point that is within a fiftieth of a step of it, with no
// mark between them, and with another observation on the other side of the
// point.
func (r *Reducer) Lost(obs []*series.Observations) []bool {
	if r.to < r.grid.Start || r.grid.Count < 1 {
		return nil
	}
	var lost []bool
	near := r.grid.Step / 50
	for seg, o := range obs {
		if o == nil {
			continue
		}
		marks := r.segs[seg].Marks
		cut := func(from, to pcp.Time) bool { // a mark lies between
			n := upTo(marks, from)
			return n < len(marks) && marks[n] <= to
		}
		for k := before(o.Times, r.grid.Start); k < upTo(o.Times, r.to); k++ {
			t := o.Times[k]
			i := r.step(t)
			if i < 0 || i >= r.grid.Count {
				continue
			}
			g := r.grid.At(i)
			if g == t {
				continue
			}
			if int64(g-t) <= near && k+1 < len(o.Times) && !cut(t, o.Times[k+1]) {
				continue
			}
			if i > 0 && int64(t-r.grid.At(i-1)) <= near && k > 0 && !cut(o.Times[k-1], t) {
				continue
			}
			if lost == nil {
				lost = make([]bool, r.grid.Count)
			}
			lost[i] = true
		}
	}
	return lost
}
