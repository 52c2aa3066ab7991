package loader

import (
	"context"
	"slices"
	"sync"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// steps are parts that are read when the test says so. order is the order in which reading
// them began.
type steps struct {
	mu      sync.Mutex
	order   []string
	began   chan string
	proceed chan error
}

func newSteps() *steps { return &steps{began: make(chan string), proceed: make(chan error)} }

func (s *steps) part(name string, size int64) Part {
	return Part{Name: name, Size: size, Read: func(ctx context.Context, progress func(done, total int64)) error {
		s.mu.Lock()
		s.order = append(s.order, name)
		s.mu.Unlock()
		select {
		case s.began <- name:
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case err := <-s.proceed:
			progress(size, size)
			return err
		case <-ctx.Done():
			return pcp.Faultf(pcp.Cancelled, "Cancelled.")
		}
	}}
}

func only(n int) func(int) bool { return func(i int) bool { return i == n } }

func all(int) bool { return true }

// waitFor waits for parts in the background, and returns once the loader knows of it.
func waitFor(l *Loader, n int, want func(int) bool) <-chan error {
	done := make(chan error, 1)
	registered := make(chan struct{})
	var once sync.Once
	go func() {
		done <- l.Wait(context.Background(), want, func(api.Progress) { once.Do(func() { close(registered) }) })
	}()
	<-registered
	if l.Waiters(n) == 0 {
		panic("nobody waits")
	}
	return done
}

// A part that a caller waits for is read next; the others in order.
func TestAwaitedPartsComeFirst(t *testing.T) {
	s := newSteps()
	l := New([]Part{s.part("a", 10), s.part("b", 10), s.part("c", 20)}, 1)
	if l.Share() != 0 {
		t.Errorf("%v is read at the beginning", l.Share())
	}
	l.Start()
	<-s.began
	c := waitFor(l, 2, only(2))
	s.proceed <- nil
	<-s.began
	if got := l.Share(); got != 0.25 { // 10 of 40
		t.Errorf("%v has been read, want 0.25", got)
	}
	s.proceed <- nil
	if err := <-c; err != nil {
		t.Error(err)
	}
	<-s.began
	b := waitFor(l, 1, all)
	s.proceed <- nil
	if err := <-b; err != nil || l.Share() != 1 {
		t.Errorf("%v, %v is read at the end", err, l.Share())
	}
	if want := []string{"a", "c", "b"}; !slices.Equal(s.order, want) {
		t.Errorf("read in the order %v, want %v", s.order, want)
	}
}

// Halt ends present waits. The next one resumes with the interrupted part.
func TestHaltAndResume(t *testing.T) {
	s := newSteps()
	l := New([]Part{s.part("a", 10), s.part("b", 10)}, 1)
	w := waitForAll(l)
	<-s.began
	l.Halt()
	if f := pcp.AsFault(<-w); f == nil || f.Kind != pcp.Cancelled {
		t.Errorf("the caller gets %v", f)
	}
	w = waitForAll(l)
	for range 2 {
		<-s.began
		s.proceed <- nil
	}
	if err := <-w; err != nil {
		t.Error(err)
	}
	if want := []string{"a", "a", "b"}; !slices.Equal(s.order, want) {
		t.Errorf("read in the order %v, want %v", s.order, want)
	}
}

func waitForAll(l *Loader) <-chan error {
	done := make(chan error, 1)
	go func() { done <- l.Wait(context.Background(), all, nil) }()
	return done
}

// What stops one part stops no other, and is listed unless it is a cancellation. After
// Stop nothing is read any more.
func TestFaultsOfParts(t *testing.T) {
	refuse := func(context.Context, func(done, total int64)) error {
		return pcp.Faultf(pcp.Truncated, "It is truncated.")
	}
	crash := func(context.Context, func(done, total int64)) error { panic("a bug") }
	l := New([]Part{{Name: "a", Size: 1, Read: refuse}, {Name: "b", Size: 1, Read: crash}, {Name: "c", Size: 1, Read: func(context.Context, func(done, total int64)) error { return nil }}}, 1)
	for i, want := range []pcp.FaultKind{pcp.Truncated, pcp.Internal} {
		if f := pcp.AsFault(l.Wait(t.Context(), only(i), nil)); f == nil || f.Kind != want {
			t.Errorf("part %d gives %v, want %s", i, f, want)
		}
	}
	if err := l.Wait(t.Context(), only(2), nil); err != nil {
		t.Error(err)
	}
	if got := l.Refused(); len(got) != 2 || got[0].Kind != pcp.Truncated || got[1].Kind != pcp.Internal {
		t.Errorf("refused: %v", got)
	}

	s := newSteps()
	l = New([]Part{s.part("a", 10), s.part("b", 10)}, 1)
	w := waitForAll(l)
	<-s.began
	l.Stop()
	if f := pcp.AsFault(<-w); f == nil || f.Kind != pcp.Cancelled {
		t.Errorf("the caller gets %v after Stop", f)
	}
	for i := range 2 { // the first was being read, the second had not begun
		if f := pcp.AsFault(l.Wait(t.Context(), only(i), nil)); f == nil || f.Kind != pcp.Cancelled {
			t.Errorf("a later caller gets %v for part %d", f, i)
		}
	}
	if len(l.Refused()) != 0 {
		t.Errorf("refused: %v", l.Refused())
	}
}

// A part that cannot be read now ends present waits. The next one reads it again, from its
// beginning; parts that have been read stay.
func TestReadingIsInterrupted(t *testing.T) {
	s := newSteps()
	l := New([]Part{s.part("a", 10), s.part("b", 10), s.part("c", 10)}, 1)
	away := &pcp.Fault{Kind: pcp.Internal, Message: "It does not answer.", Passing: true}
	for i := range 2 {
		w := waitForAll(l)
		if i == 0 {
			<-s.began
			s.proceed <- nil
		}
		<-s.began
		s.proceed <- away
		if err := <-w; err != away {
			t.Errorf("the caller gets %v", err)
		}
		if got := l.Refused(); len(got) != 1 || got[0].Message != away.Message || l.Share() >= 1 {
			t.Errorf("refused: %v, %v is read", got, l.Share())
		}
	}
	w := waitForAll(l)
	for range 2 {
		<-s.began
		s.proceed <- nil
	}
	if err := <-w; err != nil || len(l.Refused()) > 0 || l.Share() != 1 {
		t.Errorf("%v, %v, %v is read", err, l.Refused(), l.Share())
	}
	if want := []string{"a", "b", "b", "b", "c"}; !slices.Equal(s.order, want) {
		t.Errorf("read in the order %v, want %v", s.order, want)
	}
	l.Stop()
	if err := l.Wait(t.Context(), all, nil); err != nil {
		t.Error(err)
	}
}
