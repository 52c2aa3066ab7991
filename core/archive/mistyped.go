package archive

import (
	"maps"
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Mistyped returns the times of damaged records, in order: some of their values are not of the
// types that the descriptors give, while records before and after have right values of these
// metrics. All other values of a damaged record are suspect, too. A metric whose type changed
// for good damages no record. The times are known once everything has been read. The slice is
// read-only.
func (a *Archive) Mistyped() []pcp.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.mistyped[:len(a.mistyped):len(a.mistyped)]
}

// findMistyped is called with the lock held, when everything has been read.
func (a *Archive) findMistyped() {
	var buf Buffer
	wrong := map[pcp.Time]bool{}
	for c := range a.store.all() {
		if !c.failed {
			continue
		}
		bytes := a.store.workingBytes(c)
		if a.stored.Take(bytes) != nil {
			continue // its values cannot be looked at either
		}
		for _, t := range wrongAmidRight(a.store.observations(c, &buf)) {
			wrong[t] = true
		}
		a.stored.Take(-bytes)
	}
	a.mistyped = slices.Sorted(maps.Keys(wrong))
}

// wrongAmidRight returns the times of the rows with errors between the first and the last row
// with a value.
func wrongAmidRight(o *series.Observations) (times []pcp.Time) {
	rows := len(o.Times)
	first, last, wrong := rows, -1, make([]bool, rows)
	for _, s := range o.Series {
		for i, r := range s.Runs {
			from, to := int(r.Row&series.RowNum), rows
			if i+1 < len(s.Runs) {
				to = int(s.Runs[i+1].Row & series.RowNum)
			}
			switch {
			case r.Row&series.Gone != 0 || from >= to:
			case r.Row&series.Failed == 0:
				first, last = min(first, from), max(last, to-1)
			default:
				for row := from; row < to; row++ {
					wrong[row] = true
				}
			}
		}
	}
	for row := first; row < last; row++ {
		if wrong[row] {
			times = append(times, o.Times[row])
		}
	}
	return times
}
