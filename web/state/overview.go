package state

// first is what a newly opened source shows: the few panels that answer "how
// did this machine fare" from metrics that nearly every archive has.
var first = []struct {
	title, what string
	metrics     []string
}{
	{"CPU", "Where CPU time went, summed over all CPUs.", []string{"kernel.all.cpu.user", "kernel.all.cpu.sys", "kernel.all.cpu.wait.total", "kernel.all.cpu.intr", "kernel.all.cpu.steal"}},
	{"", "", []string{"kernel.all.load"}},
	{"Memory", "Page cache is given back when programs need it.", []string{"mem.util.free", "mem.util.cached", "mem.util.bufmem", "mem.util.slab"}},
	{"Disk throughput", "All disks together.", []string{"disk.all.read_bytes", "disk.all.write_bytes"}},
}

// overview fills the canvas of a newly opened source.
func (w *Work) overview() {
	for _, f := range first {
		var have []string
		for _, name := range f.metrics {
			if w.Metric(name) != nil {
				have = append(have, name)
			}
		}
		if len(have) > 0 {
			w.addPanel(f.title, f.what, have...)
		}
	}
	if len(w.Panels) == 0 {
		for i := range w.Metrics {
			if m := &w.Metrics[i]; numeric(m) && len(w.Panels) < 4 {
				w.addPanel("", "", m.Name)
			}
		}
	}
	if len(w.Panels) > 0 {
		w.Active = w.Panels[0].ID
	}
}
