package analysis

import (
	"cmp"
	"math"
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/core/trend"
)

// A capacity is a number of CPUs or an amount of memory, and from when on the host had it:
// virtual machines are resized.
type capacity struct {
	from pcp.Time
	size float64
}

// capacities lists what a metric says, in order of time. Damaged records have any number,
// so none above most counts.
func capacities(t *Table, most float64) (list []capacity) {
	for i, v := range t.Column("") {
		if v > 0 && v <= most && (len(list) == 0 || list[len(list)-1].size != v) {
			list = append(list, capacity{t.Times[i], v})
		}
	}
	return list
}

// sizeAt is what was logged last at a time, or first if that was later.
func sizeAt(list []capacity, t pcp.Time) float64 {
	i, found := slices.BinarySearchFunc(list, t, func(c capacity, t pcp.Time) int { return cmp.Compare(c.from, t) })
	if !found {
		i = max(0, i-1)
	}
	return list[i].size
}

// CPUsAt is how many CPUs the host had at a time, NaN if that is not known.
func (h *Host) CPUsAt(t pcp.Time) float64 {
	if len(h.resized) == 0 {
		return h.CPUs
	}
	return sizeAt(h.resized, t)
}

// Resized reports whether the host had different numbers of CPUs, all of whose time
// kernel.all.cpu counts.
func (h *Host) Resized() bool { return len(h.resized) >= 2 && h.counts == h.CPUs }

// MeanCPUs returns the mean number of CPUs over a stretch of time for a host that is
// Resized, and nil for others. A number that is first in one record counts since the
// record before, as that record's rates do.
func (h *Host) MeanCPUs() func(from, to pcp.Time) float64 {
	if !h.Resized() {
		return nil
	}
	list := slices.Clone(h.resized)
	if cpu := h.table(h.firstOf("kernel.all.cpu.user", "kernel.all.cpu.sys", "kernel.all.cpu.idle")); cpu != nil {
		for i := range list[1:] {
			row, found := slices.BinarySearch(cpu.Times, list[i+1].from)
			if found && row > 0 && !cpu.Broken[row] {
				list[i+1].from = max(cpu.Times[row-1], list[i].from) + 1
			}
		}
	}
	return func(from, to pcp.Time) float64 { return meanSize(list, from, to) }
}

// meanSize is the mean over a stretch of time, without its first moment.
func meanSize(list []capacity, from, to pcp.Time) float64 {
	i, found := slices.BinarySearchFunc(list, to, func(c capacity, t pcp.Time) int { return cmp.Compare(c.from, t) })
	if !found {
		i = max(0, i-1)
	}
	sum, end := 0.0, to
	for ; i > 0 && list[i].from > from+1; i-- {
		sum, end = sum+list[i].size*end.Since(list[i].from), list[i].from
	}
	if end == to {
		return list[i].size
	}
	return (sum + list[i].size*end.Since(from)) / to.Since(from)
}

// CountsAt is how many CPUs' time kernel.all.cpu counts at a time: all of them, or one
// where it is their mean; NaN if that is not known.
func (h *Host) CountsAt(t pcp.Time) float64 {
	if h.counts != h.CPUs { // the mean of all of them, or not known
		return h.counts
	}
	return h.CPUsAt(t)
}

// Where all CPUs together counted more time than those that were logged can have, there
// were more of them.
const (
	pluggedShare   = 1.25 // of the time that they can have, at least,
	pluggedRecords = 5    // in that many consecutive records, and about as much in each
)

// plugIn adds the CPUs of which only the time of all CPUs tells: hinv.ncpu is logged once, as
// a rule, and virtual machines get more CPUs while they run.
func (h *Host) plugIn() {
	modes := h.modes()
	if len(h.resized) == 0 || modes == nil || len(modes.Times) == 0 {
		return
	}
	logged, in := h.resized, secondsOf(modes.Desc.Units)
	var sizes []float64 // of the records of the present run
	var run pcp.Span
	end := func() {
		if len(sizes) >= pluggedRecords {
			h.plug(run, math.Round(trend.Median(sizes)), logged)
		}
		sizes = sizes[:0]
	}
	some := false // the record before has a part of the time of more CPUs
	eachGrowth(modes, func(row int, grown, seconds float64) {
		n, known := grown*in/seconds, sizeAt(logged, modes.Times[row])
		if len(sizes) > 0 && !(math.Abs(n-sizes[0]) <= max(0.25, 0.05*n)) {
			end()
		}
		if n > pluggedShare*known {
			if len(sizes) == 0 {
				run.Start = modes.Times[row-1]
				if !some {
					run.Start++
				}
			}
			sizes, run.End = append(sizes, n), modes.Times[row]
		}
		some = n > known+0.25
	})
	if run.End == modes.Times[len(modes.Times)-1] {
		run.End = pcp.MaxTime // they were not unplugged
	}
	end()
}

// plug makes a number of CPUs that of a stretch of time; after it, as many as were logged count
// again.
func (h *Host) plug(when pcp.Span, cpus float64, logged []capacity) {
	list := slices.DeleteFunc(slices.Clone(h.resized), func(c capacity) bool { return c.from >= when.Start && c.from <= when.End })
	list = append(list, capacity{when.Start, cpus})
	if when.End < pcp.MaxTime {
		list = append(list, capacity{when.End + 1, sizeAt(logged, when.End)})
	}
	slices.SortFunc(list, func(a, b capacity) int { return cmp.Compare(a.from, b.from) })
	h.resized, h.CPUs = list, max(h.CPUs, cpus)
	h.counts = h.CPUs
	h.Plugged = append(h.Plugged, when)
}

// meanCPUs is the mean number of CPUs in the time for which their modes are known.
func (h *Host) meanCPUs() float64 {
	modes := h.modes()
	if len(h.resized) < 2 || modes == nil {
		return h.CPUs
	}
	sum, lasted := 0.0, 0.0
	eachGrowth(modes, func(row int, _, seconds float64) {
		sum, lasted = sum+seconds*h.CPUsAt(modes.Times[row]), lasted+seconds
	})
	return sum / lasted
}

// physicalAt returns the physical memory at a time, in the units of another table; NaN
// if it is not known.
func (h *Host) physicalAt(like pcp.Units) func(pcp.Time) float64 {
	if t := h.table(h.firstOf("mem.physmem", "hinv.physmem")); t != nil {
		scale, known := pcp.ScaleOf(t.Desc.Units, like)
		if list := capacities(t, math.Inf(1)); known && len(list) > 1 {
			return func(at pcp.Time) float64 { return scale.Float64(sizeAt(list, at)) }
		}
	}
	most := h.physical(like)
	return func(pcp.Time) float64 { return most }
}
