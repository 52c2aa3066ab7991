package core

import "pcpscope/core/pcp"

// maxProblems is how many problems of a source are listed, and maxInspected how
// many of what a check found: a folder may hold tens of thousands of archives
// with a few each.
const (
	maxProblems  = 1000
	maxInspected = 5000
)

// A problemList is a list of problems of bounded length.
type problemList struct {
	limit int
	list  []pcp.Fault
	left  int // problems beyond those listed
}

func (l *problemList) add(faults ...pcp.Fault) {
	fit := min(len(faults), l.limit-len(l.list))
	l.list = append(l.list, faults[:fit]...)
	l.left += len(faults) - fit
}

// addOf adds the problems of a part.
func (l *problemList) addOf(p segment) {
	l.add(p.Problems()...)
	if r, ok := p.(*readings); ok {
		l.left += r.unlisted()
	}
}

// full reports whether further problems are only counted.
func (l *problemList) full() bool { return len(l.list) == l.limit }

// all returns the list, never nil, with a last entry that says how many
// problems are not in it.
func (l *problemList) all() []pcp.Fault {
	if l.left > 0 {
		return append(l.list, *pcp.Faultf(pcp.Corrupt, "There are %s further problems, which are not listed.", pcp.Grouped(l.left)))
	}
	if l.list == nil {
		return []pcp.Fault{}
	}
	return l.list
}
