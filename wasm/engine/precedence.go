package engine

import (
	"slices"
	"sync"
	"time"

	"pcpscope/core/api"
)

// precedence lets the first chart of many archives be drawn before they are read: it is a
// preview in any case, and while all of them are unpacked and read, the page that has to
// ask for it and to draw it gets half a core.
type precedence struct {
	mu   sync.Mutex
	over chan struct{} // closed when reading may go on; nil if it may
}

const (
	manyFiles = 24 // of a source: a week, with three files a day
	// patience is how long reading waits for a chart at most, as on a page without panels.
	patience = 1200 * time.Millisecond
)

// opened begins it where a source that was opened has many files.
func (p *precedence) opened(sources []api.Source) {
	if slices.ContainsFunc(sources, func(s api.Source) bool { return len(s.Members) >= manyFiles }) {
		p.begin(patience)
	}
}

// begin makes reading wait until end is called, or so long.
func (p *precedence) begin(limit time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over != nil {
		return
	}
	over := make(chan struct{})
	p.over = over
	time.AfterFunc(limit, func() { p.finish(over) })
}

// end lets reading go on.
func (p *precedence) end() { p.finish(nil) }

// finish ends one period, or whichever there is.
func (p *precedence) finish(over chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over != nil && (over == nil || over == p.over) {
		close(p.over)
		p.over = nil
	}
}

// wait is called by reading.
func (p *precedence) wait() {
	p.mu.Lock()
	over := p.over
	p.mu.Unlock()
	if over != nil {
		<-over
	}
}
