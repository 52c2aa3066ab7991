package app

import (
	"cmp"

	"pcpscope/core/api"
	"pcpscope/core/sorting"
)

// weights is the space taken by metrics.
type weights struct {
	by      map[string]api.Activity // by name
	largest []api.Activity          // largest first, each metric once
	all     int64                   // bytes
}

// weigh computes it. A metric with several names counts only under the first. pmid
// identifies a metric, "" for an unknown one; rest is called repeatedly.
func weigh(list []api.Activity, pmid func(name string) string, rest func()) weights {
	w := weights{by: make(map[string]api.Activity, len(list))}
	known := map[string]bool{}
	for i, a := range list {
		if i%1000 == 0 {
			rest()
		}
		w.by[a.Metric] = a
		id := pmid(a.Metric)
		if id == "" || known[id] {
			continue
		}
		known[id] = true
		w.largest = append(w.largest, a)
		w.all += a.Bytes
	}
	rest()
	sorting.Stable(w.largest, func(a, b api.Activity) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return w
}

// Largest returns the n metrics that take most space, and the bytes of all; nothing until
// known.
func (f *Findings) Largest(n int) (list []api.Activity, total int64) {
	return f.largest[:min(n, len(f.largest))], f.allBytes
}
