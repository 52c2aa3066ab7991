package dashboard

func memory() Dashboard {
	return Dashboard{ID: "memory", Title: "Memory", What: "What memory was used for.",
		Spark: Spark{Exprs: memoryInUse(), Unit: "%", Name: "memory in use"}, Panels: []Panel{
			{ID: "parts", Title: "Composition", Unit: "", Style: Stack, What: "Page cache is released when programs need it. Programs: everything else.", Usual: "Little free memory is normal.",
				Next: "Available.", Series: memoryParts(), Thresholds: physical()},
			{ID: "available", Title: "Available", Unit: "% of physical", Style: Line, Max: 100, What: "What programs can still get without swapping.", Usual: "Above 10 %.",
				Next: "Processes by memory; Paging, reclaim.", Series: []Series{series("available", Free, available()...)}, Thresholds: lookUnder("available", 10, "warning below 10 %")},
			{ID: "free", Title: "Available and free", Unit: "", Style: Line, What: "The same in bytes, and what nobody uses at all.", Usual: "Free is far less than available: the difference is cache.",
				Next: "Composition.", Series: []Series{series("available", Free, "mem.util.available", "mem.available", "mem.util.free + mem.util.fs_clean"), plain("free", "mem.util.free", "mem.freemem")}, Thresholds: physical()},
			{ID: "programs", Title: "Programs", Unit: "", Style: Line, What: "Memory of programs that is no file, shared memory, and what the kernel keeps for them.",
				Usual: "Steady. A line that only rises is a leak.", Next: "Processes by memory.",
				Series: []Series{plain("anonymous", "mem.util.anonpages"), plain("shared", "mem.util.shmem"), plain("mapped files", "mem.util.mapped"), plain("page tables", "mem.util.pageTables"),
					plain("kernel stacks", "mem.util.kernelStack"), plain("per CPU", "mem.util.percpu")}},
			{ID: "active", Title: "Active and inactive", Unit: "", Style: Stack, What: "Which pages were used recently: of files, and of programs (anon). Inactive file pages are reclaimed first.",
				Usual: "Much inactive memory means there is reserve.", Next: "Paging, reclaim.",
				Series: []Series{plain("active, anon", "mem.util.active_anon"), plain("inactive, anon", "mem.util.inactive_anon"), plain("active, files", "mem.util.active_file"),
					plain("inactive, files", "mem.util.inactive_file"), plain("unevictable", "mem.util.unevictable"), plain("locked", "mem.util.mlocked")}},
			{ID: "dirty", Title: "Waiting to be written", Unit: "", Style: Line, What: "Changed pages in memory, and those on their way to disk.", Usual: "Far below the threshold, at which programs are made to wait.",
				Next: "Disks.", Series: []Series{plain("dirty", "mem.util.dirty"), plain("writeback", "mem.util.writeback")}, Thresholds: []Threshold{line(pages("mem.vmstat.nr_dirty_threshold"), "programs are made to wait")}},
			{ID: "slab", Title: "Slab", Unit: "", Style: Stack, What: "The kernel's own objects. The unreclaimable part should not creep up.", Usual: "Unreclaimable below 20 % of memory.",
				Next: "Largest slab caches.", Series: []Series{plain("reclaimable", "mem.util.slabReclaimable"), plain("unreclaimable", "mem.util.slabUnreclaimable")}},
			{ID: "caches", Title: "Largest slab caches", Unit: "", Style: TopN, Top: 8, What: "Which objects of the kernel take the memory.",
				Usual: "Dentries and inodes follow the work on files. A cache that only rises may be a leak of the kernel.", Next: "Slab.",
				Series: []Series{plain("", "mem.slabinfo.slabs.total_size", "mem.slabinfo.objects.total * mem.slabinfo.objects.size")}},
			{ID: "commit", Title: "Commitment", Unit: "% of the limit", Style: Line, What: "Memory committed to programs.", Usual: "Above 100 % only with overcommit; the OOM killer may then have to act.", Next: "Available; Out of memory, in Paging, reclaim.",
				Series: []Series{plain("committed", "100 * mem.util.committed_AS / mem.util.commitLimit")}, Thresholds: look("commit", 100, "warning above 100 %")},
			{ID: "zswap", Title: "zswap and same pages", Unit: "", Style: Line, What: "Swap in memory, compressed (zswap) and as it was (zswapped), and pages that were merged because they are the same.",
				Usual: "Zero where zswap is off.", Next: "Swap traffic, in Paging, reclaim.",
				Series: []Series{plain("zswap", "mem.util.zswap"), plain("zswapped", "mem.util.zswapped"), plain("same pages", "mem.ksm.pages_sharing * hinv.pagesize")}},
			{ID: "rest", Title: "Unaccounted", Unit: "", Style: Line, What: "Used memory that no other metric explains: drivers, network buffers.", Usual: "Steady. If it only rises, a driver leaks.", Next: "Slab; Memory and windows, in TCP, UDP, sockets.",
				Series: []Series{plain("unaccounted", unaccounted+" - mem.util.hugepagesTotalBytes - zfs.arc.size", unaccounted+" - mem.util.hugepagesTotalBytes", unaccounted+" - zfs.arc.size", unaccounted)}},
		}}
}

// unaccounted is used memory that no metric explains; huge pages and ZFS's cache, which are
// set aside on purpose, are to be subtracted where they were logged.
const unaccounted = "mem.util.used - mem.util.bufmem - mem.util.cached - mem.util.slab - mem.util.anonpages - mem.util.pageTables - mem.util.kernelStack"

func paging() Dashboard {
	return Dashboard{ID: "paging", Title: "Paging, reclaim", What: "What happened when memory ran short.",
		Spark: Spark{Exprs: []string{"rate(mem.vmstat.pgscan_kswapd) + rate(mem.vmstat.pgscan_direct)", "rate(mem.vmstat.pgfault)", "rate(swap.pagesout)"}, Name: "pages scanned"}, Panels: []Panel{
			{ID: "swap", Title: "Swap traffic", Unit: "pages/s", Style: Line, What: "Pages read from and written to swap space.", Usual: "Zero.", Next: "Available, in Memory; Processes by memory.",
				Series: []Series{series("in", Read, "rate(swap.pagesin)", "rate(mem.vmstat.pswpin)"), series("out", Write, "rate(swap.pagesout)", "rate(mem.vmstat.pswpout)")}, Thresholds: look("pagesOut", 5, "warning above 5")},
			{ID: "paged", Title: "Paged in and out", Unit: "", Style: Line, What: "All data between memory and disks, as the memory manager counts it.",
				Usual: "As much as the disks read and write.", Next: "Disks: throughput.",
				Series: []Series{series("in", Read, kibibytes("rate(mem.vmstat.pgpgin)")), series("out", Write, kibibytes("rate(mem.vmstat.pgpgout)"))}},
			{ID: "faults", Title: "Faults", Unit: "", Style: Line, What: "Pages that programs touched and did not have. Major ones had to be read from disk.", Usual: "Many minor ones; few major ones after start-up.", Next: "Swap traffic; Major faults, in Processes.",
				Series: []Series{plain("all", "rate(mem.vmstat.pgfault)"), plain("major", "rate(mem.vmstat.pgmajfault)").right()}},
			{ID: "scans", Title: "Scans", Unit: "pages/s", Style: Line, What: "Pages looked at for reclaim: in the background, and directly by programs that had to wait for memory.", Usual: "No direct scans.",
				Next: "Reclaim efficiency.", Series: []Series{plain("background", "rate(mem.vmstat.pgscan_kswapd)"), plain("direct", "rate(mem.vmstat.pgscan_direct)", "rate(mem.vmstat.pgscan_direct_total)")}},
			{ID: "efficiency", Title: "Reclaim efficiency", Unit: "%", Style: Line, Max: 100, What: "How many of the pages scanned could be freed. Low is bad. No value where none was scanned.", Usual: "Near 100 %.", Next: "Scans; Refaults; Direct reclaim.",
				Series:     []Series{plain("efficiency", "100 * (rate(mem.vmstat.pgsteal_kswapd) + rate(mem.vmstat.pgsteal_direct)) / (rate(mem.vmstat.pgscan_kswapd) + rate(mem.vmstat.pgscan_direct))")},
				Thresholds: lookUnder("efficiency", 30, "warning below 30 %")},
			{ID: "stalls", Title: "Direct reclaim", Unit: "", Style: Line, What: "How often programs had to free memory themselves before they got some.", Usual: "Never.", Next: "Available, in Memory; Memory, full, in Pressure stall (PSI).",
				Series: []Series{plain("stalls", "rate(mem.vmstat.allocstall)", "rate(mem.vmstat.allocstall_dma) + rate(mem.vmstat.allocstall_dma32) + rate(mem.vmstat.allocstall_normal) + rate(mem.vmstat.allocstall_movable)",
					"rate(mem.vmstat.allocstall_normal) + rate(mem.vmstat.allocstall_movable)")}},
			{ID: "compaction", Title: "Compaction", Unit: "", Style: Line, What: "Memory moved to make large pages.",
				Usual: "Few stalls.", Next: "Fragmentation.",
				Series: each("rate(mem.vmstat.*)", "compact_stall compact_fail compact_success")},
			{ID: "refaults", Title: "Refaults", Unit: "pages/s", Style: Line, What: "Cached pages that were thrown out and soon needed again.", Usual: "Near zero. Steady refaults: the cache is too small for the work.", Next: "Composition, in Memory; Read from disk, in Processes.",
				Series: []Series{plain("refaults", "rate(mem.vmstat.workingset_refault)", "rate(mem.vmstat.workingset_refault_file)"), plain("activated", "rate(mem.vmstat.workingset_activate)", "rate(mem.vmstat.workingset_activate_file)")}},
			{ID: "oom", Title: "Out of memory", Unit: "kills/s", Style: Line, What: "Processes that the kernel killed because memory ran out.", Usual: "Never.", Next: "Processes by memory just before.",
				Series: []Series{series("kills", Sys, "rate(mem.vmstat.oom_kill)")}},
			{ID: "thp", Title: "Transparent huge pages", Unit: "", Style: Line, What: "Large pages made, missed and split.",
				Usual: "Few fallbacks.", Next: "Compaction, Fragmentation.",
				Series: append(each("rate(mem.vmstat.*)", "thp_fault_alloc thp_fault_fallback thp_collapse_alloc thp_split_page"), plain("in use", "mem.util.anonhugepages").right())},
			{ID: "zones", Title: "Free memory in zones", Unit: "", Style: Line, What: "Below low the kernel begins to reclaim; below min programs wait.",
				Usual: "Above high.", Next: "Scans, Direct reclaim.",
				Series: []Series{plain("free", "mem.zoneinfo.free"), series("low", Limit, "mem.zoneinfo.low"), series("min", Limit, "mem.zoneinfo.min"), series("high", Limit, "mem.zoneinfo.high")}},
			{ID: "huge", Title: "Huge pages", Unit: "", Style: Line, What: "Huge pages set aside at start.",
				Usual: "Free huge pages cannot be used for anything else.", Next: "Composition, in Memory; Huge pages of each node, in NUMA nodes.",
				Series: []Series{plain("total", "mem.util.hugepagesTotalBytes"), plain("free", "mem.util.hugepagesFreeBytes"), plain("reserved", "mem.util.hugepagesRsvdBytes"), plain("surplus", "mem.util.hugepagesSurpBytes")}},
			{ID: "fragments", Title: "Fragmentation", Unit: "free blocks", Style: Heatmap, What: "Free blocks of memory by size.",
				Usual: "Blocks of all sizes. Without large ones the kernel has to move memory to get some.", Next: "Compaction.",
				Series: []Series{plain("", "mem.buddyinfo.pages")}},
		}}
}

// kibibytes adds the unit to what the kernel counts in KiB and PCP declares as
// a count.
func kibibytes(x string) string { return x + ` * mkconst(1, units="Kbyte/count")` }

func numa() Dashboard {
	node := func(mode string) []string { // of the CPUs of the node, as far as known
		time := "kernel.pernode.cpu." + mode
		return []string{"100 * rate(" + time + ") / tally(hinv.map.cpu_node, " + time + ")", "100 * rate(" + time + ") / (hinv.ncpu / hinv.nnode)"}
	}
	return Dashboard{ID: "numa", Title: "NUMA nodes", What: "How well work and memory stayed together.",
		Spark: Spark{Exprs: []string{"100 * sum(rate(mem.numa.alloc.local_node)) / (sum(rate(mem.numa.alloc.local_node)) + sum(rate(mem.numa.alloc.other_node)))"}, Unit: "%", Name: "local"}, Panels: []Panel{
			{ID: "cpu", Title: "CPU of each node", Unit: "% of the node", Style: Line, Max: 100, What: "Time in programs, in the kernel and waiting, of all CPUs of the node.",
				Usual: "Similar across nodes.", Next: "Locality.",
				Series: []Series{series("user", User, append(node("user"), node("vuser")...)...), series("sys", Sys, node("sys")...), series("wait", Wait, node("wait.total")...), series("idle", Idle, node("idle")...).hidden()}},
			{ID: "memory", Title: "Memory of each node", Unit: "", Style: Line, What: "Free and used memory of each node.",
				Usual: "Similar across nodes.", Next: "Free.",
				Series: []Series{plain("free", "mem.numa.util.free"), plain("used", "mem.numa.util.used"), plain("files", "mem.numa.util.filePages"), plain("programs", "mem.numa.util.anonpages")}},
			{ID: "free", Title: "Free", Unit: "% of the node", Style: Line, Max: 100, What: "A node without memory makes others serve its work.", Usual: "Similar across nodes.", Next: "Misses; Memory of each node.",
				Series: []Series{plain("", "100 * mem.numa.util.free / mem.numa.util.total")}, Thresholds: lookUnder("nodeFree", 2, "warning below 2 %")},
			{ID: "local", Title: "Locality", Unit: "%", Style: Line, Max: 100, What: "How much memory came from the node of the CPU that asked.", Usual: "Above 80 %.", Next: "Misses; Balancing.",
				Series: []Series{plain("", "100 * rate(mem.numa.alloc.local_node) / (rate(mem.numa.alloc.local_node) + rate(mem.numa.alloc.other_node))")}, Thresholds: lookUnder("locality", 80, "warning below 80 %")},
			{ID: "misses", Title: "Misses", Unit: "", Style: Line, What: "Memory that was wanted from one node and came from another.",
				Usual: "Near zero.", Next: "Free memory of the nodes.",
				Series: each("rate(mem.numa.alloc.*)", "miss foreign interleave_hit")},
			{ID: "balancing", Title: "Balancing", Unit: "", Style: Line, What: "Pages moved to be near their users.",
				Usual: "Most hints local; few pages migrated.", Next: "Locality.",
				Series: append([]Series{plain("local hints", "100 * rate(mem.vmstat.numa_hint_faults_local) / rate(mem.vmstat.numa_hint_faults)").right().in("%")},
					each("rate(mem.vmstat.*)", "numa_pages_migrated numa_pte_updates pgpromote_success pgdemote_kswapd pgdemote_direct")...)},
			{ID: "huge", Title: "Huge pages of each node", Unit: "", Style: Line, What: "Huge pages set aside at start.",
				Usual: "Similar across nodes.", Next: "Memory of each node.",
				Series: each("mem.numa.hugepages.*", "totalsize free surplus")},
		}}
}

func pressure() Dashboard {
	kinds := []struct{ id, title, metric, rule, usual, next string }{
		{"cpu", "CPU, some", "cpu.some", "pressureCPU", "Below 50 %.", "Run queue, in Load, tasks."},
		{"memory", "Memory, some", "memory.some", "", "Near zero.", "Paging, reclaim."},
		{"memoryfull", "Memory, full", "memory.full", "pressureMemory", "Zero. Above 5 % the machine hardly works.", "Available, in Memory; Paging, reclaim."},
		{"io", "I/O, some", "io.some", "", "Below 20 %.", "Disks: latency."},
		{"iofull", "I/O, full", "io.full", "pressureIO", "Below 20 %.", "Disks; Processes waiting for disks."},
		{"irq", "Interrupts, full", "irq.full", "", "Near zero.", "Interrupts."},
	}
	d := Dashboard{ID: "pressure", Title: "Pressure stall (PSI)", What: "Time lost because tasks waited for a resource.",
		Spark: Spark{Exprs: []string{mostPressure(), "100 * rate(kernel.all.pressure.io.some.total)"}, Unit: "%", Name: "most of CPU, memory and I/O, some"}}
	all := Panel{ID: "all", Title: "Pressure", Unit: "% of time", Style: Line, Max: 100, What: "Some: at least one task waited. Full: nothing else went on. Exact for every interval.",
		Usual: "Near zero.", Next: "The resource that is waited for."}
	d.Panels = append(d.Panels, all)
	limits := map[string]float64{"cpu.some": 50, "memory.full": 5, "io.full": 20}
	for _, k := range kinds {
		total := "100 * rate(kernel.all.pressure." + k.metric + ".total)"
		d.Panels[0].Series = append(d.Panels[0].Series, plain(k.title, total))
		p := Panel{ID: k.id, Title: k.title, Unit: "% of time", Style: Line, Max: 100, What: "Exact, beside the kernel's own sliding averages.", Usual: k.usual, Next: k.next,
			Series: []Series{plain("exact", total).bold(), plain("", "kernel.all.pressure."+k.metric+".avg")}}
		if l := limits[k.metric]; l > 0 {
			p.Thresholds = look(k.rule, l, "warning above "+whole(l)+" %")
		}
		d.Panels = append(d.Panels, p)
	}
	return d
}

// memoryInUse is a percentage.
func memoryInUse() []string {
	return []string{"100 * (mem.physmem - mem.util.available) / mem.physmem", "100 * (hinv.physmem - mem.util.available) / hinv.physmem", "100 * (mem.util.used - mem.util.cached - mem.util.bufmem) / mem.physmem", "100 * (mem.util.wired + mem.util.active + mem.util.compressed) / mem.physmem",
		"100 * (hinv.physmem - mem.available) / hinv.physmem", "100 * (mem.physmem - mem.util.free - mem.util.fs_clean) / mem.physmem",
		"100 * (1 - mem.util.available / " + usedAndFree + ")", "100 * (mem.util.used - mem.util.cached - mem.util.bufmem) / " + usedAndFree, // from sar
		"100 * (mem.physmem - mem.freemem - mem.util.cached - mem.util.bufmem) / mem.physmem", "100 * (mem.physmem - mem.freemem) / mem.physmem"}
}

// mostPressure is the share of time in which tasks waited for what was scarcest.
func mostPressure() string {
	of := func(what string) string { return "rate(kernel.all.pressure." + what + ".some.total)" }
	larger := func(a, b string) string { return "(" + a + " > " + b + " ? " + a + " : " + b + ")" }
	return "100 * " + larger(of("cpu"), larger(of("memory"), of("io")))
}
