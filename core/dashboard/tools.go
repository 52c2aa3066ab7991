package dashboard

import "strings"

// Look-alikes of well-known tools, with the columns, names and order of pmrep's
// metricsets of these names, one panel each. The headings of their columns are
// explained in what the panels say of themselves.
func tools() []Dashboard {
	return []Dashboard{
		tool("vmstat", "vmstat", "Memory, paging, disks and CPU, a line for each interval.",
			vmstat("vmstat", "buff = mem.util.bufmem; cache = mem.util.cached + mem.util.slab").
				described("A line for each interval: tasks, memory in KiB, paging and blocks in a second, and where CPU time went.", "r at most about the number of CPUs, b, si and so near zero.", "Load, tasks, when r is high; Disks, when b or wa is; Paging, reclaim, when si and so are."),
			vmstat("vmstat-a", "inact = mem.util.inactive; active = mem.util.active").
				described("As vmstat, with inactive and active memory in place of buffers and cache.", "Much inactive memory means there is reserve.", "Active and inactive, in Memory.")),
		tool("mpstat", "mpstat -P ALL", "Where the time of each CPU went.", mpstat()...),
		tool("iostat", "iostat -x", "How busy and how fast each disk was.",
			iostat("iostat-dktx", "disk.dev", disks).
				described("What each disk did in a second, at the cursor. await is in milliseconds, from the queue to the end; rareq-sz and wareq-sz are in KiB; aqu-sz is how many requests were in flight.", "await below 20 ms for rotating disks, 5 ms for solid state. %util of 100 is a limit only for disks that serve one request at a time.", "Latency, in Disks; Average queue size, in Disks."),
			iostat("iostat-dktx-dm", "disk.dm", same).
				described("The same for device mapper: LVM, encryption, multipath.", "About what the disks below it say; more is time lost in this layer.", "Device mapper: latency and average queue size.")),
		tool("sar", "sar", "System activity in all its parts.", sar()...),
		tool("pidstat", "pidstat", "What each process used.", pidstat()...),
		tool("free", "free", "Memory and swap space.", free()),
		tool("numastat", "numastat", "Memory of each NUMA node.", numastat()),
		tool("pmstat", "pmstat", "The key figures, one line for each interval.", pmstat()),
		tool("macstat", "macstat", "What pmstat is for Linux: memory, paging, disks and CPU of macOS, a line for each interval.", macstat()...),
		tool("atop", "atop", "What atop has in its head: the use of each part of the system. Its processes are in the drawer.", atop()...),
	}
}

func tool(id, title, what string, panels ...Panel) Dashboard {
	return Dashboard{ID: "tool-" + id, Title: title, Group: Tools, What: what, Panels: panels}
}

// set makes a table like pmrep's. columns is "name = expression", separated by
// semicolons; "%1" in it is replaced.
func set(name, title string, style Style, decimals int, columns string) Panel {
	p := Panel{ID: name, Title: title, Style: style, Decimals: &decimals, Metricset: "pmrep :" + name}
	for c := range strings.SplitSeq(columns, ";") {
		label, expr, _ := strings.Cut(c, "=")
		if label = strings.TrimSpace(label); label != "" {
			exprs := []string{strings.TrimSpace(expr)}
			if other := strings.ReplaceAll(exprs[0], "mem.physmem", `rescale(hinv.physmem, "Kbyte")`); other != exprs[0] { // which more loggers record
				exprs = append(exprs, other)
			}
			p.Series = append(p.Series, plain(label, exprs...))
		}
	}
	return p
}

func vmstat(name, middle string) Panel {
	return set(name, name, Rows, 0, `r = kernel.all.running; b = kernel.all.blocked; swpd = rescale(swap.used, "Kbyte"); free = mem.util.free; `+middle+`;
		si = rate(swap.pagesin); so = rate(swap.pagesout); bi = rate(mem.vmstat.pgpgin); bo = rate(mem.vmstat.pgpgout); in = rate(kernel.all.intr); cs = rate(kernel.all.pswitch);
		us = 100 * (rate(kernel.all.cpu.user) + rate(kernel.all.cpu.nice)) / hinv.ncpu; sy = 100 * rate(kernel.all.cpu.sys) / hinv.ncpu; id = 100 * rate(kernel.all.cpu.idle) / hinv.ncpu;
		wa = 100 * rate(kernel.all.cpu.wait.total) / hinv.ncpu; st = 100 * rate(kernel.all.cpu.steal) / hinv.ncpu; gu = 100 * rate(kernel.all.cpu.guest) / hinv.ncpu`)
}

const mpstatModes = "%usr vuser, %nice vnice, %sys sys, %iowait wait.total, %irq irq.hard, %soft irq.soft, %steal steal, %guest guest, %gnice guest_nice, %idle idle"

func mpstat() []Panel {
	var all, each []string
	for mode := range strings.SplitSeq(mpstatModes, ", ") {
		label, metric, _ := strings.Cut(mode, " ")
		all = append(all, label+" = 100 * rate(kernel.all.cpu."+metric+") / hinv.ncpu")
		each = append(each, label+" = 100 * rate(kernel.percpu.cpu."+metric+")")
	}
	return []Panel{
		set("mpstat", "All CPUs", Rows, 2, strings.Join(all, ";")).
			described("Where the time of all CPUs went, in percent.", "%sys well below %usr; %iowait, %soft and %steal near zero.", "Each CPU; Processes by CPU."),
		set("mpstat-P-ALL", "Each CPU", Table, 2, strings.Join(each, ";")).
			described("Where the time of each CPU went, at the cursor.", "Similar rows. A single one at 100 % is a program with one thread, or the CPU that takes all interrupts.", "Each CPU, in CPU; Interrupts."),
		set("mpstat-I-SUM", "Interrupts", Rows, 2, "intr/s = rate(kernel.all.intr)").
			described("Interrupts in a second, all CPUs together.", "In proportion to network and disk work, and a few hundred for each CPU.", "By source, in Interrupts."),
	}
}

// ratio divides the growth of two counters and is 0 if nothing happened, like PCP's
// derived disk metrics.
func ratio(over, under string) string {
	one, units := "rescale("+perOne(over, under)+`, "Kbyte/count")`, "Kbyte/count"
	if strings.HasSuffix(over, "rawactive") {
		one, units = timeOfOne(over, under), "millisec/count"
	}
	return "rate(" + under + `) == 0 ? mkconst(0, type=double, semantics=instant, units="` + units + `") : ` + one
}

func iostat(name, family string, choose func(string) string) Panel {
	p := set(name, name, Table, 2, strings.ReplaceAll(`r/s = rate(%.read); rkB/s = rescale(rate(%.read_bytes), "Kbyte/sec"); rrqm/s = rate(%.read_merge); PCrrqm = 100 * rate(%.read_merge) / rate(%.read); r_await = `+ratio("%.read_rawactive", "%.read")+`;
		rareq-sz = `+ratio("%.read_bytes", "%.read")+`; w/s = rate(%.write); wkB/s = rescale(rate(%.write_bytes), "Kbyte/sec"); wrqm/s = rate(%.write_merge); PCwrqm = 100 * rate(%.write_merge) / rate(%.write);
		w_await = `+ratio("%.write_rawactive", "%.write")+`; wareq-sz = `+ratio("%.write_bytes", "%.write")+`; d/s = rate(%.discard); dkB/s = rescale(rate(%.discard_bytes), "Kbyte/sec"); drqm/s = rate(%.discard_merge);
		PCdrqm = 100 * rate(%.discard_merge) / rate(%.discard); d_await = `+ratio("%.discard_rawactive", "%.discard")+`; dareq-sz = `+ratio("%.discard_bytes", "%.discard")+`;
		f/s = rate(%.flush); f_await = `+ratio("%.flush_rawactive", "%.flush")+`; aqu-sz = rate(%.read_rawactive) + rate(%.write_rawactive); PCutil = 100 * rate(%.avactive)`, "%.", family+"."))
	for i := range p.Series {
		s := &p.Series[i]
		s.Name = strings.Replace(s.Name, "PC", "%", 1)
		s.Exprs[0] = choose(s.Exprs[0])
	}
	return p
}

func sar() []Panel {
	modes := func(list string) string {
		var columns []string
		for mode := range strings.SplitSeq(list, ", ") {
			label, metric, _ := strings.Cut(mode, " ")
			columns = append(columns, label+" = 100 * rate(kernel.all.cpu."+metric+") / hinv.ncpu")
		}
		return strings.Join(columns, ";")
	}
	used := "mem.physmem - mem.util.free - mem.util.bufmem - mem.util.cached - mem.util.slab"
	nic := func(columns string) string { return strings.ReplaceAll(columns, "@", "network.interface.") }
	tcp := func(columns string) string { return strings.ReplaceAll(columns, "@", "network.tcp.") }
	rest := func(columns string) string { return strings.ReplaceAll(columns, "@", "mem.vmstat.") }
	return []Panel{
		set("sar-u-ALL", "sar -u ALL: CPU", Rows, 2, modes("%usr vuser, %nice nice, %sys sys, %iowait wait.total, %steal steal, %irq irq.hard, %soft irq.soft, %guest guest, %gnice guest_nice, %idle idle")).
			described("Where the time of all CPUs went, in percent.", "%sys well below %usr; %iowait, %soft and %steal near zero.", "CPU; Processes by CPU."),
		set("sar-q", "sar -q: load", Rows, 2, "runq-sz = proc.runq.runnable; plist-sz = kernel.all.nprocs; ldavg-1 = scalar(kernel.all.load[1 minute]); ldavg-5 = scalar(kernel.all.load[5 minute]); ldavg-15 = scalar(kernel.all.load[15 minute]); blocked = kernel.all.blocked").
			described("Tasks that want a CPU (runq-sz), all tasks (plist-sz), the load, and tasks that wait for I/O.", "Load and runq-sz at most about the number of CPUs, blocked near zero.", "Run queue, in Load, tasks."),
		set("sar-r", "sar -r: memory", Rows, 0, `kbmemfree = mem.freemem; kbmemavail = mem.util.available; kbmemused = `+used+`; %memused = 100 * (`+used+`) / mem.physmem; kbbuffers = mem.util.bufmem; kbcached = mem.util.cached;
			kbcommit = mem.util.committed_AS; %commit = 100 * mem.util.committed_AS / (mem.physmem + mem.util.swapTotal); kbactive = mem.util.active; kbinact = mem.util.inactive; kbdirty = mem.util.dirty`).
			described("Memory in KiB. kbmemused is without buffers, cache and slab.", "kbmemavail above 10 % of all memory; %commit above 100 only with overcommit.", "Composition, in Memory; Available, in Memory."),
		set("sar-S", "sar -S: swap", Rows, 2, `kbswpfree = mem.util.swapFree; kbswpused = mem.util.swapTotal - mem.util.swapFree; %swpused = 100 * (mem.util.swapTotal - mem.util.swapFree) / mem.util.swapTotal;
			kbswpcad = mem.util.swapCached; %swpcad = 100 * mem.util.swapCached / (mem.util.swapTotal - mem.util.swapFree)`).
			described("Swap space in KiB. kbswpcad is what is in memory as well.", "Space in use does no harm; traffic does.", "sar -W: swapping; Swapped, in Processes."),
		set("sar-B", "sar -B: paging", Rows, 2, rest(`pgpgin/s = rate(@pgpgin); pgpgout/s = rate(@pgpgout); fault/s = rate(@pgfault); majflt/s = rate(@pgmajfault); pgfree/s = rate(@pgfree); pgscank/s = rate(@pgscan_kswapd);
			pgscand/s = rate(@pgscan_direct) + rate(@pgscan_direct_throttle); pgsteal/s = rate(@pgsteal_kswapd) + rate(@pgsteal_direct);
			%vmeff = 100 * (rate(@pgsteal_kswapd) + rate(@pgsteal_direct)) / (rate(@pgscan_kswapd) + rate(@pgscan_direct))`)).
			described("Paging in a second: KiB to and from disks, faults, and pages scanned (pgscank in the background, pgscand by programs) and freed.", "majflt and pgscand near zero. %vmeff near 100 where pages are scanned at all; below 30 the kernel searches in vain.", "Scans, in Paging, reclaim; Available, in Memory."),
		set("sar-W", "sar -W: swapping", Rows, 2, rest("pswpin/s = rate(@pswpin); pswpout/s = rate(@pswpout)")).
			described("Pages read from and written to swap space in a second.", "Zero.", "Swap traffic, in Paging, reclaim; Processes by memory."),
		set("sar-b", "sar -b: I/O", Rows, 2, "tps = rate(disk.all.total); rtps = rate(disk.all.read); wtps = rate(disk.all.write); dtps = rate(disk.all.discard); bread/s = rate(disk.all.blkread); bwrtn/s = rate(disk.all.blkwrite); bdscd/s = rate(disk.all.blkdiscard)").
			described("Requests of all disks in a second, and blocks of 512 bytes.", "They follow the work: compare with the same hour of another day.", "sar -d: disks."),
		set("sar-d-dev", "sar -d: disks", Table, 2, strings.ReplaceAll(`tps = rate(@total); rkB/s = rescale(rate(@read_bytes), "Kbyte/sec"); wkB/s = rescale(rate(@write_bytes), "Kbyte/sec"); dkB/s = rescale(rate(@discard_bytes), "Kbyte/sec"); areq-sz = `+ratio("@total_bytes", "@total")+`;
			aqu-sz = rate(@read_rawactive) + rate(@write_rawactive); await = `+ratio("@total_rawactive", "@total")+`; %util = 100 * rate(@avactive)`, "@", "disk.dev.")).
			described("What each disk did in a second, at the cursor. areq-sz is in KiB, await in milliseconds.", "await below 20 ms for rotating disks, 5 ms for solid state; aqu-sz below 4 for a single disk.", "Latency, in Disks; Processes by disk."),
		set("sar-n-DEV", "sar -n DEV: interfaces", Table, 2, nic(`rxpck/s = rate(@in.packets); txpck/s = rate(@out.packets); rxkB/s = rescale(rate(@in.bytes), "Kbyte/sec"); txkB/s = rescale(rate(@out.bytes), "Kbyte/sec");
			rxcmp/s = rate(@in.compressed); txcmp/s = rate(@out.compressed); rxmcst/s = rate(@in.mcasts); %ifutil = 100 * (rate(@in.bytes) > rate(@out.bytes) ? rate(@in.bytes) : rate(@out.bytes)) / `+knownBaud)).
			described("What each interface carried in a second, at the cursor. %ifutil is of the busier direction.", "%ifutil below 85.", "Utilisation, in Network."),
		set("sar-n-EDEV", "sar -n EDEV: errors", Table, 2, nic(`rxerr/s = rate(@in.errors); txerr/s = rate(@out.errors); coll/s = rate(@collisions); rxdrop/s = rate(@in.drops); txdrop/s = rate(@out.drops);
			txcarr/s = rate(@out.carrier); rxfram/s = rate(@in.frame); rxfifo/s = rate(@in.fifo); txfifo/s = rate(@out.fifo)`)).
			described("What each interface lost in a second, at the cursor.", "Zero.", "Drops, in Network; Errors, in Network."),
		set("sar-n-TCP-ETCP", "sar -n TCP,ETCP", Rows, 2, tcp(`active/s = rate(@activeopens); passive/s = rate(@passiveopens); iseg/s = rate(@insegs); oseg/s = rate(@outsegs); atmptf/s = rate(@attemptfails); estres/s = rate(@estabresets);
			retrans/s = rate(@retranssegs); isegerr/s = rate(@inerrs); orsts/s = rate(@outrsts)`)).
			described("Connections that were opened, segments, and what went wrong, in a second.", "retrans/s below 1 % of oseg/s; few failed attempts and resets.", "Retransmissions, in TCP, UDP, sockets; Accept queue, in TCP, UDP, sockets."),
		set("sar-n-SOCK", "sar -n SOCK", Rows, 0, strings.ReplaceAll("totsck = @total; tcpsck = @tcp.inuse; udpsck = @udp.inuse; rawsck = @raw.inuse; ip-frag = @frag.inuse; tcp-tw = @tcp.tw", "@", "network.sockstat.")).
			described("Sockets in use. tcp-tw are in time wait.", "Steady, or following the load. Many in time wait are normal on busy servers.", "Connection states, in TCP, UDP, sockets."),
		set("sar-n-NFSv4", "sar -n NFS", Rows, 2, `call/s = rate(rpc.client.rpccnt); retrans/s = rate(rpc.client.rpcretrans); read/s = sum(rate(nfs4.client.reqs[read])); write/s = sum(rate(nfs4.client.reqs[write])); access/s = sum(rate(nfs4.client.reqs[access])); getatt/s = sum(rate(nfs4.client.reqs[getattr]))`).
			described("Calls of this host to NFS servers in a second.", "retrans/s below 1 % of call/s.", "Client operations, in NFS and RPC; Client RPC, in NFS and RPC."),
		set("sar-w", "sar -w: tasks", Rows, 2, "proc/s = rate(kernel.all.sysfork); cswch/s = rate(kernel.all.pswitch)").
			described("Tasks that began, and context switches, in a second.", "A few new tasks; below about 4,000 switches for each CPU.", "Context switches, a CPU, in Load, tasks; Processes started, in Load, tasks."),
		set("sar-v", "sar -v: tables", Rows, 0, "dentunusd = vfs.dentry.free; file-nr = vfs.files.count; inode-nr = vfs.inodes.count - vfs.inodes.free; pty-nr = kernel.all.nptys").
			described("Tables of the kernel: unused directory entries, open files, inodes in use, terminals.", "Steady. file-nr that only rises: a program does not close its files.", "Nearest to their limits, in Kernel tables; Open files, in Processes."),
		set("sar-F", "sar -F: filesystems", Table, 0, `MBfsfree = rescale(filesys.free, "Mbyte"); MBfsused = rescale(filesys.used, "Mbyte"); %fsused = 100 * (filesys.used / filesys.capacity); %ufsused = 100 * ((filesys.capacity - filesys.avail) / filesys.capacity);
			Ifree = filesys.freefiles; Iused = filesys.usedfiles; %Iused = 100 * (filesys.usedfiles / filesys.maxfiles)`).
			described("Space in MiB and inodes of each filesystem, at the cursor. %ufsused counts what is reserved for root as used.", "%fsused and %Iused below 95.", "Time to full, in Filesystems."),
		set("sar-H", "sar -H: huge pages", Rows, 0, strings.ReplaceAll(`kbhugfree = rescale(@FreeBytes, "Kbyte"); kbhugused = rescale(@TotalBytes - @FreeBytes, "Kbyte"); %hugused = 100 * ((@TotalBytes - @FreeBytes) / @TotalBytes);
			kbhugrsvd = rescale(@RsvdBytes, "Kbyte"); kbhugsurp = rescale(@SurpBytes, "Kbyte")`, "@", "mem.util.hugepages")).
			described("Huge pages that were set aside, in KiB.", "Huge pages that are free and not reserved cannot be used for anything else.", "Huge pages, in Paging, reclaim."),
		set("sar-y", "sar -y: serial lines", Table, 2, strings.ReplaceAll("rcvin/s = rate(@rx); txmtin/s = rate(@tx); framerr/s = rate(@frame); prtyerr/s = rate(@parity); brk/s = rate(@brk); ovrun/s = rate(@overrun)", "@", "tty.serial.")).
			described("Characters and errors of each serial line in a second, at the cursor.", "No errors. ovrun: the host did not take the characters in time.", "Interrupts."),
	}
}

func pidstat() []Panel {
	about := "UID = proc.id.uid; "
	last := "; Command = proc.psinfo.cmd"
	return []Panel{
		set("pidstat-u", "pidstat -u: CPU", Table, 2, about+`%usr = 100 * rate(proc.psinfo.utime); %system = 100 * rate(proc.psinfo.stime); %guest = 100 * rate(proc.psinfo.guest_time); %wait = 100 * rate(proc.schedstat.run_delay);
			%CPU = 100 * (rate(proc.psinfo.utime) + rate(proc.psinfo.stime)); CPU = proc.psinfo.processor`+last).
			described("CPU time of each process, at the cursor, in percent of one CPU. %wait is time in which it was ready but not running.", "%wait near zero. %CPU above 100 has several threads.", "CPU by process, in Processes; Waiting for CPU, in Processes."),
		set("pidstat-r", "pidstat -r: memory", Table, 2, about+`minflt/s = rate(proc.psinfo.minflt); majflt/s = rate(proc.psinfo.maj_flt); VSZ = proc.memory.vmsize; RSS = proc.memory.vmrss; %MEM = 100 * ((proc.memory.vmrss + proc.memory.vmswap) / hinv.physmem)`+last).
			described("Faults in a second, and memory in KiB, of each process, at the cursor. VSZ is address space, RSS is memory.", "majflt near zero after a start. A large VSZ does no harm.", "Resident memory, in Processes; Available, in Memory."),
		set("pidstat-d", "pidstat -d: disk", Table, 2, about+`kB_rd/s = rescale(rate(proc.io.read_bytes), "Kbyte/sec"); kB_wr/s = rescale(rate(proc.io.write_bytes), "Kbyte/sec"); kB_ccwr/s = rescale(rate(proc.io.cancelled_write_bytes), "Kbyte/sec");
			iodelay = rate(proc.psinfo.delayacct_blkio_time)`+last).
			described("Data of each process to and from disks, in KiB a second, at the cursor. kB_ccwr was deleted before it was written.", "iodelay near zero.", "Waiting for disks, in Processes; Latency, in Disks."),
		set("pidstat-w", "pidstat -w: switches", Table, 2, about+"cswch/s = rate(proc.psinfo.vctxsw); nvcswch/s = rate(proc.psinfo.nvctxsw)"+last).
			described("Context switches of each process in a second, at the cursor: to wait (cswch), and to make way for another (nvcswch).", "Few of the second kind while there are idle CPUs.", "Run queue, in Load, tasks."),
		set("pidstat-v", "pidstat -v: threads and files", Table, 0, about+"threads = proc.psinfo.threads; fd-nr = proc.fd.count"+last).
			described("Threads and open files of each process, at the cursor.", "Steady. What only rises is not ended or not closed.", "Threads, in Processes; Open files, in Processes."),
	}
}

func free() Panel {
	p := set("free", "free", Rows, 0, `total = mem.physmem; used = mem.physmem - mem.util.available; free = mem.util.free; shared = mem.util.shmem; buff/cache = mem.util.bufmem + mem.util.cached + mem.util.slabReclaimable; available = mem.util.available;
		swap total = mem.util.swapTotal; swap used = mem.util.swapTotal - mem.util.swapFree; swap free = mem.util.swapFree`).
		described("Memory and swap space in KiB. used is all that is not available.", "Little free memory is normal; available above 10 % of all.", "Composition, in Memory.")
	p.Metricset = ""
	return p
}

func numastat() Panel {
	p := set("numastat", "numastat", Table, 0, strings.ReplaceAll("numa_hit = @hit; numa_miss = @miss; numa_foreign = @foreign; interleave_hit = @interleave_hit; local_node = @local_node; other_node = @other_node", "@", "mem.numa.alloc.")).
		described("Pages that each node gave in a second, at the cursor. numa_miss: wanted from another node. numa_foreign: wanted here, and given by another.", "numa_miss and other_node small beside numa_hit.", "Locality, in NUMA nodes; Misses, in NUMA nodes.")
	p.Metricset = ""
	return p
}

// pmstat has the columns of pmstat(1), which takes what else was logged where it can, and
// shows idle time with that of waiting and time in the kernel with that of interrupts and
// of the hypervisor.
func pmstat() Panel {
	p := set("pmstat", "pmstat", Rows, 1, `load avg = scalar(kernel.all.load[1 minute]); swpd = rescale(swap.used, "Kbyte"); free = mem.util.free; buff = mem.util.bufmem; cache = mem.util.cached;
		pi = rate(swap.pagesin); po = rate(swap.pagesout); bi = rate(disk.all.blkread); bo = rate(disk.all.blkwrite); in = rate(kernel.all.intr); cs = rate(kernel.all.pswitch); us; sy; id`).
		described("A line for each interval: load, memory in KiB, pages swapped and blocks in a second (requests where blocks were not logged), interrupts, switches, CPU in percent. sy is with interrupts and steal, id with waiting for disks.", "Load at most about the number of CPUs, pi and po near zero.", "System overview.")
	for i := range p.Series {
		switch s := &p.Series[i]; s.Name {
		case "bi":
			s.Exprs = append(s.Exprs, "rate(disk.all.read)")
		case "bo":
			s.Exprs = append(s.Exprs, "rate(disk.all.write)")
		case "us":
			s.Exprs = modesOfAll("user nice", "user")
		case "sy":
			s.Exprs = modesOfAll("sys intr steal", "sys intr", "sys")
		case "id":
			s.Exprs = modesOfAll("idle wait.total", "idle")
		}
	}
	p.Metricset = ""
	return p
}

// modesOfAll is the share that some modes have of the time of all CPUs, or, where one of
// them was not logged, those of the next list.
func modesOfAll(lists ...string) (exprs []string) {
	for _, modes := range lists {
		var rates []string
		for mode := range strings.FieldsSeq(modes) {
			rates = append(rates, "rate(kernel.all.cpu."+mode+")")
		}
		exprs = append(exprs, ofAll("("+strings.Join(rates, " + ")+")")...)
	}
	return exprs
}

// noRequestsZero makes a mean of requests 0 where there were none, as atop prints it.
const noRequestsZero = `rate(@read) + rate(@write) == 0 ? mkconst(0, type=double, semantics=instant, units="millisec/count") : `

// atop has the system lines of atop(1), a panel for each.
func atop() []Panel {
	line := func(id, title string, style Style, decimals int, columns string) Panel {
		p := set("atop-"+id, title, style, decimals, columns)
		p.Metricset = ""
		return p
	}
	return []Panel{
		line("cpu", "CPU: % of one CPU", Rows, 0, `sys = 100 * rate(kernel.all.cpu.sys); user = 100 * (rate(kernel.all.cpu.user) + rate(kernel.all.cpu.nice)); irq = 100 * rate(kernel.all.cpu.intr);
			idle = 100 * rate(kernel.all.cpu.idle); wait = 100 * rate(kernel.all.cpu.wait.total); steal = 100 * rate(kernel.all.cpu.steal); guest = 100 * rate(kernel.all.cpu.guest)`).
			described("Time of all CPUs together, in percent of one: four CPUs have 400.", "sys well below user; wait and steal near zero.", "CPU."),
		line("cpl", "CPL: load", Rows, 2, `avg1 = scalar(kernel.all.load[1 minute]); avg5 = scalar(kernel.all.load[5 minute]); avg15 = scalar(kernel.all.load[15 minute]); csw = rate(kernel.all.pswitch); intr = rate(kernel.all.intr); numcpu = hinv.ncpu`).
			described("The load, context switches and interrupts in a second, and the number of CPUs.", "avg1 at most about numcpu; below about 4,000 switches for each CPU.", "Load, tasks."),
		line("mem", "MEM: memory", Rows, 0, "tot = mem.physmem; free = mem.util.free; cache = mem.util.cached; dirty = mem.util.dirty; buff = mem.util.bufmem; slab = mem.util.slab; shmem = mem.util.shmem").
			described("What memory was used for, in KiB.", "Little free memory is normal: the kernel uses it for cache.", "Available, in Memory."),
		line("swp", "SWP: swap", Rows, 0, "tot = mem.util.swapTotal; free = mem.util.swapFree; swcac = mem.util.swapCached; vmcom = mem.util.committed_AS; vmlim = mem.util.commitLimit").
			described("Swap space, and memory that programs were promised, in KiB.", "vmcom below vmlim. Swap space in use does no harm; traffic does.", "PAG: paging; Commitment, in Memory."),
		line("pag", "PAG: paging", Rows, 2, strings.ReplaceAll("scan = rate(@pgscan_kswapd) + rate(@pgscan_direct); steal = rate(@pgsteal_kswapd) + rate(@pgsteal_direct); compact = rate(@compact_stall); swin = rate(@pswpin); swout = rate(@pswpout); oomkill = rate(@oom_kill)", "@", "mem.vmstat.")).
			described("Pages scanned and freed, waits for compaction, pages swapped, and processes killed because memory ran out, in a second.", "swout and oomkill zero. steal near scan: what was looked at could be freed.", "Paging, reclaim."),
		line("psi", "PSI: pressure, %", Rows, 1, strings.ReplaceAll("cpusome = 100 * rate(@cpu.some.total); memsome = 100 * rate(@memory.some.total); memfull = 100 * rate(@memory.full.total); iosome = 100 * rate(@io.some.total); iofull = 100 * rate(@io.full.total)", "@", "kernel.all.pressure.")).
			described("Time in which at least one task waited (some), or nothing else went on (full).", "cpusome below 50, memfull below 5, iofull below 20.", "Pressure stall (PSI)."),
		line("dsk", "DSK: disks", Table, 2, strings.ReplaceAll(`busy % = 100 * rate(@avactive); read/s = rate(@read); write/s = rate(@write); KiB/r = `+ratio("@read_bytes", "@read")+`; KiB/w = `+ratio("@write_bytes", "@write")+`;
			MBr/s = rescale(rate(@read_bytes), "Mbyte/sec"); MBw/s = rescale(rate(@write_bytes), "Mbyte/sec"); avq = rate(@avactive) == 0 ? 0 * rate(@avactive) : rate(@aveq) / rate(@avactive); avio ms = `+noRequestsZero+`rescale(rate(@avactive) / (rate(@read) + rate(@write)), "millisec/count")`, "@", "disk.dev.")).
			described("What each disk did, at the cursor. avio is the time for which it was busy, in milliseconds a request; avq is how many were in flight while it was.", "avio below 10 ms for rotating disks; avq below 4 for a single disk. How long a request took is await of iostat.", "Disks."),
		line("net", "NET: interfaces", Table, 2, strings.ReplaceAll(`pcki/s = rate(@in.packets); pcko/s = rate(@out.packets); si KB/s = rescale(rate(@in.bytes), "Kbyte/sec"); so KB/s = rescale(rate(@out.bytes), "Kbyte/sec");
			erri/s = rate(@in.errors); erro/s = rate(@out.errors); drpi/s = rate(@in.drops); drpo/s = rate(@out.drops)`, "@", "network.interface.")).
			described("What each interface carried and lost in a second, at the cursor.", "No errors and drops.", "Network."),
	}
}
