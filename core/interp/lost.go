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
			i := r.StepOf(t)
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

// Within reports for each step of the grid whether it lies within an interval between
// observations at least two steps long; nil if none does. The rate of a counter there
// is what interpolated counts differ by, which are integers: none, or one too many.
func (r *Reducer) Within(obs []*series.Observations) []bool {
	if r.to < r.grid.Start || r.grid.Count < 1 {
		return nil
	}
	var within []bool
	for _, o := range obs {
		if o == nil {
			continue
		}
		for k := max(1, before(o.Times, r.grid.Start)); k < len(o.Times) && o.Times[k-1] < r.to; k++ {
			from, to := o.Times[k-1], o.Times[k]
			if int64(to-from) < 2*r.grid.Step {
				continue
			}
			for i := max(1, r.StepOf(from)+1); i < r.grid.Count && r.grid.At(i) <= to; i++ {
				if within == nil {
					within = make([]bool, r.grid.Count)
				}
				within[i] = true
			}
		}
	}
	return within
}
