package core

import (
	"context"
	"slices"
	"sync"

	"pcpscope/core/api"
	"pcpscope/core/budget"
	"pcpscope/core/pcp"
)

// keptSummaries are the last summaries of all metrics: of weeks each takes
// seconds, and who looks at one often comes back to it.
type keptSummaries struct {
	mu     sync.Mutex
	list   []keptSummary // the newest last
	ahead  bool          // that of the whole source was worked out ahead, as far as it could be
	closed bool          // nothing is kept any more
}

type keptSummary struct {
	window   window
	measured bool
	all      []api.Summary
	held     *budget.Claim
}

// mostSummaries are kept: that of the whole source, and one of a window.
const mostSummaries = 2

// keepable says whether a summary that is asked for can be kept: it is of all
// metrics, and none of them is the user's own, which may be defined anew.
func (src *source) keepable(q api.SummaryQuery) bool {
	if q.Metrics != nil || q.Bins != 0 || src.loader.share() < 1 {
		return false
	}
	src.mu.Lock()
	defer src.mu.Unlock()
	return len(src.derived.Definitions()) == 0
}

// find returns a summary that was kept; the list is the caller's.
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

// keep takes in a summary where there is memory for it.
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
	if len(k.list) == mostSummaries {
		k.list[0].held.Release()
		k.list = slices.Delete(k.list, 0, 1)
	}
	k.list = append(k.list, keptSummary{w, measured, slices.Clone(all), held})
}

// drop forgets them; for good where the source is closed.
func (k *keptSummaries) drop(closed bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = k.closed || closed
	for _, s := range k.list {
		s.held.Release()
	}
	k.list, k.ahead = nil, false
}

// Prepare works out ahead what takes seconds and may be asked for next: the
// summary over the whole of each source that was read and looked at, its
// overview asked for. It is for times when there is nothing else to do, and
// ends early when the context does.
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

// prepare summarises a source. Nobody waits for it, or would catch its panic.
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

// lookedAt says whether the overview has been asked for.
func (src *source) lookedAt() bool {
	src.insight.mu.Lock()
	defer src.insight.mu.Unlock()
	return src.insight.overview != nil
}
