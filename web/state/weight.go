package state

import (
	"cmp"

	"pcpscope/core/api"
	"pcpscope/core/sorting"
)

// weigh keeps how much room the metrics take, the largest first. A metric of
// several names counts under the first of them alone.
func (w *Work) weigh(list []api.Activity) {
	w.weights = map[string]api.Activity{}
	w.largest, w.allBytes = nil, 0
	known := map[string]bool{}
	for _, a := range list {
		w.weights[a.Metric] = a
		m := w.Metric(a.Metric)
		if m == nil || known[m.PMID] {
			continue
		}
		known[m.PMID] = true
		w.largest = append(w.largest, a)
		w.allBytes += a.Bytes
	}
	sorting.Stable(w.largest, func(a, b api.Activity) int { return cmp.Compare(b.Bytes, a.Bytes) })
}

// Largest returns the n metrics whose values take most room, and the bytes of
// all; nothing while that is not known.
func (w *Work) Largest(n int) (list []api.Activity, total int64) {
	return w.largest[:min(n, len(w.largest))], w.allBytes
}
