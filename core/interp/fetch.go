package interp

import (
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A Fetcher computes any number of metrics on one grid, like a context in
// interpolated mode that starts at the grid's first time. It is not safe for
// concurrent use.
type Fetcher struct {
	segs  []Segment
	opt   Options
	axis  *axis
	plans []recent[*plan] // by segment
}

// NewFetcher returns a Fetcher for a grid over the archives of a context, in
// order of their starts. The first one's start is the origin of all arithmetic
// on times. Between two archives lies a mark, 1 ms after the end of the earlier
// one; where they overlap, the one that starts later is used. See
// spec/interp.md sections 1 and 8.
func NewFetcher(segs []Segment, grid series.Grid, opt Options) *Fetcher {
	return &Fetcher{segs: segs, opt: opt, axis: newAxis(segs, grid), plans: make([]recent[*plan], len(segs))}
}

// NewFetcherAt returns a Fetcher for arbitrary ascending times. The grid of its
// frames has only their number and the first one.
func NewFetcherAt(segs []Segment, moments []pcp.Time, opt Options) *Fetcher {
	grid := series.Grid{Step: 1, Count: len(moments)}
	if len(moments) > 0 {
		grid.Start = moments[0]
	}
	return &Fetcher{segs: segs, opt: opt, axis: newAxisAt(segs, grid, moments), plans: make([]recent[*plan], len(segs))}
}

// MarkCrossings lists the points with a mark between them and the one before.
func (f *Fetcher) MarkCrossings() []int { return f.axis.crossing }

// Frame returns a metric's values on the grid. obs has one entry for each
// segment, nil if the archive does not know the metric; life may be nil. The
// vectors' names are left empty.
//
// If the archives disagree about the metric, the latest descriptor applies to
// the whole frame and values of the others are converted.
func (f *Fetcher) Frame(obs []*series.Observations, life Lifetime) series.Frame {
	desc, known := latest(obs)
	out := series.Frame{Desc: desc, Grid: f.axis.grid}
	if !known || f.axis.grid.Count <= 0 {
		return out
	}
	join := newJoin(obs, &out)
	b := newBuilder(f, obs, out.Desc, life)
	for _, inst := range instances(obs) {
		b.add(inst, obs, join)
		if f.opt.Stop != nil && f.opt.Stop(len(b.out)) {
			return out
		}
	}
	if len(b.out) == 0 && out.Desc.InDom == pcp.NullInDom {
		b.add(pcp.NoInstance, obs, join)
	}
	out.Vectors = b.out
	if out.Desc.Sem == pcp.Counter && !f.opt.AfterMarks {
		f.hideAfterMarks(out.Vectors)
	}
	if f.axis.grid.Step < 0 {
		reverse(out.Vectors)
	}
	f.explain(obs, &out)
	return out
}

// Interpolate is Frame for one metric of one archive.
func Interpolate(obs *series.Observations, seg Segment, grid series.Grid, opt Options, life Lifetime) series.Frame {
	return NewFetcher([]Segment{seg}, grid, opt).Frame([]*series.Observations{obs}, life)
}

// latest returns the descriptor of the last segment that has one.
func latest(obs []*series.Observations) (d pcp.Desc, ok bool) {
	for _, o := range obs {
		if o != nil {
			d, ok = o.Desc, true
		}
	}
	return d, ok
}

// instances returns the union of the segments' instances, ascending.
func instances(obs []*series.Observations) []int32 {
	var ids []int32
	segments := 0
	for _, o := range obs {
		if o == nil || len(o.Series) == 0 {
			continue
		}
		segments++
		ids = slices.Grow(ids, len(o.Series))
		for i := range o.Series {
			ids = append(ids, o.Series[i].Inst)
		}
	}
	if segments > 1 {
		slices.Sort(ids)
		ids = slices.Compact(ids)
	}
	return ids
}

// plan returns the plan for rows of a segment.
func (f *Fetcher) plan(seg int, times []pcp.Time) *plan {
	return f.plans[seg].get(times, func() *plan { return newPlan(f.axis, seg, times) })
}

// hideAfterMarks applies the rule that keeps clients from computing a rate
// across a mark: a fetch of a counter has no values at all if the previous
// fetch had some and a mark lies in between. See spec/interp.md section 7.
func (f *Fetcher) hideAfterMarks(vs []series.Vector) {
	had := func(i int) bool {
		for v := range vs {
			if vs[v].Missing(i) == series.HasValue {
				return true
			}
		}
		return false
	}
	hide := func(i int) {
		for v := range vs {
			if x := &vs[v]; x.Missing(i) == series.HasValue {
				if x.Why == nil {
					x.Why = make([]series.Why, len(x.Vals))
				}
				x.Vals[i], x.Why[i] = 0, series.AcrossMark
			}
		}
	}
	if f.axis.grid.Step < 0 {
		for _, g := range slices.Backward(f.axis.crossing) {
			if had(g) {
				hide(g - 1)
			}
		}
		return
	}
	for _, g := range f.axis.crossing {
		if had(g - 1) {
			hide(g)
		}
	}
}

// reverse turns vectors from ascending order into that of a descending grid.
func reverse(vs []series.Vector) {
	for i := range vs {
		slices.Reverse(vs[i].Vals)
		slices.Reverse(vs[i].Why)
	}
}
