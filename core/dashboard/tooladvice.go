package dashboard

// toolAdvice says of the tools' tables what they are, what is usual, and what
// to look at next. The columns are the tools' own, so their headings are
// explained here.
var toolAdvice = map[string][3]string{
	"vmstat":   {"A line for each interval: tasks, memory in KiB, paging and blocks in a second, and where CPU time went.", "r at most about the number of CPUs, b, si and so near zero.", "Load, tasks, when r is high; Disks, when b or wa is; Paging, reclaim, when si and so are."},
	"vmstat-a": {"As vmstat, with inactive and active memory in place of buffers and cache.", "Much inactive memory means there is reserve.", "Active and inactive, in Memory."},

	"mpstat":       {"Where the time of all CPUs went, in percent.", "%sys well below %usr; %iowait, %soft and %steal near zero.", "Each CPU; Processes by CPU."},
	"mpstat-P-ALL": {"Where the time of each CPU went, at the cursor.", "Similar rows. A single one at 100 % is a program with one thread, or the CPU that takes all interrupts.", "Each CPU, in CPU; Interrupts."},
	"mpstat-I-SUM": {"Interrupts in a second, all CPUs together.", "In proportion to network and disk work, and a few hundred for each CPU.", "By source, in Interrupts."},

	"iostat-dktx":    {"What each disk did in a second, at the cursor. await is in milliseconds, from the queue to the end; rareq-sz and wareq-sz are in KiB; aqu-sz is how many requests were in flight.", "await below 20 ms for rotating disks, 5 ms for solid state. %util of 100 is a limit only for disks that serve one request at a time.", "Latency, in Disks; Average queue size, in Disks."},
	"iostat-dktx-dm": {"The same for device mapper: LVM, encryption, multipath.", "About what the disks below it say; more is time lost in this layer.", "Device mapper: latency and average queue size."},

	"sar-u-ALL":      {"Where the time of all CPUs went, in percent.", "%sys well below %usr; %iowait, %soft and %steal near zero.", "CPU; Processes by CPU."},
	"sar-q":          {"Tasks that want a CPU (runq-sz), all tasks (plist-sz), the load, and tasks that wait for I/O.", "Load and runq-sz at most about the number of CPUs, blocked near zero.", "Run queue, in Load, tasks."},
	"sar-r":          {"Memory in KiB. kbmemused is without buffers, cache and slab.", "kbmemavail above 10 % of all memory; %commit above 100 only with overcommit.", "Composition, in Memory; Available, in Memory."},
	"sar-S":          {"Swap space in KiB. kbswpcad is what is in memory as well.", "Space in use does no harm; traffic does.", "sar -W: swapping; Swapped, in Processes."},
	"sar-B":          {"Paging in a second: KiB to and from disks, faults, and pages scanned (pgscank in the background, pgscand by programs) and freed.", "majflt and pgscand near zero. %vmeff near 100 where pages are scanned at all; below 30 the kernel searches in vain.", "Scans, in Paging, reclaim; Available, in Memory."},
	"sar-W":          {"Pages read from and written to swap space in a second.", "Zero.", "Swap traffic, in Paging, reclaim; Processes by memory."},
	"sar-b":          {"Requests of all disks in a second, and blocks of 512 bytes.", "They follow the work: compare with the same hour of another day.", "sar -d: disks."},
	"sar-d-dev":      {"What each disk did in a second, at the cursor. areq-sz is in KiB, await in milliseconds.", "await below 20 ms for rotating disks, 5 ms for solid state; aqu-sz below 4 for a single disk.", "Latency, in Disks; Processes by disk."},
	"sar-n-DEV":      {"What each interface carried in a second, at the cursor.", "%ifutil below 85.", "Utilisation, in Network."},
	"sar-n-EDEV":     {"What each interface lost in a second, at the cursor.", "Zero.", "Drops, in Network; Errors, in Network."},
	"sar-n-TCP-ETCP": {"Connections that were opened, segments, and what went wrong, in a second.", "retrans/s below 1 % of oseg/s; few failed attempts and resets.", "Retransmissions, in TCP, UDP, sockets; Accept queue, in TCP, UDP, sockets."},
	"sar-n-SOCK":     {"Sockets in use. tcp-tw are in time wait.", "Steady, or following the load. Many in time wait are normal on busy servers.", "Connection states, in TCP, UDP, sockets."},
	"sar-n-NFSv4":    {"Calls of this host to NFS servers in a second.", "retrans/s below 1 % of call/s.", "Client operations, in NFS and RPC; Client RPC, in NFS and RPC."},
	"sar-w":          {"Tasks that began, and context switches, in a second.", "A few new tasks; below about 4,000 switches for each CPU.", "Context switches, a CPU, in Load, tasks; Processes started, in Load, tasks."},
	"sar-v":          {"Tables of the kernel: unused directory entries, open files, inodes in use, terminals.", "Steady. file-nr that only rises: a program does not close its files.", "Nearest to their limits, in Kernel tables; Open files, in Processes."},
	"sar-F":          {"Space in MiB and inodes of each filesystem, at the cursor. %ufsused counts what is reserved for root as used.", "%fsused and %Iused below 95.", "Time to full, in Filesystems."},
	"sar-H":          {"Huge pages that were set aside, in KiB.", "Huge pages that are free and not reserved cannot be used for anything else.", "Huge pages, in Paging, reclaim."},
	"sar-y":          {"Characters and errors of each serial line in a second, at the cursor.", "No errors. ovrun: the host did not take the characters in time.", "Interrupts."},

	"pidstat-u": {"CPU time of each process, at the cursor, in percent of one CPU. %wait is time in which it was ready but not running.", "%wait near zero. %CPU above 100 has several threads.", "CPU by process, in Processes; Waiting for CPU, in Processes."},
	"pidstat-r": {"Faults in a second, and memory in KiB, of each process, at the cursor. VSZ is address space, RSS is memory.", "majflt near zero after a start. A large VSZ does no harm.", "Resident memory, in Processes; Available, in Memory."},
	"pidstat-d": {"Data of each process to and from disks, in KiB a second, at the cursor. kB_ccwr was deleted before it was written.", "iodelay near zero.", "Waiting for disks, in Processes; Latency, in Disks."},
	"pidstat-w": {"Context switches of each process in a second, at the cursor: to wait (cswch), and to make way for another (nvcswch).", "Few of the second kind while there are idle CPUs.", "Run queue, in Load, tasks."},
	"pidstat-v": {"Threads and open files of each process, at the cursor.", "Steady. What only rises is not ended or not closed.", "Threads, in Processes; Open files, in Processes."},

	"free":     {"Memory and swap space in KiB. used is all that is not available.", "Little free memory is normal; available above 10 % of all.", "Composition, in Memory."},
	"numastat": {"Pages that each node gave in a second, at the cursor. numa_miss: wanted from another node. numa_foreign: wanted here, and given by another.", "numa_miss and other_node small beside numa_hit.", "Locality, in NUMA nodes; Misses, in NUMA nodes."},
	"pmstat":   {"A line for each interval: load, memory in KiB, pages swapped and blocks in a second, interrupts, switches, CPU in percent.", "Load at most about the number of CPUs, pi and po near zero.", "System overview."},

	"macstat":   {"A line for each interval: load, memory in MiB, pages and requests of disks in a second, CPU in percent. cmpr is the space that compressed memory takes.", "Load at most about the number of CPUs, po near zero. Little free memory is normal.", "Compressor, in Memory; Composition, in Memory."},
	"macstat-x": {"The same with inactive memory, pages compressed (comp) and decompressed (deco) in a second, processes and threads.", "comp and deco near zero while memory is enough.", "Compressor, in Memory; Number of processes, in Load, tasks."},

	"atop-cpu": {"Time of all CPUs together, in percent of one: four CPUs have 400.", "sys well below user; wait and steal near zero.", "CPU."},
	"atop-cpl": {"The load, context switches and interrupts in a second, and the number of CPUs.", "avg1 at most about numcpu; below about 4,000 switches for each CPU.", "Load, tasks."},
	"atop-mem": {"What memory was used for, in KiB.", "Little free memory is normal: the kernel uses it for cache.", "Available, in Memory."},
	"atop-swp": {"Swap space, and memory that programs were promised, in KiB.", "vmcom below vmlim. Swap space in use does no harm; traffic does.", "PAG: paging; Commitment, in Memory."},
	"atop-pag": {"Pages scanned and freed, waits for compaction, pages swapped, and processes killed because memory ran out, in a second.", "swout and oomkill zero. steal near scan: what was looked at could be freed.", "Paging, reclaim."},
	"atop-psi": {"Time in which at least one task waited (some), or nothing else went on (full).", "cpusome below 50, memfull below 5, iofull below 20.", "Pressure stall (PSI)."},
	"atop-dsk": {"What each disk did, at the cursor. avio is the milliseconds of a request, avq how many were in flight.", "avio below 20 ms for rotating disks, 5 ms for solid state; avq below 4 for a single disk.", "Disks."},
	"atop-net": {"What each interface carried and lost in a second, at the cursor.", "No errors and drops.", "Network."},
}

// withToolAdvice adds the advice to the panels of a tool.
func withToolAdvice(d Dashboard) Dashboard {
	for i := range d.Panels {
		p := &d.Panels[i]
		a := toolAdvice[p.ID]
		p.What, p.Usual, p.Next = a[0], a[1], a[2]
	}
	return d
}
