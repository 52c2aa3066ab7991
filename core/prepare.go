package core

import (
	"context"
	"slices"
	"sync"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// idleTime is the time in which the session is idle. What is computed in it,
// in advance of questions, pauses while other questions are answered.
type idleTime struct {
	mu      sync.Mutex
	over    bool          // a question is being answered
	changed chan struct{} // closed, and replaced, when that or a job changes; nil if nobody waits
}

// A job is an answer that is being computed in advance.
type job struct {
	of     any // the question: a summaryKey, dashboardsKey or comparisonKey
	wanted int // how many questions wait for it; guarded by idleTime.mu
	done   chan struct{}
}

type jobKey struct{}

// jobOf returns the job that a context belongs to; nil if it is none's.
func jobOf(ctx context.Context) *job {
	j, _ := ctx.Value(jobKey{}).(*job)
	return j
}

func (t *idleTime) change(how func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	how()
	if t.changed != nil {
		close(t.changed)
		t.changed = nil
	}
}

// turn blocks until a job may continue: when the session is idle, or somebody waits
// for its answer.
func (t *idleTime) turn(ctx context.Context, j *job) {
	for {
		t.mu.Lock()
		if !t.over || j.wanted > 0 {
			t.mu.Unlock()
			return
		}
		if t.changed == nil {
			t.changed = make(chan struct{})
		}
		changed := t.changed
		t.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// PausePreparing suspends and resumes what Prepare does, while questions are answered.
func (s *Session) PausePreparing(on bool) {
	s.spare.change(func() { s.spare.over = on })
}

// Prepare computes in advance what takes seconds over weeks and may be asked for
// next, for each source that has been read and whose overview has been requested:
// the summary of the whole, the list of dashboards, and the comparison of its two
// halves. Call it when idle; it returns early if the context ends.
func (s *Session) Prepare(ctx context.Context) {
	s.mu.Lock()
	sources := slices.Clone(s.sources)
	s.mu.Unlock()
	for _, src := range sources {
		if src.about.Kind != "archive" || !src.overviewRequested() || src.loader.Share() < 1 || src.kept.preparedAll() {
			continue
		}
		s.prepare(ctx, src)
		if ctx.Err() != nil {
			return
		}
	}
}

// prepare does that for one source.
func (s *Session) prepare(ctx context.Context, src *source) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if !src.kept.begin(cancel) {
		return
	}
	defer src.kept.rest()
	id := src.about.ID
	if src.keepable(api.SummaryQuery{}) {
		s.precompute(ctx, src, src.wholeSummary(), func(ctx context.Context) error {
			_, err := s.Summary(ctx, api.SummaryQuery{Source: id, Measured: true}, nil)
			return err
		})
	}
	s.precompute(ctx, src, dashboardsKey{}, func(ctx context.Context) error {
		_, err := s.Dashboards(ctx, id)
		return err
	})
	s.precompute(ctx, src, src.halves(), func(ctx context.Context) error {
		_, err := s.compareHalves(ctx, src)
		return err
	})
	if ctx.Err() == nil {
		src.kept.setPrepared()
	}
}

// wholeSummary is the question for the summary of the whole source.
func (src *source) wholeSummary() summaryKey {
	from, to := src.span()
	return summaryKey{window{from, to}, true}
}

// precompute computes one answer. It recovers from panics because no caller is waiting to.
func (s *Session) precompute(ctx context.Context, src *source, of any, answer func(context.Context) error) (err error) {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	j := &job{of: of, done: make(chan struct{})}
	src.kept.start(j)
	defer src.kept.end(j)
	defer pcp.Recover("preparing "+src.about.Name, &err)
	return answer(context.WithValue(ctx, jobKey{}, j))
}

// join waits if the answer to a question is being computed in advance. Afterwards
// it is in the cache, unless something went wrong.
func (s *Session) join(ctx context.Context, src *source, of any) {
	j := src.kept.job(of)
	if j == nil || j == jobOf(ctx) {
		return
	}
	s.spare.change(func() { j.wanted++ })
	defer s.spare.change(func() { j.wanted-- })
	select {
	case <-j.done:
	case <-ctx.Done():
	}
}
