package interp

import (
	"math"
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A Reduction says which single value represents everything between two points
// of a grid.
type Reduction uint8

const (
	Mean Reduction = iota // over time: each value weighted by how long it lasted
	Max
	Min
	P95  // of the observations of the step, unweighted, as in Summary
	Last // the value in effect at the end of the step
)

// A Reduced is one series on a grid, computed from all of its observations:
// rates of a counter, in SummaryUnits, values of other metrics. NaN means that
// the step has no data of the series.
//
// Point i covers the time after point i-1 up to and including its own; the
// first one only its own. A value lasts until the next observation, a rate
// covers the interval between its two observations; what begins before a step
// and lasts into it counts there too. So the mean of all steps is the mean of
// the whole, and Low and High include every peak.
type Reduced struct {
	Inst      int32
	Values    []float64
	Low, High []float64 // smallest and largest value in the step
	End       []float64 // the value in effect at the end of a step that has any, until Each goes on; nil elsewhere
	Lasted    []float64 // if counted or lasting: seconds of the step that Mean covers
	Count     []float64 // if counted: observations in the step; of a counter the rates that end in it
	// If distributed: quantiles of the observations of the step, like P95.
	Median, P95, P99 []float64
}

// A Reducer reduces any number of metrics to one grid, using all of their
// observations. It is not safe for concurrent use.
type Reducer struct {
	segs   []Segment
	grid   series.Grid
	to     pcp.Time
	how    Reduction
	opt    Options
	counts bool
	lasts  bool
	spread bool
	means  bool
	yields bool
	cached []map[rowsOf]*rows
	memory *Memory // nil: results have memory of their own
	some   someRows
}

// NewReducer returns a Reducer for a grid with a positive step over the
// archives of a context, in order of their starts. Observations after to are
// ignored, though the last step may extend beyond it.
func NewReducer(segs []Segment, grid series.Grid, to pcp.Time, how Reduction, opt Options) *Reducer {
	return &Reducer{segs: segs, grid: grid, to: min(to, grid.At(grid.Count-1)), how: how, opt: opt, cached: make([]map[rowsOf]*rows, len(segs))}
}

// Counted makes Metric fill in Lasted and Count.
func (r *Reducer) Counted() *Reducer {
	r.counts, r.lasts = true, true
	return r
}

// Lasting makes Metric fill in Lasted, which costs next to nothing.
func (r *Reducer) Lasting() *Reducer {
	r.lasts = true
	return r
}

// Distributed makes Metric fill in Median, P95 and P99.
func (r *Reducer) Distributed() *Reducer {
	r.spread = true
	return r
}

// MeansOnly makes Metric leave Low and High nil, which take a quarter of its time. The
// reduction must be Mean.
func (r *Reducer) MeansOnly() *Reducer {
	r.means = true
	return r
}

// Yielding leaves a level out of the extremes of the step after a point if it gives way to
// another one within a fiftieth of the step: as in Lost, that is the one at the point.
func (r *Reducer) Yielding() *Reducer {
	r.yields = true
	return r
}

// Reusing makes Metric take memory from m for its results, but for quantiles.
func (r *Reducer) Reusing(m *Memory) *Reducer {
	r.memory = m
	return r
}

// A Memory is memory of earlier results, for reuse. A nil one allocates.
type Memory struct{ free [][]float64 }

// Free adds the memory of results that are no longer in use.
func (m *Memory) Free(list ...Reduced) {
	for i := range list {
		d := &list[i]
		m.put(d.Values, d.Low, d.High, d.Lasted, d.Count)
	}
}

func (m *Memory) put(lists ...[]float64) {
	for _, list := range lists {
		if m != nil && list != nil {
			m.free = append(m.free, list)
		}
	}
}

// take returns n zeros.
func (m *Memory) take(n int) []float64 {
	list := m.freed(n)
	if list == nil {
		return make([]float64, n)
	}
	clear(list)
	return list
}

// takeAny returns n numbers.
func (m *Memory) takeAny(n int) []float64 {
	if list := m.freed(n); list != nil {
		return list
	}
	return make([]float64, n)
}

// freed returns memory for n numbers, for reuse; nil if there is none.
func (m *Memory) freed(n int) []float64 {
	if m == nil || len(m.free) == 0 || cap(m.free[len(m.free)-1]) < n {
		return nil
	}
	list := m.free[len(m.free)-1][:n]
	m.free = m.free[:len(m.free)-1]
	return list
}

// ranks reports whether the observations of a step are sorted.
func (r *Reducer) ranks() bool { return r.how == P95 || r.spread }

// Crowded reports whether any step of the grid has more than one observation of
// the metric: if not, the values at the points are complete.
func (r *Reducer) Crowded(obs []*series.Observations) bool {
	if r.to < r.grid.Start { // a grid without points, or one whose times overflow
		return false
	}
	last := -1
	for _, o := range obs {
		if o == nil {
			continue
		}
		for _, t := range o.Times[before(o.Times, r.grid.Start):upTo(o.Times, r.to)] {
			i := r.StepOf(t)
			if i == last && i > 0 {
				return true
			}
			last = i
		}
	}
	return false
}

// StepOf returns the step that a time belongs to: that of the first point at or
// after it; -1 before the grid.
func (r *Reducer) StepOf(t pcp.Time) int {
	d := int64(t - r.grid.Start)
	if d < 0 {
		return -1
	}
	i := int64(uint64(d) / uint64(r.grid.Step)) // see seconds
	if i*r.grid.Step < d {
		i++
	}
	return int(i)
}

// Metric reduces every series of a numeric metric that has a value on the grid,
// in order of instances. obs is as for Fetcher.Frame; if archives disagree
// about type or units, the latest descriptor's units are used.
func (r *Reducer) Metric(obs []*series.Observations) (out []Reduced) {
	r.Each(obs, func(d *Reduced) bool {
		d.End = nil
		out = append(out, *d)
		return true
	})
	return out
}

// Each is Metric one series at a time. What keep does not want, by returning false, gives
// its memory to the next one, if the Reducer is Reusing any.
func (r *Reducer) Each(obs []*series.Observations, keep func(d *Reduced) bool) {
	desc, known := latest(obs)
	if !known || !desc.Type.Numeric() || r.grid.Count < 1 {
		return
	}
	parts := appendParts(nil, obs, desc, r.rows)
	s := newStepwise(r)
	s.desc, s.backward = desc, desc.Sem != pcp.Counter && backward(obs)
	s.rate, s.wrap = perSecond(desc.Units), overflow(desc.Type, r.opt)
	made := 0
	for _, inst := range instances(obs) {
		s.begin()
		for i := range parts {
			s.walk(&parts[i], parts[i].runsOf(inst))
		}
		d, any := s.finish(inst)
		if any {
			made++
		}
		if !any || !keep(&d) {
			r.memory.Free(d)
		}
		if r.opt.Stop != nil && r.opt.Stop(made) {
			break
		}
	}
	r.memory.put(s.area, s.lasted, s.points, s.end)
}

// backward is Observations.Backward for a metric in several parts.
func backward(obs []*series.Observations) bool {
	return slices.ContainsFunc(obs, func(o *series.Observations) bool { return o != nil && o.Backward })
}

// rows returns the rows of the grid, and one before and one after it; for a
// series that is not in the one before, its last earlier row.
func (r *Reducer) rows(seg int, times []pcp.Time) *rows {
	if len(times) == 0 {
		return r.lay(seg, nil)
	}
	key := rowsOf{seg, &times[0], len(times)}
	p := r.cached[seg][key]
	if p == nil {
		if p = r.lay(seg, times); r.cached[seg] == nil {
			r.cached[seg] = map[rowsOf]*rows{}
		}
		r.cached[seg][key] = p
	}
	return p
}

func (r *Reducer) lay(seg int, times []pcp.Time) *rows {
	p := &rows{all: times, r0: max(0, before(times, r.grid.Start)-1), r1: min(len(times), before(times, r.to)+1), reach: true}
	p.r1 = max(p.r0, p.r1)
	p.crowded = crowdedRows(times, p.r0, p.r1)
	p.cuts = cutsOf(r.segs, seg, p, pcp.Span{Start: pcp.MinTime, End: pcp.MaxTime})
	if n := slices.IndexFunc(p.cuts, func(c cutRow) bool { return c.row > p.r0 }); n > 0 {
		p.cuts = p.cuts[n-1:] // of those before the current rows the last one is enough
	} else if n < 0 && len(p.cuts) > 0 {
		p.cuts = p.cuts[len(p.cuts)-1:]
	}
	return p
}

// stepwise collects one series.
type stepwise struct {
	*Reducer
	desc     pcp.Desc
	backward bool
	rate     float64
	wrap     float64

	seen, cut bool
	prev      pcp.Time
	level     float64

	area, lasted   []float64 // by step: value times nanoseconds, nanoseconds
	points         []float64 // observations without duration: their sum
	count          []int     // and their number
	pointed        int       // steps, of which later ones have none
	low, high, end []float64
	told           []bool     // steps that have a value, in place of low, high and end if only means are wanted
	values         []weighted // values of the current step, for a percentile
	at             int        // the current step
	near           int        // the last step that stepAfter returned
	edge           pcp.Time   // and its end
	p95            []float64
	median, p99    []float64 // nil if not requested
	observed       []float64 // observations of each step; nil if not counted
}

func newStepwise(r *Reducer) *stepwise {
	n := r.grid.Count
	s := &stepwise{Reducer: r, area: r.memory.take(n), lasted: r.memory.take(n), points: r.memory.take(n), count: make([]int, n)}
	if r.means {
		s.told = make([]bool, n)
	} else {
		s.end = r.memory.take(n)
	}
	return s
}

func (s *stepwise) begin() {
	n := s.grid.Count
	s.seen, s.cut, s.at, s.values = false, false, -1, s.values[:0]
	s.near, s.edge = 0, s.grid.Start
	clear(s.area)
	clear(s.lasted)
	clear(s.points[:s.pointed])
	clear(s.count[:s.pointed])
	s.pointed = 0
	if s.means {
		clear(s.told)
	} else {
		s.low, s.high = s.memory.takeAny(n), s.memory.takeAny(n)
		for i := range s.low {
			s.low[i], s.high[i] = math.Inf(1), math.Inf(-1)
		}
	}
	if s.ranks() {
		s.p95 = make([]float64, n)
	}
	if s.spread {
		s.median, s.p99 = make([]float64, n), make([]float64, n)
	}
	if s.counts {
		s.observed = s.memory.take(n)
	}
}

// walk processes one segment: the runs of the series, and the marks, in order
// of time.
func (s *stepwise) walk(p *summaryPart, runs []series.Run) {
	quick := s.observed == nil && !s.ranks()
	p.each(runs, &s.some, s.mark, func(list []steadyRows) {
		switch {
		case s.desc.Sem == pcp.Counter && quick:
			s.increases(p.rows, list)
		case s.desc.Sem == pcp.Counter:
			for i := range list {
				s.counted(p.rows, list[i].from, list[i].to, list[i].v)
			}
		case s.backward:
			for _, one := range list {
				for r := max(one.from, 1); r < one.to; r++ {
					s.span(p.all[r-1], p.all[r], one.v, true, !p.soon(r))
				}
				s.observe(p.all[max(one.from, 1):one.to])
			}
		default:
			for i := range list {
				s.levels(p.all, list[i].from, list[i].to, list[i].v)
			}
		}
	})
}

// increases is counted without percentiles and counts. Most rows are in the same step as the
// one before, or in the next one: span is written out for these.
func (s *stepwise) increases(p *rows, list []steadyRows) {
	step := pcp.Time(s.grid.Step)
	for i := range list {
		one := &list[i]
		prev, t, growth := s.prev, p.all[one.from], one.v-s.level
		if prev < s.edge-step || prev >= s.edge || t > s.edge+step || t > s.to || t <= prev || growth < 0 || s.cut || s.near < 1 || p.crowded != nil && p.soon(one.from) {
			s.counted(p, one.from, one.to, one.v)
			continue
		}
		v, at, end := growth/(s.rate*seconds(prev, t)), s.near, min(t, s.edge)
		d := float64(end - prev)
		s.area[at] += v * d
		s.lasted[at] += d
		s.held(at, v)
		if t > end {
			d = float64(t - end)
			at, s.edge = at+1, s.edge+step
			s.area[at] += v * d
			s.lasted[at] += d
			s.held(at, v)
			s.near = at
		}
		s.prev, s.level = t, one.v
		if one.to > one.from+1 {
			s.prev = p.all[one.to-1]
			if s.prev > t {
				s.span(t, s.prev, 0, true, one.to-1-one.from > p.soonAmong(one.from+1, one.to))
			}
		}
	}
}

// held adds a value to what is known of a step; it is small enough to be compiled in place.
func (s *stepwise) held(i int, v float64) {
	if s.means {
		s.told[i] = true
		return
	}
	if v < s.low[i] {
		s.low[i] = v
	}
	if v > s.high[i] {
		s.high[i] = v
	}
	s.end[i] = v
}

// counted processes rows from to to-1 of a counter, which all observed v.
func (s *stepwise) counted(p *rows, from, to int, v float64) {
	times := p.all
	if t := times[from]; s.seen && t > s.prev {
		growth := v - s.level
		if growth < 0 {
			growth += s.wrap
		}
		if !s.cut && growth >= 0 {
			s.span(s.prev, t, growth/(s.rate*seconds(s.prev, t)), true, s.prev != times[from-1] || !p.soon(from))
			if s.observed != nil {
				s.observe(times[from : from+1])
			}
		}
	} else if s.seen && v == s.level && !s.cut { // twice at the same time
		return
	}
	s.seen, s.cut, s.prev, s.level = true, false, times[to-1], v
	if to == from+1 {
		return
	}
	s.observe(times[from+1 : to])
	if s.ranks() {
		for r := from + 1; r < to; r++ {
			if times[r] > times[r-1] {
				s.span(times[r-1], times[r], 0, true, !p.soon(r))
			}
		}
	} else if times[to-1] > times[from] {
		s.span(times[from], times[to-1], 0, true, to-1-from > p.soonAmong(from+1, to))
	}
}

// levels processes rows of a metric other than a counter.
func (s *stepwise) levels(times []pcp.Time, from, to int, v float64) {
	if s.seen && !s.cut {
		s.until(times[from])
	}
	s.observe(times[from:to])
	if s.ranks() {
		for r := from; r < to; r++ {
			s.point(times[r], v)
		}
	} else {
		s.point(times[from], v)
	}
	if times[to-1] > times[from] {
		s.span(times[from], times[to-1], v, false, true)
		if !s.ranks() { // else it is included already
			s.point(times[to-1], v)
		}
	}
	s.seen, s.cut, s.prev, s.level = true, false, times[to-1], v
}

// until processes the level that lasted until the next one.
func (s *stepwise) until(t pcp.Time) {
	if s.yields && t <= s.to {
		i := s.StepOf(t)
		if point := s.grid.At(i - 1); i > 0 && s.prev < point && int64(t-point) <= s.grid.Step/50 {
			if s.span(s.prev, point, s.level, false, true); i == 1 {
				s.atStart(s.level)
			}
			s.span(point, t, s.level, false, false)
			return
		}
	}
	s.span(s.prev, t, s.level, false, true)
}

// mark records that the series was interrupted.
func (s *stepwise) mark(c cutRow) {
	if c.reached && (s.backward || s.desc.Sem == pcp.Counter) {
		return
	}
	if s.seen && !s.cut && (s.desc.Sem == pcp.Discrete || c.reached) && !s.backward {
		s.span(s.prev, c.first, s.level, false, true)
	}
	s.cut = true
}

// observe counts observations, if requested.
func (s *stepwise) observe(times []pcp.Time) {
	if s.observed == nil {
		return
	}
	for _, t := range times {
		if i := s.StepOf(t); i >= 0 && i < s.grid.Count && t <= s.to {
			s.observed[i]++
		}
	}
}

// point processes an observation that is a value by itself.
func (s *stepwise) point(t pcp.Time, v float64) {
	if i := s.StepOf(t); i >= 0 && i < s.grid.Count && t <= s.to {
		s.points[i] += v
		s.count[i]++
		s.pointed = max(s.pointed, i+1)
		s.note(i, v, s.ranks())
	}
}

// span processes a value that lasted. A value over an interval includes both
// ends; a level gives way to the next one at its end. If telling is false, the
// value counts only for the mean.
func (s *stepwise) span(from, to pcp.Time, v float64, interval, telling bool) {
	if to <= from || from >= s.to || to < s.grid.Start {
		return
	}
	g0 := s.grid.Start
	if telling && (interval && from < g0 && g0 <= to || !interval && from <= g0 && g0 < to) {
		s.atStart(v)
	}
	i := max(1, s.stepAfter(from))
	step, end, sample := pcp.Time(s.grid.Step), min(to, s.to), interval && s.ranks()
	for a, next := max(from, s.grid.At(i-1)), s.grid.At(i); a < end && i < s.grid.Count; i++ {
		b := min(end, next)
		d := float64(b - a)
		s.area[i] += v * d
		s.lasted[i] += d
		if telling {
			s.held(i, v)
			if sample {
				s.rank(i, v)
			}
		}
		a, next = b, next+step
	}
}

// atStart processes the value at the first point.
func (s *stepwise) atStart(v float64) {
	s.points[0] += v
	s.count[0]++
	s.pointed = max(s.pointed, 1)
	s.note(0, v, s.ranks())
}

// stepAfter returns the step that the time just after t belongs to, for t in the grid or
// before it: mostly that of the last call, or the next one, which need no division.
func (s *stepwise) stepAfter(t pcp.Time) int {
	for range 2 {
		if t >= s.edge-pcp.Time(s.grid.Step) && t < s.edge {
			return s.near
		}
		s.near, s.edge = s.near+1, s.edge+pcp.Time(s.grid.Step)
	}
	s.near = s.StepOf(t + 1)
	s.edge = s.grid.At(s.near)
	return s.near
}

// note adds a value to a step.
func (s *stepwise) note(i int, v float64, sample bool) {
	s.held(i, v)
	if sample {
		s.rank(i, v)
	}
}

// rank keeps a value for the percentiles of a step.
func (s *stepwise) rank(i int, v float64) {
	if i != s.at {
		s.quantile()
		s.at = i
	}
	s.values = append(s.values, weighted{v, 1})
}

// quantile closes the current step.
func (s *stepwise) quantile() {
	if n := len(s.values); n > 0 {
		q := quantiles{rest: s.values, n: n}
		if s.spread {
			s.median[s.at] = q.next(0.5)
		}
		s.p95[s.at] = q.next(0.95)
		if s.spread {
			s.p99[s.at] = q.next(0.99)
		}
	}
	s.values = s.values[:0]
}

// finish makes a Reduced of what was collected.
func (s *stepwise) finish(inst int32) (d Reduced, any bool) {
	if s.seen && !s.cut && s.desc.Sem == pcp.Discrete && !s.backward {
		s.span(s.prev, s.to+1, s.level, false, true)
	}
	if s.ranks() {
		s.quantile()
	}
	d = Reduced{Inst: inst, Values: s.memory.takeAny(s.grid.Count), Low: s.low, High: s.high, End: s.end, Count: s.observed}
	if s.lasts {
		d.Lasted = s.memory.take(s.grid.Count)
		for i, ns := range s.lasted {
			d.Lasted[i] = ns / 1e9
		}
	}
	if s.spread {
		d.Median, d.P95, d.P99 = s.median, s.p95, s.p99
	}
	if s.means {
		for i, told := range s.told {
			switch {
			case !told:
				d.Values[i] = math.NaN()
				continue
			case s.lasted[i] > 0:
				d.Values[i] = s.area[i] / s.lasted[i]
			default:
				d.Values[i] = s.points[i] / float64(s.count[i])
			}
			any = true
		}
		return d, any
	}
	for i := range d.Values {
		low, high := s.low[i], s.high[i]
		if low > high {
			d.Values[i], d.Low[i], d.High[i] = math.NaN(), math.NaN(), math.NaN()
			if s.spread {
				d.Median[i], d.P95[i], d.P99[i] = math.NaN(), math.NaN(), math.NaN()
			}
			continue
		}
		any = true
		if s.spread && !s.sampled(i) {
			m := s.mean(i)
			d.Median[i], d.P95[i], d.P99[i] = m, m, m
		}
		switch s.how {
		case Max:
			d.Values[i] = high
		case Min:
			d.Values[i] = low
		case Last:
			d.Values[i] = s.end[i]
		case P95:
			d.Values[i] = s.p95[i]
			if !s.sampled(i) {
				d.Values[i] = s.mean(i)
			}
		default:
			d.Values[i] = s.mean(i)
		}
	}
	return d, any
}

// sampled reports whether a step has observations of its own to take a quantile
// of.
func (s *stepwise) sampled(i int) bool {
	return s.count[i] > 0 || s.desc.Sem == pcp.Counter || s.backward
}

func (s *stepwise) mean(i int) float64 {
	var m float64
	if s.lasted[i] > 0 {
		m = s.area[i] / s.lasted[i]
	} else {
		m = s.points[i] / float64(s.count[i])
	}
	if c := min(max(m, s.low[i]), s.high[i]); math.Abs(c-m) < 1e-12*math.Abs(c) {
		return c // it was outside by a rounding error
	}
	return m
}
