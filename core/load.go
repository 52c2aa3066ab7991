package core

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// A loader reads the parts of one source in the background: first those that a
// caller waits for, then the others in order of time. They are read one at a
// time, except that compressed ones are read in parallel if they are unpacked
// in other threads.
type loader struct {
	lanes   int // compressed parts read at once; at least 1
	mu      sync.Mutex
	cancel  context.CancelCauseFunc // nil while nothing is being read
	running sync.Mutex              // held by run
	parts   []loadPart
	open    int           // number of parts not finished
	amount                // of all parts
	queue   [2][]int      // parts to be read, next first: all, and the compressed ones; nil: to be rebuilt
	waits   []*wait       // callers that wait
	changed chan struct{} // closed and replaced whenever a field below changes
	// foreground is held while answering a question that reading should pause
	// for: both share the processor, and the user is waiting for the answer.
	foreground sync.Mutex
}

type loadPart struct {
	packed bool // compressed
	read   func(ctx context.Context, progress func(done, total int64)) error
	name   string
	amount
	waiters int
	state   loadState
	err     error
}

// An amount is how many bytes have been read, and of how many.
type amount struct{ done, total int64 }

// A wait is one caller's wait. Its totals are updated as parts progress,
// because there may be tens of thousands of parts.
type wait struct {
	wants []bool // by part
	open  int    // number of wanted parts not finished
	amount
	at  string // name of the part being read
	err error  // of a wanted part that failed
}

type loadState int

const (
	waiting loadState = iota
	reading
	finished
)

// newLoader returns a loader that has not started yet.
func newLoader(parts []loadPart, lanes int) *loader {
	l := &loader{lanes: max(1, lanes), parts: parts, open: len(parts), changed: make(chan struct{})}
	for i := range parts {
		l.total += parts[i].total
	}
	return l
}

// start starts reading; a second call does nothing.
func (l *loader) start() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cancel == nil {
		ctx, cancel := context.WithCancelCause(context.Background())
		l.cancel = cancel
		go l.run(ctx)
	}
}

// errHalted is the cause of the cancellation by halt.
var errHalted = errors.New("halted")

// halt interrupts reading. Waiting callers return with an error; the next wait
// resumes reading, with the interrupted part from its beginning.
func (l *loader) halt() {
	l.update(func() {
		if l.cancel != nil {
			l.cancel(errHalted)
			l.cancel = nil
		}
	})
}

// stop ends reading for good: present and future waits fail because the source
// was closed.
func (l *loader) stop() {
	l.start() // so that there is a context to cancel
	l.cancel(context.Canceled)
}

func (l *loader) run(ctx context.Context) {
	l.running.Lock()
	defer l.running.Unlock()
	var lanes sync.WaitGroup
	for k := range l.lanes {
		lanes.Go(func() { l.lane(ctx, k > 0) })
	}
	lanes.Wait()
}

// lane reads one part after the other; with packed, only compressed ones.
func (l *loader) lane(ctx context.Context, packed bool) {
	for {
		i := l.next(packed)
		if i < 0 {
			return
		}
		err := l.readPart(ctx, i)
		if context.Cause(ctx) == errHalted && err != nil {
			l.update(func() { l.parts[i].state, l.queue = waiting, [2][]int{} })
			return
		}
		l.update(func() { l.finish(i, err) })
	}
}

func (l *loader) readPart(ctx context.Context, i int) (err error) {
	p := &l.parts[i]
	if err := ctx.Err(); err != nil {
		return err
	}
	defer pcp.Recover("reading "+p.name, &err)
	return p.read(ctx, func(done, total int64) {
		l.foreground.Lock() // a foreground question goes first
		l.foreground.Unlock()
		l.update(func() { l.progressed(i, amount{done, total}) })
	})
}

// progressed records how much of a part has been read.
func (l *loader) progressed(i int, now amount) {
	p := &l.parts[i]
	done, total := now.done-p.done, now.total-p.total
	p.amount = now
	l.done, l.total = l.done+done, l.total+total
	for _, w := range l.waits {
		if w.wants[i] {
			w.done, w.total, w.at = w.done+done, w.total+total, p.name
		}
	}
}

// finish records that reading of a part has ended.
func (l *loader) finish(i int, err error) {
	p := &l.parts[i]
	l.progressed(i, amount{p.total, p.total})
	p.state, p.err = finished, err
	l.open--
	for _, w := range l.waits {
		if w.wants[i] {
			w.open--
			if w.err == nil {
				w.err = err
			}
		}
	}
}

// next claims the part to be read next, or returns -1.
func (l *loader) next(packed bool) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	which := 0
	if packed {
		which = 1
	}
	if l.queue[which] == nil {
		list := []int{}
		for i := range l.parts {
			if l.parts[i].state == waiting && (l.parts[i].packed || !packed) {
				list = append(list, i)
			}
		}
		sorting.Stable(list, func(a, b int) int { return cmp.Compare(l.parts[b].waiters, l.parts[a].waiters) })
		l.queue[which] = list
	}
	for len(l.queue[which]) > 0 {
		i := l.queue[which][0]
		l.queue[which] = l.queue[which][1:]
		if l.parts[i].state == waiting {
			l.parts[i].state = reading
			for _, w := range l.waits {
				if w.wants[i] {
					w.at = l.parts[i].name
				}
			}
			return i
		}
	}
	return -1
}

func (l *loader) update(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
	close(l.changed)
	l.changed = make(chan struct{})
}

// share returns how much has been read, 0 to 1.
func (l *loader) share() float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == 0 {
		return 1
	}
	if l.total == 0 {
		return 0
	}
	return min(float64(l.done)/float64(l.total), 0.999)
}

// refused lists why parts were not read, other than by cancellation.
func (l *loader) refused() []pcp.Fault {
	l.mu.Lock()
	defer l.mu.Unlock()
	var faults []pcp.Fault
	for i := range l.parts {
		if f := pcp.AsFault(l.parts[i].err); f != nil && f.Kind != pcp.Cancelled {
			faults = append(faults, *f)
		}
	}
	return faults
}

// wait returns once all parts selected by want have been read. Damage is not an
// error here: it is among the source's problems.
func (l *loader) wait(ctx context.Context, want func(i int) bool, progress func(api.Progress)) error {
	l.start()
	w := l.claim(want)
	defer l.leave(w)
	for {
		l.mu.Lock()
		p := api.Progress{Done: float64(w.done), Total: float64(w.total)}
		if w.at != "" {
			p.Phase = "reading " + w.at
		}
		open, err := w.open, w.err
		changed, halted := l.changed, l.cancel == nil
		l.mu.Unlock()
		if open == 0 || err != nil {
			if err != nil && ctx.Err() == nil && pcp.AsFault(err).Kind == pcp.Cancelled {
				return pcp.Faultf(pcp.Cancelled, "The source was closed while it was being read.")
			}
			return err
		}
		if halted {
			return pcp.Faultf(pcp.Cancelled, "Reading was stopped.")
		}
		if progress != nil {
			progress(p)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return cancelled()
		}
	}
}

// claim registers a caller that waits for the parts selected by want.
func (l *loader) claim(want func(i int) bool) *wait {
	wants := make([]bool, len(l.parts))
	for i := range wants { // before locking, as want may query the part
		wants[i] = want(i)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	w := &wait{wants: wants}
	for i := range l.parts {
		p := &l.parts[i]
		if !wants[i] {
			continue
		}
		p.waiters++
		w.done, w.total = w.done+p.done, w.total+p.total
		switch {
		case p.state != finished:
			w.open++
			if p.state == reading {
				w.at = p.name
			}
		case w.err == nil:
			w.err = p.err
		}
	}
	l.waits, l.queue = append(l.waits, w), [2][]int{}
	return w
}

// leave ends a wait.
func (l *loader) leave(w *wait) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, is := range w.wants {
		if is {
			l.parts[i].waiters--
		}
	}
	l.waits, l.queue = slices.DeleteFunc(l.waits, func(x *wait) bool { return x == w }), [2][]int{}
}

func cancelled() *pcp.Fault { return pcp.Faultf(pcp.Cancelled, "Cancelled.") }
