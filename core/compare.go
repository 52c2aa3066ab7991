package core

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/budget"
	"pcpscope/core/dashboard"
	"pcpscope/core/departures"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
)

const (
	minEffect     = 0.3 // smallest effect that counts as a change, by default
	minShift      = 0.1 // by default, as a fraction of the larger median
	comparePoints = 40
	minSamples    = 3 // in each window
	maxOnly       = 500
	minZ          = 3  // standard deviations from which a difference is reported
	farFloors     = 16 // or it is so many floors, between windows that hardly overlap
	farEffect     = 0.9
	rateFrom      = 15 * 60 * 1e9 // how long before a window the first rate may begin
)

// A changedSeries is a series whose values differ between two windows.
type changedSeries struct {
	analysis.Shift
	metric   string
	instance *api.InstanceRef
	command  string // in place of a metric
	units    string
	ofAll    bool // the time of CPUs is a share of all of them

	samplesA, samplesB int
}

func (m *changedSeries) name() string {
	if m.command != "" {
		return m.command
	}
	return seriesName(m.metric, m.instance)
}

func seriesName(metric string, in *api.InstanceRef) string {
	if in == nil {
		return metric
	}
	return metric + "[" + in.Name + "]"
}

// Compare ranks what changed from window A to window B, a row for each subject:
// counters as rates, processes by command. Settings are compared as they are.
func (s *Session) Compare(ctx context.Context, q api.CompareQuery, progress func(api.Progress)) (api.Comparison, error) {
	var out api.Comparison
	a, b, err := s.compared(q)
	if err != nil {
		return out, err
	}
	for _, src := range []*source{a, b} {
		if err := src.wait(ctx, progress); err != nil {
			return out, err
		}
	}
	wa, wb, err := s.comparedWindows(q, a, b)
	if err != nil {
		return out, err
	}
	if err := withDefaults(&q); err != nil {
		return out, err
	}
	key := comparisonKey{wa, wb, q.Effect, q.Shift, q.Processes, q.Points}
	if a == b {
		s.join(ctx, a, key)
		if kept, ok := a.kept.find(key).(api.Comparison); ok {
			return kept, nil
		}
	}
	out = api.Comparison{Changes: []api.Change{}, Only: []api.OnlyIn{}, Settings: []api.ChangedSetting{}, A: pcp.Span{Start: wa.from, End: wa.to}, B: pcp.Span{Start: wb.from, End: wb.to}}
	if err := s.compareInto(ctx, &out, q, a, b); err != nil {
		return out, err
	}
	if a == b {
		a.kept.keep(s.memory, key, out, int64(len(out.Changes))*(changeBytes+32*int64(q.Points))+changeBytes*int64(len(out.Only)))
	}
	return out, nil
}

// compareInto compares the windows A and B of out, metric by metric.
func (s *Session) compareInto(ctx context.Context, out *api.Comparison, q api.CompareQuery, a, b *source) error {
	ha, pa := a.host(ctx)
	hb, pb := b.host(ctx)
	defer pa.release()
	defer pb.release()
	if err := cmp.Or(pa.ended, pb.ended); err != nil {
		return err
	}
	host, err := a.floors(ctx, out.A.End)
	if err != nil {
		return err
	}
	c := comparison{ctx: ctx, host: host, query: q, a: a, b: b, out: out, clockA: ha.Clock, clockB: hb.Clock, wireless: func(nic string) bool { return ha.Wireless(nic) || hb.Wireless(nic) }, pace: s.newPace(ctx), extentA: a.extent(), extentB: b.extent(), buffers: make([]archive.Buffer, len(a.parts)), claim: s.memory.Claim(0), tables: s.memory.Claim(0), alone: map[aloneKey]aloneAt{}}
	defer c.claim.Release()
	defer c.tables.Release()
	if m, n := ha.CountsAt(out.A.End), hb.CountsAt(out.B.End); m > 0 && n > 0 && (m != n || ha.Resized() || hb.Resized()) {
		c.countsA, c.countsB = ha.CountsAt, hb.CountsAt
	}
	c.recorded = a.hasRecords(out.A) && b.hasRecords(out.B)
	c.layerA.Rest, c.layerB.Rest = c.pace.rest, c.pace.rest
	c.layerA.Take, c.layerB.Take = c.take, c.take
	if a == b {
		if c.moves, err = a.activity(ctx); err != nil {
			return err
		}
	}
	for _, m := range a.metricList("") {
		if err := s.proceed(ctx); err != nil {
			return err
		}
		if c.metric(&m); c.pace.ended != nil {
			return c.pace.ended
		}
	}
	if q.Processes {
		if err := c.commands(); err != nil {
			return err
		}
	}
	if c.left > 0 {
		a.leaveOut("changes", pcp.Faultf(pcp.OutOfMemory, "There is not enough memory for more than %s changed series; %s were left out of a comparison.", pcp.Grouped(len(c.list)), pcp.Grouped(c.left)))
	}
	c.rank()
	return c.pace.ended
}

// halves are the windows that are compared by default if all of a source is
// shown: its first half and its second.
func (src *source) halves() comparisonKey {
	start, end := src.span()
	mid := start + (end-start)/2
	return comparisonKey{window{start, mid}, window{mid, end}, minEffect, minShift, true, comparePoints}
}

// compareHalves compares them.
func (s *Session) compareHalves(ctx context.Context, src *source) (api.Comparison, error) {
	at := func(t pcp.Time) *api.When { n := int64(t); return &api.When{Nanos: &n} }
	h := src.halves()
	return s.Compare(ctx, api.CompareQuery{Source: src.about.ID, AStart: at(h.a.from), AEnd: at(h.a.to), BStart: at(h.b.from), BEnd: at(h.b.to), Processes: true}, nil)
}

// changeBytes is the size of one changed series without its values: in the
// ranking, in the answer and in the message that carries it.
const changeBytes = 1 << 10

type comparison struct {
	query            api.CompareQuery
	a, b             *source
	clockA, clockB   *analysis.Clock
	wireless         func(nic string) bool // in either
	extentA, extentB readState
	layerA, layerB   analysis.TableBuilder
	buffers          []archive.Buffer // of the parts of a; of b, too, if it is the same
	out              *api.Comparison
	list             []departures.Candidate[*changedSeries]
	ctx              context.Context
	host             departures.Host
	claim            *budget.Claim // for list and what is computed from it
	tables           *budget.Claim // for those of the metric that is compared
	laying           string        // its name
	left             int           // number of series that did not fit
	alone            map[aloneKey]aloneAt
	moves            metricSurvey // of the source, if it is compared with itself
	pace             *pace
	samples          analysis.Comparer
	recorded         bool                   // there are records in both windows
	countsA, countsB func(pcp.Time) float64 // CPUs whose time is counted, where there are different numbers of them; nil otherwise
	unsure           int                    // number of series that changed, though that may be chance
	partly           int                    // number of series that changed on average, with too small an effect
	means            []meanChange           // of these
	apart            int                    // number of metrics whose units cannot be converted
}

// take claims memory for a table; without it, the metric is not compared.
func (c *comparison) take(bytes int64) bool {
	if c.tables.Take(bytes) == nil {
		return true
	}
	c.a.leaveOut("comparison", pcp.Faultf(pcp.OutOfMemory, "There is not enough memory to compare every metric: %s needs %d MiB, and %d MiB are left.",
		text(c.laying), (bytes+1<<20-1)>>20, c.a.session.memory.Left()>>20))
	return false
}

// metric compares all instances of one metric.
func (c *comparison) metric(m *metricEntry) {
	if m.derived() || analysis.Uninteresting(m.name) || c.a.isLatency(m) || c.b.isLatency(m) { // as in explanations
		return
	}
	if c.a == c.b {
		if f, _ := c.moves.of(m.name); f.state != stateMoving {
			return
		}
	}
	if m.Sem == pcp.Discrete {
		c.setting(m.name)
		return
	}
	ma, known := c.a.lookup(m.name)
	mb, too := c.b.lookup(m.name)
	if !known || !too {
		return
	}
	host := c.host
	ofAll := c.countsA != nil && strings.HasPrefix(m.name, "kernel.all.cpu.")
	if ofAll {
		host.CPUs = 1
	}
	kind, relevant := departures.KindOf(m.name, interp.SummaryUnits(descOf(ma)), host)
	if !relevant {
		return
	}
	a, b := c.tablesOf(m.name, ma, mb)
	if a == nil {
		return
	}
	scale, converts := pcp.ScaleOf(b.table.Desc.Units, a.table.Desc.Units)
	if !converts {
		c.apart++
		c.set(api.ChangedSetting{Metric: m.name, A: unitsOf(a.table), B: unitsOf(b.table)})
		return
	}
	b.table.Multiply(scale.Float64(1))
	if ofAll {
		a.table.Divide(c.countsA)
		b.table.Divide(c.countsB)
	}
	inB := c.finder(b.table)
	for i := range a.table.Columns {
		j, both := inB(&a.table.Columns[i])
		if !both {
			j = -1
		}
		c.series(m.name, kind, ofAll, a, b, i, j)
	}
	inA := c.finder(a.table)
	for j := range b.table.Columns {
		if _, both := inA(&b.table.Columns[j]); !both {
			c.series(m.name, kind, ofAll, a, b, -1, j)
		}
	}
}

// tablesOf returns the values of a metric in both windows, counters as rates;
// nil if there are none, or no memory for them. Those of the metric before are
// no longer valid.
func (c *comparison) tablesOf(name string, ma, mb []*archive.Metric) (a, b *comparedMetric) {
	c.tables.Release()
	c.laying = name
	need := c.a.workingBytes(ma)
	if c.a != c.b {
		need += c.b.workingBytes(mb)
	}
	if !c.take(need) {
		return nil, nil
	}
	la := c.a.judgedIn(c.buffers, ma, c.extentA)
	lb := la
	if c.a != c.b {
		lb = c.b.judged(mb, c.extentB)
	}
	fromA, fromB := c.out.A.Start-rateFrom, c.out.B.Start-rateFrom
	if !la.within(fromA, c.out.A.End) || !lb.within(fromB, c.out.B.End) {
		return nil, nil
	}
	namesA, namesB := c.a.inDom(descOf(ma).InDom), c.b.inDom(descOf(mb).InDom)
	ta := la.table(&c.layerA, namesA, fromA, c.out.A.End).ToRate(c.clockA)
	tb := lb.table(&c.layerB, namesB, fromB, c.out.B.End).ToRate(c.clockB)
	if ta == nil || tb == nil || len(ta.Columns)+len(tb.Columns) == 0 {
		return nil, nil
	}
	return &comparedMetric{ta, c.out.A, la, namesA, nil}, &comparedMetric{tb, c.out.B, lb, namesB, nil}
}

// finder returns what finds the column of t that belongs to one of the other
// window: by instance in one source, by name between two.
func (c *comparison) finder(t *analysis.Table) func(*analysis.Column) (int, bool) {
	if c.a == c.b { // columns are in order of instances
		find := t.Finder()
		return func(c *analysis.Column) (int, bool) { return find(c.Inst) }
	}
	index := make(map[string]int, len(t.Columns))
	for i := len(t.Columns) - 1; i >= 0; i-- {
		index[t.Columns[i].Name] = i
	}
	return func(c *analysis.Column) (int, bool) { i, known := index[c.Name]; return i, known }
}

// unitsOf says what a metric's values are in.
func unitsOf(t *analysis.Table) string {
	if units := t.Desc.Units.String(); units != "" {
		return "in " + units
	}
	return "without units"
}

// series compares two columns of a metric; -1 is one that a window does not have.
func (c *comparison) series(metric string, kind departures.Kind, ofAll bool, inA, inB *comparedMetric, i, j int) {
	if c.pace.worked(2*oneSeries + 4*c.query.Points) {
		return
	}
	var a, b analysis.Sample
	var column *analysis.Column
	if j >= 0 {
		b, column = inB.table.Window(j, inB.span, c.query.Points, c.samples.B), &inB.table.Columns[j]
		c.samples.B = b.Vals
	}
	if i >= 0 {
		a, column = inA.table.Window(i, inA.span, c.query.Points, c.samples.A), &inA.table.Columns[i]
		c.samples.A = a.Vals
	}
	one := changedSeries{metric: metric, units: inA.table.Desc.Units.String(), ofAll: ofAll}
	if inA.table.Desc.InDom != pcp.NullInDom {
		one.instance = &api.InstanceRef{ID: column.Inst, Name: text(column.Name)}
		if !ofItsOwn(metric, one.instance.Name) {
			return
		}
		kind = kind.Instance(one.instance.Name)
	}
	if a.Count == 0 && inA.without(column.Name, &b, inB.span) {
		c.only(kind, &one, "B")
	}
	if b.Count == 0 && inB.without(column.Name, &a, inA.span) {
		c.only(kind, &one, "A")
	}
	c.differ(kind, one, a, b)
}

// only notes a series that has values in only one window: one entry for all
// series of an instance, by the metric that says most about it.
func (c *comparison) only(kind departures.Kind, s *changedSeries, in string) {
	key := aloneKey{kind.Subject, in}
	if kind.Of == "" && s.instance != nil { // of what no rule knows, all metrics of one tree are about the instance
		key.Name, key.Of = tree(s.metric), s.instance.Name
	}
	if at, known := c.alone[key]; known {
		o := &c.out.Only[at.index]
		if kind.Rank < at.rank {
			o.With = append(o.With, seriesName(o.Metric, o.Instance))
			o.Metric, o.Instance = s.metric, s.instance
			c.alone[key] = aloneAt{at.index, kind.Rank}
		} else if len(o.With) < maxWith {
			o.With = append(o.With, s.name())
		}
		return
	}
	if len(c.out.Only) < maxOnly {
		c.alone[key] = aloneAt{len(c.out.Only), kind.Rank}
		c.out.Only = append(c.out.Only, api.OnlyIn{Metric: s.metric, Instance: s.instance, Command: s.command, In: in, With: []string{}})
	}
}

// tree is the beginning of a metric's name that it shares with those beside it: "xfs.perdev".
func tree(metric string) string {
	first, rest, _ := strings.Cut(metric, ".")
	second, _, _ := strings.Cut(rest, ".")
	return first + "." + second
}

// gathered makes one entry of many instances of one metric that came or went:
// those of processes, connections, jobs.
func gathered(list []api.OnlyIn) []api.OnlyIn {
	const maxApart = 4
	type group struct{ metric, in string }
	of := func(o *api.OnlyIn) group { return group{o.Metric, o.In} }
	count := map[group]int{}
	for i := range list {
		if list[i].Instance != nil {
			count[of(&list[i])]++
		}
	}
	out, at := []api.OnlyIn{}, map[group]int{}
	for _, o := range list {
		g := of(&o)
		if o.Instance == nil || count[g] <= maxApart {
			out = append(out, o)
			continue
		}
		k, begun := at[g]
		if !begun {
			k, at[g] = len(out), len(out)
			out = append(out, api.OnlyIn{Metric: o.Metric, In: o.In, With: []string{}})
		}
		if out[k].Instances++; len(out[k].With) < maxWith {
			out[k].With = append(out[k].With, seriesName(o.Metric, o.Instance))
		}
	}
	return out
}

// An aloneKey is a subject in the list of what only one window has.
type aloneKey struct {
	departures.Subject
	in string
}

type aloneAt struct{ index, rank int }

// differ compares the samples of one series.
func (c *comparison) differ(kind departures.Kind, one changedSeries, a, b analysis.Sample) {
	if min(a.Count, b.Count) < minSamples || min(len(a.Vals), len(b.Vals)) == 0 {
		return
	}
	c.out.Compared++
	one.Shift = c.samples.Compare(a, b, c.query.Effect, func(s *analysis.Shift) bool { return floorsOf(&kind, s) >= 0.5 })
	c.pace.rest(64 * (len(a.Vals) + len(b.Vals))) // as they are read about that often
	floors, sure := c.judged(&kind, &one.Shift)
	score := kind.Tier * math.Log2(1+floors)
	if floors < 1 || !sure {
		switch some := c.shifted(&kind, &one.Shift); {
		case kind.Tier*math.Log2(1+some) < minScore:
		case floors >= 1:
			c.unsure++
		default: // for a part of the time only, or by little beside what it usually differs
			c.partly++
			c.keepMeans(&kind, &one, kind.Tier*math.Log2(1+some))
		}
		return
	}
	if c.left > 0 || c.claim.Take(changeBytes+int64(32*c.query.Points)) != nil {
		c.left++
		return
	}
	one.samplesA, one.samplesB = a.Count, b.Count
	one.A.Vals, one.B.Vals = nil, nil
	c.list = append(c.list, departures.Candidate[*changedSeries]{Kind: kind, Departure: departures.Departure{Beyond: floors, Score: score}, Series: &one})
}

// judged returns by how many floors a series changed, 0 if not beyond all thresholds,
// and whether that is hardly chance.
func (c *comparison) judged(kind *departures.Kind, s *analysis.Shift) (floors float64, sure bool) {
	if math.Abs(s.Effect) < c.query.Effect {
		return 0, false
	}
	floors = c.shifted(kind, s)
	return floors, floors > 0 && (s.Z > minZ || floors >= farFloors && math.Abs(s.Effect) >= farEffect)
}

// shifted returns by how many floors a series changed, 0 if not beyond the smallest shift.
func (c *comparison) shifted(kind *departures.Kind, s *analysis.Shift) float64 {
	floors := floorsOf(kind, s)
	if !(floors >= 1) || s.Largest() < c.query.Shift*math.Max(math.Abs(s.MedianA), math.Abs(s.MedianB)) {
		return 0
	}
	return floors
}

// floorsOf is the change of a series as a multiple of its floor.
func floorsOf(kind *departures.Kind, s *analysis.Shift) float64 {
	return s.Largest() / kind.FloorAt(math.Min(s.MedianA, s.A.Mean), math.Max(s.MedianB, s.B.Mean))
}

// rank puts subjects in order, those furthest apart first.
func (c *comparison) rank() {
	titles := titling{src: c.a}
	c.out.Only = gathered(c.out.Only)
	for _, row := range departures.Rows(c.list) {
		if c.pace.worked(oneSeries) {
			return
		}
		m := row.Best
		if row.Score < minScore {
			continue
		}
		x := api.Change{
			Metric: m.metric, Instance: m.instance, Command: m.command, Subject: strings.TrimSpace(row.Name + " " + row.Of), Score: row.Score, Units: m.units,
			MedianA: m.MedianA, MedianB: m.MedianB, MeanA: m.A.Mean, MeanB: m.B.Mean, Shift: m.By, Ratio: math.NaN(), Effect: m.Effect, SamplesA: m.samplesA, SamplesB: m.samplesB,
			CoveredA: m.A.Covered, CoveredB: m.B.Covered, A: m.A.Chart, B: m.B.Chart, With: []string{},
		}
		if m.MedianA != 0 {
			x.Ratio = m.MedianB / m.MedianA
		}
		for _, o := range row.All { // its memory was taken with the others'
			x.With = append(x.With, o.name())
		}
		c.out.Differ += 1 + len(row.All)
		if m.command != "" {
			x.Family, x.Name, x.Unit = "Processes", "CPU time", "% of one CPU"
		} else {
			called := dashboard.NameOf(m.metric)
			x.Family, x.Name, x.Unit = analysis.Family(m.metric), called.Text, called.Unit
			if known := c.a.find(m.metric); known != nil {
				x.Oneline = known.oneline()
			}
		}
		if m.ofAll {
			x.Unit = "% of all CPUs"
		}
		if m.instance != nil {
			x.Title = titles.of(m.metric, m.instance.Name)
		}
		c.out.Changes = append(c.out.Changes, x)
	}
	switch {
	case c.out.Compared == 0 && c.apart > 0:
		c.out.Why = "Nothing can be compared: no relevant series has " + pcp.Grouped(minSamples) + " values in each window, in units that can be converted."
	case c.out.Compared == 0:
		c.out.Why = "Nothing can be compared: no relevant series has " + pcp.Grouped(minSamples) + " values in each window."
	case len(c.out.Changes) == 0 && c.unsure > 0:
		c.out.Why = "No change is sure: " + pcp.Counted(c.unsure, "series differs", "series differ") + " by more than the thresholds, which may be chance."
	case len(c.out.Changes) == 0 && c.partly > 0:
		c.out.Why = fmt.Sprintf("No change above the thresholds: %s on average by more than the floors, with an effect below %g.%s", pcp.Counted(c.partly, "series differs", "series differ"), c.query.Effect, c.mostOnAverage())
	case len(c.out.Changes) == 0:
		c.out.Why = "No change above the thresholds."
	}
}
