package core

import (
	"cmp"
	"slices"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A leadOperand is the operand of an expression with the most records, and of those the
// first. A setting leads only settings.
type leadOperand struct {
	ms     []*archive.Metric
	times  []pcp.Time
	moving bool // otherwise it is a setting
}

func (l *leadOperand) consider(ms []*archive.Metric, times []pcp.Time) {
	moving := descOf(ms).Sem != pcp.Discrete
	if len(times) > 0 && (len(l.times) == 0 || moving && !l.moving || moving == l.moving && len(times) > len(l.times)) {
		*l = leadOperand{ms, times, moving}
	}
}

// lifetimes tell when the instances of a metric were logged: an expression is evaluated at
// times when other instances were, and interpolation gives it a value then.
type lifetimes struct {
	line timeline
	of   map[int32][]pcp.Span // by instance, as far as needed
}

// newLifetimes returns nil if there is nothing to tell: all instances were always logged.
func newLifetimes(line timeline) *lifetimes {
	n := -1
	for _, o := range line.obs {
		if o == nil || len(o.Times) == 0 {
			continue
		}
		if n >= 0 && n != len(o.Series) || slices.ContainsFunc(o.Series, func(s series.Series) bool { return !unbroken(s.Runs) }) {
			return &lifetimes{line: line, of: map[int32][]pcp.Span{}}
		}
		n = len(o.Series)
	}
	return nil
}

// unbroken reports whether a series has a value in every row.
func unbroken(runs []series.Run) bool {
	return len(runs) > 0 && runs[0].Row == 0 && !slices.ContainsFunc(runs, func(r series.Run) bool { return r.Row&^series.RowNum != 0 })
}

// spans returns the times to which records with an instance are the nearest. Of an
// instance that the metric does not have, nothing is known: that is all of them.
func (l *lifetimes) spans(inst int32) []pcp.Span {
	if list, known := l.of[inst]; known {
		return list
	}
	var list []pcp.Span
	known := false
	before := pcp.MinTime // the last row so far
	for i, o := range l.line.obs {
		if o == nil || len(o.Times) == 0 {
			continue
		}
		after := pcp.MaxTime
		for _, next := range l.line.obs[i+1:] {
			if next != nil && len(next.Times) > 0 {
				after = next.Times[0]
				break
			}
		}
		if at, has := slices.BinarySearchFunc(o.Series, inst, func(s series.Series, inst int32) int { return cmp.Compare(s.Inst, inst) }); has {
			known = true
			list = appendLife(list, o.Times, o.Series[at].Runs, before, after)
		}
		before = o.Times[len(o.Times)-1]
	}
	if !known {
		list = []pcp.Span{{Start: pcp.MinTime, End: pcp.MaxTime}}
	}
	l.of[inst] = list
	return list
}

// appendLife appends when a series had values, between the rows before and after its own.
func appendLife(list []pcp.Span, times []pcp.Time, runs []series.Run, before, after pcp.Time) []pcp.Span {
	for k, r := range runs {
		from, to := int(r.Row&series.RowNum), len(times)
		if k+1 < len(runs) {
			to = int(runs[k+1].Row & series.RowNum)
		}
		if r.Row&^series.RowNum != 0 || from >= to {
			continue
		}
		s := pcp.Span{Start: middle(before, times[from]), End: middle(times[to-1], after)}
		if from > 0 {
			s.Start = middle(times[from-1], times[from])
		}
		if to < len(times) {
			s.End = middle(times[to-1], times[to])
		}
		if n := len(list); n > 0 && s.Start <= list[n-1].End {
			list[n-1].End = max(list[n-1].End, s.End)
		} else {
			list = append(list, s)
		}
	}
	return list
}

// middle is halfway between two times; a time that is not known is without bounds.
func middle(a, b pcp.Time) pcp.Time {
	switch {
	case a == pcp.MinTime:
		return a
	case b == pcp.MaxTime:
		return b
	}
	return a + (b-a)/2
}
