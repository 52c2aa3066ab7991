package dashboard

// A DayMeasure is a measure by which the days of a host are compared.
type DayMeasure struct {
	Spark
	Floor  float64 // smallest difference of hourly averages that matters, in the unit of the expressions
	Share  float64 // the same as a fraction of the usual value; the larger of the two is used
	PerCPU bool    // Floor is multiplied by the number of CPUs
	Rises  bool    // values below the usual are ignored, as they occur after every boot
}

// DayMeasures lists the measures of a host, one for each resource and
// direction. The floors are those used for comparing
// two windows, for whole hours.
func (a Accounting) DayMeasures() []DayMeasure {
	one := func(name, unit string, floor float64, exprs ...string) DayMeasure {
		return DayMeasure{Spark: Spark{Name: name, Unit: unit, Exprs: exprs}, Floor: floor}
	}
	load := one("Load, 1 minute", "", 0.15, "kernel.all.load[1 minute]")
	load.PerCPU = true
	processes := one("Processes", "", 100, "kernel.all.nprocs")
	processes.Share, processes.Rises = 0.5, true // logins change them by about a hundred, which means nothing
	used := one("Memory in use", "% of physical", 5, a.adapt(memoryInUse(), false)...)
	used.Rises = true
	const swapped = 5 // pages per second
	return []DayMeasure{
		{Spark: a.Pulse(), Floor: 5},
		load,
		used,
		one("Swap used", "% of swap", 2, swapUsed()...),
		one("Pages out to swap", "", swapped, "rate(swap.pagesout)"),
		one("Busiest disk", "% of time", 10, busiestDisk()...),
		one("Read from disks", "", 1024, "rate(disk.all.read_bytes)"),
		one("Written to disks", "", 1024, "rate(disk.all.write_bytes)"),
		one("Network in", "", 65536, a.adapt(sumOfNICs("in.bytes"), false)...),
		one("Network out", "", 65536, a.adapt(sumOfNICs("out.bytes"), false)...),
		processes,
	}
}

func sumOfNICs(a string) []string {
	return withNICs(func(nic func(string) string) string { return "sum(" + nic("rate(network.interface."+a+")") + ")" })
}
