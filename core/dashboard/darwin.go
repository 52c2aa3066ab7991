package dashboard

// macOS manages memory differently: there is no page cache apart from the pages
// of programs, and pages are compressed before they are swapped. The columns
// are those of pmrep's metricsets macstat and macstat-x.

// ofDarwin has the panels of macOS, by dashboard. wired is a memory metric that
// its agent has and Linux does not.
func ofDarwin() map[string][]Panel {
	return map[string][]Panel{
		"overview": {
			darwinMemory("macmemory", "Memory", "memory", "Free and inactive, then Paging, reclaim."),
			darwinFree("macfree", "available", "Compressor, in Memory; Processes by memory."),
		},
		"memory": {
			darwinMemory("macparts", "Composition", "parts active", "Free and inactive; Compressor."),
			darwinFree("macfree", "available free", "Compressor; Processes by memory."),
			{ID: "compressor", Title: "Compressor", Unit: "pages/s", Style: Line, Only: wired, Instead: "zswap", What: "Pages that were compressed to free memory, and those that were needed again.",
				Usual: "Near zero while memory is enough. Many decompressions: programs wait for what was compressed.", Next: "Compressed memory; Paged in and out, in Paging, reclaim.",
				Series: []Series{plain("compressed", "rate(mem.compressions)"), plain("wanted back", "rate(mem.decompressions)")}},
			{ID: "compressed", Title: "Compressed memory", Unit: "", Style: Line, Only: wired, What: "How much memory is compressed, and how much space it takes.",
				Usual: "Steady. Where it only rises, programs want more memory than there is.", Next: "Compressor; Processes by memory.",
				Series: []Series{plain("held", pages("mem.compressor.uncompressed_pages")), plain("room", "mem.util.compressed")}},
		},
		"paging": {
			// The agent also has these as swap.pagesin and swap.pagesout, but they
			// include pages of files.
			{ID: "macpaged", Title: "Paged in and out", Unit: "pages/s", Style: Line, Only: wired, Instead: "swap paged", What: "Pages read from and written to disks, of files and of swap space.",
				Usual: "Pages come in after a start; few go out.", Next: "Compressor, in Memory; Disks: throughput.",
				Series: []Series{series("in", Read, "rate(mem.pageins)"), series("out", Write, "rate(mem.pageouts)")}},
			{ID: "macfaults", Title: "Faults", Unit: "", Style: Line, Only: wired, Instead: "faults", What: "Pages that programs touched and did not have. Some were to be copied (copy on write) or filled with zeros, some were inactive and are in use again.",
				Usual: "Thousands a second do no harm.", Next: "Paged in and out; Composition, in Memory.",
				Series: []Series{plain("all", "rate(mem.pages.faults)"), plain("copied", "rate(mem.pages.cow_faults)"), plain("zeros", "rate(mem.pages.zero_filled)"), plain("in use again", "rate(mem.pages.reactivated)")}},
		},
	}
}

const wired = "mem.util.wired"

func darwinMemory(id, title, instead, next string) Panel {
	return Panel{ID: id, Title: title, Unit: "", Style: Stack, Only: wired, Unless: everything, Instead: instead, What: "Wired memory cannot be moved or paged out. Inactive memory has not been used recently and can be reclaimed; compressed memory takes less space.",
		Usual: "Little free memory is normal: the system keeps what it has used once.", Next: next, Thresholds: physical(),
		Series: []Series{series("wired", Slab, wired), series("active", Program, "mem.util.active"), series("compressed", Buffers, "mem.util.compressed"), series("inactive", Cache, "mem.util.inactive"), series("free", Free, "mem.util.free").hidden()}}
}

func darwinFree(id, instead, next string) Panel {
	share := "100 * (mem.util.free + mem.util.inactive) / "
	return Panel{ID: id, Title: "Free and inactive", Unit: "% of physical", Style: Line, Max: 100, Only: wired, Unless: everything, Instead: instead, What: "Memory that is free, or has not been used recently.",
		Usual: "There is no usual value: the compressor shows whether memory is short.", Next: next, Series: []Series{series("not in use", Free, share+"mem.physmem", share+"hinv.physmem")}}
}

// macstat has the columns of pmrep's metricsets of this name.
func macstat() []Panel {
	columns := func(memory, activity, tasks string) string {
		return `load avg = scalar(kernel.all.load[1 minute]); swpd = rescale(swap.used, "Mbyte"); free = rescale(mem.util.free, "Mbyte"); wired = rescale(mem.util.wired, "Mbyte"); active = rescale(mem.util.active, "Mbyte");` + memory +
			`cmpr = rescale(mem.util.compressed, "Mbyte"); pi = rate(mem.pageins); po = rate(mem.pageouts);` + activity + "read = rate(disk.all.read); write = rate(disk.all.write);" + tasks +
			"us = 100 * (rate(kernel.all.cpu.user) + rate(kernel.all.cpu.nice)) / hinv.ncpu; sy = 100 * rate(kernel.all.cpu.sys) / hinv.ncpu; id = 100 * rate(kernel.all.cpu.idle) / hinv.ncpu"
	}
	panels := []Panel{
		set("macstat", "macstat", Rows, 0, columns("", "", "")).
			described("A line for each interval: load, memory in MiB, pages and requests of disks in a second, CPU in percent. cmpr is the space that compressed memory takes.", "Load at most about the number of CPUs, po near zero. Little free memory is normal.", "Compressor, in Memory; Composition, in Memory."),
		set("macstat-x", "macstat-x", Rows, 0, columns(`inact = rescale(mem.util.inactive, "Mbyte");`, "comp = rate(mem.compressions); deco = rate(mem.decompressions);", "proc = kernel.all.nprocs; thrd = kernel.all.nthreads;")).
			described("The same with inactive memory, pages compressed (comp) and decompressed (deco) in a second, processes and threads.", "comp and deco near zero while memory is enough.", "Compressor, in Memory; Number of processes, in Load, tasks."),
	}
	for i := range panels {
		panels[i].Only = wired
	}
	return panels
}
