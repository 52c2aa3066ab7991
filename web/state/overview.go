package state

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
		for i := range w.Metrics {
			if m := &w.Metrics[i]; numeric(m) && len(w.Panels) < 4 {
				w.addPanel(Panel{Metrics: []string{m.Name}})
			}
		}
	}
	if len(w.Panels) > 0 {
		w.Active = w.Panels[0].ID
	}
}
