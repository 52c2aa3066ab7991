package core

import (
	"cmp"
	"context"
	"math"
	"slices"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/budget"
	"pcpscope/core/dashboard"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

const (
	minEffect     = 0.3  // smallest effect that counts as a change, by default
	minShift      = 0.05 // by default, as a fraction of the larger median
	comparePoints = 40
	minSamples    = 3 // in each window
	maxOnly       = 500
	rateFrom      = 15 * 60 * 1e9 // how long before a window the first rate may begin
)

// A changedSeries is a series whose values differ between two windows.
type changedSeries struct {
	analysis.Shift
	metric   string
	instance *api.InstanceRef
	units    string
	with     []string
}

func (m *changedSeries) name() string {
	if m.instance == nil {
		return m.metric
	}
	return m.metric + "[" + m.instance.Name + "]"
}

// Compare ranks what changed from window A to window B: counters as rates,
// without settings and strings, with series that move together grouped.
func (s *Session) Compare(ctx context.Context, q api.CompareQuery, progress func(api.Progress)) (api.Comparison, error) {
	var out api.Comparison
	a, err := s.source(q.Source)
	if err != nil {
		return out, err
	}
	b := a
	if q.Other != 0 {
		if b, err = s.source(q.Other); err != nil {
			return out, err
		}
	}
	for _, src := range []*source{a, b} {
		if err := src.wait(ctx, progress); err != nil {
			return out, err
		}
	}
	wa, err := s.window(a, q.AStart, q.AEnd, q.Zone)
	if err != nil {
		return out, err
	}
	wb, err := s.window(b, q.BStart, q.BEnd, q.Zone)
	if err != nil {
		return out, err
	}
	if wa.from >= wa.to || wb.from >= wb.to {
		return out, pcp.Faultf(pcp.BadArgument, "Both windows must end after they start.")
	}
	if !(q.Effect >= 0 && q.Effect <= 1) {
		return out, pcp.Faultf(pcp.BadArgument, "The effect, %g, is not between 0 and 1.", q.Effect)
	}
	if !(q.Shift >= 0) {
		return out, pcp.Faultf(pcp.BadArgument, "The smallest shift, %g, is not a number above 0.", q.Shift)
	}
	if q.Effect == 0 {
		q.Effect = minEffect
	}
	if q.Shift == 0 {
		q.Shift = minShift
	}
	if q.Points == 0 {
		q.Points = comparePoints
	}
	if q.Points < 2 || q.Points > maxSparkPoints {
		return out, pcp.Faultf(pcp.BadArgument, "The number of points, %d, is not between 2 and %d.", q.Points, maxSparkPoints)
	}
	key := comparisonKey{wa, wb, q.Effect, q.Shift, q.Processes, q.Points}
	if a == b {
		s.join(ctx, a, key)
		if kept, ok := a.kept.find(key).(api.Comparison); ok {
			return kept, nil
		}
	}
	out = api.Comparison{Changes: []api.Change{}, Only: []api.OnlyIn{}, A: pcp.Span{Start: wa.from, End: wa.to}, B: pcp.Span{Start: wb.from, End: wb.to}}
	ha, pa := a.host(ctx)
	hb, pb := b.host(ctx)
	defer pa.release()
	defer pb.release()
	if err := cmp.Or(pa.ended, pb.ended); err != nil {
		return out, err
	}
	c := comparison{query: q, a: a, b: b, out: &out, clockA: ha.Clock, clockB: hb.Clock, pace: s.newPace(ctx), extentA: a.extent(), extentB: b.extent(), buffers: make([]archive.Buffer, len(a.parts)), claim: s.memory.Claim(0)}
	defer c.claim.Release()
	c.layerA.Rest, c.layerB.Rest = c.pace.rest, c.pace.rest
	if a == b {
		if c.moves, err = a.activity(ctx); err != nil {
			return out, err
		}
	}
	for _, m := range a.metricList("") {
		if err := s.proceed(ctx); err != nil {
			return out, err
		}
		if c.metric(&m); c.pace.ended != nil {
			return out, c.pace.ended
		}
	}
	if c.left > 0 {
		a.leaveOut("changes", pcp.Faultf(pcp.OutOfMemory, "There is not enough memory for more than %s changed series; %s were left out of a comparison.", pcp.Grouped(len(c.list)), pcp.Grouped(c.left)))
	}
	if c.rank(); c.pace.ended != nil {
		return out, c.pace.ended
	}
	if a == b {
		a.kept.keep(s.memory, key, out, int64(len(out.Changes))*(changeBytes+32*int64(q.Points))+changeBytes*int64(len(out.Only)))
	}
	return out, nil
}

// halves are the windows that are compared by default if all of a source is
// shown: its first half and its second.
func (src *source) halves() comparisonKey {
	start, end := src.span()
	mid := start + (end-start)/2
	return comparisonKey{window{start, mid}, window{mid, end}, minEffect, minShift, false, comparePoints}
}

// compareHalves compares them.
func (s *Session) compareHalves(ctx context.Context, src *source) (api.Comparison, error) {
	at := func(t pcp.Time) *api.When { n := int64(t); return &api.When{Nanos: &n} }
	h := src.halves()
	return s.Compare(ctx, api.CompareQuery{Source: src.about.ID, AStart: at(h.a.from), AEnd: at(h.a.to), BStart: at(h.b.from), BEnd: at(h.b.to)}, nil)
}

// changeBytes is the size of one changed series without its values: in the
// ranking, in the answer and in the message that carries it.
const changeBytes = 1 << 10

type comparison struct {
	query            api.CompareQuery
	a, b             *source
	clockA, clockB   *analysis.Clock
	extentA, extentB extent
	layerA, layerB   analysis.Layer
	buffers          []archive.Buffer // of the parts of a; of b, too, if it is the same
	out              *api.Comparison
	list             []*changedSeries
	claim            *budget.Claim // for list and what is computed from it
	left             int           // number of series that did not fit
	moves            survey        // of the source, if it is compared with itself
	pace             *pace
}

// metric compares all instances of one metric.
func (c *comparison) metric(m *metricEntry) {
	if m.derived() || m.Sem == pcp.Discrete || analysis.Uninteresting(m.name) || !c.query.Processes && analysis.Family(m.name) == "Processes" {
		return
	}
	if c.a == c.b {
		if f, _ := c.moves.of(m.name); f.state != stateMoving {
			return
		}
	}
	ma, known := c.a.lookup(m.name)
	mb, too := c.b.lookup(m.name)
	if !known || !too {
		return
	}
	la := c.a.timelineIn(c.buffers, ma, c.extentA)
	lb := la
	if c.a != c.b {
		lb = c.b.timeline(mb, c.extentB)
	}
	ta := la.table(&c.layerA, c.a.inDom(descOf(ma).InDom), c.out.A.Start-rateFrom, c.out.A.End).ToRate(c.clockA)
	tb := lb.table(&c.layerB, c.b.inDom(descOf(mb).InDom), c.out.B.Start-rateFrom, c.out.B.End).ToRate(c.clockB)
	if ta == nil || tb == nil || ta.Desc.Units != tb.Desc.Units {
		return
	}
	if c.a == c.b {
		byNumber := indexOf(tb.Columns, func(c *analysis.Column) int32 { return c.Inst })
		for i := range ta.Columns {
			if j, both := byNumber[ta.Columns[i].Inst]; both {
				c.series(m.name, ta, tb, i, j)
			}
		}
		return
	}
	byName := indexOf(tb.Columns, func(c *analysis.Column) string { return c.Name })
	for i := range ta.Columns {
		if j, both := byName[ta.Columns[i].Name]; both {
			c.series(m.name, ta, tb, i, j)
		}
	}
}

// indexOf maps each key to the index of its first occurrence.
func indexOf[K comparable](list []analysis.Column, key func(*analysis.Column) K) map[K]int {
	at := make(map[K]int, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		at[key(&list[i])] = i
	}
	return at
}

func (c *comparison) series(metric string, ta, tb *analysis.Table, i, j int) {
	if c.pace.worked(2*oneSeries + 4*c.query.Points) {
		return
	}
	a, b := ta.Window(i, c.out.A, c.query.Points), tb.Window(j, c.out.B, c.query.Points)
	var ref *api.InstanceRef
	if ta.Desc.InDom != pcp.NullInDom {
		ref = &api.InstanceRef{ID: ta.Columns[i].Inst, Name: text(ta.Columns[i].Name)}
	}
	if a.Count < minSamples || b.Count < minSamples {
		if in := ""; len(a.Vals) != len(b.Vals) && len(c.out.Only) < maxOnly {
			if in = "A"; len(a.Vals) == 0 {
				in = "B"
			}
			if len(a.Vals) == 0 || len(b.Vals) == 0 {
				c.out.Only = append(c.out.Only, api.OnlyIn{Metric: metric, Instance: ref, In: in})
			}
		}
		return
	}
	c.out.Compared++
	shift := analysis.Differ(a, b, c.query.Effect)
	c.pace.rest(64 * (len(a.Vals) + len(b.Vals))) // as they are read about that often
	if math.Abs(shift.Effect) < c.query.Effect || !(math.Abs(shift.By) > 0) ||
		math.Abs(shift.By) < c.query.Shift*math.Max(math.Abs(shift.MedianA), math.Abs(shift.MedianB)) {
		return
	}
	if c.left > 0 || c.claim.Take(changeBytes+int64(8*(len(a.Vals)+len(b.Vals))+32*c.query.Points)) != nil {
		c.left++
		return
	}
	c.list = append(c.list, &changedSeries{Shift: shift, metric: metric, instance: ref, units: ta.Desc.Units.String()})
}

// maxJoined is how many of the highest-ranked changes are grouped. Nobody reads
// more, and each is compared with all before it.
const maxJoined = 500

// rank sorts by effect, largest first, and groups series that moved together.
func (c *comparison) rank() {
	c.out.Differ = len(c.list)
	sorting.Stable(c.list, func(x, y *changedSeries) int { return analysis.Rank(&x.Shift, &y.Shift, x.metric, y.metric) })
	var heads []*changedSeries
	for _, m := range c.list {
		if c.pace.worked(oneSeries + 2*c.query.Points*min(maxJoined, len(heads))) {
			return
		}
		at := slices.IndexFunc(heads[:min(maxJoined, len(heads))], func(h *changedSeries) bool {
			return analysis.Together(&h.Shift, &m.Shift, analysis.Family(h.metric) == analysis.Family(m.metric))
		})
		if at >= 0 {
			heads[at].with = append(heads[at].with, m.name())
			continue
		}
		heads = append(heads, m)
	}
	titles := titling{src: c.a}
	for _, m := range heads {
		title := ""
		if m.instance != nil {
			title = titles.of(m.metric, m.instance.Name)
		}
		name := dashboard.NameOf(m.metric)
		oneline := ""
		if known := c.a.find(m.metric); known != nil {
			oneline = known.oneline()
		}
		ratio := math.NaN()
		if m.MedianA != 0 {
			ratio = m.MedianB / m.MedianA
		}
		if m.with == nil {
			m.with = []string{}
		}
		c.out.Changes = append(c.out.Changes, api.Change{
			Metric: m.metric, Instance: m.instance, Title: title, Oneline: oneline, Name: name.Text, Unit: name.Unit, Family: analysis.Family(m.metric), Units: m.units,
			MedianA: m.MedianA, MedianB: m.MedianB, Shift: m.By, Ratio: ratio, Effect: m.Effect, SamplesA: m.A.Count, SamplesB: m.B.Count,
			CoveredA: m.A.Covered, CoveredB: m.B.Covered, A: m.A.Chart, B: m.B.Chart, With: m.with,
		})
	}
}
