package core

import (
	"cmp"
	"slices"
	"sync"

	"pcpscope/core/api"
	"pcpscope/core/budget"
)

// keptAnswers caches the latest summaries of all metrics and the latest
// comparisons: over weeks each takes seconds, and users often return to one.
type keptAnswers struct {
	mu     sync.Mutex
	list   []keptAnswer // newest last
	now    *job         // what is being computed in advance; nil for nothing
	cancel func()       // cancels that; nil if there is nothing
	ahead  bool         // everything has been computed in advance, as far as possible
	part   *summing     // a summary of which parts have been asked for, nil for none
	most   int          // answers that are kept; 0 means maxAnswers
	closed bool         // the source is closed: nothing is kept
}

type keptAnswer struct {
	of     any // summaryKey or comparisonKey
	answer any // []api.Summary or api.Comparison
	held   *budget.Claim
}

// maxAnswers is how many are kept: what is computed in advance, and two of other windows.
const maxAnswers = 4

// The questions whose answers are kept, or computed in advance.
type (
	summaryKey struct {
		window
		measured bool
	}
	comparisonKey struct {
		a, b          window
		effect, shift float64
		processes     bool
		points        int
	}
	dashboardsKey struct{}
)

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

// find returns a cached answer, nil if there is none. It must not be modified.
func (k *keptAnswers) find(of any) any {
	k.mu.Lock()
	defer k.mu.Unlock()
	i := slices.IndexFunc(k.list, func(a keptAnswer) bool { return a.of == of })
	if i < 0 {
		return nil
	}
	a := k.list[i]
	k.list = append(slices.Delete(k.list, i, i+1), a)
	return a.answer
}

// keep caches an answer of so many bytes if there is memory for it.
func (k *keptAnswers) keep(memory *budget.Budget, of, answer any, bytes int64) {
	held := memory.Claim(0)
	if held.Take(bytes) != nil {
		held.Release()
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		held.Release()
		return
	}
	if len(k.list) == cmp.Or(k.most, maxAnswers) {
		k.list[0].held.Release()
		k.list = slices.Delete(k.list, 0, 1)
	}
	k.list = append(k.list, keptAnswer{of, answer, held})
}

// suspend keeps a summary that has not ended, instead of the one before.
func (k *keptAnswers) suspend(t *summing) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.abandon()
	if k.closed {
		t.release()
		return
	}
	k.part = t
}

// abandon ends the summary that is kept. The caller holds k.mu.
func (k *keptAnswers) abandon() {
	if k.part != nil {
		k.part.release()
	}
	k.part = nil
}

// resume returns the summary of a query that goes on with the given series, nil if
// it is not kept.
func (k *keptAnswers) resume(q api.SummaryQuery, w window, from int) *summing {
	k.mu.Lock()
	defer k.mu.Unlock()
	t := k.part
	if from == 0 || t == nil || t.passed != from || t.window != w || t.query.Bins != q.Bins || t.query.Measured != q.Measured ||
		(t.query.Metrics == nil) != (q.Metrics == nil) || !slices.Equal(t.query.Metrics, q.Metrics) {
		return nil
	}
	k.part = nil
	return t
}

// begin reports whether computing in advance may begin; cancel ends it.
func (k *keptAnswers) begin(cancel func()) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed || k.cancel != nil {
		return false
	}
	k.cancel = cancel
	return true
}

// rest notes that nothing is computed in advance any more.
func (k *keptAnswers) rest() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cancel = nil
}

// start and end note what is being computed in advance.
func (k *keptAnswers) start(j *job) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.now = j
}

func (k *keptAnswers) end(j *job) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.now = nil
	close(j.done)
}

// job returns the job that is computing an answer in advance; nil if there is none.
func (k *keptAnswers) job(of any) *job {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.now == nil || k.now.of != of {
		return nil
	}
	return k.now
}

// drop clears the cache and cancels what is being computed in advance; permanently
// if the source is closed.
func (k *keptAnswers) drop(closed bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = k.closed || closed
	k.abandon()
	if k.cancel != nil {
		k.cancel()
	}
	for _, s := range k.list {
		s.held.Release()
	}
	k.list, k.ahead = nil, false
}

func (k *keptAnswers) isAhead() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.ahead
}

func (k *keptAnswers) setAhead() {
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

// Answers to questions of the page, as they were sent, are kept as long as they are
// small: whoever opens a dashboard again, or goes back to a window, need not wait.
const (
	maxSent      = 24
	maxSentBytes = 1 << 20
)

// Kept returns the kept answer to a question about a source; nil if there is none.
func (s *Session) Kept(id api.SourceID, question string) any {
	src, err := s.source(id)
	if err != nil || !src.settled() {
		return nil
	}
	return src.sent.find(question)
}

// Keep keeps the answer that answer gives to a question, and its size in bytes, if the
// source had been read completely when the question came. Whoever changes what
// questions mean, such as by defining metrics, has nothing kept.
func (s *Session) Keep(id api.SourceID, question string, answer func() (any, int64, error)) (any, error) {
	src, err := s.source(id)
	settled := err == nil && src.settled()
	made, bytes, err := answer()
	if err == nil && settled && src.settled() && bytes <= maxSentBytes {
		src.sent.keep(s.memory, question, made, bytes)
	}
	return made, err
}

// settled reports whether the same question always has the same answer.
func (src *source) settled() bool {
	return src.about.Kind == "archive" && src.keepable(api.SummaryQuery{})
}
