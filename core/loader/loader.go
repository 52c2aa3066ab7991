// Package loader reads the parts of a source in the background, in the order in which
// callers wait for them. It knows neither what is in them nor how they are read.
package loader

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

// A Part is read in one go, such as an archive.
type Part struct {
	Name   string // for progress
	Size   int64  // bytes, until Read reports another total
	Packed bool   // compressed
	// Read reads it. A panic becomes its error.
	Read func(ctx context.Context, progress func(done, total int64)) error
}

// A Loader reads the parts of one source in the background: first those that a
// caller waits for, then the others in order of time. They are read one at a
// time, except that compressed ones are read in parallel if they are unpacked
// in other threads.
type Loader struct {
	lanes      int // compressed parts read at once; at least 1
	mu         sync.Mutex
	cancel     context.CancelCauseFunc // nil while nothing is being read
	running    sync.Mutex              // held by run
	parts      []part
	open       int           // number of parts not finished
	amount                   // of all parts
	queue      [2][]int      // parts to be read, next first: all, and the compressed ones; nil: to be rebuilt
	waits      []*wait       // callers that wait
	changed    chan struct{} // closed and replaced whenever a field below changes
	foreground sync.Mutex    // held between Pause and its return
}

type part struct {
	Part
	amount
	waiters int
	state   state
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

type state int

const (
	waiting state = iota
	reading
	finished
)

// New returns a loader that has not started yet. It reads up to lanes parts at once.
func New(parts []Part, lanes int) *Loader {
	l := &Loader{lanes: max(1, lanes), parts: make([]part, len(parts)), open: len(parts), changed: make(chan struct{})}
	for i, p := range parts {
		l.parts[i] = part{Part: p, amount: amount{total: p.Size}}
		l.total += p.Size
	}
	return l
}

// Start starts reading; a second call does nothing.
func (l *Loader) Start() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cancel == nil {
		ctx, cancel := context.WithCancelCause(context.Background())
		l.cancel = cancel
		go l.run(ctx)
	}
}

// errHalted is the cause of the cancellation by Halt.
var errHalted = errors.New("halted")

// Halt interrupts reading. Waiting callers return with an error; the next Wait
// resumes reading, with the interrupted part from its beginning.
func (l *Loader) Halt() {
	l.update(func() {
		if l.cancel != nil {
			l.cancel(errHalted)
			l.cancel = nil
		}
	})
}

// Stop ends reading for good: present and future waits fail because the source
// was closed.
func (l *Loader) Stop() {
	l.Start() // so that there is a context to cancel
	l.cancel(context.Canceled)
}

func (l *Loader) run(ctx context.Context) {
	l.running.Lock()
	defer l.running.Unlock()
	var lanes sync.WaitGroup
	for k := range l.lanes {
		lanes.Go(func() { l.lane(ctx, k > 0) })
	}
	lanes.Wait()
}

// lane reads one part after the other; with packed, only compressed ones.
func (l *Loader) lane(ctx context.Context, packed bool) {
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
		if passing(err) && ctx.Err() == nil {
			l.update(func() { l.interrupt(i, err) })
			return
		}
		l.update(func() { l.finish(i, err) })
	}
}

func passing(err error) bool {
	f := pcp.AsFault(err)
	return f != nil && f.Passing
}

// interrupt records that a part cannot be read now. Waiting callers get the error; the
// next Wait resumes reading, with this part from its beginning.
func (l *Loader) interrupt(i int, err error) {
	l.parts[i].state, l.parts[i].err, l.queue = waiting, err, [2][]int{}
	for _, w := range l.waits {
		if w.open > 0 && w.err == nil {
			w.err = err
		}
	}
	if l.cancel != nil {
		l.cancel(errHalted) // other lanes would meet the same
		l.cancel = nil
	}
}

func (l *Loader) readPart(ctx context.Context, i int) (err error) {
	p := &l.parts[i]
	if ctx.Err() != nil {
		return cancelled()
	}
	defer pcp.Recover("reading "+p.Name, &err)
	return p.Read(ctx, func(done, total int64) {
		l.foreground.Lock() // a foreground question goes first
		l.foreground.Unlock()
		l.update(func() { l.progressed(i, amount{done, total}) })
	})
}

// progressed records how much of a part has been read.
func (l *Loader) progressed(i int, now amount) {
	p := &l.parts[i]
	done, total := now.done-p.done, now.total-p.total
	p.amount = now
	l.done, l.total = l.done+done, l.total+total
	for _, w := range l.waits {
		if w.wants[i] {
			w.done, w.total, w.at = w.done+done, w.total+total, p.Name
		}
	}
}

// finish records that reading of a part has ended.
func (l *Loader) finish(i int, err error) {
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
func (l *Loader) next(packed bool) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	which := 0
	if packed {
		which = 1
	}
	if l.queue[which] == nil {
		list := []int{}
		for i := range l.parts {
			if l.parts[i].state == waiting && (l.parts[i].Packed || !packed) {
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
			l.parts[i].state, l.parts[i].err = reading, nil
			for _, w := range l.waits {
				if w.wants[i] {
					w.at = l.parts[i].Name
				}
			}
			return i
		}
	}
	return -1
}

// Pause makes reading pause at its next progress, until the function it returns is called:
// for a question that is answered meanwhile, since both share the processor and the user
// is waiting for the answer.
func (l *Loader) Pause() (resume func()) {
	l.foreground.Lock()
	return l.foreground.Unlock
}

// Waiters returns how many callers wait for a part.
func (l *Loader) Waiters(i int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.parts[i].waiters
}

func (l *Loader) update(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
	close(l.changed)
	l.changed = make(chan struct{})
}

// Share returns how much has been read, 0 to 1.
func (l *Loader) Share() float64 {
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

// Refused lists why parts were not read, other than by cancellation.
func (l *Loader) Refused() []pcp.Fault {
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

// Wait returns once all parts selected by want have been read. Damage is not an
// error here: it is among the source's problems.
func (l *Loader) Wait(ctx context.Context, want func(i int) bool, progress func(api.Progress)) error {
	l.Start()
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
func (l *Loader) claim(want func(i int) bool) *wait {
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
				w.at = p.Name
			}
		case w.err == nil:
			w.err = p.err
		}
	}
	l.waits, l.queue = append(l.waits, w), [2][]int{}
	return w
}

// leave ends a wait.
func (l *Loader) leave(w *wait) {
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
