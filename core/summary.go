package core

import (
	"context"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
)

// Summary summarises a window as pmlogsummary(1) does: every numeric series of
// the given metrics; if none are given, of all logged metrics and the user's
// own derived ones. Derived metrics and expressions are evaluated when their
// leading operand was logged. Series with too little data for an average are
// left out.
func (s *Session) Summary(ctx context.Context, q api.SummaryQuery, progress func(api.Progress)) ([]api.Summary, error) {
	src, err := s.source(q.Source)
	if err != nil {
		return nil, err
	}
	w, err := s.window(src, q.Start, q.End, q.Zone)
	if err != nil {
		return nil, err
	}
	if err := src.waitFor(ctx, w.from, w.to, progress); err != nil {
		return nil, err
	}
	if w, err = s.window(src, q.Start, q.End, q.Zone); err != nil {
		return nil, err
	}
	if w.to < w.from {
		return nil, w.reversed()
	}
	if q.Bins < 0 || q.Bins > 10_000 {
		return nil, pcp.Faultf(pcp.BadArgument, "%d bins are not between 0 and 10000.", q.Bins)
	}
	keepable := src.keepable(q)
	if keepable {
		s.join(ctx, src, summaryKey{w, q.Measured})
		if all, ok := src.kept.find(summaryKey{w, q.Measured}).([]api.Summary); ok {
			return slices.Clone(all), nil
		}
	}
	names := q.Metrics
	if names == nil {
		names = src.summarised()
	}
	sums := map[string]*interp.Summariser{} // by timeline.key
	x := src.extent()
	room := s.memory.Claim(0)
	defer room.Release()
	many := src.seriesCount(q.Metrics)
	if err := room.Take(summaryBytes * int64(many)); err != nil {
		return nil, err
	}
	out := make([]api.Summary, 0, many)
	buffers := make([]archive.Buffer, len(src.parts))
	refs, titles, p := map[*inDom]*instanceRefs{}, titling{src: src}, s.newPace(ctx)
	for _, name := range names {
		if err := s.proceed(ctx); err != nil {
			return nil, err
		}
		line, desc, known := src.timelineOfFew(buffers, name)
		if !known {
			var ms []*archive.Metric
			if ms, known = src.lookup(name); known {
				line, desc = src.timelineIn(buffers, ms, x), descOf(ms)
			}
		}
		if !known {
			var err error
			switch line, err = src.observed(ctx, name, w, x, false, true); {
			case ctx.Err() != nil:
				return nil, cancelled()
			case err != nil && q.Metrics != nil:
				return nil, err
			case err != nil:
				continue
			}
			desc = line.obs[0].Desc
		}
		d := src.inDom(desc.InDom)
		if refs[d] == nil {
			if len(refs) == maxInDoms {
				clear(refs)
			}
			refs[d] = &instanceRefs{of: d, known: map[int32]int{}}
		}
		units := interp.SummaryUnits(desc).String()
		sum := sums[line.key]
		if sum == nil {
			if len(sums) > maxSummarisers {
				clear(sums)
			}
			sum = interp.NewSummariser(line.segs, pcp.Span{Start: w.from, End: w.to}, interp.SummaryOptions{Distribution: true, Bins: q.Bins, Measured: q.Measured, Stop: func() bool { return p.worked(2 * oneSeries) }})
			sums[line.key] = sum
		}
		var full error
		sum.Each(line.obs, func(r *interp.Summary) {
			if r.Insufficient || full != nil {
				return
			}
			a := apiSummary(name, units, desc, r)
			if desc.InDom != pcp.NullInDom {
				a.Instance = refs[d].ref(r.Inst)
				a.Title = titles.of(name, a.Instance.Name)
			}
			if len(out) >= many {
				if full = room.Take(summaryBytes + 16*int64(len(a.Bins))); full != nil {
					return
				}
			}
			out = append(out, a)
		})
		if full != nil {
			return nil, full
		}
		if p.ended != nil {
			return nil, p.ended
		}
	}
	if keepable && src.worthKeeping(len(out)) {
		src.kept.keep(s.memory, summaryKey{w, q.Measured}, slices.Clone(out), summaryBytes*int64(len(out)))
	}
	return out, nil
}

// maxSummarisers bounds how many are kept for further metrics with the same time
// line: in the worst case each metric has one of its own.
const maxSummarisers = 1 << 8

// summaryBytes is the size of one series in an answer and in the message.
const summaryBytes = 2 * 256

// instanceRefs shares one reference among all mentions of an instance in an
// answer.
type instanceRefs struct {
	of    *inDom
	known map[int32]int // index in list, by instance
	list  []*api.InstanceRef
	last  int // index of the last instance returned
}

// ref returns the reference to an instance, creating it if need be. It is
// usually the one after the last, as metrics of a domain follow each other.
func (r *instanceRefs) ref(inst int32) *api.InstanceRef {
	if next := r.last + 1; next < len(r.list) && r.list[next].ID == inst {
		r.last = next
		return r.list[next]
	}
	at, known := r.known[inst]
	if !known {
		at = len(r.list)
		r.known[inst] = at
		r.list = append(r.list, &api.InstanceRef{ID: inst, Name: r.of.nameOf(inst)})
	}
	r.last = at
	return r.list[at]
}

// seriesCount estimates how many series a summary of some metrics has, or of
// all for nil, to allocate the list at once.
func (src *source) seriesCount(metrics []string) int {
	if metrics != nil {
		return 0
	}
	n := 0
	for _, p := range src.parts {
		if r, ok := p.(recorded); ok {
			n = max(n, r.SeriesCount())
		}
	}
	return n
}

func apiSummary(name, units string, desc pcp.Desc, r *interp.Summary) api.Summary {
	a := api.Summary{
		Metric: name, Units: units, Semantics: desc.Sem.String(),
		TimeAverage: r.TimeAverage, StochasticAverage: r.Stochastic, Sum: r.Sum, Count: r.Count,
		Minimum: r.Min, MinimumAt: r.MinAt, Maximum: r.Max, MaximumAt: r.MaxAt,
		Median: r.Median, P95: r.P95, P99: r.P99, Stddev: r.Stddev, Covered: r.Covered,
	}
	for _, b := range r.Bins {
		a.Bins = append(a.Bins, api.Bin{UpTo: b.UpTo, Count: b.Count})
	}
	return a
}
