package core

import (
	"cmp"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// gaps are the interruptions of a source: between its archives and at missing
// volumes nothing is known for a time, at a mark for a moment.
type gaps struct {
	stretches []api.Gap // sorted by start
	marks     []pcp.Time
}

func (src *source) gaps() gaps {
	var g gaps
	for i, p := range src.parts {
		if i > 0 {
			if before := src.parts[i-1].End(); before < p.Start() {
				g.stretches = append(g.stretches, api.Gap{Start: before, End: p.Start(), Why: "between archives"})
			}
		}
		for _, m := range p.Gaps() {
			g.stretches = append(g.stretches, api.Gap{Start: m.Start, End: m.End, Why: "missing volume"})
		}
		if g.marks == nil {
			g.marks = p.Marks() // shared with the part if there is only one; read-only
		} else {
			g.marks = slices.Concat(g.marks, p.Marks())
		}
	}
	sorting.Stable(g.stretches, func(a, b api.Gap) int { return cmp.Compare(a.Start, b.Start) })
	return g
}

// maxGaps is how many gaps a description lists: a file of a few kB can hold a
// million marks.
const maxGaps = 1000

func (g gaps) count() int { return len(g.stretches) + len(g.marks) }

// some lists the gaps in order of their starts. If there are too many, it lists
// the longest stretches, and as many marks as fit, evenly spaced, including the
// first and the last.
func (g gaps) some() []api.Gap {
	stretches, marks := g.stretches, g.marks
	if len(stretches) > maxGaps {
		stretches = slices.Clone(stretches)
		sorting.Stable(stretches, func(a, b api.Gap) int { return cmp.Compare(b.End-b.Start, a.End-a.Start) })
		stretches = stretches[:maxGaps]
	}
	list := append([]api.Gap{}, stretches...)
	room := maxGaps - len(list)
	if n := min(len(marks), room); n > 0 {
		for i := range n {
			m := marks[i*(len(marks)-1)/max(1, n-1)]
			list = append(list, api.Gap{Start: m, End: m, Why: "mark"})
		}
	}
	sorting.Stable(list, func(a, b api.Gap) int { return cmp.Compare(a.Start, b.Start) })
	return list
}

// markTimes returns all marks of the source, those between archives included.
func (src *source) markTimes() []pcp.Time { return src.marksIn(pcp.MinTime, pcp.MaxTime) }

// marksIn returns the marks in a stretch of time, both ends included.
func (src *source) marksIn(from, to pcp.Time) []pcp.Time {
	var marks []pcp.Time
	if l := src.finished(); l != nil && len(src.parts) > 1 {
		for _, m := range l.marks {
			if m >= from && m <= to {
				marks = append(marks, m)
			}
		}
		return marks
	}
	return src.marksOfParts(from, to)
}

func (src *source) marksOfParts(from, to pcp.Time) (marks []pcp.Time) {
	for i, p := range src.parts {
		all := p.Marks()
		a, _ := slices.BinarySearch(all, from)
		b, _ := slices.BinarySearchFunc(all, to, func(m, to pcp.Time) int {
			if m <= to {
				return -1
			}
			return 1
		})
		marks = append(marks, all[a:max(a, b)]...)
		if end := p.End() + 1e6; i+1 < len(src.parts) && end >= from && end <= to {
			marks = append(marks, end)
		}
	}
	return marks
}

// maxMarks is how many marks an answer holds before redundant ones are left
// out: between two points one mark is enough.
const maxMarks = 1000

// marksAfter returns the marks in a stretch of time, those between archives
// included, in seconds after origin, in order. times are the points that the
// marks separate, in the same unit.
func (src *source) marksAfter(origin, from, to pcp.Time, times []float64) []float64 {
	if from > to {
		from, to = to, from
	}
	found := src.marksIn(from, to)
	marks := make([]float64, len(found))
	for i, m := range found {
		marks[i] = float64(m-origin) / 1e9
	}
	slices.Sort(marks)
	if len(marks) <= maxMarks {
		return marks
	}
	if n := len(times); n > 1 && times[0] > times[n-1] { // backwards in time
		times = slices.Clone(times)
		slices.Reverse(times)
	}
	kept, at, last := marks[:0], 0, -1
	for _, m := range marks {
		for at < len(times) && times[at] <= m {
			at++
		}
		if at != last {
			kept, last = append(kept, m), at
		}
	}
	return kept
}
