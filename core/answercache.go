package core

import (
	"cmp"
	"slices"
	"sync"

	"pcpscope/core/api"
	"pcpscope/core/budget"
)

// answerCache caches the latest summaries of all metrics and the latest
// comparisons: over weeks each takes seconds, and users often return to one.
type answerCache struct {
	mu       sync.Mutex
	entries  []cachedAnswer // newest last
	running  *job           // what is being computed in advance; nil for nothing
	cancel   func()         // cancels that; nil if there is nothing
	prepared bool           // everything has been computed in advance, as far as possible
	partial  *summing       // a summary of which parts have been asked for, nil for none
	limit    int            // answers that are cached; 0 means maxAnswers
	closed   bool           // the source is closed: nothing is cached
}

type cachedAnswer struct {
	of     any // summaryKey or comparisonKey
	answer any // []api.Summary or api.Comparison
	held   *budget.Claim
}

// maxAnswers is how many are cached: those computed in advance, and two of other windows.
const maxAnswers = 4

// The questions whose answers are cached, or computed in advance.
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
	if q.Metrics != nil || q.Bins != 0 || src.loader.Share() < 1 {
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
func (k *answerCache) find(of any) any {
	k.mu.Lock()
	defer k.mu.Unlock()
	i := slices.IndexFunc(k.entries, func(a cachedAnswer) bool { return a.of == of })
	if i < 0 {
		return nil
	}
	a := k.entries[i]
	k.entries = append(slices.Delete(k.entries, i, i+1), a)
	return a.answer
}

// keep caches an answer of that many bytes if there is memory for it.
func (k *answerCache) keep(memory *budget.Budget, of, answer any, bytes int64) {
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
	if len(k.entries) == cmp.Or(k.limit, maxAnswers) {
		k.entries[0].held.Release()
		k.entries = slices.Delete(k.entries, 0, 1)
	}
	k.entries = append(k.entries, cachedAnswer{of, answer, held})
}

// suspend keeps a summary of which not all parts have been requested, instead of the one before.
func (k *answerCache) suspend(t *summing) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.abandon()
	if k.closed {
		t.release()
		return
	}
	k.partial = t
}

// abandon releases that summary. The caller holds k.mu.
func (k *answerCache) abandon() {
	if k.partial != nil {
		k.partial.release()
	}
	k.partial = nil
}

// resume returns the suspended summary if a query continues it at the given series, else nil.
func (k *answerCache) resume(q api.SummaryQuery, w window, from int) *summing {
	k.mu.Lock()
	defer k.mu.Unlock()
	t := k.partial
	if from == 0 || t == nil || t.passed != from || t.window != w || t.query.Bins != q.Bins || t.query.Measured != q.Measured ||
		(t.query.Metrics == nil) != (q.Metrics == nil) || !slices.Equal(t.query.Metrics, q.Metrics) {
		return nil
	}
	k.partial = nil
	return t
}

// begin reports whether computing in advance may begin; cancel ends it.
func (k *answerCache) begin(cancel func()) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed || k.cancel != nil {
		return false
	}
	k.cancel = cancel
	return true
}

// rest notes that computing in advance has ended.
func (k *answerCache) rest() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cancel = nil
}

// start and end note what is being computed in advance.
func (k *answerCache) start(j *job) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.running = j
}

func (k *answerCache) end(j *job) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.running = nil
	close(j.done)
}

// job returns the job that is computing an answer in advance; nil if there is none.
func (k *answerCache) job(of any) *job {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.running == nil || k.running.of != of {
		return nil
	}
	return k.running
}

// drop clears the cache and cancels what is being computed in advance; permanently
// if the source is closed.
func (k *answerCache) drop(closed bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = k.closed || closed
	k.abandon()
	if k.cancel != nil {
		k.cancel()
	}
	for _, s := range k.entries {
		s.held.Release()
	}
	k.entries, k.prepared = nil, false
}

func (k *answerCache) preparedAll() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.prepared
}

func (k *answerCache) setPrepared() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.prepared = true
}

// overviewRequested reports whether the overview has been requested.
func (src *source) overviewRequested() bool {
	src.insight.mu.Lock()
	defer src.insight.mu.Unlock()
	return src.insight.overview != nil
}

// Replies to the page are cached if they are small, so that a dashboard that is opened
// again, or a window that is shown again, is there at once.
const (
	maxReplies    = 24
	maxReplyBytes = 1 << 20
)

// CachedAnswer returns the cached answer to a question about a source; nil if there is none.
func (s *Session) CachedAnswer(id api.SourceID, question string) any {
	src, err := s.source(id)
	if err != nil || !src.settled() {
		return nil
	}
	return src.replies.find(question)
}

// CacheAnswer calls answer, which returns the answer to a question and its size in bytes,
// and caches the answer if the source had been read completely when the question came.
// Nothing is cached while there are user-defined metrics, which may be redefined.
func (s *Session) CacheAnswer(id api.SourceID, question string, answer func() (any, int64, error)) (any, error) {
	src, err := s.source(id)
	settled := err == nil && src.settled()
	made, bytes, err := answer()
	if err == nil && settled && src.settled() && bytes <= maxReplyBytes {
		src.replies.keep(s.memory, question, made, bytes)
	}
	return made, err
}

// settled reports whether the same question always has the same answer.
func (src *source) settled() bool {
	return src.about.Kind == "archive" && src.keepable(api.SummaryQuery{})
}
