package core

import (
	"context"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

const (
	// dearWindow is from how many bytes on it is no use to read a window by
	// itself: the share of a part that it may be, and bytes in any case.
	dearWindow = 0.5
	maxWindow  = 256 << 20
	keptWindow = 4
)

// A readWindow is a window of a part that was read by itself.
type readWindow struct {
	part int
	seen *archive.Window
}

// readFor sees to it that a query can be answered as its Read says: by reading
// its window, or all. What is on a server is read in parts where that serves;
// everything else is read as it comes, up to the end of the window.
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
			if read, ok := src.readWindow(ctx, q, from, w.to); ok || ctx.Err() != nil {
				return read, ctx.Err()
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
// are not read yet. Each metric needs the observation before the window, and
// one that is interpolated the one after it: where these lie far away, more is
// read, and where that is most of a part, not ok says that all of it may as
// well be.
func (src *source) readWindow(ctx context.Context, q api.Query, from, to pcp.Time) (read []readWindow, ok bool) {
	if step, err := intervalOf(q, window{from: from, to: to}); err == nil && step > 0 && step < 1<<62 {
		from -= pcp.Time(step) // a rate at the first moment
	}
	select { // several panels ask at the same time; one reads
	case src.looking <- struct{}{}:
		defer func() { <-src.looking }()
	case <-ctx.Done():
		return nil, false
	}
	for i, p := range src.parts {
		a, recorded := p.(recorded)
		if !recorded || a.Loaded() || p.Start() > to || p.End() < from {
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
			if seen = a.ReadWindow(ctx, max(from, p.Start()), min(to, p.End()), min(maxWindow, int64(dearWindow*float64(size))), enough); seen == nil {
				return nil, false
			}
			src.windows = append(src.windows, readWindow{i, seen})
			if most := keptWindow * len(src.parts); len(src.windows) > most {
				src.windows = src.windows[1:]
			}
		}
		read = append(read, readWindow{i, seen})
	}
	return read, true
}

// needed are the logged metrics of a part behind names and expressions.
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

// use answers with windows that were read by themselves.
func (x *extent) use(read []readWindow) {
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
