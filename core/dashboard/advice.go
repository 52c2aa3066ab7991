package dashboard

// advice says of panels what is usual, and what to look at next, where that
// does not stand beside them: "dashboard/panel", usual, next.
var advice = map[string][2]string{
	"overview/iops":       {"They follow the work. A rotating disk can do about 150 random requests a second, solid state many thousands.", ""},
	"overview/network":    {"It follows the work, below 85 % of the line rate.", ""},
	"overview/top":        {"100 % is one CPU; a program with several threads can have more.", ""},
	"overview/throughput": {"Well below what the disks can do; long plateaus are a limit.", "Disks for each of them."},

	"cpu/imbalance": {"Low where all CPUs share the work. One CPU above 95 % while the average is below 50 %: a single thread is the limit.", ""},
	"cpu/user":      {"CPUs alike.", "Processes for who used it."},
	"cpu/sys":       {"Well below user.", "Context switches and interrupts, in Load, tasks; Interrupts."},
	"cpu/cores":     {"Below the number of CPUs.", "Run queue, in Load, tasks."},
	"cpu/clock":     {"Steady under load. A clock that falls under load is throttled.", "Thermal throttling."},

	"load/forks":  {"", "Kernel share, in CPU; Processes by command."},
	"load/states": {"Most processes sleep. Blocked ones wait for disks, defunct ones for their parents.", "Disks when many are blocked."},
	"load/count":  {"Level. A count that only rises: something forks and does not end.", "Processes."},
	"load/delay":  {"Near zero.", "CPU; a quota of the cgroup may hold it back, too."},

	"memory/commit": {"", "Available; Out of memory, in Paging, reclaim."},
	"memory/rest":   {"", "Slab; Memory and windows, in TCP, UDP, sockets."},
	"memory/active": {"Much inactive memory is room in reserve.", "Paging, reclaim."},
	"memory/caches": {"Dentries and inodes follow the work on files. A cache that only rises may be a leak of the kernel.", "Slab."},
	"memory/zswap":  {"Zero where zswap is off.", "Swap traffic, in Paging, reclaim."},

	"disks/mean":       {"Below 20 ms for rotating disks, 5 ms for solid state.", "Latency, for reads and writes apart."},
	"disks/iops":       {"A rotating disk can do about 150 random requests a second, solid state many thousands.", "Request size; Latency."},
	"disks/throughput": {"A rotating disk can do about 150 MiB/s in sequence.", "Processes by disk."},
	"disks/size":       {"Large for copying and scans, small for databases. Less than 0.5 KiB in great numbers is waste.", "Merged."},
	"disks/merges":     {"High for work in sequence, low for random work.", "Request size."},
	"disks/service":    {"Below 10 ms for rotating disks.", "Latency, which holds for all devices."},
	"disks/heat":       {"Rows alike among disks that share their work.", "The disk whose row is bright."},
	"disks/about":      {"The same throughout. A device that is missing has left the system.", "Busy; Latency of each device."},
	"wwid/about":       {"As many paths as were laid. A path that is missing is a broken cable, port or controller.", "Busy; Latency of each device."},
	"md/about":         {"State 0. Another one means that the array lacks a disk.", "Busy; Latency of each device."},

	"filesystems/readonly": {"0, unless it was mounted so. A filesystem that becomes read-only had errors.", "Mounts; Devices, in Disks."},
	"filesystems/files":    {"", "Open files, in Processes."},
	"filesystems/user":     {"Below 95 %.", "Space."},
	"filesystems/space":    {"Level, or sawtooth where files are cleaned up.", "Growth."},
	"filesystems/inodes":   {"Below 95 %. Many small files use them up.", "Space."},
	"filesystems/growth":   {"Around zero. Files that come and go do not count.", "Time to full; Processes by writes."},
	"filesystems/caches":   {"They grow until memory is needed elsewhere.", "Slab, in Memory."},
	"filesystems/mounts":   {"The same throughout. Mounts that come and go belong to an automounter, a container or a removable disk.", "Full, to see how much of it is in use."},

	"network/util":       {"", "Drops; Throughput."},
	"network/errors":     {"", "Speed; Duplex."},
	"network/bytes":      {"Below 85 % of the line rate.", "Utilisation; TCP, UDP, sockets."},
	"network/packets":    {"In proportion to the bytes. Many small packets cost more CPU.", "Packet size; Soft interrupts, each CPU, in CPU."},
	"network/size":       {"Near the MTU for bulk, small for calls and answers.", "Packets."},
	"network/state":      {"1 throughout. A change is a cable, a switch or an administrator.", "Errors, around the change."},
	"network/about":      {"Full duplex, and the speed that the port was bought for.", "Utilisation."},
	"network/all":        {"The sum of Throughput over the physical interfaces.", "Throughput, for each interface."},
	"network/allpackets": {"In proportion to the bytes. Many small packets cost more CPU.", "Packets, for each interface."},

	"tcp/udp":      {"", "Drops, in Network; Processes that do not read."},
	"tcp/softnet":  {"", "Softnet, each CPU; Soft interrupts, each CPU, in CPU."},
	"tcp/ip":       {"", "Errors, in Network; UDP."},
	"tcp/segments": {"In and out alike.", "Retransmissions."},
	"tcp/kinds":    {"Few fast retransmissions; hardly any timeouts.", "Drops, in Network; Errors, in Network."},
	"tcp/opens":    {"Few failed attempts and resets.", "Accept queue, Connection states."},
	"tcp/states":   {"Established in proportion to the clients; time wait is normal on busy servers.", "Processes, for who holds the sockets."},
	"tcp/memory":   {"Zero pressures and pruned queues.", "Available, in Memory; Processes that do not read."},
	"tcp/sockets":  {"Level, or following the load.", "Connection states."},
	"tcp/softcpu":  {"None dropped.", "Soft interrupts, each CPU, in CPU."},

	"processes/cpu":             {"100 % is one CPU; a program with several threads can have more.", ""},
	"processes/user":            {"Above the time in the kernel. The time of a virtual machine that it runs counts here, too.", "The table of processes at the cursor."},
	"processes/sys":             {"Below the time in programs.", "Kernel share, in CPU."},
	"processes/wait":            {"Near zero.", "CPU, or the quota of its cgroup."},
	"processes/uninterruptible": {"Near zero. A program that is there in most samples was held up all the time.", "Disks: latency."},
	"processes/runnable":        {"Their sum is the demand for CPUs: below their number.", "CPU by process; Waiting for CPU."},
	"processes/blkio":           {"Near zero.", "Disks: latency."},
	"processes/memory":          {"Level. A line that only rises may be a leak.", "Share of memory; Programs, in Memory."},
	"processes/swapped":         {"Space in use does no harm; traffic does.", "Swap traffic, in Paging, reclaim."},
	"processes/share":           {"Level. The sum can pass 100 %: shared pages count for each process that has them.", "Available, in Memory."},
	"processes/read":            {"After a start much, later little: the cache has it.", "Disks: throughput."},
	"processes/write":           {"In bursts. It counts when memory is changed; the disks see it up to half a minute later.", "Disks: throughput; Waiting to be written, in Memory."},
	"processes/major":           {"Few after a start.", "Paging, reclaim."},
	"processes/minor":           {"Thousands a second do no harm.", "Resident memory."},
	"processes/voluntary":       {"Many for programs that serve or wait, few for those that compute.", "What it waits for: Waiting for disks; Network."},
	"processes/involuntary":     {"Few while there are idle CPUs.", "Run queue, in Load, tasks."},
	"processes/since":           {"Far below what it uses now: it has just become busy.", "CPU by process."},
	"processes/threads":         {"Level. A line that only rises: threads are not ended.", "Number of processes, in Load, tasks."},
	"processes/files":           {"Level. A line that only rises: files are not closed.", "Open files, in Filesystems."},
	"processes/table":           {"Most sleep (S). D waits for a disk; Z has ended, and its parent has not noticed.", "Records, below, for what was logged."},

	"paging/faults":     {"", "Swap traffic; Major faults, in Processes."},
	"paging/efficiency": {"", "Scans; Refaults; Direct reclaim."},
	"paging/stalls":     {"", "Available, in Memory; Memory, full, in Pressure stall (PSI)."},
	"paging/refaults":   {"", "Composition, in Memory; Read from disk, in Processes."},
	"paging/paged":      {"As much as the disks read and write.", "Disks: throughput."},
	"paging/compaction": {"Few stalls.", "Fragmentation."},
	"paging/thp":        {"Few fallbacks.", "Compaction, Fragmentation."},
	"paging/zones":      {"Above high.", "Scans, Direct reclaim."},
	"paging/huge":       {"What is total and free is lost to everybody else.", "Composition, in Memory; Huge pages of each node, in NUMA nodes."},
	"paging/fragments":  {"Blocks of all sizes. Without large ones the kernel has to move memory to get some.", "Compaction."},

	"pressure/cpu":        {"Below 50 %.", "Run queue, in Load, tasks."},
	"pressure/memory":     {"Near zero.", "Paging, reclaim."},
	"pressure/memoryfull": {"Zero. Above 5 % the machine hardly works.", "Available, in Memory; Paging, reclaim."},
	"pressure/io":         {"Below 20 %.", "Disks: latency."},
	"pressure/iofull":     {"Below 20 %.", "Disks; Processes waiting for disks."},
	"pressure/irq":        {"Near zero.", "Interrupts."},

	"interrupts/percpu":  {"", "By source and CPU."},
	"interrupts/all":     {"In proportion to network and disk work, and a few hundred a second for each CPU.", "By source."},
	"interrupts/soft":    {"Rows alike; more than 80 % on one CPU is a limit to come.", "Soft interrupts by kind."},
	"interrupts/sources": {"LOC is the timer, RES and CAL are CPUs waking each other.", "Network or Disks, for the device that leads."},
	"interrupts/kinds":   {"NET_RX follows received packets, BLOCK the disks.", "Network, Disks."},
	"interrupts/detail":  {"Spread over the CPUs.", "Each CPU."},

	"xfs/stalls":       {"", "Log; Busy, in Disks."},
	"xfs/bytes":        {"More than the disks do: much comes from the cache.", "Disks: throughput."},
	"xfs/calls":        {"They follow the work. Many calls for little data cost CPU.", "Data, for the size of a call."},
	"xfs/log":          {"Forces in proportion to fsync calls.", "Log stalls."},
	"xfs/dirs":         {"Lookups lead; they count only where the kernel's cache of names has no answer.", "Transactions."},
	"xfs/transactions": {"Mostly asynchronous.", "Log."},
	"xfs/inodes":       {"Near 100 %.", "Inodes and directory entries, in Filesystems."},
	"xfs/buffers":      {"Few busy and retried.", "Log stalls."},

	"nfs/rpc":        {"", "Each mount: read; Retransmissions, in TCP, UDP, sockets; Drops, in Network."},
	"nfs/client":     {"Many getattr and access calls are cheap by themselves; in great numbers the cache of attributes is too short-lived.", "Each mount: getattr; Each mount: access, for how long they took."},
	"nfs/calls":      {"They follow the work of this host; most are getattr, access, lookup and read.", "Client operations."},
	"nfs/server":     {"They follow the work of the clients. Many getattr and access calls are clients that check their caches.", "Server threads; Server data."},
	"nfs/serverrpc":  {"No errors.", "Server threads."},
	"nfs/serverio":   {"Below what the network can carry. Reads can be more than the disks do: the rest comes from the cache.", "Disks: throughput."},
	"nfs/cache":      {"Low. Hits are calls that clients sent again.", "Client RPC, on the clients."},
	"nfs/threads":    {"All busy: never.", "Server operations; CPU and Disks of this host."},
	"nfs/mountbytes": {"Below what the network can carry; a long plateau is a limit.", "Each mount: read; Each mount: write."},

	"cgroups/cpu":           {"Below the quota, where there is one. 100 % is one CPU.", "Throttled; Processes for who is in it."},
	"cgroups/user":          {"Above the time in the kernel.", "CPU."},
	"cgroups/system":        {"Well below the time in programs.", "CPU."},
	"cgroups/dirty":         {"Small: it is written after half a minute.", "Written."},
	"cgroups/mapped":        {"Level.", "Page cache."},
	"cgroups/swap":          {"Space in use does no harm; traffic does.", "Memory trouble."},
	"cgroups/stacks":        {"Level. A line that only rises: threads are not ended.", "Processes: threads."},
	"cgroups/table":         {"Few groups use most. A group near its quota or its limit of memory deserves a look.", "The panels of the groups that stand out; Processes, grouped by cgroup."},
	"cgroups/averages":      {"Near zero.", "The panels of pressure, which are exact."},
	"cgroups/failcnt":       {"Never.", "Memory of the limit; Memory of programs."},
	"cgroups/throttled":     {"Below 10 %.", "Quota."},
	"cgroups/throttledtime": {"Near zero.", "Quota."},
	"cgroups/quota":         {"No line: there is none.", "CPU, Throttled."},
	"cgroups/memory":        {"Level. Page cache in it is given back when needed.", "Memory of programs."},
	"cgroups/limit":         {"Below 95 %.", "Memory trouble."},
	"cgroups/anon":          {"Level. A line that only rises may be a leak.", "Memory of the limit."},
	"cgroups/file":          {"Given back when needed.", "Memory."},
	"cgroups/trouble":       {"Near zero.", "Memory of the limit."},
	"cgroups/read":          {"After a start much, later little: the cache has it.", "Disks: throughput."},
	"cgroups/write":         {"In bursts: the kernel writes changed pages up to half a minute later.", "Disks: throughput."},
	"cgroups/rios":          {"All groups together: a rotating disk can do about 150 random requests a second, solid state many thousands.", "Disks: operations."},
	"cgroups/wios":          {"They follow Written. Many for little data are small or synchronous writes.", "Disks: operations."},
	"cgroups/latency":       {"Below 20 ms for rotating disks, 5 ms for solid state.", "Disks: latency."},
	"cgroups/pcpu":          {"Near zero, unless the group is throttled.", "Throttled."},
	"cgroups/slab":          {"It follows the work on files and sockets.", "Memory."},
	"cgroups/pmemsome":      {"Near zero.", "Waiting for memory; Memory of the limit."},
	"cgroups/piosome":       {"Near zero. A group that does nothing but I/O is the exception.", "Read, Written."},
	"cgroups/pirq":          {"Near zero.", "Interrupts."},
	"cgroups/pmem":          {"Zero.", "Memory of the limit."},
	"cgroups/pio":           {"Near zero.", "Read, Written."},

	"numa/free":      {"", "Misses; Memory of each node."},
	"numa/local":     {"", "Misses; Balancing."},
	"numa/cpu":       {"Nodes alike.", "Locality."},
	"numa/memory":    {"Nodes alike.", "Free."},
	"numa/misses":    {"Near zero.", "Free memory of the nodes."},
	"numa/balancing": {"Most hints local; few pages migrated.", "Locality."},
	"numa/huge":      {"Nodes alike.", "Memory of each node."},

	"guest/percpu":  {"Below 5 %.", "The host of this virtual machine."},
	"guest/guests":  {"What the virtual machines were given to do. With the host's own work it stays below 90 % of all CPUs.", "Processes, where each virtual machine is one."},
	"guest/balloon": {"Zero.", "Available, in Memory."},

	"gpu/active":      {"Near 100 % under load. Gaps in it are waits for CPUs, disks or network.", "Processes; Memory."},
	"gpu/exact":       {"As Active, with what lies between its samples.", "Active."},
	"gpu/memory":      {"Below 100 %: what does not fit fails.", "Memory of processes."},
	"gpu/temperature": {"Below what the maker allows, often 85 °C.", "Fan, Clocks."},
	"gpu/power":       {"Below the limit of the card.", "Clocks."},
	"gpu/energy":      {"As Power.", "Clocks."},
	"gpu/fan":         {"It follows the temperature.", "Temperature."},
	"gpu/clock":       {"High under load. A clock that falls under load is throttled.", "Temperature, Power."},
	"gpu/processes":   {"The programs that you expect, together below 100 %.", "Memory of processes."},
	"gpu/processmem":  {"Level. A line that only rises may be a leak.", "Memory."},

	"tables/full":    {"", "Files; Number of processes, in Load, tasks; Open files, in Processes."},
	"tables/files":   {"Far below the limit.", "Nearest to their limits."},
	"tables/locks":   {"Level.", "Processes that wait."},
	"tables/users":   {"Few on a server; elsewhere it follows the working day.", "Processes by user."},
	"tables/ipc":     {"Level. What only rises is not given back by its program.", "Programs, in Memory."},
	"tables/orphans": {"Near zero.", "Connection states, in TCP, UDP, sockets."},
	"tables/entropy": {"256 on present kernels; below 100 on old ones programs wait for it.", "Process states, in Load, tasks."},

	"collector/agents":  {"", "Records, below, for what is missing; pmcd.log on the host that was logged."},
	"collector/cpu":     {"", "Messages; Clients and agents."},
	"collector/size":    {"Level.", "Clients and agents."},
	"collector/clients": {"Level: loggers and whoever looks.", "Messages."},
	"collector/pdus":    {"In proportion to what is logged.", "CPU of pmcd."},
	"collector/pmie":    {"No rule true, few unknown: what they need is not there.", "Findings."},
	"collector/about":   {"One primary logger, and others where somebody logs more.", "Records, below, for what was logged."},
}

// sameAdvice are dashboards about more of the same: what holds there holds
// here, unless a panel has advice of its own.
var sameAdvice = map[string]string{"dm": "disks", "md": "disks", "wwid": "disks", "hotproc": "processes", "xfsdev": "xfs"}

// advised completes the panels of a dashboard.
func advised(d Dashboard) Dashboard {
	for i := range d.Panels {
		p := &d.Panels[i]
		a, own := advice[d.ID+"/"+p.ID]
		if !own {
			a = advice[sameAdvice[d.ID]+"/"+p.ID]
		}
		if p.Usual == "" {
			p.Usual = a[0]
		}
		if p.Next == "" {
			p.Next = a[1]
		}
	}
	return d
}
