package core

import (
	"context"
	"errors"
	"sync"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A loader reads the segments of one source in the background: first those
// that somebody waits for, then the others in order of time. They are read one
// at a time, but compressed ones beside each other where they are unpacked in
// other threads.
type loader struct {
	lanes   int // compressed parts that are read at once; at least 1
	mu      sync.Mutex
	cancel  context.CancelCauseFunc // nil while nothing is being read
	running sync.Mutex              // held by run
	parts   []loadPart
	changed chan struct{} // closed, and replaced, whenever something below changes
	// foreground is held while a question is answered for which reading should
	// pause: both share the processor, and the user is waiting for the answer.
	foreground sync.Mutex
}

type loadPart struct {
	packed  bool // compressed
	read    func(ctx context.Context, progress func(done, total int64)) error
	name    string
	done    int64
	total   int64
	waiters int
	state   loadState
	err     error
}

type loadState int

const (
	waiting loadState = iota
	reading
	finished
)

// newLoader prepares to read parts; start begins.
func newLoader(parts []loadPart, lanes int) *loader {
	return &loader{lanes: max(1, lanes), parts: parts, changed: make(chan struct{})}
}

// start begins to read; a second call does nothing.
func (l *loader) start() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cancel == nil {
		ctx, cancel := context.WithCancelCause(context.Background())
		l.cancel = cancel
		go l.run(ctx)
	}
}

// errHalted is why the context of run ends when halt was called.
var errHalted = errors.New("halted")

// halt interrupts reading. Callers that wait are woken with an error; the next
// one to wait resumes it, with the interrupted part from its beginning.
func (l *loader) halt() {
	l.update(func() {
		if l.cancel != nil {
			l.cancel(errHalted)
			l.cancel = nil
		}
	})
}

// stop ends reading for good: callers that wait, now or later, learn that the
// source was closed.
func (l *loader) stop() {
	l.start() // so that there is a context to cancel, for later callers, too
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

// lane reads one part after the other, or of the compressed ones only.
func (l *loader) lane(ctx context.Context, packed bool) {
	for {
		i := l.next(packed)
		if i < 0 {
			return
		}
		p := &l.parts[i]
		err := l.readPart(ctx, p)
		if context.Cause(ctx) == errHalted && err != nil {
			l.update(func() { p.state = waiting })
			return
		}
		l.update(func() { p.state, p.err, p.done = finished, err, p.total })
	}
}

func (l *loader) readPart(ctx context.Context, p *loadPart) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	defer pcp.Recover("reading "+p.name, &err)
	return p.read(ctx, func(done, total int64) {
		l.foreground.Lock() // who holds it goes first
		l.foreground.Unlock()
		l.update(func() { p.done, p.total = done, total })
	})
}

// next claims the part to be read next, or returns -1.
func (l *loader) next(packed bool) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	best := -1
	for i := range l.parts {
		if packed && !l.parts[i].packed {
			continue
		}
		if l.parts[i].state == waiting && (best < 0 || l.parts[i].waiters > l.parts[best].waiters) {
			best = i
		}
	}
	if best >= 0 {
		l.parts[best].state = reading
	}
	return best
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
	var done, total float64
	open := 0
	for i := range l.parts {
		done, total = done+float64(l.parts[i].done), total+float64(l.parts[i].total)
		if l.parts[i].state != finished {
			open++
		}
	}
	if open == 0 {
		return 1
	}
	if total == 0 {
		return 0
	}
	return min(done/total, 0.999)
}

// refused lists why parts were not read, other than that reading was ended.
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

// wait returns when the parts that want selects have been read. Damage is no
// error here: it is among the source's problems.
func (l *loader) wait(ctx context.Context, want func(i int) bool, progress func(api.Progress)) error {
	l.start()
	l.claim(want, 1)
	defer l.claim(want, -1)
	for {
		l.mu.Lock()
		var p api.Progress
		open := 0
		var err error
		for i := range l.parts {
			if !want(i) {
				continue
			}
			part := &l.parts[i]
			p.Done, p.Total = p.Done+float64(part.done), p.Total+float64(part.total)
			switch part.state {
			case finished:
				if part.err != nil && err == nil {
					err = part.err
				}
			case reading:
				p.Phase = "reading " + part.name
				open++
			default:
				open++
			}
		}
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

func (l *loader) claim(want func(i int) bool, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.parts {
		if want(i) {
			l.parts[i].waiters += n
		}
	}
}

func cancelled() *pcp.Fault { return pcp.Faultf(pcp.Cancelled, "Cancelled.") }
