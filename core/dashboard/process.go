package dashboard

import (
	"slices"
	"strings"
)

// netWritten is what processes wrote that was not deleted before it got to a disk. A process may
// cancel what others wrote, and would then write less than nothing.
const netWritten = "rate(proc.io.write_bytes) > rate(proc.io.cancelled_write_bytes) ? rate(proc.io.write_bytes) - rate(proc.io.cancelled_write_bytes) : 0 * rate(proc.io.write_bytes)"

// processes is about proc or hotproc.
func processes(id, title, root string) Dashboard {
	is := func(expr string) string {
		if root == "proc" {
			return expr
		}
		return strings.ReplaceAll(expr, "proc.", root+".")
	}
	top := func(id, title, unit, what string, exprs ...string) Panel {
		for i := range exprs {
			exprs[i] = is(exprs[i])
		}
		return Panel{ID: id, Title: title, Unit: unit, Style: TopN, Top: 7, What: what, Series: []Series{plain("", exprs...)}}
	}
	d := Dashboard{ID: id, Title: title, What: "Which processes used the machine. Processes come and go; no line is drawn over a time without them.", Spark: Spark{Exprs: []string{is("count(proc.psinfo.pid)")}, Name: "processes"}, Panels: []Panel{
		top("cpu", "CPU by process", "% of one CPU", "The processes that used most CPU time.", "100 * (rate(proc.psinfo.utime) + rate(proc.psinfo.stime))").
			advised("100 % is one CPU; a program with several threads can have more.", "The table of processes at the cursor; what was not sampled began and ended between two samples."),
		{ID: "uninterruptible", Title: "In state D", Unit: "% of the time, by samples", Style: State, Top: 7, What: "Processes in uninterruptible sleep, mostly waiting for a disk or a file server: the share of samples in which they did.",
			Usual: "Near zero. A program that is there in most samples was held up all the time.", Next: "Disks: latency.",
			Series: []Series{plain("", is("proc.psinfo.sname"))}},
		{ID: "runnable", Title: "Running or ready", Unit: "% of the time, by samples", Style: State, Top: 7, What: "Processes that ran or waited for a CPU: the share of samples in which they did.",
			Usual: "Their sum is the demand for CPUs: below their number.", Next: "CPU by process; Waiting for CPU.",
			Series: []Series{plain("", is("proc.psinfo.sname"))}},
		top("user", "In programs", "% of one CPU", "CPU time in the program itself.", "100 * rate(proc.psinfo.utime)").
			advised("Above the time in the kernel. The time of a virtual machine that it runs counts here, too.", "The table of processes at the cursor."),
		top("sys", "In the kernel", "% of one CPU", "CPU time in the kernel for the process.", "100 * rate(proc.psinfo.stime)").
			advised("Below the time in programs.", "Kernel share, in CPU."),
		top("wait", "Waiting for CPU", "% of time", "Time that a process was ready but not running.", "100 * rate(proc.schedstat.run_delay)").
			advised("Near zero.", "CPU, or the quota of its cgroup."),
		top("blkio", "Waiting for disks", "% of time", "Time that a process waited for block I/O.", "100 * rate(proc.psinfo.delayacct_blkio_time)").
			advised("Near zero.", "Disks: latency."),
		top("memory", "Resident memory", "", "Memory in use, shared pages counted for each.", "proc.memory.vmrss", "proc.psinfo.rss", "proc.memory.rss").
			advised("Steady. A line that only rises may be a leak.", "Share of memory; Programs, in Memory."),
		top("swapped", "Swapped", "", "Memory of processes in swap space.", "proc.memory.vmswap").
			advised("Space in use does no harm; traffic does.", "Swap traffic, in Paging, reclaim."),
		top("share", "Share of memory", "% of physical", "Resident and swapped memory.", "100 * (proc.memory.vmrss + proc.memory.vmswap) / hinv.physmem", "100 * proc.psinfo.rss / hinv.physmem", "100 * proc.psinfo.rss / mem.physmem").
			advised("Steady. The sum can pass 100 %: shared pages count for each process that has them.", "Available, in Memory."),
		top("read", "Read from disk", "", "Data that had to come from a disk.", "rate(proc.io.read_bytes)").
			advised("After a start much, later little: the cache has it.", "Disks: throughput."),
		top("write", "Written to disk", "", "Data for a disk, without what was deleted before it got there.", netWritten, "rate(proc.io.write_bytes)").
			advised("In bursts. It counts when memory is changed; the disks see it up to half a minute later.", "Disks: throughput; Waiting to be written, in Memory."),
		top("major", "Major faults", "", "Pages that had to be read from disk.", "rate(proc.psinfo.maj_flt)").
			advised("Few after a start.", "Paging, reclaim."),
		top("minor", "Minor faults", "", "Pages that were in memory already.", "rate(proc.psinfo.minflt)").
			advised("Thousands a second do no harm.", "Resident memory."),
		top("voluntary", "Switches, voluntary", "", "The process waited for something.", "rate(proc.psinfo.vctxsw)").
			advised("Many for programs that serve or wait, few for those that compute.", "What it waits for: Waiting for disks; Network."),
		top("involuntary", "Switches, involuntary", "", "The process had to make way for another.", "rate(proc.psinfo.nvctxsw)").
			advised("Few while there are idle CPUs.", "Run queue, in Load, tasks."),
		top("since", "CPU since its start", "% of one CPU", "What a process used on average over its whole life.", "1.0 * kernel.all.uptime - proc.psinfo.start_time > 0 ? 100 * instant(proc.psinfo.utime + proc.psinfo.stime) / (kernel.all.uptime - proc.psinfo.start_time) : novalue(type=double, semantics=instant)").
			advised("Far below what it uses now: it has just become busy.", "CPU by process."),
		top("threads", "Threads", "threads", "How many threads a process has.", "proc.psinfo.threads").
			advised("Steady. A line that only rises: threads are not ended.", "Number of processes, in Load, tasks."),
		top("files", "Open files", "files", "How many files a process has open.", "proc.fd.count").
			advised("Steady. A line that only rises: files are not closed.", "Open files, in Filesystems."),
		{ID: "table", Title: "Processes", Style: Table, What: "All processes at the cursor.",
			Usual: "Most sleep (S). D waits for a disk; Z has ended, and its parent has not noticed.", Next: "Records, below, for what was logged.",
			Series: []Series{
				plain("PID", is("proc.psinfo.pid")), plain("command", is("proc.psinfo.cmd")), plain("user", is("proc.id.uid_nm")), plain("state", is("proc.psinfo.sname")),
				plain("CPU %", is("100 * (rate(proc.psinfo.utime) + rate(proc.psinfo.stime))")), plain("waits for CPU %", is("100 * rate(proc.schedstat.run_delay)")), plain("waits for disks %", is("100 * rate(proc.psinfo.delayacct_blkio_time)")),
				plain("resident", is("proc.memory.vmrss"), is("proc.psinfo.rss")), plain("swapped", is("proc.memory.vmswap")),
				plain("read", is("rate(proc.io.read_bytes)")), plain("written", is(netWritten), is("rate(proc.io.write_bytes)")),
				plain("major faults", is("rate(proc.psinfo.maj_flt)")), plain("threads", is("proc.psinfo.threads")), plain("files", is("proc.fd.count")),
				plain("nice", is("proc.psinfo.nice")), plain("last on", is("proc.psinfo.processor")), plain("cgroup", is("proc.psinfo.cgroups")), plain("arguments", is("proc.psinfo.psargs"))}},
	}}
	if root != "proc" { // only those of proc are counted, as shares of samples
		d.Panels = slices.DeleteFunc(d.Panels, func(p Panel) bool { return p.ID == "runnable" })
		p := &d.Panels[slices.IndexFunc(d.Panels, func(p Panel) bool { return p.ID == "uninterruptible" })]
		p.ID, p.Title, p.Unit, p.Top, p.What = "state", "State", "", 0, "S sleeps, R runs or waits for a CPU, D waits, mostly for a disk or a file server, Z has ended."
		p.Usual = "Most sleep. One in state D in most samples was held up all the time."
	}
	return d
}

// quota leaves out cgroups without one: theirs is negative.
const quota = "cgroup.cpusched.cfs_quota > 0 ? 100 * cgroup.cpusched.cfs_quota / cgroup.cpusched.cfs_period : novalue()"

// limited leaves out cgroups without a limit: for them the kernel reports the
// largest number of whole pages.
const limited = "cgroup.memory.limit / 1000000000 < 1000000000 ? cgroup.memory.limit : novalue()"

// ofLimit is how much of its limit a cgroup uses, if it has one, without the page cache that
// is given back first, as package analysis judges it. In floating point: what is inactive may
// have been counted a moment later than the usage, and be more.
func ofLimit() []string {
	of := func(used string) string { return "100 * " + used + " / (" + limited + ")" }
	return []string{
		of("(1.0 * cgroup.memory.usage - cgroup.memory.stat.total.inactive_file)"),
		of("(1.0 * cgroup.memory.usage - cgroup.memory.stat.inactive_file)"),
		of("cgroup.memory.usage"),
	}
}

// cgroupAverages are the kernel's averages of the pressure of each cgroup.
func cgroupAverages() []Series {
	var list []Series
	for _, kind := range []string{"CPU, some: cpu.some", "memory, some: memory.some", "memory, full: memory.full", "I/O, some: io.some", "I/O, full: io.full", "interrupts, full: irq.full"} {
		name, metric, _ := strings.Cut(kind, ": ")
		for _, over := range []string{"10 s: avg10sec", "1 min: avg1min", "5 min: avg5min"} {
			span, avg, _ := strings.Cut(over, ": ")
			list = append(list, plain(name+", "+span, "cgroup.pressure."+metric+"."+avg).in("% of time"))
		}
	}
	return list
}

// ticks says why the CPU time of cgroups of version 1 is multiplied: cpuacct.stat has it in
// hundredths of a second, which the agent passes on unconverted.
const ticks = " In cgroup.cpuacct.stat, of cgroups of version 1, what PCP calls a millisecond is a hundredth of a second."

func cgroups() Dashboard {
	top := func(id, title, unit, what string, list ...Series) Panel {
		return Panel{ID: id, Title: title, Unit: unit, Style: TopN, Top: 8, What: what, Series: list, InnermostOnly: true}
	}
	return Dashboard{ID: "cgroups", Title: "Cgroups, containers", What: "Groups of processes: services, sessions, containers. A group counts those below it too, so only groups without others below them are drawn at first.",
		Spark: Spark{Exprs: []string{"100 * rate(cgroup.cpu.stat.usage)", "100 * rate(cgroup.cpuacct.usage)"}, Unit: "%", Name: "largest"}, Panels: []Panel{
			top("cpu", "CPU", "% of one CPU", "CPU time of each group.", plain("", "100 * rate(cgroup.cpu.stat.usage)", "100 * rate(cgroup.cpuacct.usage)")).
				advised("Below the quota, where there is one. 100 % is one CPU.", "Throttled; Processes for who is in it."),
			top("user", "CPU in programs", "% of one CPU", "Without the kernel."+ticks, plain("", "100 * rate(cgroup.cpu.stat.user)", "1000 * rate(cgroup.cpuacct.stat.user)")).
				advised("Above the time in the kernel.", "CPU."),
			top("system", "CPU in the kernel", "% of one CPU", "System calls and faults of its processes."+ticks, plain("", "100 * rate(cgroup.cpu.stat.system)", "1000 * rate(cgroup.cpuacct.stat.system)")).
				advised("Well below the time in programs.", "CPU."),
			ruled(top("throttled", "Throttled", "% of periods", "Periods in which the group used up its share and was stopped.", plain("", "100 * rate(cgroup.cpusched.throttled) / rate(cgroup.cpusched.periods)")).
				advised("Below 10 %.", "Quota."), look("groupThrottled", 10, "warning above 10 %")),
			top("throttledtime", "Time throttled", "% of time", "How long it was stopped.", plain("", "100 * rate(cgroup.cpusched.throttled_time)")).
				advised("Near zero.", "Quota."),
			top("quota", "Quota", "% of one CPU", "What the group may use.", plain("", quota)).
				advised("No line: there is none.", "CPU, Throttled."),
			top("memory", "Memory", "", "Memory of each group, page cache included.", plain("", "cgroup.memory.current", "cgroup.memory.usage")).
				advised("Steady. Page cache in it is given back when needed.", "Memory of programs."),
			top("slab", "Memory of the kernel", "", "Slabs that the kernel keeps for the group.", plain("", "cgroup.memory.stat.slab")).
				advised("It follows the work on files and sockets.", "Memory."),
			ruled(top("limit", "Memory of the limit", "%", "How near the group is to its limit, without inactive page cache, which is given back first.", plain("", ofLimit()...)).
				advised("Below 95 %.", "Memory trouble."), look("groupMemory", 95, "warning above 95 %")),
			top("anon", "Memory of programs", "", "Without files.", plain("", "cgroup.memory.stat.anon", "cgroup.memory.stat.rss")).
				advised("Steady. A line that only rises may be a leak.", "Memory of the limit."),
			top("file", "Page cache", "", "Cached files of each group.", plain("", "cgroup.memory.stat.file", "cgroup.memory.stat.cache")).
				advised("Given back when needed.", "Memory."),
			top("dirty", "Waiting to be written", "", "Changed pages of files, in memory.", plain("", "cgroup.memory.stat.file_dirty")).
				advised("Small: it is written after half a minute.", "Written."),
			top("mapped", "Mapped files", "", "Files that its programs mapped.", plain("", "cgroup.memory.stat.file_mapped", "cgroup.memory.stat.mapped_file")).
				advised("Steady.", "Page cache."),
			top("swap", "Swapped", "", "Memory of the group in swap space.", plain("", "cgroup.memory.stat.swap")).
				advised("Space in use does no harm; traffic does.", "Memory trouble."),
			top("stacks", "Kernel stacks", "", "One for each thread.", plain("", "cgroup.memory.stat.kernel_stack")).
				advised("Steady. A line that only rises: threads are not ended.", "Processes: threads."),
			top("trouble", "Memory trouble", "", "Major faults: pages that had to be read from disk.", plain("", "rate(cgroup.memory.stat.pgmajfault)")).
				advised("Near zero.", "Memory of the limit."),
			top("failcnt", "Limit of memory reached", "", "How often the group wanted more than its limit.", plain("", "rate(cgroup.memory.failcnt)")).
				advised("Never.", "Memory of the limit; Memory of programs."),
			top("read", "Read", "", "Data from disks.", series("", Read, "rate(cgroup.io.stat.rbytes)", "rate(cgroup.blkio.all.throttle.io_service_bytes.read)")).
				advised("After a start much, later little: the cache has it.", "Disks: throughput."),
			top("write", "Written", "", "Data to disks.", series("", Write, "rate(cgroup.io.stat.wbytes)", "rate(cgroup.blkio.all.throttle.io_service_bytes.write)")).
				advised("In bursts: the kernel writes changed pages up to half a minute later.", "Disks: throughput."),
			top("rios", "Reads", "", "Requests.", series("", Read, "rate(cgroup.io.stat.rios)", "rate(cgroup.blkio.all.throttle.io_serviced.read)")).
				advised("All groups together: a rotating disk can do about 150 random requests a second, solid state many thousands.", "Disks: operations."),
			top("wios", "Writes", "", "Requests.", series("", Write, "rate(cgroup.io.stat.wios)", "rate(cgroup.blkio.all.throttle.io_serviced.write)")).
				advised("They follow Written. Many for little data are small or synchronous writes.", "Disks: operations."),
			top("latency", "Latency", "ms", "Time for each request.", plain("", timeOfOne("cgroup.blkio.all.io_service_time.total", "cgroup.blkio.all.io_serviced.total"))).
				advised("Below 20 ms for rotating disks, 5 ms for solid state.", "Disks: latency."),
			top("pcpu", "Waiting for CPU", "% of time", "Pressure.", plain("", "100 * rate(cgroup.pressure.cpu.some.total)", "cgroup.pressure.cpu.some.avg10sec")).
				advised("Near zero, unless the group is throttled.", "Throttled."),
			top("pmemsome", "Some wait for memory", "% of time", "Pressure.", plain("", "100 * rate(cgroup.pressure.memory.some.total)", "cgroup.pressure.memory.some.avg10sec")).
				advised("Near zero.", "Waiting for memory; Memory of the limit."),
			top("pmem", "Waiting for memory", "% of time", "Pressure, nothing else going on.", plain("", "100 * rate(cgroup.pressure.memory.full.total)", "cgroup.pressure.memory.full.avg10sec")).
				advised("Zero.", "Memory of the limit."),
			top("piosome", "Some wait for I/O", "% of time", "Pressure.", plain("", "100 * rate(cgroup.pressure.io.some.total)", "cgroup.pressure.io.some.avg10sec")).
				advised("Near zero. A group that does nothing but I/O is the exception.", "Read, Written."),
			top("pio", "Waiting for I/O", "% of time", "Pressure, nothing else going on.", plain("", "100 * rate(cgroup.pressure.io.full.total)", "cgroup.pressure.io.full.avg10sec")).
				advised("Near zero.", "Read, Written."),
			top("pirq", "Waiting for interrupts", "% of time", "Pressure, nothing else going on.", plain("", "100 * rate(cgroup.pressure.irq.full.total)", "cgroup.pressure.irq.full.avg10sec")).
				advised("Near zero.", "Interrupts."),
			{ID: "averages", Title: "Pressure, the kernel's averages", Style: Table, InnermostOnly: true, What: "Percent of the time of the last 10 seconds, minute and five minutes, as the kernel has it, at the cursor.",
				Usual: "Near zero.", Next: "The panels of pressure, which are exact.",
				Series: cgroupAverages()},
			{ID: "table", Title: "Cgroups", Style: Table, InnermostOnly: true, What: "All groups at the cursor: what they use, and of what they may use.",
				Usual: "Few groups use most. A group near its quota or its limit of memory deserves a look.", Next: "The panels of the groups that stand out; Processes, grouped by cgroup.",
				Series: []Series{
					plain("CPU %", "100 * rate(cgroup.cpu.stat.usage)", "100 * rate(cgroup.cpuacct.usage)").in("% of one CPU"), series("quota %", Limit, quota).in("% of one CPU"),
					plain("throttled %", "100 * rate(cgroup.cpusched.throttled) / rate(cgroup.cpusched.periods)").in("% of periods"),
					plain("memory", "cgroup.memory.current", "cgroup.memory.usage"), series("limit", Limit, limited), plain("of limit %", ofLimit()...).in("% of the limit"),
					plain("waits for CPU %", "100 * rate(cgroup.pressure.cpu.some.total)").in("% of time"), plain("for memory %", "100 * rate(cgroup.pressure.memory.full.total)").in("% of time"), plain("for I/O %", "100 * rate(cgroup.pressure.io.full.total)").in("% of time"),
					plain("container", "cgroup.cpuacct.id.container", "cgroup.cpusched.id.container", "cgroup.memory.id.container", "cgroup.cpuset.id.container", "cgroup.blkio.id.container")}},
		}}
}

// exchanged is an expression for archives of the first release of the agent amdgpu, in
// which metrics have each other's names: clock is the temperature in millidegrees, clock_max
// the load, load the power, and temperature and average_power are clocks, which shows in
// their units (rewrite.conf of the agent's next release). It cannot be bound in others.
func exchanged(x string) []string {
	when := func(clock string) string {
		return "rescale(" + clock + `, "1/microsec") >= 0 ? ` + x + " : novalue()"
	}
	return []string{when("amdgpu.gpu.temperature"), when("amdgpu.gpu.average_power")}
}

// megahertz is a clock of a card.
func megahertz(metric string) []string {
	return []string{"rescale(" + metric + `, "1/microsec")`, metric + ` * mkconst(1, units="1/count")`}
}

func gpu() Dashboard {
	// In milliwatts; newer agents say so, and what has a unit cannot be added to a number.
	power := slices.Concat([]string{"(nvidia.power + 0) / 1000", "nvidia.power"}, exchanged("amdgpu.gpu.load"), []string{"amdgpu.gpu.average_power"})
	active := slices.Concat([]string{"nvidia.gpuactive"}, exchanged("amdgpu.gpu.clock_max"), []string{"amdgpu.gpu.load"})
	temperature := slices.Concat([]string{"nvidia.temperature"}, exchanged("amdgpu.gpu.clock / 1000"), []string{"amdgpu.gpu.temperature"})
	return Dashboard{ID: "gpu", Title: "GPU", What: "Graphics processors.", Spark: Spark{Exprs: active, Unit: "%", Name: "active"}, Panels: []Panel{
		{ID: "active", Title: "Active", Unit: "%", Style: Line, Max: 100, What: "Time in which something ran, at the moment of the sample.",
			Usual: "Near 100 % under load. Gaps in it are waits for CPUs, disks or network.", Next: "Processes; Memory.",
			Series: []Series{plain("", active...), plain("memory", "nvidia.memactive")}},
		{ID: "exact", Title: "Active, exact", Unit: "%", Style: Line, Max: 100, What: "Averaged by the agent over all its samples.",
			Usual: "Like Active, but including the time between its samples.", Next: "Active.",
			Series: []Series{plain("", perOne("nvidia.gpuutilaccum", "nvidia.samples"))}},
		{ID: "memory", Title: "Memory", Unit: "% in use", Style: Line, Max: 100, What: "Memory of the card.",
			Usual: "Below 100 %: what does not fit fails.", Next: "Memory of processes.",
			Series: []Series{plain("", "100 * nvidia.memused / nvidia.memtotal", "100 * amdgpu.memory.used / amdgpu.memory.total")}},
		{ID: "temperature", Title: "Temperature", Unit: "°C", Style: Line, What: "Of the chip.",
			Usual: "Below what the maker allows, often 85 °C.", Next: "Fan, Clocks.",
			Series: []Series{plain("", temperature...)}},
		{ID: "power", Title: "Power", Unit: "W", Style: Line, What: "What the card draws.",
			Usual: "Below the limit of the card.", Next: "Clocks.",
			Series: []Series{plain("", power...)}},
		{ID: "energy", Title: "Energy", Unit: "W", Style: Line, What: "Power from the counter of energy: exact over the interval.",
			Usual: "Like Power.", Next: "Clocks.",
			Series: []Series{plain("", `rate(nvidia.energy) * mkconst(0.001, units="sec")`)}},
		{ID: "fan", Title: "Fan", Unit: "%", Style: Line, Max: 100, What: "Speed of the fan.",
			Usual: "It follows the temperature.", Next: "Temperature.",
			Series: []Series{plain("", "nvidia.fanspeed")}},
		{ID: "clock", Title: "Clocks", Unit: "MHz", Style: Line, What: "Of shaders and memory.",
			Usual: "High under load. A clock that falls under load is throttled.", Next: "Temperature, Power.",
			Series: []Series{plain("shader", append(exchanged("amdgpu.gpu.temperature"), megahertz("amdgpu.gpu.clock")...)...), plain("memory", megahertz("amdgpu.memory.clock")...)}},
		{ID: "processes", Title: "Processes", Unit: "%", Style: TopN, Top: 8, What: "Who used the card.",
			Usual: "The programs that you expect, together below 100 %.", Next: "Memory of processes.",
			Series: []Series{plain("", "nvidia.proc.all.gpuactive")}},
		{ID: "processmem", Title: "Memory of processes", Unit: "", Style: TopN, Top: 8, What: "Who used its memory.",
			Usual: "Steady. A line that only rises may be a leak.", Next: "Memory.",
			Series: []Series{plain("", "nvidia.proc.all.memused")}},
	}}
}

// openFiles is the share of the open files that the kernel allows. systemd raises the limit
// to 2^63-1, which pmdalinux logs in 32 bits, as -1. Times the unsigned 1 that is 2^32-1, of
// which nobody opens a noticeable share either.
const openFiles = "100 * vfs.files.count / (1 * vfs.files.max)"

func tables() Dashboard {
	return Dashboard{ID: "tables", Title: "Kernel tables", What: "Tables of the kernel that can run full.", Spark: Spark{Exprs: []string{openFiles}, Unit: "%", Name: "open files"}, Panels: []Panel{
		{ID: "full", Title: "Nearest to their limits", Unit: "% of the limit", Style: Line, Max: 100, What: "At 100 % the next one is refused.", Usual: "Below 90 %.", Next: "Files; Number of processes, in Load, tasks; Open files, in Processes.",
			Series: []Series{plain("open files", openFiles), plain("processes", "100 * kernel.all.nprocs / kernel.all.pid_max"), plain("tracked connections", "100 * netfilter.ip_conntrack_count / netfilter.ip_conntrack_max"),
				plain("asynchronous I/O", "100 * vfs.aio.count / vfs.aio.max"), plain("semaphore sets", "100 * ipc.sem.used_sem / ipc.sem.max_semid"), plain("shared memory segments", "100 * ipc.shm.used_ids / ipc.shm.max_seg"), plain("message queues", "100 * ipc.msg.used_queues / ipc.msg.max_msgqid")},
			Thresholds: look("tables", 90, "warning above 90 %")},
		{ID: "files", Title: "Files", Unit: "entries", Style: Line, What: "Open files, inodes and directory entries (dentries).",
			Usual: "Far below the limit.", Next: "Nearest to their limits.",
			Series: []Series{plain("files", "vfs.files.count"), plain("inodes", "vfs.inodes.count"), plain("dentries", "vfs.dentry.count")}},
		{ID: "locks", Title: "File locks", Unit: "locks", Style: Line, What: "Locks that programs hold.",
			Usual: "Steady.", Next: "Processes that wait.",
			Series: each("vfs.locks.*", "posix.count flock.count lease.count posix.read posix.write flock.read flock.write")},
		{ID: "users", Title: "Users and sessions", Unit: "", Style: Line, What: "Who is logged in.",
			Usual: "Few on a server; elsewhere it follows the working day.", Next: "Processes by user.",
			Series: []Series{plain("users", "kernel.all.nusers"), plain("sessions", "kernel.all.nsessions"), plain("terminals", "kernel.all.nptys")}},
		{ID: "ipc", Title: "System V IPC", Unit: "", Style: Line, What: "Semaphores, shared memory and message queues.",
			Usual: "Steady. What only rises is not given back by its program.", Next: "Programs, in Memory.",
			Series: []Series{plain("semaphore sets", "ipc.sem.used_sem"), plain("segments", "ipc.shm.used_ids"), plain("queues", "ipc.msg.used_queues")}},
		{ID: "orphans", Title: "Orphaned sockets", Unit: "sockets", Style: Line, What: "Connections that no program holds any more.",
			Usual: "Near zero.", Next: "Connection states, in TCP, UDP, sockets.",
			Series: []Series{plain("orphans", "network.sockstat.tcp.orphan")}},
		{ID: "entropy", Title: "Entropy", Unit: "bits", Style: Line, What: "Random bits available.",
			Usual: "256 on present kernels; below 100 on old ones programs wait for it.", Next: "Process states, in Load, tasks.",
			Series: []Series{plain("available", "kernel.all.entropy.avail")}},
	}}
}

func collector() Dashboard {
	return Dashboard{ID: "collector", Title: "Collector health", Logging: true, What: "Whether this archive can be trusted: how regularly it was logged, what fills it, and how the collector, its agents and its clients were.", Spark: Spark{Exprs: []string{"100 * rate(pmcd.cputime.total)", "pmcd.numclients"}, Name: "collector"}, Panels: []Panel{
		{ID: "agents", Title: "Agents", Unit: "", Style: State, What: "0: the agent answers. Anything else is why it does not.", Usual: "0 for all.", Next: "Records, below, for what is missing; pmcd.log on the host that was logged.", Series: []Series{plain("", "pmcd.agent.status")}},
		{ID: "cpu", Title: "CPU of pmcd", Unit: "% of one CPU", Style: Line, What: "What collecting costs.", Usual: "Below 5 %.", Next: "Messages; Clients and agents.", Series: []Series{plain("pmcd", "100 * rate(pmcd.cputime.total)")}, Thresholds: look("pmcdCPU", 10, "warning above 10 %")},
		{ID: "size", Title: "Memory of pmcd", Unit: "", Style: Line, What: "A line that only rises is a leak.",
			Usual: "Steady.", Next: "Clients and agents.",
			Series: []Series{plain("data", "pmcd.datasize")}},
		{ID: "clients", Title: "Clients and agents", Unit: "connected", Style: Line, What: "Who is connected.",
			Usual: "Steady: loggers and monitoring tools.", Next: "Messages.",
			Series: []Series{plain("clients", "pmcd.numclients"), plain("agents", "pmcd.numagents")}},
		{ID: "pdus", Title: "Messages", Unit: "", Style: Mirror, What: "Messages to pmcd, and below the line from it.",
			Usual: "In proportion to what is logged.", Next: "CPU of pmcd.",
			Series: []Series{series("in", In, "rate(pmcd.pdu_in.total)"), series("out", Out, "rate(pmcd.pdu_out.total)").below()}},
		{ID: "pmie", Title: "Rules", Unit: "", Style: Line, What: "How many rules pmie evaluated, how many were true, and how many it could not judge.",
			Usual: "No rule true, few unknown: what they need is not there.", Next: "Findings.",
			Series: []Series{plain("evaluated", "rate(pmcd.pmie.eval.actual)"), plain("true", "rate(pmcd.pmie.eval.true)"), plain("unknown", "rate(pmcd.pmie.eval.unknown)"), plain("actions", "rate(pmcd.pmie.actions)")}},
		{ID: "about", Title: "Loggers", Unit: "", Style: Table, What: "Who was logging.",
			Usual: "One primary logger, and others where somebody logs more.", Next: "Records, below, for what was logged.",
			Series: []Series{plain("archive", "pmcd.pmlogger.archive"), plain("host", "pmcd.pmlogger.host")}},
	}}
}
