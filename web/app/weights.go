package app

import (
	"cmp"

	"pcpscope/core/api"
	"pcpscope/core/sorting"
)

// weigh keeps how much room the metrics take, the largest first. A metric of
// several names counts under the first of them alone.
func (f *Findings) weigh(list []api.Activity) {
	f.weights = map[string]api.Activity{}
	f.largest, f.allBytes = nil, 0
	known := map[string]bool{}
	for _, a := range list {
		f.weights[a.Metric] = a
		m := f.tab.Metric(a.Metric)
		if m == nil || known[m.PMID] {
			continue
		}
		known[m.PMID] = true
		f.largest = append(f.largest, a)
		f.allBytes += a.Bytes
	}
	sorting.Stable(f.largest, func(a, b api.Activity) int { return cmp.Compare(b.Bytes, a.Bytes) })
}

// Largest returns the n metrics whose values take most room, and the bytes of
// all; nothing while that is not known.
func (f *Findings) Largest(n int) (list []api.Activity, total int64) {
	return f.largest[:min(n, len(f.largest))], f.allBytes
}
