package core

import (
	"context"
	"math"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/budget"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
)

// Summary summarises a window as pmlogsummary(1) does: every numeric series of
// the given metrics; if none are given, of all logged metrics and the user's
// own derived ones. Derived metrics and expressions are evaluated when their
// leading operand was logged. Series with too little data for an average are
// left out.
func (s *Session) Summary(ctx context.Context, q api.SummaryQuery, progress func(api.Progress)) ([]api.Summary, error) {
	list, _, err := s.SummaryPart(ctx, q, 0, math.MaxInt, progress)
	return list, err
}

// SummaryPart returns at most limit series of a Summary, from the given one on,
// and the number of the next; 0 if there are no more. Asking for one part after
// the other costs as much as asking for all at once, but takes less memory.
func (s *Session) SummaryPart(ctx context.Context, q api.SummaryQuery, from, limit int, progress func(api.Progress)) (list []api.Summary, next int, err error) {
	src, err := s.source(q.Source)
	if err != nil {
		return nil, 0, err
	}
	w, err := s.window(src, q.Start, q.End, q.Zone)
	if err != nil {
		return nil, 0, err
	}
	if err := src.waitFor(ctx, w.from, w.to, progress); err != nil {
		return nil, 0, err
	}
	if w, err = s.window(src, q.Start, q.End, q.Zone); err != nil {
		return nil, 0, err
	}
	if w.to < w.from {
		return nil, 0, w.reversed()
	}
	if q.Bins < 0 || q.Bins > 10_000 {
		return nil, 0, pcp.Faultf(pcp.BadArgument, "%d bins are not between 0 and 10000.", q.Bins)
	}
	if from < 0 || limit < 1 {
		return nil, 0, pcp.Faultf(pcp.BadArgument, "%d series from number %d on are no part of a summary.", limit, from)
	}
	keepable := src.keepable(q)
	if keepable {
		s.join(ctx, src, summaryKey{w, q.Measured})
		if all, ok := src.kept.find(summaryKey{w, q.Measured}).([]api.Summary); ok {
			from = min(from, len(all))
			part := all[from:]
			if limit < len(part) {
				part, next = part[:limit], from+limit
			}
			return slices.Clone(part), next, nil
		}
	}
	t := src.kept.resume(q, w, from)
	if t == nil {
		t = src.newSumming(q, w, keepable)
	}
	for t.passed < from && !t.ended() {
		if _, err := t.part(ctx, min(limit, from-t.passed)); err != nil {
			t.release()
			return nil, 0, err
		}
	}
	if list, err = t.part(ctx, limit); err != nil {
		t.release()
		return nil, 0, err
	}
	if t.ended() {
		t.release()
		if t.keep {
			src.kept.keep(s.memory, summaryKey{w, q.Measured}, t.all, summaryBytes*int64(len(t.all)))
		}
		return list, 0, nil
	}
	src.kept.suspend(t)
	return list, t.passed, nil
}

// A summing is a summary being computed. It goes through the metrics, and
// through the instances of each.
type summing struct {
	src    *source
	query  api.SummaryQuery
	window window
	names  []string
	passed int // how many series it has returned

	at, inst int      // number of the next metric, and of its next instance
	line     timeline // of the metric, if some of its instances are done
	desc     pcp.Desc
	sums     map[string]*interp.Summariser // by timeline.key
	buffers  []archive.Buffer
	titles   titling
	extent   readState
	pace     *pace // of the current part

	many int           // estimated series
	keep bool          // all is kept: it is smaller than the data
	all  []api.Summary // so far, if it is kept
	room *budget.Claim // for a part, and for all
}

func (src *source) newSumming(q api.SummaryQuery, w window, keepable bool) *summing {
	t := &summing{src: src, query: q, window: w, names: q.Metrics, many: src.seriesCount(q.Metrics), titles: titling{src: src}, extent: src.extent(),
		sums: map[string]*interp.Summariser{}, buffers: make([]archive.Buffer, len(src.parts)), room: src.session.memory.Claim(0)}
	if q.Metrics == nil {
		t.names = src.summarised()
	}
	t.keep = keepable && src.worthKeeping(t.many)
	return t
}

func (t *summing) ended() bool { return t.at == len(t.names) }

func (t *summing) release() { t.room.Release() }

// part returns the next series, at most limit.
func (t *summing) part(ctx context.Context, limit int) ([]api.Summary, error) {
	many := min(limit, max(0, t.many-t.passed))
	if err := t.room.Set(summaryBytes * int64(len(t.all)+many)); err != nil {
		return nil, err
	}
	defer func() { t.room.Set(summaryBytes * int64(len(t.all))) }()
	out := make([]api.Summary, 0, many)
	t.pace = t.src.session.newPace(ctx)
	refs := map[*inDom]*instanceRefs{}
	for !t.ended() && len(out) < limit {
		if err := t.src.session.proceed(ctx); err != nil {
			return nil, err
		}
		name := t.names[t.at]
		if t.inst == 0 {
			known, err := t.observe(ctx, name)
			if err != nil {
				return nil, err
			}
			if !known {
				t.at++
				continue
			}
		}
		desc := t.desc
		d := t.src.inDom(desc.InDom)
		if refs[d] == nil {
			if len(refs) == maxInDoms {
				clear(refs)
			}
			refs[d] = &instanceRefs{of: d}
		}
		units := interp.SummaryUnits(desc).String()
		var full error
		t.inst = t.summariser().Each(t.line.obs, t.inst, func(r *interp.Summary) bool {
			if r.Insufficient {
				return true
			}
			a := apiSummary(name, units, desc, r)
			if desc.InDom != pcp.NullInDom {
				a.Instance = refs[d].ref(r.Inst)
				a.Title = t.titles.of(name, a.Instance.Name)
			}
			if len(out) >= many {
				if full = t.room.Take(summaryBytes + 16*int64(len(a.Bins))); full != nil {
					return false
				}
			}
			out = append(out, a)
			return len(out) < limit
		})
		if full != nil {
			return nil, full
		}
		if t.pace.ended != nil {
			return nil, t.pace.ended
		}
		if t.inst == 0 {
			t.at++
			t.line = timeline{}
		}
	}
	t.passed += len(out)
	if t.keep = t.keep && t.src.worthKeeping(t.passed); t.keep {
		t.all = append(t.all, out...)
	} else {
		t.all = nil
	}
	return out, nil
}

// observe looks up the observations of a metric. One that cannot be summarised is
// left out, unless it was asked for by name.
func (t *summing) observe(ctx context.Context, name string) (known bool, err error) {
	if t.line, t.desc, known = t.src.timelineOfFew(t.buffers, name); known {
		return true, nil
	}
	var ms []*archive.Metric
	if ms, known = t.src.lookup(name); known {
		t.line, t.desc = t.src.timelineIn(t.buffers, ms, t.extent), descOf(ms)
		return true, nil
	}
	switch t.line, err = t.src.observed(ctx, name, t.window, t.extent, false, true); {
	case ctx.Err() != nil:
		return false, cancelled()
	case err != nil && t.query.Metrics != nil:
		return false, err
	case err != nil:
		return false, nil
	}
	t.desc = t.line.obs[0].Desc
	return true, nil
}

// summariser returns that of the current metric's time line.
func (t *summing) summariser() *interp.Summariser {
	sum := t.sums[t.line.key]
	if sum == nil {
		if len(t.sums) > maxSummarisers {
			clear(t.sums)
		}
		sum = interp.NewSummariser(t.line.segs, pcp.Span{Start: t.window.from, End: t.window.to}, interp.SummaryOptions{
			Distribution: true, Bins: t.query.Bins, Measured: t.query.Measured, Stop: func() bool { return t.pace.worked(2 * oneSeries) }})
		t.sums[t.line.key] = sum
	}
	return sum
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
	known []*api.InstanceRef // by index in the domain; nil until it is needed
	find  func(inst int32) (at int, known bool)
}

// ref returns the reference to an instance, creating it if need be. One that the
// archive never names is shared with no other.
func (r *instanceRefs) ref(inst int32) *api.InstanceRef {
	if r.find == nil {
		r.known, r.find = make([]*api.InstanceRef, len(r.of.list)), r.of.finder()
	}
	at, known := r.find(inst)
	if !known || inst == pcp.NoInstance {
		return &api.InstanceRef{ID: inst, Name: r.of.nameOf(inst)}
	}
	if r.known[at] == nil {
		r.known[at] = &api.InstanceRef{ID: inst, Name: r.of.list[at].Name}
	}
	return r.known[at]
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
