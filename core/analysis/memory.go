package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// physical returns the physical memory in the units of another table, NaN if it
// is not known.
func (h *Host) physical(like pcp.Units) float64 {
	for _, name := range []string{"mem.physmem", "hinv.physmem"} {
		t := h.table(name)
		if t == nil {
			continue
		}
		scale, known := pcp.ScaleOf(t.Desc.Units, like)
		if v, row := t.signal(t.Column("")).highest(); known && row >= 0 {
			return scale.Float64(v)
		}
	}
	// As imported from sar.
	parts := []string{"used", "free"}
	if h.CacheApart() {
		parts = append(parts, "cached", "bufmem")
	}
	if all := h.usage(parts...); all != nil {
		scale, known := pcp.ScaleOf(all.Desc.Units, like)
		if v, row := all.signal(all.Column("")).highest(); known && row >= 0 {
			return scale.Float64(v)
		}
	}
	return math.NaN()
}

// usage adds up metrics of mem.util; nil if one was not logged.
func (h *Host) usage(parts ...string) *Table {
	var sum *Table
	for i, part := range parts {
		t := h.table("mem.util." + part)
		if t == nil {
			return nil
		}
		if sum = cmp.Or(sum, t); i > 0 {
			sum = combine(sum, t, func(a, b float64) float64 { return a + b })
		}
		if sum == nil {
			return nil
		}
	}
	return sum
}

// CacheApart reports whether mem.util.used leaves out page cache and buffers, as
// kbmemused of sar(1) does since sysstat 11.7.4 and sar2pcp(1) imports it. Otherwise
// used and free are all memory, which does not change; and the cache, being part of
// what is used, is not larger.
func (h *Host) CacheApart() bool {
	if h.table("mem.physmem") != nil || h.table("hinv.physmem") != nil {
		return false
	}
	without, with := h.usage("used", "free"), h.usage("used", "free", "cached", "bufmem")
	if without == nil || with == nil {
		return false
	}
	cache := combine(h.usage("cached", "bufmem"), h.table("mem.util.used"), func(cache, used float64) float64 { return cache - used })
	if v, row := cache.signal(cache.Column("")).highest(); row >= 0 && v > 0 {
		return true
	}
	return 2*with.spread() < without.spread()
}

// spread is the difference between the extremes of a table's only column; negative
// without values.
func (t *Table) spread() float64 {
	s := t.signal(t.Column(""))
	highest, _ := s.highest()
	least, _ := s.least()
	return highest - least
}

// MemoryAt returns all physical memory at a time in bytes, NaN where it is not known.
func (h *Host) MemoryAt(t pcp.Time) float64 { return h.physicalAt(pcp.Units{Space: 1})(t) }

// available is the percentage of memory that programs can still get.
func (h *Host) available() signal {
	t := h.table(h.firstOf("mem.util.available", "mem.available")) // on Windows the latter
	vals := t.Column("")
	if t == nil {
		t, vals = h.reclaimable()
	}
	if t == nil {
		return signal{}
	}
	total := h.physicalAt(t.Desc.Units)
	return t.signal(vals).with(func(i int, v float64) float64 { return 100 * v / total(t.Times[i]) })
}

// reclaimable is free memory plus memory that only caches files: before Linux
// 3.14 cached and buffered, on IRIX clean file pages, on macOS and the BSDs
// inactive memory. It is nil if only some of the parts are known.
func (h *Host) reclaimable() (*Table, []float64) {
	free := h.table(h.firstOf("mem.util.free", "mem.freemem"))
	for _, parts := range [][]string{{"mem.util.cached", "mem.util.bufmem"}, {"mem.util.cached"}, {"mem.util.fs_clean"}, {"mem.util.inactive"}} {
		if ofLinux(free) && parts[0] != "mem.util.cached" { // what is inactive there are also programs' pages
			continue
		}
		if h.table("mem.util.wired") != nil && parts[0] == "mem.util.cached" { // on FreeBSD it is part of the reclaimable memory
			parts = []string{"mem.util.inactive", "mem.util.cached"}
			if h.table("mem.util.paging") != nil { // on NetBSD and OpenBSD it is part of what is active and inactive
				parts = parts[:1]
			}
		}
		vals := slices.Clone(free.Column(""))
		known := free != nil
		for _, part := range parts {
			t := h.table(part)
			if known = known && t != nil; !known {
				break
			}
			rows, more, in := free.rowsIn(t), t.Column(""), t.in(free.Desc.Units)
			known = rows != nil
			for i, row := range rows {
				if row < 0 {
					vals[i] = math.NaN()
				} else {
					vals[i] += in(more[row])
				}
			}
		}
		if known {
			return free, vals
		}
	}
	if free = h.table("mem.freemem"); ofLinux(free) {
		return nil, nil
	}
	return free, free.Column("")
}

// Domains of the agents for Linux and macOS; see pmcd(1).
const (
	linux  = 60
	darwin = 78
)

func ofLinux(t *Table) bool { return t != nil && t.Desc.PMID.Domain() == linux }

// CacheUnknown reports whether only free memory is known of a Linux host, which leaves little
// of it: nearly all that no program has is a cache.
func (h *Host) CacheUnknown() bool {
	return ofLinux(h.table("mem.freemem")) && h.table("mem.util.cached") == nil
}

func (h *Host) memory() verdict {
	v := verdict{tile: api.Tile{Resource: "Memory", Dashboard: "memory"}}
	if h.firstOf("mem.util.available", "mem.util.free", "mem.util.used", "mem.available", "mem.freemem", "swap.pagesout", "mem.vmstat.pswpout", "kernel.all.pressure.memory.full.total") == "" {
		return v.notThere("mem.util.available and mem.physmem")
	}
	free := h.available()
	if least, row := free.least(); row < 0 {
		v.tile.Utilisation = unjudged("mem.util.available and mem.physmem")
	} else {
		v.tile.Utilisation = at(cell(Decimals(100-least, 0)+" % at most", fine), 100-least, "%", pcp.Span{Start: free.times[row], End: free.times[row]})
	}
	for _, e := range free.episodes(below(h.Rules.Available), h.Rules.Lasting, h.Rules.Pause) {
		v.tile.Utilisation.State = look
		lowest := ""
		if least, _ := (signal{vals: free.vals[e.from:e.to]}).least(); whole(least) != whole(e.mean) {
			lowest = fmt.Sprintf(", %s %% at the lowest", whole(least))
		}
		v.lasting(look, e, fmt.Sprintf("less than %s %% of memory available for %s", Decimals(h.Rules.Available, 0), FormatDuration(h.Rules.Lasting)),
			fmt.Sprintf("Only %s %% of memory available for %s", whole(e.mean), FormatDuration(e.lasted))+lowest, "mem.util.available", "mem.util.used")
	}
	h.paging(&v)
	h.memoryErrors(&v)
	h.slab(&v)
	h.unaccounted(&v)
	return v
}

// paging judges whether memory ran short.
func (h *Host) paging(v *verdict) {
	out := h.firstOf("swap.pagesout", "mem.vmstat.pswpout")
	s, in, stalls := h.speed(out), h.speed(h.firstOf("swap.pagesin", "mem.vmstat.pswpin")), h.stalls()
	pressure := h.percent("kernel.all.pressure.memory.full.total")
	switch {
	case !s.has() && !stalls.has() && pressure.has():
		highest, row := pressure.highest()
		v.tile.Saturation = at(cell(points(highest)+" % stalled at most", fine), highest, "%", pressure.span(row))
	case !s.has() && !stalls.has():
		v.tile.Saturation = unjudged("swap.pagesout")
	case !s.has():
		v.tile.Saturation = cell("no direct reclaim", fine)
	case in.has():
		v.tile.Saturation = cell("no paging", fine)
	default:
		v.tile.Saturation = cell("no pages out", fine)
	}
	if s.has() {
		if highest, row := s.highest(); highest > 0 {
			v.tile.Saturation = at(cell(Number(highest)+" pages out/s", fine), highest, "pages/s", s.span(row))
		}
		for _, e := range s.swapping(h.Rules) {
			v.tile.Saturation.State = look
			top, _ := signal{vals: s.vals[e.from:e.to]}.highest()
			v.lasting(look, e, fmt.Sprintf("%s or more pages a second swapped out in %s %% of ten samples", Decimals(h.Rules.PagesOut, 0), Decimals(100*h.Rules.PagesOutShare, 0)),
				fmt.Sprintf("Memory was swapped out for %s, up to %s pages a second", FormatDuration(e.lasted), Number(top)), out, "mem.util.available")
		}
	}
	for _, e := range stalls.episodes(above(h.Rules.Stalls), h.Rules.ReclaimLasting, h.Rules.Pause) {
		v.tile.Saturation.State = look
		if v.tile.Saturation.Value == nil {
			v.tile.Saturation = at(cell("direct reclaim, "+FormatDuration(e.lasted), look), e.lasted, "s", e.Span)
		}
		v.lasting(look, e, fmt.Sprintf("more than %s direct reclaims a second for %s", Number(h.Rules.Stalls), FormatDuration(h.Rules.ReclaimLasting)), fmt.Sprintf("Direct reclaim for %s: programs had to free memory themselves", FormatDuration(e.lasted)), "mem.vmstat.allocstall", "mem.vmstat.pgscan_direct")
	}
	if highest, row := in.highest(); highest > 0 && v.tile.Saturation.Value == nil && v.tile.Saturation.State != cannotJudge {
		v.tile.Saturation = at(cell(Number(highest)+" pages in/s", v.tile.Saturation.State), highest, "pages/s", in.span(row))
	}
	for _, e := range pressure.episodes(above(h.Rules.PressureMemory), h.Rules.Lasting, h.Rules.Pause) {
		v.tile.Saturation.State = look
		v.lasting(look, e, fmt.Sprintf("memory pressure, full, above %s %% for %s", Decimals(h.Rules.PressureMemory, 0), FormatDuration(h.Rules.Lasting)),
			fmt.Sprintf("All tasks stalled on memory %s %% of the time for %s", Number(e.mean), FormatDuration(e.lasted)), "kernel.all.pressure.memory.full.total")
	}
	h.reclaim(v)
}

// stalls is how often programs waited for memory, per second.
func (h *Host) stalls() signal {
	if s := h.speed("mem.vmstat.allocstall"); s.has() {
		return s
	}
	var sum signal
	for _, zone := range []string{"dma", "dma32", "normal", "movable"} {
		s := h.speed("mem.vmstat.allocstall_" + zone)
		switch {
		case !s.has():
		case !sum.has():
			sum = s
		case len(s.vals) == len(sum.vals):
			sum = sum.with(func(i int, v float64) float64 { return v + s.vals[i] })
		}
	}
	return sum
}

// swapping finds the samples that swapped out, where of any ten at least a given
// share did.
func (s signal) swapping(r Rules) []episode {
	heavy := make([]float64, len(s.vals))
	for i := range s.vals {
		n, all := 0, 0
		for k := max(0, i-9); k <= i; k++ {
			if v := s.vals[k]; v == v {
				all++
				if v >= r.PagesOut {
					n++
				}
			}
		}
		if all == 10 && float64(n) >= r.PagesOutShare*10 {
			for k := i - 9; k <= i; k++ { // also what came before it was often enough: the peak may be among it
				if s.vals[k] >= r.PagesOut {
					heavy[k] = s.vals[k]
				}
			}
		}
	}
	t := s
	t.vals = heavy
	return t.episodes(test{func(v float64) bool { return v >= r.PagesOut && v > 0 }, above(r.PagesOut).beyond}, 0, r.Pause)
}

// reclaim looks for a kernel that scans for free memory and finds little.
func (h *Host) reclaim(v *verdict) {
	sum := func(a, b float64) float64 { return a + b }
	scanned := combine(h.rate("mem.vmstat.pgscan_kswapd"), h.rate("mem.vmstat.pgscan_direct"), sum)
	freed := combine(h.rate("mem.vmstat.pgsteal_kswapd"), h.rate("mem.vmstat.pgsteal_direct"), sum)
	share := combine(scanned, freed, func(scan, free float64) float64 {
		if !(scan > h.Rules.Scanning) {
			return 100
		}
		return 100 * free / scan
	})
	low := share.signal(share.Column(""))
	for _, e := range low.episodes(below(h.Rules.Efficiency), h.Rules.ReclaimLasting, h.Rules.Pause) {
		v.lasting(look, e, fmt.Sprintf("less than %s %% of scanned pages freed while more than %s a second are scanned", Decimals(h.Rules.Efficiency, 0), Decimals(h.Rules.Scanning, 0)),
			fmt.Sprintf("Reclaim freed only %s %% of the pages that it scanned, for %s", Decimals(e.mean, 0), FormatDuration(e.lasted)), "mem.vmstat.pgscan_kswapd", "mem.vmstat.pgsteal_kswapd")
	}
}

func (h *Host) memoryErrors(v *verdict) {
	const kills, hardware = "mem.vmstat.oom_kill", "mem.util.corrupthardware"
	if h.firstOf(kills, hardware) == "" {
		v.tile.Errors = unjudged(kills)
		return
	}
	v.tile.Errors = cell("none", fine)
	if t := h.table(kills); t != nil && len(t.Times) < 2 && h.table(hardware) == nil { // one value says nothing of a kill
		v.tile.Errors = unjudged("two values of " + kills)
	}
	if s := h.value(hardware); s.has() {
		if highest, row := s.highest(); highest > 0 {
			v.tile.Errors = at(cell("broken memory", isBroken), highest, h.table(hardware).Desc.Units.String(), s.span(row))
			v.find(isBroken, s.span(row), "any memory that the hardware reports as broken", Quantity(highest, h.table(hardware).Desc.Units.String())+" of memory is broken", hardware)
		}
	}
	if n, spans := growths(h.table(kills)); n > 0 {
		when := pcp.Span{Start: spans[0].Start, End: spans[len(spans)-1].End}
		v.tile.Errors = at(cell("killed "+Decimals(n, 0), isBroken), n, "count", when)
		v.find(isBroken, when, "any process killed by the OOM killer", fmt.Sprintf("The OOM killer killed %s %s", Decimals(n, 0), plural(int(n), "process", "processes")), kills, "mem.util.available")
		if len(spans) > 1 { // of weeks, no time in between
			f := &v.findings[len(v.findings)-1]
			f.Times, f.Spans, f.Cost = len(spans), spans, 0
			for _, s := range spans {
				f.Cost += s.End.Since(s.Start)
			}
		}
	}
}

// slab looks for a growing kernel slab, and for overcommitted memory.
func (h *Host) slab(v *verdict) {
	t := h.table("mem.util.slabUnreclaimable")
	if t != nil {
		total := h.physicalAt(t.Desc.Units)
		s := h.value("mem.util.slabUnreclaimable").with(func(i int, x float64) float64 { return 100 * x / total(t.Times[i]) })
		if e := longest(s.episodes(above(h.Rules.SlabShare), h.Rules.Lasting, h.Rules.Pause)); e.lasted > 0 && s.vals[e.to-1] > s.vals[e.from]*1.05 {
			v.lasting(look, e, fmt.Sprintf("unreclaimable slab above %s %% of memory and rising", Decimals(h.Rules.SlabShare, 0)),
				fmt.Sprintf("Unreclaimable slab rose to %s %% of memory", Decimals(s.vals[e.to-1], 0)), "mem.util.slabUnreclaimable")
		}
	}
	promised, limit := h.table("mem.util.committed_AS"), h.table("mem.util.commitLimit")
	if promised == nil || limit == nil {
		return
	}
	limits, in := limit.At(limit.Column(""), promised.Times), limit.in(promised.Desc.Units)
	s, free := h.value("mem.util.committed_AS").with(func(i int, x float64) float64 { return 100 * x / in(limits[i]) }), h.available()
	var during pcp.Span
	highest := 0.0
	for _, e := range s.episodes(above(h.Rules.Commit), h.Rules.Lasting, h.Rules.Pause) {
		if least, row := free.within(e.Span).least(); row < 0 || least >= ample { // or it is not known
			continue
		}
		if highest == 0 {
			during.Start = e.Start
		}
		during.End = e.End
		top, _ := signal{vals: s.vals[e.from:e.to]}.highest()
		highest = max(highest, top)
	}
	if highest > 0 {
		v.find(know, during, fmt.Sprintf("more than %s %% of the commit limit while less than %d %% of memory is available", Decimals(h.Rules.Commit, 0), ample),
			fmt.Sprintf("Committed memory reached %s %% of the commit limit", Decimals(highest, 0)), "mem.util.committed_AS", "mem.util.commitLimit")
	}
}

// ample is the percentage of available memory from which on it does not matter how much
// is committed: by default Linux does not enforce the limit, and on many quiet hosts
// programs reserve more than it for good.
const ample = 50

// unaccounted looks for used memory that no metric accounts for and that grows,
// as with a leaking driver.
func (h *Host) unaccounted(v *verdict) {
	used := h.table("mem.util.used")
	if used == nil {
		return
	}
	rest := h.value("mem.util.used")
	for _, part := range []string{"bufmem", "cached", "slab", "anonpages", "pageTables", "kernelStack"} {
		t := h.table("mem.util." + part)
		if t == nil {
			return
		}
		vals, in := t.At(t.Column(""), used.Times), t.in(used.Desc.Units)
		rest = rest.with(func(i int, x float64) float64 { return x - in(vals[i]) })
	}
	// Huge pages and ZFS's cache are set aside on purpose.
	for _, aside := range []string{"mem.util.hugepagesTotalBytes", "zfs.arc.size"} {
		if t := h.table(aside); t != nil {
			scale, known := pcp.ScaleOf(t.Desc.Units, used.Desc.Units)
			vals := t.At(t.Column(""), used.Times)
			rest = rest.with(func(i int, x float64) float64 {
				if v := scale.Float64(vals[i]); known && v == v {
					x -= v
				}
				return x
			})
		}
	}
	total := h.physical(used.Desc.Units)
	rest = rest.with(func(_ int, x float64) float64 { return 100 * x / total })
	slope, first, final := rest.whole()
	if slope > 0 && final-first > h.Rules.Unaccounted {
		v.find(look, pcp.Span{Start: rest.times[0], End: rest.times[len(rest.times)-1]}, fmt.Sprintf("memory that nothing accounts for: more than %s %% of all more than at first, and rising", Decimals(h.Rules.Unaccounted, 0)),
			fmt.Sprintf("Unaccounted memory rose from %s to %s %%: a driver that leaks, or a cache of the kernel that no metric counts", Decimals(first, 0), Decimals(final, 0)), "mem.util.used", "mem.util.slab", "mem.util.anonpages")
	}
}

// percent is the rate of a time counter as a percentage.
func (h *Host) percent(metric string) signal {
	return h.speed(metric).with(func(_ int, v float64) float64 { return 100 * v })
}
