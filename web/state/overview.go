package state

import (
	"cmp"
	"strings"

	"pcpscope/core/sorting"
)

// first is what a newly opened source shows: the few panels that answer "how
// did this machine fare" from metrics that nearly every archive has.
var first = []Panel{
	{Title: "CPU", What: "Where CPU time went. Wait is idle time with disk I/O pending.", Stack: true, PerCPU: true,
		Metrics: []string{"kernel.all.cpu.user", "kernel.all.cpu.nice", "kernel.all.cpu.sys", "kernel.all.cpu.intr", "kernel.all.cpu.steal", "kernel.all.cpu.wait.total"}},
	{Metrics: []string{"kernel.all.load"}},
	{Title: "Disk throughput", What: "All disks together.", Metrics: []string{"disk.all.read_bytes", "disk.all.write_bytes"}},
	{Title: "Memory", What: "Page cache is given back when programs need it.",
		Metrics: []string{"mem.util.free", "mem.util.cached", "mem.util.bufmem", "mem.util.slab"}},
}

// likely are n metrics to begin with where none of those that we know is
// there: what changes before what does not, the kernel's before others.
func (w *Work) likely(n int) []string {
	var names []string
	rank := map[string]int{}
	for i := range w.Metrics {
		m := &w.Metrics[i]
		if !numeric(m) || strings.HasPrefix(m.PMID, "511.") { // of the library itself: no values
			continue
		}
		if m.Semantics == "discrete" {
			rank[m.Name] += 2
		}
		if !strings.HasPrefix(m.PMID, "60.") { // PMDA linux
			rank[m.Name]++
		}
		names = append(names, m.Name)
	}
	sorting.Stable(names, func(a, b string) int { return cmp.Compare(rank[a], rank[b]) })
	return names[:min(n, len(names))]
}

// overview fills the canvas of a newly opened source.
func (w *Work) overview() {
	for _, p := range first {
		var have []string
		for _, name := range p.Metrics {
			if w.Metric(name) != nil {
				have = append(have, name)
			}
		}
		if len(have) > 0 {
			p.Metrics = have
			p.PerCPU = p.PerCPU && w.Metric("hinv.ncpu") != nil
			w.addPanel(p)
		}
	}
	if len(w.Panels) == 0 {
		for _, name := range w.likely(4) {
			w.addPanel(Panel{Metrics: []string{name}})
		}
	}
	if len(w.Panels) > 0 {
		w.Active = w.Panels[0].ID
	}
}
