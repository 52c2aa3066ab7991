package dashboard

import "fmt"

func cpu() Dashboard {
	var perBusy []string
	for _, busy := range busyModes("percpu") {
		perBusy = append(perBusy, percent(busy))
	}
	perBusy = append(perBusy, "100 * (1 - rate(kernel.percpu.cpu.idle) - rate(kernel.percpu.cpu.wait.total))", "100 * (1 - rate(kernel.percpu.cpu.idle))")
	used := "(rate(kernel.all.cpu.user) + rate(kernel.all.cpu.nice) + rate(kernel.all.cpu.sys) + rate(kernel.all.cpu.intr))"
	return Dashboard{ID: "cpu", Title: "CPU", What: "What the CPUs did, together and one by one.", Spark: Pulse(), Panels: []Panel{
		{ID: "busy", Title: "Busy", Unit: "% of all CPUs", Style: Line, Max: 100, What: "Time in which CPUs were not idle.",
			Usual: "Peaks do no harm; more than 90 % for minutes makes tasks wait.", Next: "Breakdown, then Processes.",
			Series: []Series{series("busy", User, busyExprs()...).bold()}, Thresholds: look("cpuBusy", 90, "warning above 90 %")},
		cpuBreakdown(series("hard irq", Intr, ofAll("rate(kernel.all.cpu.irq.hard)")...), series("soft irq", Plain, ofAll("rate(kernel.all.cpu.irq.soft)")...)),
		cpuBreakdown(series("intr", Intr, ofAll("rate(kernel.all.cpu.intr)")...)).insteadOf("modes", "kernel.all.cpu.intr", "kernel.all.cpu.irq.hard"),
		{ID: "percpu", Title: "Each CPU", Unit: "% busy", Style: Heatmap, Max: 100, What: "One row for each CPU.",
			Usual: "Similar rows. One bright row is a program with a single thread, or interrupts that all go to one CPU.", Next: "User, each CPU; Sys, each CPU; Soft interrupts, each CPU; Steal, each CPU.",
			Series: []Series{plain("", perBusy...)}, Thresholds: look("oneCPU", 95, "warning above 95 %")},
		{ID: "imbalance", Title: "Imbalance", Unit: "percentage points", Style: Line, What: "How much busier the busiest CPU was than the average.",
			Usual: "Low where all CPUs share the work. One CPU above 95 % while the average is below 50 %: a single thread is the limit.",
			Next:  "Each CPU.", Series: []Series{plain("difference", beyondMean("1 - rate(kernel.percpu.cpu.idle) - rate(kernel.percpu.cpu.wait.total)"), beyondMean("1 - rate(kernel.percpu.cpu.idle)"))}},
		{ID: "user", Title: "User, each CPU", Unit: "% of one CPU", Style: Line, Max: 100, What: "Time in programs.",
			Usual: "Similar across CPUs.", Next: "Processes for who used it.",
			Series: []Series{plain("", "100 * rate(kernel.percpu.cpu.user)")}},
		{ID: "sys", Title: "Sys, each CPU", Unit: "% of one CPU", Style: Line, Max: 100, What: "Time in the kernel for programs.",
			Usual: "Well below user.", Next: "Context switches and interrupts, in Load, tasks; Interrupts.",
			Series: []Series{plain("", "100 * rate(kernel.percpu.cpu.sys)")}},
		{ID: "softirq", Title: "Soft interrupts, each CPU", Unit: "% of one CPU", Style: Line, Max: 100, What: "Time in the kernel for network packets, timers and disk completions.",
			Usual: "Spread over several CPUs, below 30 % each.", Next: "Interrupts.",
			Series: []Series{plain("", "100 * rate(kernel.percpu.cpu.irq.soft)")}, Thresholds: look("softIRQ", 30, "warning above 30 %")},
		{ID: "steal", Title: "Steal, each CPU", Unit: "% of one CPU", Style: Line, Max: 100, What: "Time in which the hypervisor ran others.", Usual: "Below 5 %.",
			Next: "The host of this virtual machine.", Series: []Series{plain("", "100 * rate(kernel.percpu.cpu.steal)")}, Thresholds: look("steal", 5, "warning above 5 %")},
		{ID: "cores", Title: "CPUs in use", Unit: "CPUs", Style: Line, What: "How many CPUs the work would fill.",
			Usual: "Below the number of CPUs.", Next: "Run queue, in Load, tasks.",
			Series: []Series{plain("in use", used, "(rate(kernel.all.cpu.user) + rate(kernel.all.cpu.nice) + rate(kernel.all.cpu.sys))")}, Thresholds: []Threshold{line("hinv.ncpu", "CPUs")}},
		{ID: "kernel", Title: "Kernel share", Unit: "% of user and sys", Style: Line, Max: 100, What: "How much of the work was the kernel's.", Usual: "Below 30 %; more is many small system calls, network or faults.",
			Next:   "Context switches and interrupts, in Load, tasks; Faults, in Paging, reclaim.",
			Series: []Series{series("sys", Sys, "100 * rate(kernel.all.cpu.sys) / (rate(kernel.all.cpu.user) + rate(kernel.all.cpu.sys))")}},
		{ID: "clock", Title: "Clock", Unit: "MHz", Style: Line, What: "The clock of each CPU at the moment of the sample.",
			Usual: "Steady under load. A clock that falls under load is throttled.", Next: "Thermal throttling.",
			Series: []Series{plain("", "hinv.cpu.clock", "hinv.cpu.frequency_scaling.current")}},
		{ID: "throttle", Title: "Thermal throttling", Unit: "", Style: Line, What: "How often CPUs were slowed down because they were hot.", Usual: "Never.", Next: "Cooling and power limits.",
			Series: []Series{plain("core", "rate(hinv.cpu.thermal_throttle.core.count)"), plain("package", "rate(hinv.cpu.thermal_throttle.package.count)")}},
	}}
}

func scheduler() Dashboard {
	return Dashboard{ID: "load", Title: "Load, tasks", What: "How many tasks there were, and how they shared the CPUs.",
		Spark: Spark{Exprs: []string{"kernel.all.load[1 minute]"}, Name: "load, 1 minute"}, Panels: []Panel{
			{ID: "load", Title: "Load for each CPU", Unit: "tasks a CPU", Style: Line, What: "Running or blocked tasks, divided by the number of CPUs.", Usual: "Below 1. pmie warns above 3.",
				Next: "Run queue.", Series: []Series{plain("", perCPU("kernel.all.load")...)}, Thresholds: append(look("", 1, "1 task a CPU"), look("loadPerCPU", 3, "warning above 3")...)},
			{ID: "average", Title: "Load", Unit: "tasks, average", Style: Line, What: "Running or blocked tasks.", Usual: "Below the number of CPUs.",
				Next: "Run queue.", Series: []Series{plain("", "kernel.all.load")}, Thresholds: []Threshold{line("hinv.ncpu", "CPUs")}},
			{ID: "queue", Title: "Run queue", Unit: "tasks", Style: Line, What: "Tasks that run or want to, and tasks that wait for I/O, at the moment of the sample.",
				Usual: "At most about the number of CPUs.", Next: "CPU when runnable, Disks when blocked.",
				Series:     []Series{series("running", User, "kernel.all.running"), plain("runnable", "kernel.all.runnable", "proc.runq.runnable"), series("blocked", Wait, "kernel.all.blocked", "proc.runq.blocked")},
				Thresholds: []Threshold{line("hinv.ncpu", "CPUs")}},
			{ID: "states", Title: "Process states", Unit: "processes", Style: Stack, What: "What all processes were doing.",
				Usual: "Most processes sleep. Blocked ones wait for disks, defunct ones for their parents.", Next: "Disks when many are blocked.",
				Series: each("proc.runq.*", "runnable blocked stopped swapped defunct unknown kernel sleeping")},
			{ID: "switches", Title: "Context switches and interrupts", Unit: "", Style: Line, What: "How often CPUs changed from one task to another, and were interrupted.",
				Usual: "Below about 4,000 switches a second for each CPU.", Next: "Processes by context switches.",
				Series: []Series{plain("switches", "rate(kernel.all.pswitch)"), plain("interrupts", "rate(kernel.all.intr)")}},
			{ID: "switchescpu", Title: "Context switches, a CPU", Unit: "", Style: Line, What: "The same, divided by the number of CPUs.",
				Usual: "Below about 4,000 switches a second.", Next: "Processes by context switches; Interrupts.",
				Series:     []Series{plain("switches", perCPU("rate(kernel.all.pswitch)")...), plain("interrupts", perCPU("rate(kernel.all.intr)")...)},
				Thresholds: look("switchesPerCPU", 4000, "warning above 4,000")},
			{ID: "forks", Title: "Processes started", Unit: "", Style: Line, What: "Processes and threads that began.", Usual: "A few a second. Many short-lived processes end between two samples, and are in no table.", Next: "Kernel share, in CPU; Processes by command.",
				Series: []Series{plain("forks", "rate(kernel.all.sysfork)")}},
			{ID: "count", Title: "Number of processes", Unit: "processes", Style: Line, What: "How many there were.",
				Usual: "Steady. A count that only rises: something forks and does not end.", Next: "Processes.",
				Series: []Series{plain("processes", "proc.nprocs", "kernel.all.nprocs")}, Thresholds: []Threshold{line("kernel.all.pid_max", "limit")}},
			{ID: "pressure", Title: "Waiting for CPU", Unit: "% of time", Style: Line, Max: 100, What: "Time in which at least one task waited for a CPU.", Usual: "Below 50 %.",
				Next: "Processes by waiting.", Series: []Series{plain("some", "100 * rate(kernel.all.pressure.cpu.some.total)")}, Thresholds: look("pressureCPU", 50, "warning above 50 %")},
			{ID: "delay", Title: "Processes that wait for a CPU", Unit: "% of time", Style: TopN, Top: 10, What: "Time that a process was ready but not running.",
				Usual: "Near zero.", Next: "CPU; a quota of the cgroup may hold it back, too.",
				Series: []Series{plain("", "100 * rate(proc.schedstat.run_delay)")}},
		}}
}

func interrupts() Dashboard {
	return Dashboard{ID: "interrupts", Title: "Interrupts", What: "Who interrupted the CPUs, and which ones.", Spark: Spark{Exprs: []string{"rate(kernel.all.intr)"}, Name: "interrupts"}, Panels: []Panel{
		{ID: "all", Title: "Interrupts", Unit: "", Style: Line, What: "All CPUs together.",
			Usual: "In proportion to network and disk work, and a few hundred a second for each CPU.", Next: "By source.",
			Series: []Series{plain("interrupts", "rate(kernel.all.intr)")}},
		{ID: "percpu", Title: "Each CPU", Unit: "", Style: Heatmap, What: "One row for each CPU.", Usual: "Similar rows; more than 80 % on one CPU is a limit to come.", Next: "By source and CPU.",
			Series: []Series{plain("", "rate(kernel.percpu.intr)")}},
		{ID: "soft", Title: "Soft interrupts, each CPU", Unit: "", Style: Heatmap, What: "One row for each CPU.",
			Usual: "Similar rows; more than 80 % on one CPU is a limit to come.", Next: "Soft interrupts by kind.",
			Series: []Series{plain("", "rate(kernel.percpu.sirq)")}},
		{ID: "sources", Title: "By source", Unit: "", Style: TopN, Top: 10, What: "Which devices and functions interrupt most.",
			Usual: "LOC is the timer, RES and CAL are CPUs waking each other.", Next: "Network or Disks, for the device that leads.",
			Series: []Series{plain("", "rate(kernel.all.interrupts.total)")}},
		{ID: "kinds", Title: "Soft interrupts by kind", Unit: "", Style: TopN, Top: 8, What: "What the kernel did in them.",
			Usual: "NET_RX follows received packets, BLOCK the disks.", Next: "Network, Disks.",
			Series: []Series{plain("", "rate(kernel.all.softirqs.total)")}},
		{ID: "detail", Title: "By source and CPU", Unit: "", Style: TopN, Top: 8, What: "Usually logged only every ten minutes: coarse.",
			Usual: "Spread over the CPUs.", Next: "Each CPU.",
			Series: []Series{plain("", "rate(kernel.percpu.interrupts)"), plain("", "rate(kernel.percpu.softirqs)")}},
	}}
}

func guest() Dashboard {
	return Dashboard{ID: "guest", Title: "Virtual machine", What: "What the hypervisor gave and took away.", Spark: Spark{Exprs: ofAll("rate(kernel.all.cpu.steal)"), Unit: "%", Name: "steal"}, Panels: []Panel{
		{ID: "steal", Title: "Steal", Unit: "% of all CPUs", Style: Line, Max: 100, What: "Time in which the hypervisor ran others while this machine wanted to run.", Usual: "Below 5 %.",
			Next: "The host of this virtual machine.", Series: []Series{series("steal", Steal, ofAll("rate(kernel.all.cpu.steal)")...)}, Thresholds: look("steal", 5, "warning above 5 %")},
		{ID: "percpu", Title: "Steal, each CPU", Unit: "% of one CPU", Style: Heatmap, Max: 100, What: "One row for each CPU.",
			Usual: "Below 5 %.", Next: "The host of this virtual machine.",
			Series: []Series{plain("", "100 * rate(kernel.percpu.cpu.steal)")}},
		{ID: "guests", Title: "Guests of this host", Unit: "% of all CPUs", Style: Stack, Max: 100, What: "CPU time of virtual machines that run here.",
			Usual: "What the virtual machines were given to do. With the host's own work it stays below 90 % of all CPUs.", Next: "Processes, where each virtual machine is one.",
			Series: []Series{series("guest", Guest, ofAll("rate(kernel.all.cpu.guest)")...), plain("guest nice", ofAll("rate(kernel.all.cpu.guest_nice)")...)}},
		{ID: "balloon", Title: "Memory balloon", Unit: "", Style: Line, What: "Memory that the hypervisor took back, in pages.",
			Usual: "Zero.", Next: "Available, in Memory.",
			Series: []Series{plain("inflate", "rate(mem.vmstat.balloon_inflate)"), plain("deflate", "rate(mem.vmstat.balloon_deflate)")}},
	}}
}

// cpuBreakdown is all of CPU time, with that of interrupts in as many parts as are known.
func cpuBreakdown(interrupts ...Series) Panel {
	p := Panel{ID: "modes", Title: "Breakdown", Unit: "% of all CPUs", Style: Utilisation, Max: 100, What: "Where CPU time went, virtual machines apart.",
		Usual: "Sys below a quarter of user; soft interrupts below 10 %.", Next: "Interrupts when intr is high, Disks when wait is.",
		Series: []Series{series("user", User, append(ofAll("rate(kernel.all.cpu.vuser)"), ofAll("rate(kernel.all.cpu.user)")...)...),
			series("nice", Nice, append(ofAll("rate(kernel.all.cpu.vnice)"), ofAll("rate(kernel.all.cpu.nice)")...)...), series("sys", Sys, ofAll("rate(kernel.all.cpu.sys)")...)}}
	p.Series = append(append(p.Series, interrupts...),
		series("wait", Wait, ofAll("rate(kernel.all.cpu.wait.total)")...), series("steal", Steal, ofAll("rate(kernel.all.cpu.steal)")...),
		series("guest", Guest, ofAll("rate(kernel.all.cpu.guest)")...), series("guest nice", Plain, ofAll("rate(kernel.all.cpu.guest_nice)")...),
		series("idle", Idle, ofAll("rate(kernel.all.cpu.idle)")...).hidden())
	return p
}

// insteadOf makes a panel replace another where a metric was logged and a better one was
// not.
func (p Panel) insteadOf(other, only, unless string) Panel {
	p.Instead, p.Only, p.Unless = other, only, unless
	return p
}

// beyondMean is how far the largest of several shares is above their mean, in percentage
// points: avg() has single precision, and would be larger than equal shares.
func beyondMean(x string) string {
	return fmt.Sprintf(`100 * (max(%[1]s) - sum(%[1]s) / count(%[1]s) * mkconst(1, units="count"))`, x)
}
