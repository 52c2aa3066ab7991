package analysis

// A pmieRule is a judgement in the language of pmie(1), as far as that can express it.
//
// The first of its texts whose metrics were logged is used. In them [m] stands for
// the value of a metric and rate[m] for its rate, $x for the threshold x, and {x} for
// an expression of pmieParts, or of pmieText.part. The first threshold of a text is the
// one that it is about. PCP's pmie does not combine several samples of a metric with
// instances and of one without: these are outside of all_sample.
type pmieRule struct {
	name    string
	lasting string // the threshold that says how long, or seconds; "" for a single sample
	also    string // what else a finding asks for, which cannot be said
	texts   []string
}

// pmieParts are expressions of rules, of which that one counts whose metrics were logged
// first.
var pmieParts = map[string][]string{
	"cpus":      {"[hinv.ncpu]"},
	"running":   {"[kernel.all.running]", "[kernel.all.runnable]", "[proc.runq.runnable]"},
	"load":      {"[kernel.all.load #'1 minute']"},
	"available": {"[mem.util.available]", "[mem.available]", "([mem.util.free] + [mem.util.cached] + [mem.util.bufmem])"},
	"physmem":   {"[mem.physmem]", "[hinv.physmem]"},
	"pagesout":  {"rate[swap.pagesout]", "rate[mem.vmstat.pswpout]"},
	"scanned":   {"(rate[mem.vmstat.pgscan_kswapd] + rate[mem.vmstat.pgscan_direct])"},
	"freed":     {"(rate[mem.vmstat.pgsteal_kswapd] + rate[mem.vmstat.pgsteal_direct])"},
	"diskBusy":  {"rate[disk.dev.avactive]", "rate[disk.dev.active]", "rate[disk.dev.run.time]", "(1 - rate[disk.dev.idle])"},
	"queue":     {"rate[disk.dev.aveq]", "rate[disk.dev.response]", "[disk.dev.avqsz]", "(rate[disk.dev.read_rawactive] + rate[disk.dev.write_rawactive])"},
	"latency": {"1000 * rate[disk.dev.total_rawactive] / rate[disk.dev.total]", "1000 * rate[disk.dev.response] / rate[disk.dev.total]",
		"1000 * (rate[disk.dev.read_rawactive] + rate[disk.dev.write_rawactive]) / rate[disk.dev.total]", "[disk.dev.await]"},
	"speed":    {"[network.interface.baudrate]", "[network.interface.speed]"},
	"nodeFree": {"100 * [mem.numa.util.free] / [mem.numa.util.total]"},
	"near":     {"rate[mem.numa.alloc.local_node]"},
	"far":      {"rate[mem.numa.alloc.other_node]"},
	"full": {"[filesys.full]", "100 * [filesys.used] / ([filesys.used] + [filesys.avail])", "100 * [filesys.used] / [filesys.capacity]",
		"100 * [filesys.used] / ([filesys.used] + [filesys.free])"},
	"group": {"([cgroup.memory.usage] - [cgroup.memory.stat.total.inactive_file])", "([cgroup.memory.usage] - [cgroup.memory.stat.inactive_file])", "[cgroup.memory.usage]",
		"([cgroup.memory.current] - [cgroup.memory.stat.inactive_file])", "[cgroup.memory.current]"},
}

var pmieRules = append([]pmieRule{
	{"cpu_busy", "lasting", "", []string{"all_sample ({busy} > $cpuBusy)"}},
	{"one_cpu_busy", "lasting", "", []string{
		"all_sample (100 * (1 - rate[kernel.percpu.cpu.idle] - rate[kernel.percpu.cpu.wait.total]) > $oneCPU) && all_sample ({busy} < $othersIdle)",
		"all_sample (100 * (1 - rate[kernel.percpu.cpu.idle]) > $oneCPU) && all_sample ({busy} < $othersIdle)"}},
	{"soft_interrupts", "lasting", "", []string{"all_sample (100 * rate[kernel.percpu.cpu.irq.soft] > $softIRQ)"}},
	{"steal", "stealLasting", "", []string{"all_sample (100 * rate[kernel.all.cpu.steal] / {cpus} > $steal)"}},
	{"runnable_tasks", "lasting", "", []string{"all_sample ({running} > $runningPerCPU * {cpus} && {busy} >= $runningBusy)"}},
	{"load", "", "", []string{"{load} > $loadPerCPU * {cpus} && {load} > $leastLoad"}},
	{"context_switches", "lasting", "", []string{"all_sample (rate[kernel.all.pswitch] > $switchesPerCPU * {cpus})"}},
	{"cpu_pressure", "lasting", "", []string{"all_sample (100 * rate[kernel.all.pressure.cpu.some.total] > $pressureCPU)"}},

	{"memory_available", "lasting", "", []string{"all_sample (100 * {available} / {physmem} < $available)"}},
	{"memory_pressure", "lasting", "", []string{"all_sample (100 * rate[kernel.all.pressure.memory.full.total] > $pressureMemory)"}},
	{"swapping", tenSamples, "", []string{"count_sample ({pagesout} >= $pagesOut) >= 10 * $pagesOutShare"}},
	{"direct_reclaim", "reclaimLasting", "", []string{"all_sample (rate[mem.vmstat.allocstall] > $stalls)", "all_sample ({stalls} > $stalls)"}},
	{"reclaim_efficiency", "reclaimLasting", "", []string{"all_sample (100 * {freed} / {scanned} < $efficiency && {scanned} > $scanning)"}},
	{"slab", "lasting", "that it rises", []string{"all_sample (100 * [mem.util.slabUnreclaimable] / {physmem} > $slabShare)"}},
	{"memory_committed", "lasting", "that less than half of memory is available", []string{"all_sample (100 * [mem.util.committed_AS] / [mem.util.commitLimit] > $commit)"}},

	{"disk_busy", "lasting", "", []string{"{realDisk}all_sample (100 * {diskBusy} > $diskBusy)"}},
	{"disk_saturated", "lasting", "", []string{
		"{realDisk}(all_sample (100 * {diskBusy} > $diskBusy) && (avg_sample ({queue}) > $diskFlight || avg_sample ({latency}) > $diskLatency))",
		"{realDisk}(all_sample (100 * {diskBusy} > $diskBusy) && avg_sample ({queue}) > $diskFlight)",
		"{realDisk}(all_sample (100 * {diskBusy} > $diskBusy) && avg_sample ({latency}) > $diskLatency)"}},
	{"disk_slow", "lasting", "", []string{"{realDisk}all_sample ({latency} > $diskSlow)"}},
	{"small_requests", "lasting", "", []string{"{realDisk}all_sample (rate[disk.dev.total_bytes] / rate[disk.dev.total] < $smallRequest Kbyte && rate[disk.dev.total] >= $smallIOPS)"}},
	{"io_pressure", "lasting", "", []string{"all_sample (100 * rate[kernel.all.pressure.io.full.total] > $pressureIO)"}},
	{"filesystem_full", "", "that it is not one that is always full, such as a snap, a CD or devfs", []string{"{full} > $full"}},
	{"inodes", "", "that it is not one that is always full, such as a snap, a CD or devfs", []string{"100 * [filesys.usedfiles] / [filesys.maxfiles] > $inodes"}},

	{"line_rate_in", "lasting", "that the line rate is that of a line", []string{"{realNIC}all_sample (100 * rate[network.interface.in.bytes] > $lineRate * {speed} && {speed} > 0)"}},
	{"line_rate_out", "lasting", "that the line rate is that of a line", []string{"{realNIC}all_sample (100 * rate[network.interface.out.bytes] > $lineRate * {speed} && {speed} > 0)"}},
	{"retransmissions", "60", "", []string{"all_sample (100 * rate[network.tcp.retranssegs] / rate[network.tcp.outsegs] > $retransmissions && rate[network.tcp.outsegs] >= $segments)"}},
	{"node_empty", "lasting", "", []string{"all_sample ({nodeFree} < $nodeFree) && all_sample (max_inst ({nodeFree}) > $nodeOther)"}},
	{"node_locality", "lasting", "", []string{"all_sample (100 * {near} / ({near} + {far}) < $locality && {near} + {far} >= $allocations)"}},
	{"xfs_log_space", "lasting", "", []string{"all_sample (rate[xfs.log_tail.sleep_logspace] > $logWaits)"}},
	{"xfs_log_buffers", "lasting", "", []string{"all_sample (rate[xfs.log.noiclogs] > $logWaits)"}},
	{"rpc_retransmissions", "lasting", "", []string{"all_sample (100 * rate[rpc.client.rpcretrans] / rate[rpc.client.rpccnt] > $rpcRetries && rate[rpc.client.rpccnt] >= $rpcCalls)"}},
	{"nfs_read", "lasting", "", []string{"all_sample (1000 * rate[nfsclient.ops.read.rtt] / rate[nfsclient.ops.read.ops] > $nfsLatency && rate[nfsclient.ops.read.ops] >= $rpcCalls)"}},
	{"nfs_write", "lasting", "", []string{"all_sample (1000 * rate[nfsclient.ops.write.rtt] / rate[nfsclient.ops.write.ops] > $nfsLatency && rate[nfsclient.ops.write.ops] >= $rpcCalls)"}},
	{"cgroup_memory", "lasting", "", []string{"all_sample (100 * {group} / [cgroup.memory.limit] > $groupMemory && [cgroup.memory.limit] > 0)"}},
	{"cgroup_throttled", "", "that it lasts", []string{"100 * rate[cgroup.cpusched.throttled] / rate[cgroup.cpusched.periods] > $groupThrottled && rate[cgroup.cpusched.throttled] >= $groupPeriods"}},
	{"collector", "lasting", "", []string{"all_sample (100 * rate[pmcd.cputime.total] > $pmcdCPU)"}},
}, append(lossRules(), tableRules()...)...)

// tenSamples is a length of ten samples, whatever their interval.
const tenSamples = "ten samples"

// lossRules are of packets that were lost or damaged.
func lossRules() (list []pmieRule) {
	const also = "for 100 in the window, and for their number a second over all of it"
	for _, m := range []string{"in.drops", "out.drops", "in.errors", "out.errors", "out.carrier", "collisions"} {
		n := "rate[network.interface." + m + "]"
		share := "100 * " + n + " >= $dropShare * "
		list = append(list, pmieRule{"interface_" + underscores(m), "", also, []string{
			"{realNIC}(" + n + " > $drops && " + share + "(rate[network.interface.in.packets] + rate[network.interface.out.packets]))",
			"{realNIC}(" + n + " > $drops && " + share + "rate[network.interface.in.packets])", "{realNIC}(" + n + " > $drops)"}})
	}
	for _, m := range []string{"softnet.dropped", "tcp.listenoverflows", "udp.recvbuferrors"} {
		list = append(list, pmieRule{underscores(m), "", also, []string{"rate[network." + m + "] > $drops"}})
	}
	return list
}

// tableRules are of tables of the kernel.
func tableRules() (list []pmieRule) {
	for _, k := range kernelLimits {
		list = append(list, pmieRule{underscores(k.what), "", "", []string{"100 * [" + k.used + "] / [" + k.limit + "] > $tables && [" + k.limit + "] > 0"}})
	}
	return list
}

// notInPmie are the thresholds that pmie(1) has no words for, with the reason.
var notInPmie = map[string]string{
	"pause":         "A rule ends with the first sample in which it does not hold.",
	"throttles":     "They are counted over the whole window, and a rule looks at the latest samples.",
	"pinned":        "Processes come and go, and whenever they do, pmie counts the samples of all of them anew.",
	"pinnedLasting": "Processes come and go, and whenever they do, pmie counts the samples of all of them anew.",
	"stuck":         "Processes come and go, and whenever they do, pmie counts the samples of all of them anew.",
	"diskSpread":    "Rules have neither medians nor percentiles.",
	"shift":         "It compares the medians before and after a moment that is searched for, and a rule looks at the latest samples.",
	"shiftLasting":  "It compares the medians before and after a moment that is searched for, and a rule looks at the latest samples.",
	"shiftLeast":    "It compares the medians before and after a moment that is searched for, and a rule looks at the latest samples.",
	"shiftRequests": "It compares the medians before and after a moment that is searched for, and a rule looks at the latest samples.",
	"fullSoon":      "It takes the slope of the last hour of the window, of which no jump changes anything; rules have no slopes.",
	"fullSometime":  "It takes the slope of the last hour of the window, of which no jump changes anything; rules have no slopes.",
	"fillingFrom":   "It takes the slope of the last hour of the window, of which no jump changes anything; rules have no slopes.",
	"doubled":       "It compares the first and the last value of the window, and a rule looks at the latest samples.",
	"doubledLeast":  "It compares the first and the last value of the window, and a rule looks at the latest samples.",
	"softIRQShare":  "It adds up the instances of each CPU, and rules add up all instances or none.",
	"softIRQs":      "It adds up the instances of each CPU, and rules add up all instances or none.",
	"closeWait":     "It compares the first and the last value of the window, and a rule looks at the latest samples.",
	"unaccounted":   "It compares the first and the last value of the window, and a rule looks at the latest samples.",
	"groupCPU":      "CPU time and quota of cgroups have different instance domains, and rules do not pair them.",
}
