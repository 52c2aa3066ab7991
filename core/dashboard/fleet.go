package dashboard

// A FleetMeasure is a measure by which hosts are compared. Its ID never
// changes, because it is stored in files.
type FleetMeasure struct {
	ID string // "cpu.busy"
	Spark
	Dashboard string // the host's dashboard with panels about it
}

// FleetMeasures lists them; for each, higher means worse or busier. Each has
// one unit, whatever the units of a host's metrics.
func (a Accounting) FleetMeasures() []FleetMeasure {
	const bytes = "byte / sec"
	one := func(id, dashboard, name, unit string, exprs ...string) FleetMeasure {
		return FleetMeasure{ID: id, Dashboard: dashboard, Spark: Spark{Name: name, Unit: unit, Exprs: exprs}}
	}
	in := func(units string, exprs ...string) (list []string) {
		for _, e := range exprs {
			list = append(list, "rescale("+e+`, "`+units+`")`)
		}
		return list
	}
	stall := func(kind string) string { return "100 * rate(kernel.all.pressure." + kind + ".total)" }
	return []FleetMeasure{
		one("cpu.busy", "cpu", "CPU busy", "%", a.Pulse().Exprs...),
		one("cpu.load", "cpu", "Load per CPU, 1 minute", "", "kernel.all.load[1 minute] / hinv.ncpu"),
		one("memory.used", "memory", "Memory in use", "%", a.spark(memory().Spark).Exprs...),
		one("swap.used", "memory", "Swap used", "%", swapUsed()...),
		one("swap.out", "memory", "Pages out to swap", "1/s", "rate(swap.pagesout)"),
		one("disk.busy", "disks", "Busiest disk", "%", busiestDisk()...),
		one("disk.read", "disks", "Read from disks", bytes, in("byte/sec", "rate(disk.all.read_bytes)")...),
		one("disk.write", "disks", "Written to disks", bytes, in("byte/sec", "rate(disk.all.write_bytes)")...),
		one("filesystem.full", "filesystems", "Fullest filesystem", "%", fullness(func(x string) string { return "max(" + writable(x) + ")" })...),
		one("network.in", "network", "Network in", bytes, in("byte/sec", a.adapt(sumOfNICs("in.bytes"), false)...)...),
		one("network.out", "network", "Network out", bytes, in("byte/sec", a.adapt(sumOfNICs("out.bytes"), false)...)...),
		one("tcp.retransmitted", "network", "TCP segments retransmitted", "%", "100 * rate(network.tcp.retranssegs) / rate(network.tcp.outsegs)"),
		one("pressure.cpu", "pressure", "CPU pressure, some", "%", stall("cpu.some")),
		one("pressure.memory", "pressure", "Memory pressure, full", "%", stall("memory.full")),
		one("pressure.io", "pressure", "I/O pressure, full", "%", stall("io.full")),
		one("processes", "processes", "Processes", "", "kernel.all.nprocs"),
	}
}

// FleetMetrics are the metrics that an index keeps by default, with every
// series.
func FleetMetrics() []string {
	return []string{
		"kernel.all.load", "kernel.all.pswitch", "kernel.all.runnable", "mem.util.available", "mem.util.used", "mem.util.cached",
		"swap.pagesin", "swap.pagesout", "disk.dev.read", "disk.dev.write", "disk.dev.read_bytes", "disk.dev.write_bytes", "disk.dev.avactive",
		"filesys.full", "network.interface.in.bytes", "network.interface.out.bytes", "network.interface.in.errors", "network.interface.in.drops",
		"network.tcp.retranssegs",
	}
}
