package archive

import (
	"fmt"
	"sync"

	"pcpscope/core/pcp"
)

const maxFaults = 200 // of one archive; a file of noise must not fill the memory with messages

// faults collects what is wrong with an archive.
type faults struct {
	mu   sync.Mutex
	list []pcp.Fault
	more int // faults that were counted only
}

// reset removes all faults.
func (l *faults) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list, l.more = nil, 0
}

// add adds a fault with what was done about it.
func (l *faults) add(f *pcp.Fault, done string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.list) >= maxFaults {
		l.more++
		return
	}
	g := *f
	if g.Done = done; len(args) > 0 {
		g.Done = fmt.Sprintf(done, args...)
	}
	l.list = append(l.list, g)
}

// enough reports whether the list is full; if so it counts a fault, so that the
// caller need not format one.
func (l *faults) enough() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.list) < maxFaults {
		return false
	}
	l.more++
	return true
}

// replace substitutes a fault for the same fault without its consequences.
func (l *faults) replace(f *pcp.Fault, done string) {
	l.mu.Lock()
	for i := range l.list {
		g := &l.list[i]
		if g.File == f.File && g.Message == f.Message && (g.Lost == nil || *g.Lost == *f.Lost) && sameOffset(g, f) {
			g.Lost, g.Done = f.Lost, done
			l.mu.Unlock()
			return
		}
	}
	l.mu.Unlock()
	l.add(f, "%s", done)
}

func sameOffset(f, g *pcp.Fault) bool {
	return (f.Offset == nil) == (g.Offset == nil) && (f.Offset == nil || *f.Offset == *g.Offset)
}

// cut removes all but the first n faults.
func (l *faults) cut(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list, l.more = l.list[:n], 0
}

// all returns the faults so far.
func (l *faults) all() []pcp.Fault {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := append([]pcp.Fault(nil), l.list...)
	if l.more > 0 {
		list = append(list, *pcp.Faultf(pcp.Corrupt, "There are %d further problems of this kind.", l.more))
	}
	return list
}

// in returns a view for the faults of one file.
func (l *faults) in(file string) fileFaults { return fileFaults{l, file} }

type fileFaults struct {
	*faults
	file string
}

func (f fileFaults) add(fault *pcp.Fault, done string, args ...any) {
	f.faults.add(fault.In(f.file), done, args...)
}

// choose picks the words for one or for many.
func choose(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
