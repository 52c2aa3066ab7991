package core

import (
	"slices"

	"pcpscope/core/pcp"
)

// meet moves the first and the last of ascending times, in each stretch between marks, to
// where the operands that were recorded at the times of others have values as well, if that
// is at most a tenth of an interval away. One logger asks for groups of metrics one after
// the other: the last record of one group may be milliseconds before that of another, and an
// expression of both would have no value at the latter.
func meet(times, marks []pcp.Time, others [][]pcp.Time) {
	for a, b := 0, 0; a < len(times); a = b {
		next, _ := slices.BinarySearch(marks, times[a]+1)
		from, to := pcp.MinTime, pcp.MaxTime
		if next > 0 {
			from = marks[next-1]
		}
		b = len(times)
		if next < len(marks) {
			to = marks[next]
			b, _ = slices.BinarySearch(times, to)
		}
		if b-a < 3 {
			continue
		}
		first, last := times[a], times[b-1]
		early, late := (times[a+1]-first)/10, (last-times[b-2])/10
		for _, o := range others {
			lo, _ := slices.BinarySearch(o, from)
			hi, _ := slices.BinarySearch(o, to)
			if lo == hi {
				continue
			}
			if t := o[lo]; t <= first+early {
				times[a] = max(times[a], t)
			}
			if t := o[hi-1]; t >= last-late {
				times[b-1] = min(times[b-1], t)
			}
		}
	}
}

// apart adds times to a list of such, unless it has the same already.
func apart(list [][]pcp.Time, times []pcp.Time) [][]pcp.Time {
	if slices.ContainsFunc(list, func(o []pcp.Time) bool { return slices.Equal(o, times) }) {
		return list
	}
	return append(list, times)
}
