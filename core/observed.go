package core

import (
	"context"
	"slices"

	"pcpscope/core/archive"
	"pcpscope/core/derived"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// observed returns a metric's observations around a window as they were
// recorded, possibly including some outside it; of a derived metric or an
// expression, its value at each of them, as if that had been logged. If
// instances come and go so often that hardly any of an expression's values
// exist, it fails unless whatever is set.
func (src *source) observed(ctx context.Context, name string, w window, x readState, gaps, whatever bool) (timeline, error) {
	if ms, known := src.lookup(name); known {
		return src.timeline(ms, x), nil
	}
	b, err := src.bind(name)
	if err != nil {
		return timeline{}, err
	}
	if gaps {
		b = b.WithGaps()
	}
	return src.observedOf(ctx, name, b, w, x, gaps, whatever)
}

// scattered reports whether columns of all instances over all rows would be
// many and mostly empty.
func scattered(obs []*series.Observations, w window) bool {
	const valueBytes, free = 8, 1 << 20
	all := loggedValues(obs, w)
	return all > free && all > free+valueBytes*int(weightOf(obs).values)
}

// observedOf evaluates an expression at every moment when its leading operand
// was recorded: the operand with the most records, and of those the first. An instance
// has values only where it was recorded. The other operands are interpolated. Operands of one agent are mostly recorded
// together; settings, such as the number of CPUs, only now and then.
func (src *source) observedOf(ctx context.Context, name string, b *derived.Bound, w window, x readState, gaps, whatever bool) (timeline, error) {
	const second = 1_000_000_000
	from := w.from - pcp.Time(b.History(second)*second)
	var first, own leadOperand // own: of the operands with the same instances as the result
	var groups [][]pcp.Time
	buffers := make([]archive.Buffer, len(src.parts))
	for i := range buffers {
		buffers[i].TimesOnly = true
	}
	for _, operand := range b.Operands {
		ms, known := src.lookup(operand)
		if !known {
			continue
		}
		rows := src.timelineIn(buffers, ms, x).times(from, w.to)
		groups = apart(groups, rows)
		first.consider(ms, rows)
		if d := b.Desc.InDom; d != pcp.NullInDom && descOf(ms).InDom == d {
			own.consider(ms, rows)
		}
	}
	times := first.times
	var lead timeline
	if first.ms != nil {
		lead = src.timeline(first.ms, x)
	}
	if !whatever && scattered(lead.obs, w) {
		return timeline{}, pcp.Faultf(pcp.OutOfMemory, "Most instances of %s existed only for a moment.", name)
	}
	o := &series.Observations{Desc: b.Desc, Times: times, Backward: b.Differs()}
	out := timeline{obs: []*series.Observations{o}, key: "derived " + name}
	if len(times) == 0 {
		out.segs = src.oneSegment()
		return out, nil
	}
	start, end := src.span()
	whole := interp.Segment{Start: start, End: end}
	for i, s := range lead.segs {
		whole.Marks = append(whole.Marks, s.Marks...)
		if i+1 < len(lead.segs) {
			whole.Marks = append(whole.Marks, s.End+1e6) // as interpolation does between archives
		}
	}
	slices.Sort(whole.Marks)
	meet(times, whole.Marks, groups)
	pieces := collected{o: o}
	if own.ms != nil && !b.Differs() { // rates are of the time since the moment before, also then
		pieces.lives = newLifetimes(src.timeline(own.ms, x))
	}
	for _, p := range piecesOf(times, b, src.widest(b, x)) {
		moments := times[p.from-p.back : p.to]
		e := src.newEvaluation(series.Grid{Start: moments[0], Step: 1, Count: len(moments)})
		e.extent, e.moments, e.ctx, e.gaps = x, moments, ctx, gaps
		crossings := e.fetcher(lead).MarkCrossings()
		f, err := b.EvalMoments(moments, crossings, operands{e})
		e.done()
		if e.ended != nil {
			return out, e.ended
		}
		if err != nil {
			return out, err
		}
		src.inDom(f.Desc.InDom).setNames(f.Vectors)
		if b.Differs() {
			p.crossings = crossings // the sum of no rates is 0, but nothing is known here
		}
		if pieces.add(f, p, e.paused); e.ended != nil {
			return out, e.ended
		}
	}
	o.Series = pieces.list()
	out.segs = []interp.Segment{whole}
	return out, nil
}

// rates reports whether values of the line belong to the time since the record before.
func (line timeline) rates() bool {
	return slices.ContainsFunc(line.obs, func(o *series.Observations) bool { return o != nil && (o.Backward || o.Desc.Sem == pcp.Counter) })
}

// times lists when a metric was recorded in a stretch of time, and the records
// just before and after it.
func (line timeline) times(from, to pcp.Time) []pcp.Time {
	rows := 0
	for _, o := range line.obs {
		if o != nil {
			rows += len(o.Times)
		}
	}
	list := make([]pcp.Time, 0, rows+2)
	before, after := pcp.MinTime, pcp.MaxTime
	for _, o := range line.obs {
		if o == nil {
			continue
		}
		r0, _ := slices.BinarySearch(o.Times, from)
		r1 := len(o.Times)
		if to < pcp.MaxTime {
			r1, _ = slices.BinarySearch(o.Times, to+1)
		}
		if r0 > 0 {
			before = max(before, o.Times[r0-1])
		}
		if r1 < len(o.Times) {
			after = min(after, o.Times[r1])
		}
		list = append(list, o.Times[r0:max(r0, r1)]...)
	}
	if before > pcp.MinTime {
		list = append(list, before)
	}
	if after < pcp.MaxTime {
		list = append(list, after)
	}
	slices.Sort(list)
	return slices.Compact(list)
}
