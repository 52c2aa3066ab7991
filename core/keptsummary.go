package core

import (
	"context"
	"slices"
	"sync"

	"pcpscope/core/api"
	"pcpscope/core/budget"
	"pcpscope/core/pcp"
)

// keptSummaries caches the latest summaries of all metrics: over weeks one
// takes seconds, and users often return to it.
type keptSummaries struct {
	mu     sync.Mutex
	list   []keptSummary // newest last
	ahead  bool          // the one of the whole source has been precomputed, as far as possible
	closed bool          // the source is closed: nothing is kept
}

type keptSummary struct {
	window   window
	measured bool
	all      []api.Summary
	held     *budget.Claim
}

// maxSummaries is how many are kept: the whole source, and one window.
const maxSummaries = 2

// keepable reports whether the requested summary can be cached: it covers all
// metrics, and none is user-defined, as those may be redefined.
func (src *source) keepable(q api.SummaryQuery) bool {
	if q.Metrics != nil || q.Bins != 0 || src.loader.share() < 1 {
		return false
	}
	src.mu.Lock()
	defer src.mu.Unlock()
	return len(src.derived.Definitions()) == 0
}

// worthKeeping reports whether a summary of that many series is smaller than the
// data it summarises. If it is not, computing it again costs about as much as
// copying it.
func (src *source) worthKeeping(series int) bool {
	const always = 4 << 20
	read := int64(always)
	for _, p := range src.parts {
		for _, f := range p.Files() {
			read += max(f.Read, f.Unpacked)
		}
	}
	return summaryBytes*int64(series) <= read
}

// find returns a cached summary, as a list that the caller may modify.
func (k *keptSummaries) find(w window, measured bool) ([]api.Summary, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	i := slices.IndexFunc(k.list, func(s keptSummary) bool { return s.window == w && s.measured == measured })
	if i < 0 {
		return nil, false
	}
	s := k.list[i]
	k.list = append(slices.Delete(k.list, i, i+1), s)
	return slices.Clone(s.all), true
}

// keep caches a summary if there is memory for it.
func (k *keptSummaries) keep(memory *budget.Budget, w window, measured bool, all []api.Summary) {
	held := memory.Claim(0)
	if held.Take(summaryBytes*int64(len(all))) != nil {
		held.Release()
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		held.Release()
		return
	}
	if len(k.list) == maxSummaries {
		k.list[0].held.Release()
		k.list = slices.Delete(k.list, 0, 1)
	}
	k.list = append(k.list, keptSummary{w, measured, slices.Clone(all), held})
}

// drop clears the cache; permanently if the source is closed.
func (k *keptSummaries) drop(closed bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = k.closed || closed
	for _, s := range k.list {
		s.held.Release()
	}
	k.list, k.ahead = nil, false
}

// Prepare computes in advance what takes seconds and may be asked for next: the
// summary of the whole of each source that has been read and whose overview has
// been requested. Call it when idle; it returns early if the context ends.
func (s *Session) Prepare(ctx context.Context) {
	s.mu.Lock()
	sources := slices.Clone(s.sources)
	s.mu.Unlock()
	for _, src := range sources {
		if src.about.Kind != "archive" || !src.lookedAt() || !src.keepable(api.SummaryQuery{}) || src.kept.isAhead() {
			continue
		}
		s.prepare(ctx, src)
		if ctx.Err() != nil {
			return
		}
		src.kept.setAhead()
	}
}

// prepare summarises a source. It recovers from panics because no caller is
// waiting to.
func (s *Session) prepare(ctx context.Context, src *source) (err error) {
	defer pcp.Recover("summarising "+src.about.Name, &err)
	_, err = s.Summary(ctx, api.SummaryQuery{Source: src.about.ID, Measured: true}, nil)
	return err
}

func (k *keptSummaries) isAhead() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.ahead
}

func (k *keptSummaries) setAhead() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ahead = true
}

// lookedAt reports whether the overview has been requested.
func (src *source) lookedAt() bool {
	src.insight.mu.Lock()
	defer src.insight.mu.Unlock()
	return src.insight.overview != nil
}
