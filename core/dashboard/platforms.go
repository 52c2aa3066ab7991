package dashboard

// Memory on systems that divide it differently. The names and meanings are from
// the help texts of their PCP agents.

// ofIRIX has the panels of IRIX, by dashboard: six parts add up to all memory.
func ofIRIX() map[string][]Panel {
	return map[string][]Panel{
		"overview": {irixMemory("irixmemory", "Memory", "memory", "Available memory.")},
		"memory":   {irixMemory("irixparts", "Composition", "parts active", "Available.")},
	}
}

// fsClean is a memory metric that only IRIX has.
const fsClean = "mem.util.fs_clean"

func irixMemory(id, title, instead, next string) Panel {
	return Panel{ID: id, Title: title, Unit: "", Style: Stack, Only: fsClean, Instead: instead, What: "Clean pages of files are given back when programs need memory; dirty ones have to be written first.",
		Usual: "Little free memory is normal: it holds files that were read.", Next: next, Thresholds: physical(),
		Series: []Series{series("programs", Program, "mem.util.user"), series("kernel", Slab, "mem.util.kernel"), series("of filesystems", Buffers, "mem.util.fs_ctl"), plain("dirty files", "mem.util.fs_dirty"), series("clean files", Cache, fsClean), series("free", Free, "mem.util.free").hidden()}}
}

// ofFreeBSD has the panels of FreeBSD, by dashboard.
func ofFreeBSD() map[string][]Panel {
	return map[string][]Panel{
		"overview": {bsdMemory("bsdmemory", "Memory", "memory", "Free, inactive and cached, then Paging, reclaim."), bsdFree("bsdfree", "available")},
		"memory":   {bsdMemory("bsdparts", "Composition", "parts active", "Free, inactive and cached."), bsdFree("bsdfree", "available free")},
	}
}

// everything is a memory metric that only the BSDs have: the total.
const everything = "mem.util.all"

func bsdMemory(id, title, instead, next string) Panel {
	return Panel{ID: id, Title: title, Unit: "", Style: Stack, Only: everything, Unless: pagedOut, Instead: instead, What: "Wired memory cannot be moved or paged out. Inactive memory has not been used recently and can be reclaimed; cached memory can be reclaimed at once.",
		Usual: "Little free memory is normal: the system keeps what it has used once.", Next: next, Thresholds: physical(),
		Series: []Series{series("wired", Slab, wired), series("active", Program, "mem.util.active"), series("inactive", Buffers, "mem.util.inactive"), series("cached", Cache, "mem.util.cached"), series("free", Free, "mem.util.free").hidden()}}
}

func bsdFree(id, instead string) Panel {
	return Panel{ID: id, Title: "Free, inactive and cached", Unit: "% of physical", Style: Line, Max: 100, Only: everything, Unless: pagedOut, Instead: instead, What: "Memory that is free, or has not been used recently.",
		Usual: "Above 10 %.", Next: "Processes by memory; Paging, reclaim.", Series: []Series{series("not in use", Free, "100 * (mem.util.free + mem.util.inactive + mem.util.cached) / mem.util.all")}}
}

// ofNetBSD has the panels of NetBSD and OpenBSD, by dashboard. What their agents call
// cached are the pages of files, which are active or inactive like those of programs.
func ofNetBSD() map[string][]Panel {
	return map[string][]Panel{
		"overview": {uvmMemory("uvmmemory", "Memory", "memory", "Free and inactive, then Paging, reclaim."), uvmFree("uvmfree", "available")},
		"memory":   {uvmMemory("uvmparts", "Composition", "parts active", "Free and inactive."), uvmFree("uvmfree", "available free")},
	}
}

// pagedOut is a memory metric that only NetBSD and OpenBSD have: what is on its way out.
const pagedOut = "mem.util.paging"

func uvmMemory(id, title, instead, next string) Panel {
	return Panel{ID: id, Title: title, Unit: "", Style: Stack, Only: pagedOut, Instead: instead, What: "Wired memory cannot be moved or paged out. Inactive memory has not been used recently and can be reclaimed. Pages of files are in both, active and inactive memory.",
		Usual: "Little free memory is normal: the system keeps what it has used once.", Next: next, Thresholds: physical(),
		Series: []Series{series("wired", Slab, wired), series("active", Program, "mem.util.active"), series("inactive", Buffers, "mem.util.inactive"), series("free", Free, "mem.util.free").hidden()}}
}

func uvmFree(id, instead string) Panel {
	return Panel{ID: id, Title: "Free and inactive", Unit: "% of physical", Style: Line, Max: 100, Only: pagedOut, Instead: instead, What: "Memory that is free, or has not been used recently.",
		Usual: "Above 10 %.", Next: "Processes by memory; Paging, reclaim.", Series: []Series{series("not in use", Free, "100 * (mem.util.free + mem.util.inactive) / mem.util.all")}}
}

// ofWindows has the panels of Windows, by dashboard.
func ofWindows() map[string][]Panel {
	return map[string][]Panel{
		"overview": {windowsMemory("winmemory", "Memory", "memory", "Available memory.")},
		"memory":   {windowsMemory("winparts", "Composition", "parts active commit", "Available.")},
	}
}

// committed is a memory metric that only Windows has.
const committed = "mem.committed_bytes"

func windowsMemory(id, title, instead, next string) Panel {
	return Panel{ID: id, Title: title, Unit: "", Style: Line, Only: committed, Instead: instead, What: "Memory in use, what programs were promised of memory and page files together (committed), and what the kernel took of it (pools).",
		Usual: "Committed above physical memory is served from page files. A pool that only rises is a leak of a driver.", Next: next, Thresholds: physical(),
		Series: []Series{series("in use", Program, "hinv.physmem - mem.available"), plain("committed", committed), plain("paged pool", "mem.pool.paged_bytes"), plain("non-paged pool", "mem.pool.non_paged_bytes"), series("available", Free, "mem.available").hidden()}}
}
