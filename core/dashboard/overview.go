package dashboard

import (
	"fmt"
	"strings"
)

// cpuModes are the parts of CPU time, from the bottom of the stack to its top.
func cpuModes() []Series {
	return []Series{
		series("user", User, ofAll("rate(kernel.all.cpu.user)")...),
		series("nice", Nice, ofAll("rate(kernel.all.cpu.nice)")...),
		series("sys", Sys, ofAll("rate(kernel.all.cpu.sys)")...),
		series("intr", Intr, append(ofAll("rate(kernel.all.cpu.intr)"), ofAll("(rate(kernel.all.cpu.irq.hard) + rate(kernel.all.cpu.irq.soft))")...)...),
		series("wait", Wait, ofAll("rate(kernel.all.cpu.wait.total)")...),
		series("steal", Steal, ofAll("rate(kernel.all.cpu.steal)")...),
		series("idle", Idle, ofAll("rate(kernel.all.cpu.idle)")...).hidden(),
	}
}

// busyModes are the time of CPUs in which they did something; old kernels have no
// steal. What idle and wait leave of the time is less reliable: on some kernels
// these are more than all of it.
func busyModes(of string) []string {
	rate := func(modes string) string {
		var rates []string
		for _, mode := range strings.Fields(modes) {
			rates = append(rates, "rate(kernel."+of+".cpu."+mode+")")
		}
		return "(" + strings.Join(rates, " + ") + ")"
	}
	return []string{rate("user nice sys intr steal"), rate("user nice sys irq.hard irq.soft steal"), rate("user nice sys intr"), rate("user nice sys irq.hard irq.soft")}
}

// busyExprs is the percentage of time in which CPUs did something.
func busyExprs() []string {
	const some = "(rate(kernel.all.cpu.user) + rate(kernel.all.cpu.nice) + rate(kernel.all.cpu.sys))" // not interrupts and steal
	var exprs []string
	for _, busy := range busyModes("all") {
		exprs = append(exprs, ofAll(busy)...)
	}
	exprs = append(exprs,
		"100 * (1 - (rate(kernel.all.cpu.idle) + rate(kernel.all.cpu.wait.total)) / hinv.ncpu)",
		"100 * "+some+" / hinv.ncpu", // without wait: it is part of what idle leaves
		"100 * (1 - rate(kernel.all.cpu.idle) / hinv.ncpu)",
		busyOf(allCPUTime[0]), busyOf(allCPUTime[1]), busyOf(allCPUTime[3]),
		"100 * (1 - avg(rate(kernel.percpu.cpu.idle) + rate(kernel.percpu.cpu.wait.total)))",
		"100 * (1 - avg(rate(kernel.percpu.cpu.idle)))")
	few := "(rate(kernel.all.cpu.user) + rate(kernel.all.cpu.sys))"
	return append(exprs, fmt.Sprintf("100 * %s / (%s)", some, allCPUTime[2]), fmt.Sprintf("100 * %s / (%s)", few, allCPUTime[4]))
}

// busyOf is what is neither idle nor waiting, as a percentage of the sum of all
// modes.
func busyOf(all string) string {
	return "100 * (1 - (rate(kernel.all.cpu.idle) + rate(kernel.all.cpu.wait.total)) / (" + all + "))"
}

// Pulse is the series that represents the whole archive.
func (a Accounting) Pulse() Spark { return a.spark(Pulse()) }

// Pulse is that of most systems.
func Pulse() Spark { return Spark{Exprs: busyExprs(), Unit: "% of all CPUs", Name: "CPU busy"} }

func memoryParts() []Series {
	return []Series{
		series("programs", Program, "mem.util.used - mem.util.bufmem - mem.util.cached - mem.util.slab", "mem.util.used - mem.util.bufmem - mem.util.cached", "mem.util.other",
			"mem.physmem - mem.util.free - mem.util.bufmem - mem.util.cached - mem.util.slab", "mem.physmem - mem.util.free - mem.util.bufmem - mem.util.cached", // from collectl
			"mem.physmem - mem.freemem - mem.util.bufmem - mem.util.cached - mem.util.slab"), // as logged for pcp-atop(1)
		series("slab", Slab, "mem.util.slab"),
		series("buffers", Buffers, "mem.util.bufmem"),
		series("page cache", Cache, "mem.util.cached"),
		series("free", Free, "mem.util.free", "mem.freemem").hidden(),
	}
}

func available() []string {
	return []string{"100 * mem.util.available / mem.physmem", "100 * mem.util.available / hinv.physmem",
		"100 * (mem.util.free + mem.util.cached + mem.util.bufmem) / mem.physmem", "100 * (mem.util.free + mem.util.cached + mem.util.bufmem) / hinv.physmem",
		"100 * mem.available / hinv.physmem",                                                                                  // Windows
		"100 * (mem.util.free + mem.util.fs_clean) / mem.physmem", "100 * (mem.util.free + mem.util.fs_clean) / hinv.physmem", // IRIX
		"100 * (mem.freemem + mem.util.cached + mem.util.bufmem) / mem.physmem", "100 * (mem.freemem + mem.util.cached + mem.util.bufmem) / hinv.physmem",
		"100 * mem.util.available / " + usedAndFree, "100 * (mem.util.free + mem.util.cached + mem.util.bufmem) / " + usedAndFree, // from sar
		"100 * mem.freemem / mem.physmem", "100 * mem.freemem / hinv.physmem"}
}

// busyDisks draws each disk and, if there are several, the busiest as a bold
// line.
func busyDisks(busy []string) []Series {
	busiest := busiestOf(busy...)
	for i, b := range busy {
		busiest[i] = "count(" + b + ") > 1 ? " + busiest[i] + " : novalue(type=double, semantics=instant)"
	}
	return []Series{plain("busiest", busiest...).bold(), plain("", busy...)}
}

// diskBusy is the percentage of time in which a device had a request in flight:
// avactive on Linux, active on IRIX, run.time on Solaris, and on Windows the
// complement of the idle time. core/analysis judges the same metrics.
func diskBusy(family string, choose func(string) string) []string {
	linux := percent(choose("rate(" + family + ".avactive)"))
	if family != "disk.dev" { // only Linux has other devices
		return []string{linux}
	}
	return []string{linux, percent(choose("rate(" + family + ".active)")), percent(choose("rate(" + family + ".run.time)")),
		percent("(1 - " + choose("rate("+family+".idle)") + ")")}
}

// busiestDisk is diskBusy of the disk that is busiest at each moment.
func busiestDisk() []string { return busiestOf(diskBusy("disk.dev", disks)...) }

// busiestOf is the highest value that any instance has at each moment.
func busiestOf(exprs ...string) (list []string) {
	for _, x := range exprs {
		list = append(list, "max("+x+")")
	}
	return list
}

func overview() Dashboard {
	return Dashboard{ID: "overview", Title: "System overview", What: "How this machine did, resource by resource.", Spark: Pulse(), Panels: []Panel{
		{ID: "cpu", Title: "CPU", Unit: "% of all CPUs", Style: Utilisation, Max: 100,
			What:  "Where CPU time went. Wait is idle time with disk I/O pending.",
			Usual: "Sys well below user. Wait and steal near zero.",
			Next:  "CPU for each of them, Processes for who used it, Disks when wait is high.", Series: cpuModes(), Thresholds: look("cpuBusy", 90, "warning above 90 %")},
		{ID: "load", Title: "Load", Unit: "tasks, average", Style: Line,
			What:   "Running or blocked tasks. Above the number of CPUs, tasks wait.",
			Usual:  "Below the number of CPUs. Blocked tasks count too: a slow disk raises it without any CPU work.",
			Next:   "Runnable and blocked, to see which of the two it is.",
			Series: []Series{plain("", "kernel.all.load")}, Thresholds: []Threshold{line("hinv.ncpu", "CPUs")}},
		{ID: "diskbusy", Title: "Disk busy", Unit: "% of time", Style: Line, Max: 100,
			What:   "Time with at least one request in flight.",
			Usual:  "Short peaks. A disk that serves many requests at once can be 100 % busy and still have capacity left.",
			Next:   "Disks: latency and average queue size, to see whether it is too much.",
			Series: busyDisks(diskBusy("disk.dev", disks)), Thresholds: look("diskBusy", 85, "warning above 85 %")},
		{ID: "memory", Title: "Memory", Unit: "", Style: Stack,
			What:  "Page cache is released when programs need it. Programs: everything else.",
			Usual: "Little free memory is normal: the kernel uses it for cache.",
			Next:  "Available memory, then Paging, reclaim.", Series: memoryParts(), Thresholds: physical()},
		{ID: "available", Title: "Available memory", Unit: "% of physical", Style: Line, Max: 100,
			What:   "What programs can still get without swapping.",
			Usual:  "Above 10 %.",
			Next:   "Processes by memory; Paging, reclaim.",
			Series: []Series{series("available", Free, available()...)}, Thresholds: lookUnder("available", 10, "warning below 10 %")},
		{ID: "runnable", Title: "Runnable and blocked", Unit: "tasks", Style: Line,
			What:  "Tasks that run or want to, and tasks that wait for I/O.",
			Usual: "Runnable at most about the number of CPUs; blocked near zero.",
			Next:  "Disks when tasks are blocked, CPU when they are runnable.",
			Series: []Series{series("runnable", User, "kernel.all.running", "kernel.all.runnable", "proc.runq.runnable"),
				series("blocked", Wait, "kernel.all.blocked", "proc.runq.blocked")}, Thresholds: []Threshold{line("hinv.ncpu", "CPUs")}},
		{ID: "iops", Title: "Disk operations", Unit: "", Style: Stack, What: "Requests that all disks completed.",
			Usual:  "They follow the work. A rotating disk can do about 150 random requests a second, solid state many thousands.",
			Next:   "Disks for each of them.",
			Series: []Series{series("read", Read, "rate(disk.all.read)"), series("write", Write, "rate(disk.all.write)")}},
		{ID: "requests", Title: "Disk operations", Unit: "", Style: Stack, Unless: "disk.all.read", Instead: "iops", What: "Requests that all disks completed, reads and writes together.",
			Usual:  "They follow the work. A rotating disk can do about 150 random requests a second, solid state many thousands.",
			Next:   "Disks for each of them.",
			Series: []Series{plain("all", "rate(disk.all.total)")}},
		{ID: "throughput", Title: "Disk throughput", Unit: "", Style: Stack, What: "Data to and from all disks.",
			Usual: "Well below what the disks can do; long plateaus are a limit.", Next: "Disks for each of them.",
			Series: []Series{series("read", Read, "rate(disk.all.read_bytes)"), series("write", Write, "rate(disk.all.write_bytes)")}},
		{ID: "blocks", Title: "Disk throughput", Unit: "blocks/s", Style: Stack, Unless: "disk.all.read_bytes", Instead: "throughput", What: "Blocks of data to and from all disks. On Linux they are of 512 bytes.",
			Usual: "Well below what the disks can do; long plateaus are a limit.", Next: "Disks for each of them.",
			Series: []Series{series("read", Read, "rate(disk.all.blkread)"), series("write", Write, "rate(disk.all.blkwrite)")}},
		{ID: "network", Title: "Network", Unit: "", Style: Mirror, What: "Data received, and below the line data sent. Loopback and virtual interfaces are left out.",
			Usual:  "It follows the work, below 85 % of the line rate.",
			Next:   "Network for drops, errors and the share of the line rate.",
			Series: []Series{series("in", In, nicRate("in.bytes")...), series("out", Out, nicRate("out.bytes")...).below()}},
		{ID: "nettrouble", Title: "Network trouble", Unit: "", Style: Line, What: "Packets dropped or damaged, and TCP retransmissions.",
			Usual: "Zero drops and errors; retransmissions well below 1 %.", Next: "Network; TCP, UDP, sockets.",
			Series: []Series{plain("drops", sumNICs("in.drops", "out.drops")...), plain("errors", append(sumNICs("in.errors", "out.errors", "collisions"), sumNICs("in.errors", "out.errors")...)...),
				plain("retransmitted", "100 * rate(network.tcp.retranssegs) / rate(network.tcp.outsegs)").right().in("%")}},
		{ID: "pressure", Title: "Pressure", Unit: "% of time", Style: Line, Max: 100,
			What: "Time in which tasks waited for a resource (some) or nothing else went on (full).", Usual: "Near zero.", Next: "Pressure stall (PSI).",
			Series: []Series{series("CPU, some", User, "100 * rate(kernel.all.pressure.cpu.some.total)"), series("memory, full", Sys, "100 * rate(kernel.all.pressure.memory.full.total)"),
				series("I/O, full", Wait, "100 * rate(kernel.all.pressure.io.full.total)")}},
		{ID: "swap", Title: "Swap", Unit: "%", Style: Line, Max: 100, What: "Swap space in use, and pages that go in and out.",
			Usual: "Space in use does no harm; traffic does.", Next: "Paging, reclaim.",
			Series: []Series{plain("used", swapUsed()...), series("in", Read, "rate(swap.pagesin)").right().in("pages/s"), series("out", Write, "rate(swap.pagesout)").right().in("pages/s")}},
		{ID: "full", Title: "Fullest filesystems", Unit: "% of space", Style: TopN, Top: 5, Max: 100, What: "Space in use, as df(1) says. Snaps, CDs and pseudo filesystems such as devfs are left out.",
			Usual: "Below 95 %.", Next: "Filesystems, for how fast they fill.", Series: []Series{plain("", fullness(writable)...)}, Thresholds: look("full", 95, "warning above 95 %")},
		{ID: "top", Title: "Processes by CPU", Unit: "% of one CPU", Style: TopN, Top: 5, What: "The processes that used most CPU time.",
			Usual: "100 % is one CPU; a program with several threads can have more.",
			Next:  "Processes.", Series: []Series{plain("", "100 * (rate(proc.psinfo.utime) + rate(proc.psinfo.stime))", "100 * (rate(hotproc.psinfo.utime) + rate(hotproc.psinfo.stime))")}},
	}}
}

// swapUsed is the percentage of swap space in use. Without swap space, a length
// of 1 byte makes it 0 %, except on macOS, which counts kilobytes.
func swapUsed() []string {
	of := func(none string) string {
		return "100 * swap.used / (swap.length > 0 ? swap.length : " + none + ")"
	}
	return []string{of(`mkconst(1, type=u64, semantics=instant, units="byte")`), of("novalue()")}
}

// physical is the physical memory.
func physical() []Threshold {
	return []Threshold{line("mem.physmem", "physical"), line(`rescale(hinv.physmem, "Kbyte")`, "physical")}
}
