package state

import (
	"math"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
)

// Pulse is the strip over the whole span: one series, the gaps, the window.
type Pulse struct {
	Name   string // "CPU busy" or a metric
	Of     string // what the unit is a share of, or the unit
	Start  pcp.Time
	Times  []float64 // seconds after Start
	Values []float64 // in the unit of Shown, not yet scaled
	Shown  format.Shown
	Stats  Stats
	ReadTo *pcp.Time // up to when the source has been read; nil for all of it
	Rev    int
}

// busy are the parts of kernel.all.cpu in which a CPU works; guest time is
// within user.
var busy = []string{"kernel.all.cpu.user", "kernel.all.cpu.nice", "kernel.all.cpu.sys", "kernel.all.cpu.intr", "kernel.all.cpu.steal"}

// pulses are the metrics that tell most of a host at a glance, where the time
// of its CPUs was not logged.
var pulses = []string{"kernel.all.load", "disk.all.total", "mem.util.used", "kernel.all.pswitch", "network.interface.total.bytes", "proc.nprocs"}

// loadPulse chooses the series of the strip and fetches it.
func (w *Work) loadPulse() {
	names, name := w.pulseMetrics()
	if len(names) == 0 {
		w.Pulse = Pulse{Rev: w.Pulse.Rev + 1}
		return
	}
	whole := w.Whole()
	w.app.work(func() func() {
		if name == "CPU busy" {
			w.countCPUs()
		}
		frame, _, _, err := w.ask(w.ctx, names, whole, nil)
		return func() {
			if err == nil && frame != nil {
				w.takePulse(name, frame, whole)
			}
		}
	})
}

// pulseMetrics returns what the strip fetches, and its name.
func (w *Work) pulseMetrics() (metrics []string, name string) {
	if !w.rates() {
		return nil, ""
	}
	for _, m := range busy {
		if w.Metric(m) != nil {
			metrics = append(metrics, m)
		}
	}
	if slices.Contains(metrics, busy[0]) && slices.Contains(metrics, busy[2]) {
		return metrics, "CPU busy"
	}
	for _, m := range pulses {
		if w.Metric(m) != nil {
			return []string{m}, m
		}
	}
	for i := range w.Metrics {
		if m := &w.Metrics[i]; numeric(m) && m.Semantics != "discrete" {
			return []string{m.Name}, m.Name
		}
	}
	return nil, ""
}

func numeric(m *api.Metric) bool {
	switch m.Type {
	case "32", "U32", "64", "U64", "FLOAT", "DOUBLE":
		return true
	}
	return false
}

func (w *Work) takePulse(name string, f *api.Frame, whole Window) {
	w.leaveOut(f)
	p := Pulse{Name: name, Start: f.Start, Times: f.Times, ReadTo: f.ReadTo, Rev: w.Pulse.Rev + 1}
	if name == "CPU busy" {
		cpus := float64(max(w.CPUs, 1))
		p.Values = make([]float64, len(f.Times))
		for _, c := range f.Columns {
			for i := range p.Values {
				if i < len(c.Values) {
					p.Values[i] += c.Values[i]
				}
			}
		}
		for i := range p.Values {
			p.Values[i] = min(p.Values[i]/cpus, 1) // beyond 1 is jitter of the clock; NaN stays
		}
		p.Of = format.CPUs(w.CPUs)
		p.Stats = statsOf(f.Start, p.Times, p.Values, whole)
		p.Shown = format.Show("", true, 1, false)
		w.Pulse = p
		return
	}
	if len(f.Columns) == 0 {
		return
	}
	c := f.Columns[0]
	for _, other := range f.Columns[1:] { // the instance that moves highest
		if statsOf(f.Start, f.Times, other.Values, whole).Max > statsOf(f.Start, f.Times, c.Values, whole).Max {
			c = other
		}
	}
	if c.Instance != nil && len(f.Columns) > 1 {
		p.Name += "[" + c.Instance.Name + "]"
	}
	p.Values = c.Values
	p.Stats = statsOf(f.Start, p.Times, p.Values, whole)
	m := w.Metric(c.Metric)
	p.Shown = format.Show(c.Units, m != nil && w.Utilisation(m), math.Max(p.Stats.Max, -p.Stats.Min), p.Stats.Whole)
	p.Of = p.Shown.Name()
	w.Pulse = p
}
