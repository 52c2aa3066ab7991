package interp

import "pcpscope/core/pcp"

// recent caches results for the row times used last. Metrics that are logged
// together share their times, so a few entries serve many metrics.
type recent[T any] struct {
	kept []keptFor[T]
	next int // the one to replace next
}

type keptFor[T any] struct {
	first *pcp.Time
	count int
	value T
}

const keepRecent = 8

// get returns the cached result for these times, or makes and caches it.
func (r *recent[T]) get(times []pcp.Time, make func() T) T {
	if len(times) == 0 {
		return make()
	}
	for i := range r.kept {
		if k := &r.kept[i]; k.first == &times[0] && k.count == len(times) {
			return k.value
		}
	}
	k := keptFor[T]{&times[0], len(times), make()}
	if len(r.kept) < keepRecent {
		r.kept = append(r.kept, k)
	} else {
		r.kept[r.next%keepRecent] = k
		r.next++
	}
	return k.value
}
