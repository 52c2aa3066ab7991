package core

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/departures"
	"pcpscope/core/interp"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Work on all series of a host is bounded by what was recorded: metrics that were recorded
// rarely are looked at on fewer steps.
const (
	stepsAValue = 32
	spareSteps  = 1 << 24
)

// hostSeries are the series of a host whose changes are informative, as means on
// a grid.
type hostSeries struct {
	*Session
	ctx  context.Context
	src  *source
	host departures.Host
	grid series.Grid
	pace *pace
	// lasted is set if what each calls needs to know how much of each step is known.
	lasted bool
	// ends is set if it needs the values of levels at the ends of steps.
	ends bool
	// memory is reused for the means of the next series, if what each calls does not keep
	// them; nil if it may.
	memory  *interp.Memory
	buffers []archive.Buffer // for the observations of one metric after the other
}

// each calls f with every series of a metric of at least a tier.
func (h hostSeries) each(tier float64, f func(d departed, kind departures.Kind, r *interp.Reduced) error) error {
	all, err := h.src.activity(h.ctx)
	if err != nil {
		return err
	}
	means := &gridded{h.grid, interp.Mean, h.pace, map[string]*interp.Reducer{}, h.lasted, h.memory}
	lasts := &gridded{h.grid, interp.Last, h.pace, map[string]*interp.Reducer{}, false, h.memory}
	atOnce := max(1, (4<<20)/h.grid.Count)
	spare := int64(spareSteps)
	set := stepsWithin(h.host.Set, h.grid)
	for _, m := range all {
		if err := h.proceed(h.ctx); err != nil {
			return err
		}
		kind, units, relevant := m.kindOf(h.host)
		if !relevant || kind.Tier < tier {
			continue
		}
		ms, known := h.src.lookup(m.name)
		names := h.src.inDom(m.InDom)
		if !known || len(names.list) > maxInstances {
			continue
		}
		if spare -= max(0, int64(h.grid.Count)*int64(max(1, len(names.list)))-stepsAValue*int64(m.values)); spare < 0 {
			continue
		}
		line := h.src.judgedIn(h.buffers, ms, h.src.extent())
		for _, some := range line.instances(atOnce) {
			found := means.of(some)
			var last []interp.Reduced
			if h.ends && kind.Drift {
				last = lasts.of(some)
			}
			for i, r := range found {
				if i < len(last) {
					r.End = last[i].Values
				}
				d, instance := departed{metric: m.name, units: units}, ""
				if m.InDom != pcp.NullInDom {
					instance = text(names.nameOf(r.Inst))
					if !ofItsOwn(m.name, instance) {
						continue
					}
					d.ref = &api.InstanceRef{ID: r.Inst, Name: instance}
				}
				ofCPUs(h.host, m.name, h.grid, r.Values)
				if m.Sem == pcp.Counter {
					for _, k := range set {
						if r.Values[k] = math.NaN(); r.Lasted != nil {
							r.Lasted[k] = 0
						}
					}
				}
				if err := f(d, kind.Instance(instance), &r); err != nil {
					return err
				}
			}
			h.memory.Free(found...)
			h.memory.Free(last...)
		}
	}
	return h.pace.ended
}

// stepsWithin lists the steps of a grid of which half or more lies in one of several spans.
func stepsWithin(spans []pcp.Span, grid series.Grid) (list []int) {
	for _, s := range spans {
		for i := max(1, int(int64(s.Start-grid.Start)/grid.Step)); i < grid.Count && grid.At(i-1) < s.End; i++ {
			if inside := min(s.End, grid.At(i)) - max(s.Start, grid.At(i-1)); 2*int64(inside) >= grid.Step {
				list = append(list, i)
			}
		}
	}
	return list
}

// ofItsOwn reports whether an instance of a metric adds information: a disk that is not a
// partition or a loop device, a cgroup that is not the root, which is the whole host.
func ofItsOwn(metric, instance string) bool {
	switch {
	case strings.HasPrefix(metric, "disk."):
		return analysis.RealDisk(instance)
	case strings.HasPrefix(metric, "cgroup."):
		return instance != "/" && !strings.HasPrefix(instance, "/::") // "::" is followed by a disk or a CPU
	}
	return true
}

// instances splits a timeline into several with at most atOnce instances each.
func (line timeline) instances(atOnce int) []timeline {
	var ids []int32
	for _, o := range line.obs {
		if o != nil {
			for i := range o.Series {
				ids = append(ids, o.Series[i].Inst)
			}
		}
	}
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) <= atOnce {
		return []timeline{line}
	}
	var list []timeline
	for part := range slices.Chunk(ids, atOnce) {
		list = append(list, line.between(part[0], part[len(part)-1]))
	}
	return list
}

// of leaves out all instances but one; nil leaves all.
func (line timeline) of(ref *api.InstanceRef) timeline {
	if ref == nil {
		return line
	}
	return line.between(ref.ID, ref.ID)
}

// between leaves out all instances but those from one to another.
func (line timeline) between(first, last int32) timeline {
	some := timeline{segs: line.segs, obs: make([]*series.Observations, len(line.obs)), key: line.key}
	for i, o := range line.obs {
		if o == nil {
			continue
		}
		one := *o
		from, _ := slices.BinarySearchFunc(o.Series, first, byInstance)
		to, found := slices.BinarySearchFunc(o.Series, last, byInstance)
		if found {
			to++
		}
		one.Series = o.Series[from:to]
		some.obs[i] = &one
	}
	return some
}

func byInstance(s series.Series, id int32) int { return cmp.Compare(s.Inst, id) }

// ofCPUs makes the time of all CPUs that of a host which always had as many as it has at
// the end: where it was resized, shares of all CPUs are what can be compared.
func ofCPUs(host departures.Host, metric string, grid series.Grid, vals []float64) {
	if host.MeanCPUs == nil || !strings.HasPrefix(metric, "kernel.all.cpu.") {
		return
	}
	for i := range vals {
		vals[i] *= host.CPUs / host.MeanCPUs(grid.At(i-1), grid.At(i))
	}
}
