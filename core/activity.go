package core

import (
	"context"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/budget"
	"pcpscope/core/dashboard"
	"pcpscope/core/departures"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// insight caches what analysis found about a source that has been read
// completely, so that every question is worked out once: mu is held, with
// rests, for as long as that takes.
type insight struct {
	mu         contextMutex
	survey     metricSurvey  // of all logged metrics; nil until computed
	held       *budget.Claim // memory of the cached results
	overview   *api.Overview
	dashboards []api.DashboardInfo
	coverage   []api.Coverage
	typical    string              // metric: of the leading group the one whose rates are known for longest
	outages    []api.Outage        // nil until they are asked for
	accounts   *analysis.Processes // nil if no processes are logged
	accounting *pace               // which holds their memory

	counting  *dashboard.Accounting // see source.accounting
	accounted bool
	rules     analysis.Rules // thresholds behind findings
	ruled     bool           // rules is set
	closed    atomic.Bool    // set once the source is closed: nothing may be claimed

	titling sync.Mutex        // not mu: titles are needed while mu is held
	titles  map[string]string // titles of cgroups, by path
	mounts  map[string]string // where filesystems were mounted, by device
}

// invalidate drops everything but the rules, because the source has new data.
func (i *insight) invalidate() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.accounting.release()
	i.counting, i.survey, i.overview, i.dashboards, i.coverage, i.accounts, i.accounted = nil, nil, nil, nil, nil, nil, false
	i.titling.Lock()
	defer i.titling.Unlock()
	i.titles, i.mounts = nil, nil
}

// release gives back the claimed memory and refuses later claims.
func (i *insight) release() {
	i.closed.Store(true)
	i.held.Release()
	i.accounting.release()
}

// claim claims memory for cached results.
func (i *insight) claim(bytes int64) error {
	err := i.held.Set(bytes)
	if i.closed.Load() {
		i.held.Release()
	}
	return err
}

// surveyedMetric says how one metric behaved. It is small: there is one for each.
type surveyedMetric struct {
	*metricEntry
	metricSize
	moves   float32 // see movesOf
	state   state
	latency bool // see pcp.Desc.IsLatency
}

// A metricSurvey says how metrics behaved, sorted by name.
type metricSurvey []surveyedMetric

// of returns the entry of a metric.
func (s metricSurvey) of(name string) (surveyedMetric, bool) {
	at, known := slices.BinarySearchFunc(s, name, func(f surveyedMetric, name string) int { return strings.Compare(f.name, name) })
	if !known {
		return surveyedMetric{}, false
	}
	return s[at], true
}

// A state is how a metric behaved over the whole source.
type state uint8

const (
	stateUnknown  state = iota
	stateEmpty          // no values
	stateConstant       // every instance kept one value throughout
	stateMoving
)

func (s state) String() string { return [...]string{"", "empty", "constant", "moving"}[s] }

// kindOf returns what a metric is a measure of, and the units of its means; relevant is false
// if its changes say nothing: it is not a number, or does not change, or is not what its name
// says.
func (f *surveyedMetric) kindOf(host departures.Host) (kind departures.Kind, units pcp.Units, relevant bool) {
	if f.state != stateMoving || !f.Type.Numeric() || f.Sem == pcp.Discrete || f.latency {
		return kind, units, false
	}
	units = interp.SummaryUnits(f.Desc)
	kind, relevant = departures.KindOf(f.name, units, host)
	return kind, units, relevant
}

// Activity returns, for every logged metric in order of names, whether its
// values change. It waits until the source has been read.
func (s *Session) Activity(ctx context.Context, id api.SourceID, progress func(api.Progress)) ([]api.Activity, error) {
	src, err := s.source(id)
	if err != nil {
		return nil, err
	}
	if err := src.wait(ctx, progress); err != nil {
		return nil, err
	}
	all, err := src.activity(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]api.Activity, 0, len(all))
	p := s.newPace(ctx)
	for _, m := range src.metricList("") {
		if p.worked(oneSeries) {
			return nil, p.ended
		}
		if found, ok := all.of(m.name); ok {
			list = append(list, api.Activity{Metric: m.name, State: found.state.String(), Records: int(found.records), Values: int(found.values), Bytes: found.bytes})
		}
	}
	return list, nil
}

// activity returns the cached survey, computing it first if need be. The source
// must have been read. Callers must not modify the result.
func (src *source) activity(ctx context.Context) (metricSurvey, error) {
	if err := src.insight.mu.LockContext(ctx); err != nil {
		return nil, err
	}
	defer src.insight.mu.Unlock()
	err := src.survey(ctx)
	return src.insight.survey, err
}

// surveyBytes is the approximate size of one metric in a survey and in the
// results derived from it.
const surveyBytes = 1 << 7

// survey looks at every metric once: how it behaved, when it was logged, and
// how much of the data volumes it takes. The lock of insight is held.
func (src *source) survey(ctx context.Context) error {
	if src.insight.survey != nil {
		return nil
	}
	all := src.metricList("")
	if src.insight.claim(surveyBytes*int64(len(all))) != nil { // fall back to as many metrics as fit
		fit := int(src.session.memory.Left() / surveyBytes)
		src.leaveOut("activity", pcp.Faultf(pcp.OutOfMemory, "There is not enough memory to check more than %s metrics for activity.", pcp.Grouped(fit)))
		src.insight.claim(surveyBytes * int64(fit))
		all = all[:min(len(all), fit)]
	}
	found, groups, p := make(metricSurvey, 0, len(all)), newCoverage(src.breaks()), src.session.newPace(ctx)
	buffers := make([]archive.Buffer, len(src.parts))
	for i := range buffers {
		buffers[i].Voids = true
	}
	having := src.partsOf()
	if src.allWorkingBytes() > src.session.memory.Left()/8 {
		having = nil // what a metric takes is looked at, too
	}
	for i := range all {
		m := &all[i]
		if p.worked(4 * oneSeries) {
			return p.ended
		}
		if m.derived() {
			continue
		}
		obs, known := src.observationsWhere(buffers, having, m.name)
		if !known {
			continue
		}
		p.rest(seriesOf(obs) * oneSeries)
		f := surveyedMetric{m, weightOf(obs), float32(movesOf(obs)), stateOf(obs), src.isLatency(m)}
		if f.state != stateEmpty {
			groups.add(m, obs, f.metricSize)
		}
		found = append(found, f)
	}
	src.insight.survey, src.insight.coverage, src.insight.outages = found, groups.list(), nil
	if g := leading(src.insight.coverage); g != nil {
		src.insight.typical = groups.groups[g.Interval].fullest()
	}
	return nil
}

// isLatency is pcp.Desc.IsLatency of a metric.
func (src *source) isLatency(m *metricEntry) bool {
	return m.Desc.IsLatency(m.name, func(name string) bool { return src.find(name) != nil })
}

// observationsWhere returns the observations of a metric in the parts that have it, in
// their order, or in all parts, with nil where they lack it, if having is nil. Of
// thousands of archives with metrics of their own, going through all for each metric
// would take most of the time.
func (src *source) observationsWhere(buffers []archive.Buffer, having map[string][]int32, name string) (obs []*series.Observations, known bool) {
	if _, number := pcp.ParsePMID(name); having == nil || number {
		ms, known := src.lookup(name)
		if !known {
			return nil, false
		}
		return src.observationsIn(buffers, ms), true
	}
	for _, part := range having[name] {
		if m, ok := src.parts[part].Lookup(name); ok {
			obs = append(obs, src.observationsOf(buffers, int(part), m))
		}
	}
	return obs, len(obs) > 0
}

// seriesOf is how many series the parts of a metric have.
func seriesOf(parts []*series.Observations) (n int) {
	for _, o := range parts {
		if o != nil {
			n += len(o.Series)
		}
	}
	return n
}

// movesOf returns the fraction of a metric's records in which the value of its
// busiest instance changed.
func movesOf(parts []*series.Observations) float64 {
	largest, rows := 0, 0
	runs := map[int32]int{} // by instance, if there are several parts
	for _, o := range parts {
		if o == nil {
			continue
		}
		rows += len(o.Times)
		for i := range o.Series {
			n := max(0, len(o.Series[i].Runs)-1)
			if len(parts) > 1 {
				n += runs[o.Series[i].Inst]
				runs[o.Series[i].Inst] = n
			}
			largest = max(largest, n)
		}
	}
	return float64(largest) / float64(max(1, rows))
}

// stateOf derives the state from the runs: a further run of an instance is a
// changed value.
func stateOf(parts []*series.Observations) state {
	state := stateEmpty
	numeric := true
	type value struct {
		bits uint64
		seen bool
	}
	last := map[int32]value{} // last value of the preceding parts, if there are several
	for _, o := range parts {
		if o == nil {
			continue
		}
		numeric = numeric && o.Desc.Type.Numeric()
		for i := range o.Series {
			inst := o.Series[i].Inst
			var before value
			if len(parts) > 1 {
				before = last[inst]
			}
			for _, run := range o.Series[i].Runs {
				if run.Row&(series.Gone|series.Failed) != 0 {
					continue
				}
				if before.seen && before.bits != run.Val && (numeric || len(parts) == 1) {
					return stateMoving
				}
				before = value{run.Val, true}
				state = stateConstant
			}
			if len(parts) > 1 {
				last[inst] = before
			}
		}
	}
	return state
}

// maxSparkPoints is the most points of one sparkline.
const maxSparkPoints = 1000

func checkPoints(n int) error {
	if n < 2 || n > maxSparkPoints {
		return pcp.Faultf(pcp.BadArgument, "The number of points, %d, is not between 2 and %d.", n, maxSparkPoints)
	}
	return nil
}

// Sparklines draws metrics or expressions over the whole source in a few points
// each; names that have no numbers are left out. Counters are shown as rates.
// Of several instances the one with the highest peak is drawn.
func (s *Session) Sparklines(ctx context.Context, id api.SourceID, names []string, points int, progress func(api.Progress)) ([]api.Sparkline, error) {
	src, err := s.source(id)
	if err != nil {
		return nil, err
	}
	if err := checkPoints(points); err != nil {
		return nil, err
	}
	if err := src.wait(ctx, progress); err != nil {
		return nil, err
	}
	_, end := src.span()
	start, err := src.firstSample(ctx)
	if err != nil {
		return nil, err
	}
	e := src.sparkEvaluation(ctx, start, end, points)
	defer e.done()
	list := []api.Sparkline{}
	for _, name := range names {
		if err := s.proceed(ctx); err != nil {
			return nil, err
		}
		if line, _, ok := e.spark(name); ok {
			list = append(list, line)
		}
	}
	return list, nil
}

// sparkEvaluation returns an evaluation of n points plus one before them, which
// the first rate needs. The last point is the end, whose record counts like any other.
func (src *source) sparkEvaluation(ctx context.Context, start, end pcp.Time, points int) *evaluation {
	step := max(1, int64(end-start)/int64(points))
	e := src.newEvaluation(series.Grid{Start: end - pcp.Time(step*int64(points)), Step: step, Count: points + 1})
	e.ctx = ctx
	e.gaps = true
	e.lost = src.lost()
	whole, _ := src.span() // averages are over what was logged before the first sample of all metrics, too
	e.span = pcp.Span{Start: whole, End: end}
	return e
}

// spark returns one sparkline, and by what its instance was chosen: its average over
// time, or its highest value; false if the name has no numbers.
func (e *evaluation) spark(name string) (line api.Sparkline, chosen float64, ok bool) {
	f, err := e.frame(name)
	if err != nil || !f.Desc.Type.Numeric() {
		return api.Sparkline{}, 0, false
	}
	f = interp.Rate(f, interp.Options{Stop: e.paused})
	lead := leader{average: math.NaN()}
	if observed, err := e.src.observed(e.ctx, name, window{e.span.Start, e.span.End}, e.extent, e.gaps, false); err == nil {
		observed = e.src.credible(observed)
		lead = e.leader(observed)
		if line, chosen, ok := e.sparkOfAll(name, f.Desc, observed, lead); ok {
			return line, chosen, true
		}
	}
	best, chosen := e.choose(lead, len(f.Vectors), func(i int) int32 { return f.Vectors[i].Inst }, func(i int) iter.Seq[float64] {
		v := &f.Vectors[i]
		return func(yield func(float64) bool) {
			for k := 1; k < len(v.Vals); k++ {
				if v.Missing(k) == series.HasValue && !yield(series.Float(f.Desc.Type, v.Vals[k])) {
					return
				}
			}
		}
	})
	if best < 0 {
		return api.Sparkline{}, 0, false
	}
	v := &f.Vectors[best]
	line = api.Sparkline{Metric: name, Units: f.Desc.Units.String(), Values: make([]float64, 0, len(v.Vals)-1)}
	if f.Desc.InDom != pcp.NullInDom {
		line.Instance = &api.InstanceRef{ID: v.Inst, Name: text(v.Name)}
	}
	for k := 1; k < len(v.Vals); k++ {
		x := math.NaN()
		if v.Missing(k) == series.HasValue && !e.lostAt(k) {
			x = series.Float(f.Desc.Type, v.Vals[k])
		}
		line.Values = append(line.Values, x)
	}
	return line, chosen, true
}

// A leader is the instance that contributed most over time: the highest average, times how
// long the instance was there. A container of a minute does not stand for weeks.
type leader struct {
	inst    int32
	average float64 // NaN if there is none
}

// leader finds it; there is none unless instances are compared by their means.
func (e *evaluation) leader(observed timeline) leader {
	lead, most := leader{average: math.NaN()}, math.NaN()
	if !e.byMean {
		return lead
	}
	// Measured, so that what was logged once has an average as well.
	options := interp.SummaryOptions{Measured: true, Stop: func() bool { return e.paused(0) }}
	interp.NewSummariser(observed.segs, e.span, options).Each(observed.obs, 0, func(s *interp.Summary) bool {
		if v := s.TimeAverage * s.Covered; !s.Insufficient && v == v && !(v <= most) {
			lead, most = leader{s.Inst, s.TimeAverage}, v
		}
		return true
	})
	return lead
}

// choose returns which of n instances is shown, and by what it was chosen: the
// leader, or else the one with the highest standing; -1 if there is none.
func (e *evaluation) choose(lead leader, n int, inst func(i int) int32, values func(i int) iter.Seq[float64]) (best int, chosen float64) {
	best, chosen = -1, math.Inf(-1)
	for i := range n {
		if inst(i) == lead.inst && lead.average == lead.average {
			return i, lead.average
		}
	}
	for i := range n {
		if e.paused(0) {
			return -1, 0
		}
		if x := e.standing(values(i)); x > chosen {
			best, chosen = i, x
		}
	}
	return best, chosen
}

// standing is by what instances are compared: their highest value or their mean. It is
// NaN without values.
func (e *evaluation) standing(values iter.Seq[float64]) float64 {
	most, sum, n := math.NaN(), 0.0, 0
	for v := range values {
		if math.IsNaN(v) {
			continue
		}
		sum, n = sum+v, n+1
		if !(v <= most) {
			most = v
		}
	}
	if e.byMean {
		return sum / float64(n)
	}
	return most
}

// lostAt reports whether a point lies in a time without data.
func (e *evaluation) lostAt(k int) bool {
	at := e.grid.At(k)
	return slices.ContainsFunc(e.lost, func(s pcp.Span) bool { return s.Start < at && at < s.End })
}

// sparkOfAll draws a sparkline that uses all observations; false if no point
// covers more than one. desc describes the values of name, counters as rates.
func (e *evaluation) sparkOfAll(name string, desc pcp.Desc, observed timeline, lead leader) (api.Sparkline, float64, bool) {
	r := interp.NewReducer(observed.segs, e.grid, e.grid.At(e.grid.Count-1), interp.Mean, interp.Options{Stop: e.paused})
	if !r.Crowded(observed.obs) {
		return api.Sparkline{}, 0, false
	}
	list := r.Metric(observed.obs)
	at, chosen := e.choose(lead, len(list), func(i int) int32 { return list[i].Inst }, func(i int) iter.Seq[float64] {
		if e.byMean {
			return slices.Values(list[i].Values[1:])
		}
		return slices.Values(list[i].High[1:])
	})
	if at < 0 {
		return api.Sparkline{}, 0, false
	}
	best := &list[at]
	line := api.Sparkline{Metric: name, Units: desc.Units.String(), Values: best.Values[1:], Low: best.Low[1:], High: best.High[1:]}
	if desc.InDom != pcp.NullInDom {
		line.Instance = &api.InstanceRef{ID: best.Inst, Name: text(e.src.inDom(desc.InDom).nameOf(best.Inst))}
	}
	return line, chosen, true
}
