package core

import (
	"cmp"
	"context"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

const (
	// Reading just a window of a part is not worth while beyond maxWindowShare
	// of the part's bytes, or beyond maxWindow bytes.
	maxWindowShare = 0.5
	maxWindow      = 256 << 20
	keptWindow     = 4
)

// A readWindow is a window of a part that was read on its own.
type readWindow struct {
	part int
	seen *archive.Window
}

// readFor reads what a query needs according to its Read: its window, or
// everything. Sources on a server are read in ranges if that saves reading; all
// others are read in order, up to the end of the window.
func (src *source) readFor(ctx context.Context, q api.Query, w window, progress func(api.Progress)) (read []readWindow, err error) {
	from := w.from - src.history(q, w)
	switch q.Read {
	case "":
		if q.Partial {
			return nil, nil
		}
	case "preview":
		return nil, nil
	case "window":
		if src.about.OnDemand && !src.overlapping() {
			if read, ok, err := src.readWindow(ctx, q, from, w.to); ok || err != nil || ctx.Err() != nil {
				return read, cmp.Or(ctx.Err(), err)
			}
		}
	case "all":
		return nil, src.wait(ctx, progress)
	default:
		return nil, pcp.Faultf(pcp.BadArgument, "The value %q of read is none of \"preview\", \"window\" and \"all\".", q.Read)
	}
	return nil, src.waitFor(ctx, from, w.to, progress)
}

// readWindow reads the window of a query in all parts that it touches and that
// are not read yet. Each metric needs the observation before the window, and an
// interpolated one also the one after it: if these lie far away, more is read.
// If that would be most of a part, ok is false: the whole part may as well be
// read. It returns an error if a server does not answer: it would not answer then either.
func (src *source) readWindow(ctx context.Context, q api.Query, from, to pcp.Time) (read []readWindow, ok bool, err error) {
	if step, err := intervalOf(q, window{from: from, to: to}); err == nil && step > 0 && step < 1<<62 {
		from -= pcp.Time(step) // for a rate at the first moment
	}
	select { // several panels ask at the same time; only one reads
	case src.looking <- struct{}{}:
		defer func() { <-src.looking }()
	case <-ctx.Done():
		return nil, false, nil
	}
	for i, p := range src.parts {
		a, recorded := p.(recorded)
		if !recorded || a.Loaded() || p.Start() > to || p.End() < from && p.End() >= p.Start() {
			continue
		}
		metrics := src.needed(q.Metrics, i)
		enough := func(w *archive.Window) (before, after bool) {
			before, after = true, true
			for _, m := range metrics {
				b, f := w.Spans(m.PMID, max(from, p.Start()), min(to, p.End()))
				before, after = before && b, after && (f || m.Sem == pcp.Discrete)
			}
			return before, after
		}
		var seen *archive.Window
		for _, have := range src.windows {
			if b, f := enough(have.seen); have.part == i && have.seen.Span.Start <= max(from, p.Start()) && have.seen.Span.End >= min(to, p.End()) && (b || have.seen.Span.Start == pcp.MinTime) && (f || have.seen.Span.End == pcp.MaxTime) {
				seen = have.seen
			}
		}
		if seen == nil {
			var size int64
			g := a.Group()
			for k := range g.Volumes {
				size += g.Volumes[k].Size
			}
			if seen, err = a.ReadWindow(ctx, max(from, p.Start()), min(to, p.End()), min(maxWindow, int64(maxWindowShare*float64(size))), enough); seen == nil {
				return nil, false, err
			}
			src.windows = append(src.windows, readWindow{i, seen})
			if limit := keptWindow * len(src.parts); len(src.windows) > limit {
				src.windows = src.windows[1:]
			}
		}
		read = append(read, readWindow{i, seen})
	}
	return read, true, nil
}

// needed returns the logged metrics of a part that names and expressions refer
// to.
func (src *source) needed(names []string, part int) (list []*archive.Metric) {
	for _, name := range names {
		ms, logged := src.lookup(name)
		if logged {
			if ms[part] != nil {
				list = append(list, ms[part])
			}
			continue
		}
		if b, err := src.bind(name); err == nil {
			list = append(list, src.needed(b.Operands, part)...)
		}
	}
	return list
}

// use answers from windows that were read on their own.
func (x *readState) use(read []readWindow) {
	for _, r := range read {
		if x.upTo[r.part] != pcp.MaxTime {
			x.exact[r.part] = r.seen
		}
	}
}

// windowOf is a part of which just a window was read.
func windowOf(w *archive.Window, seg interp.Segment, o *series.Observations, id pcp.PMID) ([]interp.Segment, []*series.Observations) {
	from, to := max(seg.Start, w.Span.Start), min(seg.End, w.Span.End)
	seg.Holes = seg.Holes[:len(seg.Holes):len(seg.Holes)]
	if seg.Start < from {
		seg.Holes = append(seg.Holes, interp.Hole{Span: pcp.Span{Start: seg.Start, End: from - 1}, Why: series.NotRead})
	}
	if to < seg.End {
		seg.Holes = append(seg.Holes, interp.Hole{Span: pcp.Span{Start: to + 1, End: seg.End}, Why: series.NotRead})
	}
	seg.Marks = w.Marks()
	if o != nil {
		seen := &series.Observations{Desc: o.Desc}
		if obs, ok := w.Observations(id); ok {
			seen = obs.Between(from, to)
		}
		o = seen
	}
	return []interp.Segment{seg}, []*series.Observations{o}
}
