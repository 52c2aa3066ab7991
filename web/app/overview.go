package app

import (
	"cmp"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/sorting"
	"pcpscope/web/metric"
	"pcpscope/web/panel"
)

// first is what a newly opened source shows: a few panels that answer "how did this
// machine do" with metrics that nearly every archive has.
var first = []panel.Settings{
	{Title: "CPU", What: "Where CPU time went. Wait is idle time with disk I/O pending.", Stack: true, PerCPU: true,
		Metrics: []string{"kernel.all.cpu.user", "kernel.all.cpu.nice", "kernel.all.cpu.sys", "kernel.all.cpu.intr", "kernel.all.cpu.steal", "kernel.all.cpu.wait.total"}},
	{Metrics: []string{"kernel.all.load"}},
	{Title: "Disk throughput", What: "All disks together.", Metrics: []string{"disk.all.read_bytes", "disk.all.write_bytes"}},
	{Title: "Memory", What: "Page cache is released when programs need it.",
		Metrics: []string{"mem.util.free", "mem.util.cached", "mem.util.bufmem", "mem.util.slab"}},
}

// likely returns n metrics to start with if none of the well-known ones exist: changing
// metrics before constant ones, the kernel's before others.
func likely(list []api.Metric, n int) []string {
	var names []string
	rank := map[string]int{}
	for i := range list {
		m := &list[i]
		if !metric.Numeric(m) || strings.HasPrefix(m.PMID, "511.") { // PCP's own metrics: no values
			continue
		}
		if m.Semantics == "discrete" {
			rank[m.Name] += 2
		}
		if !strings.HasPrefix(m.PMID, "60.") { // the Linux kernel agent, pmdalinux
			rank[m.Name]++
		}
		names = append(names, m.Name)
	}
	sorting.Stable(names, func(a, b string) int { return cmp.Compare(rank[a], rank[b]) })
	return names[:min(n, len(names))]
}

// overview fills the panels of a newly opened source.
func overview(tab *Tab) {
	for _, p := range first {
		var have []string
		for _, name := range p.Metrics {
			if tab.Metric(name) != nil {
				have = append(have, name)
			}
		}
		if len(have) > 0 {
			p.Metrics = have
			p.PerCPU = p.PerCPU && tab.Metric("hinv.ncpu") != nil
			tab.Dashboard.addPanel(p)
		}
	}
	if len(tab.Dashboard.Panels) == 0 {
		for _, name := range likely(tab.Metrics, 4) {
			tab.Dashboard.addPanel(panel.Settings{Metrics: []string{name}})
		}
	}
	if len(tab.Dashboard.Panels) > 0 {
		tab.Dashboard.Active = tab.Dashboard.Panels[0].ID
	}
}
