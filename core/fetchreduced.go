package core

import (
	"context"
	"math"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// reductions are the values of Query.Reduce.
var reductions = map[string]interp.Reduction{"mean": interp.Mean, "max": interp.Max, "min": interp.Min, "p95": interp.P95, "last": interp.Last}

// A reduction adds to the columns of a query what is computed from all
// observations: per step, and for a stretch of time as a whole.
type reduction struct {
	src     *source
	q       *api.Query
	how     interp.Reduction
	steps   bool // Query.Reduce asks for something other than samples
	to      pcp.Time
	window  *window // of the statistics; nil if not requested
	ctx     context.Context
	e       *evaluation
	rate    bool
	reducer map[string]*interp.Reducer // by timeline.key
	sums    map[string]*interp.Summariser
}

// reduction interprets the query. If all observations of its window are needed
// and the last point falls short of the end, the grid gets one more point.
func (s *Session) reduction(q api.Query, src *source, w window, grid *series.Grid) (*reduction, error) {
	r := &reduction{src: src, q: &q, to: w.to}
	switch how, known := reductions[q.Reduce]; {
	case known && grid.Step <= 0:
		return nil, pcp.Faultf(pcp.BadArgument, "Values can only be reduced forwards in time; the interval must be above zero.")
	case known:
		r.how, r.steps = how, true
	case q.Reduce == "" && q.Pixels > 0 && q.Interval == nil && grid.Step > 0: // the caller has not chosen the times
		r.how, r.steps = interp.Mean, true
	case q.Reduce != "" && q.Reduce != "sample":
		return nil, pcp.Faultf(pcp.BadArgument, "The reduction %q is not one of \"sample\", \"mean\", \"max\", \"min\", \"p95\" and \"last\".", q.Reduce)
	}
	if q.Count > 0 {
		r.to = grid.At(grid.Count - 1)
	}
	if r.steps {
		if reach(grid, r.to); q.Pixels > 0 && grid.Count > q.Pixels { // longer steps rather than dropped points
			gaps := max(1, q.Pixels-1)
			many := (grid.Count - 1 + gaps - 1) / gaps
			grid.Step *= int64(many)
			grid.Count = (grid.Count-1)/many + 1
			reach(grid, r.to)
		}
	}
	own, err := s.statistics(q, src, window{w.from, r.to})
	if err != nil {
		return nil, err
	}
	r.window = own.window
	return r, nil
}

// statistics interprets a query's request for statistics of its window or a
// part of it.
func (s *Session) statistics(q api.Query, src *source, w window) (*reduction, error) {
	r := &reduction{src: src, q: &q, to: w.to}
	if q.Statistics != nil {
		at := func(t *api.When, own pcp.Time) *api.When {
			if n := int64(own); t == nil {
				return &api.When{Nanos: &n}
			}
			return t
		}
		own, err := s.window(src, at(q.Statistics.Start, w.from), at(q.Statistics.End, w.to), q.Zone)
		if err != nil {
			return nil, err
		}
		if own.to < own.from {
			return nil, own.reversed()
		}
		own = window{max(own.from, w.from), min(own.to, w.to)}.recorded(src.span()) // nothing outside the window has been waited for
		r.window = &own
	}
	return r, nil
}

// reach extends a grid by one point if its last point lies before a time.
func reach(grid *series.Grid, to pcp.Time) {
	longer := *grid
	if longer.Count++; grid.At(grid.Count-1) < to && longer.Count <= maxPoints && !wraps(longer) {
		*grid = longer
	}
}

func (r *reduction) begin(ctx context.Context, e *evaluation, rate bool) {
	r.ctx, r.e, r.rate = ctx, e, rate
	r.reducer, r.sums = map[string]*interp.Reducer{}, map[string]*interp.Summariser{}
}

// add completes the columns of one metric on the grid. An instance that existed
// only between two points gets a column of its own.
func (r *reduction) add(out *api.Frame, name string, desc pcp.Desc, cols []api.Column, keep func(string) bool) ([]api.Column, error) {
	if r.steps && r.how == interp.Last && desc.Type == pcp.String {
		return r.lastTexts(name, cols, keep)
	}
	if !r.steps && r.window == nil || !desc.Type.Numeric() || desc.Sem == pcp.Counter && !r.rate {
		return cols, nil
	}
	w := window{r.e.grid.Start, r.to}
	if !r.steps {
		w = *r.window
	}
	line, err := r.src.observed(r.ctx, name, w, r.e.extent, r.q.Gaps, true)
	switch {
	case r.ctx.Err() != nil:
		return nil, cancelled()
	case err != nil:
		return cols, nil // the columns carry the error
	}
	if r.steps {
		if cols = r.reduce(out, name, line, cols, keep); r.e.ended != nil {
			return nil, r.e.ended
		}
	}
	if r.window != nil {
		r.describe(line, cols)
	}
	return cols, nil
}

// reduce replaces samples by the reduction over each step.
func (r *reduction) reduce(out *api.Frame, name string, line timeline, cols []api.Column, keep func(string) bool) []api.Column {
	red := r.reducer[line.key]
	if red == nil {
		red = interp.NewReducer(line.segs, r.e.grid, r.to, r.how, interp.Options{Stop: r.e.stop}).Reusing(new(interp.Memory))
		if r.q.Samples {
			red.Yielding()
		}
		r.reducer[line.key] = red
	}
	// The sample of a setting is the nearest value, which may not have been set yet.
	settings := !r.q.Samples && r.how == interp.Last && descOfLine(line).Sem == pcp.Discrete
	var hidden, invented []bool // steps in which samples may hide a value, or invent one
	if r.q.Samples {
		hidden = red.Lost(line.obs)
		if line.rates() {
			invented = red.Within(line.obs)
		}
		if hidden == nil && invented == nil {
			return cols
		}
	} else if !red.Crowded(line.obs) && !settings { // the samples say it all
		return cols
	}
	r.e.laid = r.e.claim.Held()
	names := r.src.inDom(descOfLine(line).InDom)
	onlyNamed := len(names.list) > 0 && !r.src.metadataDamaged() // as for samples
	reduced := false
	all := make([]api.Column, 0, len(cols))
	k := 0
	red.Each(line.obs, func(d *interp.Reduced) bool {
		if _, named := names.find(d.Inst); onlyNamed && !named && d.Inst != pcp.NoInstance {
			return false
		}
		for k < len(cols) && instOf(&cols[k]) < d.Inst {
			all = append(all, cols[k])
			k++
		}
		var c api.Column
		if k < len(cols) && instOf(&cols[k]) == d.Inst {
			c = cols[k]
			k++
		} else if called := names.nameOf(d.Inst); keep == nil || keep(called) {
			c = r.between(name, line, d, text(called))
		} else {
			return false
		}
		fills, summarises := true, true
		if r.q.Samples {
			if fills, summarises = keepSamples(d, &c, hidden, invented, r.how); !summarises {
				d.Low, d.High = nil, nil
			}
		}
		if settings && !varies(d) {
			summarises, d.Low, d.High = false, nil, nil
		}
		if fills {
			fill(&c, d)
			reduced = reduced || summarises
		}
		all = append(all, c)
		return fills
	})
	switch {
	case !reduced:
	case r.q.Samples && r.how == interp.Mean:
		out.Reduced = "sample"
	case r.q.Reduce == "":
		out.Reduced = "mean"
	default:
		out.Reduced = r.q.Reduce
	}
	return append(all, cols[k:]...)
}

// varies reports whether any step has several values.
func varies(d *interp.Reduced) bool {
	for i, low := range d.Low {
		if low < d.High[i] {
			return true
		}
	}
	return false
}

func instOf(c *api.Column) int32 {
	if c.Instance == nil {
		return pcp.NoInstance
	}
	return c.Instance.ID
}

func descOfLine(line timeline) (d pcp.Desc) {
	d.InDom = pcp.NullInDom
	for _, o := range line.obs {
		if o != nil {
			d = o.Desc
		}
	}
	return d
}

// between makes the column of an instance that no point of the grid sampled.
func (r *reduction) between(name string, line timeline, d *interp.Reduced, called string) api.Column {
	desc := descOfLine(line)
	c := api.Column{Metric: name, Units: interp.SummaryUnits(desc).String(), Type: typeName(desc.Type), Semantics: desc.Sem.String(), Why: make([]uint8, len(d.Values))}
	if desc.Sem == pcp.Counter {
		c.Type, c.Semantics = typeName(pcp.Double), pcp.Instant.String()
	}
	if desc.InDom != pcp.NullInDom {
		c.Instance = &api.InstanceRef{ID: d.Inst, Name: called}
	}
	for i := range c.Why {
		c.Why[i] = uint8(series.InstanceAbsent)
	}
	return c
}

// keepSamples puts the samples of a column back into a reduction, except where
// they hide something: the step has values more than a tenth beyond the samples
// around it, or there is no sample; or where they invent something. With few
// observations in a step, its mean would describe the step before: where there is no
// sample, as in the last step, it has the value at its end. It reports whether
// samples do either, and whether any step then has more than a single value.
func keepSamples(d *interp.Reduced, c *api.Column, hidden, invented []bool, how interp.Reduction) (differs, summarises bool) {
	sample := func(i int) float64 {
		if i < len(c.Values) {
			return c.Values[i]
		}
		return math.NaN()
	}
	hide := func(i int) bool { return hidden != nil && hidden[i] && hides(d, c.Values, i) }
	invent := func(i int) bool { return invented != nil && invented[i] && invents(d, sample(i), i) }
	fill := func(i int) bool { // there is no sample, and the samples around it say the same
		return hidden != nil && hidden[i] && math.IsNaN(sample(i)) && !math.IsNaN(d.Values[i]) && !(i < len(c.Why) && c.Why[i] == uint8(series.DividedByZero))
	}
	first := 0
	for first < len(d.Values) && !hide(first) && !invent(first) && !fill(first) {
		first++
	}
	if first == len(d.Values) {
		return false, false
	}
	for i := range d.Values {
		v := sample(i)
		switch {
		case invent(i): // the rate stays
			summarises = true
		case !hide(i) && fill(i):
			if how == interp.Mean {
				d.Values[i] = d.End[i]
			}
			d.Low[i], d.High[i] = d.Values[i], d.Values[i]
		case !hide(i):
			d.Values[i], d.Low[i], d.High[i] = v, v, v
		case !math.IsNaN(v):
			d.Low[i], d.High[i] = min(d.Low[i], v), max(d.High[i], v)
			if how == interp.Mean {
				d.Values[i] = v
			}
		case how == interp.Mean && i < len(c.Why) && c.Why[i] == uint8(series.DividedByZero):
			d.Values[i] = v // 0/0: earlier values show in the band only
		case how == interp.Mean:
			d.Values[i] = d.End[i]
		}
		summarises = summarises || d.Low[i] < d.High[i]
	}
	return true, summarises
}

// invents reports whether the sample of step i is more than a tenth beside the rate
// between the records around it.
func invents(d *interp.Reduced, sample float64, i int) bool {
	rate := d.Values[i]
	return math.Abs(sample-rate) > 0.1*max(math.Abs(sample), math.Abs(rate)) // false without either
}

// hides reports whether step i has values more than a tenth beyond the samples around it.
func hides(d *interp.Reduced, samples []float64, i int) bool {
	if math.IsNaN(d.Values[i]) {
		return false
	}
	low, high := d.Low[i], d.High[i]
	some := 0.1 * max(math.Abs(high), math.Abs(low))
	above, below := true, true // all samples
	for k := max(0, i-1); k <= min(i+1, len(samples)-1) && (above || below); k++ {
		if v := samples[k]; !math.IsNaN(v) {
			above, below = above && high > v+some, below && low < v-some
		}
	}
	return above || below
}

// fill replaces samples by the reduction. The reason for a missing value stays
// if the step saw nothing.
func fill(c *api.Column, d *interp.Reduced) {
	c.Values, c.Low, c.High, c.Exact = d.Values, d.Low, d.High, nil
	missing := false
	for i, v := range d.Values {
		gone := math.IsNaN(v)
		missing = missing || gone
		switch {
		case c.Why == nil && gone:
			c.Why = make([]uint8, len(d.Values))
			c.Why[i] = uint8(series.NotLogged)
		case c.Why != nil && gone && c.Why[i] == uint8(series.HasValue):
			c.Why[i] = uint8(series.NotLogged)
		case c.Why != nil && !gone:
			c.Why[i] = uint8(series.HasValue)
		}
	}
	if !missing {
		c.Why = nil
	}
	c.Codes = slices.DeleteFunc(c.Codes, func(at api.CodeAt) bool { return !math.IsNaN(d.Values[at.At]) })
}

// describe adds statistics to columns.
func (r *reduction) describe(line timeline, cols []api.Column) {
	sum := r.sums[line.key]
	if sum == nil {
		sum = interp.NewSummariser(line.segs, pcp.Span{Start: r.window.from, End: r.window.to}, interp.SummaryOptions{Distribution: true, Measured: true})
		r.sums[line.key] = sum
	}
	list := sum.Metric(line.obs)
	for i := range cols {
		inst := instOf(&cols[i])
		at, found := slices.BinarySearchFunc(list, inst, func(s interp.Summary, inst int32) int { return int(s.Inst) - int(inst) })
		if !found || list[at].Insufficient {
			continue
		}
		s := &list[at]
		cols[i].Statistics = &api.Statistics{Count: s.Count, Average: s.TimeAverage, Median: s.Median, P95: s.P95, P99: s.P99,
			Minimum: s.Min, MinimumAt: s.MinAt, Maximum: s.Max, MaximumAt: s.MaxAt, Last: s.Last, LastAt: s.LastAt, Covered: s.Covered}
	}
}
