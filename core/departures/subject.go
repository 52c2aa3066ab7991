package departures

import (
	"strings"

	"pcpscope/core/pcp"
)

// A Subject is what a series is about: the CPUs of a host, one disk, one
// filesystem. Explanations have one row for each subject, however many of its
// series changed.
type Subject struct {
	Family string // cpu, memory, disk, network, filesystem, processes, cgroup, collector or other
	Name   string // "CPU", "Disk"
	Of     string // the instance, where there are several: "sda"
}

// A Kind says how to judge the series of a metric.
type Kind struct {
	Subject
	each        bool    // an instance is a subject of its own
	Rank        int     // how directly it measures its subject: 0 is read first
	Tier        float64 // weight of its changes, 0 to 1
	Layer       bool    // it repeats what another subject of its family says, from further up or down
	Utilisation bool    // it is the share of its subject that is in use
	Drift       bool    // a level that may rise or fall for hours: it must differ from what was before and after, too
	Floor       float64 // difference below which no change counts, in the units of the series; 0 for a share of what is usual
	Least       float64 // the least that such a share is
}

// A Host has the properties of the machine that floors depend on.
type Host struct {
	CPUs     float64
	MeanCPUs func(from, to pcp.Time) float64 // nil if there were always as many
	Memory   float64                         // bytes; 0 where it is not known
	Set      []pcp.Span                      // between two records, when the clock was set: rates across that are wrong
}

// A rule assigns metrics to a subject by the beginning of their names. The longest
// matching prefix wins.
type rule struct {
	prefix string
	family string
	name   string
	each   bool // an instance is a subject of its own
	rank   int
	tier   float64
}

// layers are subjects that show what others cause.
var layers = map[string]bool{"Device-mapper device": true, "RAID device": true, "Disks": true, "Partition": true, "Network protocols": true, "Interfaces": true, "Virtual memory": true, "Page cache": true, "Interrupts": true, "Context switches": true, "XFS": true, "Kernel caches of files": true, "Waiting for I/O": true, "I/O pressure": true, "CPU pressure": true, "Load": true}

const (
	diskBusy  = "disk.dev.avactive"
	throttled = "cgroup.cpusched.throttled"
)

var rules = []rule{
	{"kernel.all.cpu.user", "cpu", "CPU", false, 0, 1},
	{"kernel.all.cpu.sys", "cpu", "CPU", false, 0, 1},
	{"kernel.all.cpu.nice", "cpu", "CPU", false, 1, 1},
	{"kernel.all.cpu.steal", "cpu", "CPU", false, 0, 1},
	{"kernel.all.cpu.irq", "cpu", "CPU", false, 1, 1},
	{"kernel.all.cpu.intr", "cpu", "CPU", false, 1, 1},
	{"kernel.all.cpu.idle", "cpu", "CPU", false, 3, 0.7},
	{"kernel.all.cpu.wait", "disk", "Waiting for I/O", false, 2, 0.8},
	{"kernel.all.cpu", "cpu", "CPU", false, 2, 0.9},
	{"kernel.all.load", "cpu", "Load", false, 2, 0.6},
	{"kernel.all.running", "cpu", "Load", false, 3, 0.5},
	{"kernel.all.runnable", "cpu", "Load", false, 3, 0.5},
	{"kernel.all.blocked", "disk", "Waiting for I/O", false, 3, 0.6},
	{"proc.runq.", "cpu", "Load", false, 4, 0.4},
	{"proc.runq.blocked", "disk", "Waiting for I/O", false, 4, 0.4},
	{"kernel.all.pressure.cpu", "cpu", "CPU pressure", false, 1, 0.7},
	{"kernel.all.pressure.io", "disk", "I/O pressure", false, 2, 0.6},
	{"kernel.all.pressure.memory", "memory", "Memory pressure", false, 1, 1},
	{"kernel.all.sysfork", "processes", "Process creation", false, 0, 0.7},
	{"kernel.all.nprocs", "processes", "Processes", false, 0, 0.7},
	{"kernel.all.pswitch", "processes", "Context switches", false, 1, 0.4},
	{"kernel.all.kswitch", "processes", "Context switches", false, 2, 0.4},
	{"kernel.all.syscall", "processes", "System calls", false, 1, 0.4},
	{"kernel.all.intr", "cpu", "Interrupts", false, 3, 0.3},
	{"kernel.percpu.cpu.", "cpu", "CPU", false, 6, 0.4},
	{"kernel.pernode.cpu.", "cpu", "CPU", false, 6, 0.4},
	{"kernel.all.softirqs", "cpu", "Interrupts", false, 5, 0.2},
	{"kernel.percpu.", "cpu", "Interrupts", false, 6, 0.1},
	{"mem.util.available", "memory", "Memory", false, 0, 1},
	{"mem.util.used", "memory", "Memory", false, 2, 0.7},
	{"mem.util.other", "memory", "Memory", false, 2, 0.7},
	{"mem.util.free", "memory", "Memory", false, 3, 0.5},
	{"mem.util.anonpages", "memory", "Memory", false, 1, 1},
	{"mem.util.cached", "memory", "Page cache", false, 4, 0.4},
	{"mem.util.dirty", "memory", "Page cache", false, 5, 0.3},
	{"mem.util.writeback", "memory", "Page cache", false, 5, 0.3},
	{"mem.util.", "memory", "Memory", false, 6, 0.3},
	{"mem.freemem", "memory", "Memory", false, 3, 0.5},
	{"mem.vmstat.pswp", "memory", "Swap", false, 1, 1},
	{"mem.vmstat.allocstall", "memory", "Direct reclaim", false, 1, 0.8},
	{"mem.vmstat.", "memory", "Virtual memory", false, 7, 0.2},
	{"mem.", "memory", "Virtual memory", false, 7, 0.2},
	{"swap.", "memory", "Swap", false, 0, 1},
	{"swapdev.", "memory", "Swap", false, 3, 0.5},
	{diskBusy, "disk", "Disk", true, 0, 1},
	{"disk.dev.aveq", "disk", "Disk", true, 1, 0.9},
	{"disk.dev.read_bytes", "disk", "Disk", true, 2, 0.8},
	{"disk.dev.write_bytes", "disk", "Disk", true, 2, 0.8},
	{"disk.dev.read", "disk", "Disk", true, 3, 0.7},
	{"disk.dev.write", "disk", "Disk", true, 3, 0.7},
	{"disk.dev.", "disk", "Disk", true, 5, 0.5},
	{"disk.dev.read_merge", "disk", "Disk", true, 6, 0.2},
	{"disk.dev.write_merge", "disk", "Disk", true, 6, 0.2},
	{"disk.dm.", "disk", "Device-mapper device", true, 6, 0.3},
	{"disk.md.", "disk", "RAID device", true, 6, 0.3},
	{"disk.all.", "disk", "Disks", false, 4, 0.3},
	{"disk.partitions.", "disk", "Partition", true, 7, 0.2},
	{"disk.", "disk", "Disk", true, 7, 0.2},
	{"filesys.full", "filesystem", "Filesystem", true, 0, 1},
	{"filesys.used", "filesystem", "Filesystem", true, 1, 1},
	{"filesys.free", "filesystem", "Filesystem", true, 2, 0.8},
	{"filesys.usedfiles", "filesystem", "Filesystem", true, 1, 1},
	{"filesys.", "filesystem", "Filesystem", true, 3, 0.5},
	{"xfs.", "filesystem", "XFS", false, 4, 0.15},
	{"network.interface.in.bytes", "network", "Interface", true, 0, 1},
	{"network.interface.out.bytes", "network", "Interface", true, 0, 1},
	{"network.interface.in.errors", "network", "Interface", true, 0, 1},
	{"network.interface.out.errors", "network", "Interface", true, 0, 1},
	{"network.interface.", "network", "Interface", true, 2, 0.5},
	{"network.all.", "network", "Interfaces", false, 3, 0.4},
	{"network.tcp.retranssegs", "network", "TCP", false, 0, 1},
	{"network.tcpconn.", "network", "TCP connections", false, 0, 0.9},
	{"network.sockstat.", "network", "TCP connections", false, 2, 0.5},
	{"network.tcp.", "network", "TCP", false, 2, 0.4},
	{"network.udp.", "network", "UDP", false, 1, 0.7},
	{"network.", "network", "Network protocols", false, 5, 0.2},
	{"nfs", "network", "NFS", false, 2, 0.4},
	{"rpc.", "network", "NFS", false, 3, 0.2},
	{"vfs.files.count", "processes", "Open files", false, 0, 0.9},
	{"vfs.", "filesystem", "Kernel caches of files", false, 7, 0.15},
	{throttled, "cgroup", "Cgroup", true, 0, 1},
	{"cgroup.", "cgroup", "Cgroup", true, 3, 0.4},
	{"pmcd.", "collector", "PCP", false, 5, 0.1},
	{"pmda.", "collector", "PCP", false, 5, 0.1},
}

// Left out are metrics that move with time or with themselves, and those of
// which there are thousands that say nothing by themselves.
var leftOut = []string{
	"hinv.", "kernel.uname.", "kernel.all.uptime", "kernel.all.idletime", "kernel.all.boottime", "kernel.all.lastpid", "kernel.all.interrupts", "kernel.percpu.interrupts", "kernel.percpu.softirqs", "kernel.percpu.sirq",
	"kernel.all.hz", "kernel.cpu.util", "kernel.all.entropy", "mem.slabinfo.", "mem.buddyinfo.", "mem.zoneinfo.", "mem.numa.", "mem.physmem", "mem.util.directMap",
	"proc.", "hotproc.", "acct.", "event.", "pmcd.pid", "pmcd.seqnum", "pmcd.timezone", "pmcd.control", "pmcd.pmlogger", "pmproxy.", "ipc.", "network.persocket", "network.interface.baudrate", "network.interface.speed",
	"network.unix", "kernel.all.timekeeping", "tape.", "quota.", "vfs.inodes.free", "vfs.dentry.", "disk.dev.capacity", "disk.all.io_ticks", "mem.ksm",
}

// KindOf returns how to judge the series of a metric. units are those of its
// values, with counters as rates. It returns false for metrics that are not worth
// judging.
func KindOf(metric string, units pcp.Units, h Host) (Kind, bool) {
	for _, p := range leftOut {
		if strings.HasPrefix(metric, p) && !strings.HasPrefix(metric, "proc.runq.") {
			return Kind{}, false
		}
	}
	r := ruleOf(metric)
	k := Kind{Subject: Subject{Family: r.family, Name: r.name}, each: r.each, Rank: r.rank, Tier: r.tier, Layer: layers[r.name], Utilisation: r.prefix == diskBusy,
		Drift: units.Space == 1 && units.Time == 0 || strings.HasPrefix(metric, "filesys.") && units.Time == 0 || strings.HasPrefix(metric, "mem.vmstat.nr_"), Floor: floorOf(metric, units, h)}
	if k.Family == "other" || r.prefix == "xfs." { // nobody knows what matters there: five more instructions a second do not
		k.Floor, k.Least = 0, k.Floor
	}
	return k, true
}

// processor reports whether an instance is a CPU or a node of the host.
func processor(name string) bool {
	number := strings.TrimPrefix(strings.TrimPrefix(name, "cpu"), "node")
	return number != name && number != "" && strings.Trim(number, "0123456789") == ""
}

// Instance returns the kind of an instance of the metric.
func (k Kind) Instance(name string) Kind {
	if k.each && !processor(name) {
		k.Of = name
	}
	return k
}

func ruleOf(metric string) rule {
	var best rule
	for _, r := range rules {
		if strings.HasPrefix(metric, r.prefix) && len(r.prefix) > len(best.prefix) {
			best = r
		}
	}
	if best.prefix == "" { // of an agent that we do not know
		first, rest, _ := strings.Cut(metric, ".")
		if second, _, more := strings.Cut(rest, "."); more {
			first += "." + second
		}
		best = rule{first, "other", first, true, 3, 0.4}
	}
	return best
}

const (
	memoryShare = 0.005    // of physical memory
	bytesRate   = 64 << 10 // a second
	// A CPU serves some hundred interrupts a second for its timers alone, and a
	// few more or less of these mean nothing.
	switchesRate = 50
	// A CPU makes thousands of system calls a second under load.
	callsRate = 500
	// A package has that many files.
	manyFiles = 5000
)

// floorOf returns the difference below which no change counts; 0 for a share of the
// usual value.
func floorOf(metric string, u pcp.Units, h Host) float64 {
	cpus := max(1, h.CPUs)
	switch {
	case strings.HasPrefix(metric, "kernel.all.cpu."):
		return 0.01 * cpus
	case metric == "kernel.all.pswitch", metric == "kernel.all.kswitch", metric == "kernel.all.intr":
		return switchesRate * cpus
	case strings.HasPrefix(metric, "kernel.all.syscall"):
		return callsRate * cpus
	case CountsBytes(metric, u) && u.Time == -1 && !strings.HasSuffix(metric, "octets"): // of those, few are multicast
		return bytesRate * perSecond(u)
	case metric == "filesys.usedfiles", metric == "filesys.freefiles":
		return manyFiles
	case metric == throttled+"_time":
		return 0.02
	case strings.HasPrefix(metric, "cgroup.cpu") && u.Dimensionless():
		return 0.01 * cpus
	case strings.HasPrefix(metric, "kernel.percpu.cpu."), strings.HasPrefix(metric, "kernel.pernode.cpu."):
		return 0.05
	case strings.HasPrefix(metric, "kernel.all.load"), metric == "kernel.all.running", metric == "kernel.all.runnable", metric == "kernel.all.blocked", strings.HasPrefix(metric, "proc.runq."):
		return max(0.3, 0.15*cpus)
	case strings.Contains(metric, "aveq"), strings.HasSuffix(metric, "_rawactive"):
		return 0.25
	case strings.HasSuffix(metric, "errors"), strings.HasSuffix(metric, "drops"), strings.Contains(metric, "retrans"):
		return 0.2
	case strings.Contains(metric, ".blk"): // blocks of 512 bytes
		return 128
	case (strings.HasPrefix(metric, "mem.vmstat.nr_") || strings.HasPrefix(metric, "network.sockstat.") && strings.HasSuffix(metric, ".mem")) && u.Time == 0 && h.Memory > 0: // pages
		return memoryShare * h.Memory / 4096
	case strings.HasPrefix(metric, "mem.vmstat.allocstall"):
		return 1
	case strings.HasPrefix(metric, "mem.vmstat."), strings.HasPrefix(metric, "mem.zoneinfo"):
		return 500
	case strings.HasSuffix(metric, ".avg"), strings.HasSuffix(metric, ".full"):
		return 2
	}
	switch {
	case u.Space == 1 && u.Time == 0:
		if b := inBytes(u); b > 0 && h.Memory > 0 {
			return memoryShare * h.Memory / b
		}
		return 0
	case u.Space == 1 && u.Time == -1:
		return bytesRate / inBytes(pcp.Units{Space: 1, SpaceScale: u.SpaceScale}) * perSecond(u)
	case u.Space == 0 && u.Time == 0 && u.Count == 0 && strings.HasPrefix(metric, "disk."), strings.HasPrefix(metric, "kernel.all.pressure."):
		return 0.02
	case u.Count == 1 && u.Time == -1:
		return 5
	}
	return 0
}

// CountsBytes reports whether a metric counts bytes, though its units do not say so: of
// IP, and on systems of long ago.
func CountsBytes(metric string, u pcp.Units) bool {
	return u.Space == 0 && (strings.HasSuffix(metric, ".bytes") || strings.HasSuffix(metric, "_bytes") || strings.HasSuffix(metric, "octets"))
}

// inBytes is what one of a unit of space has; 0 for none.
func inBytes(u pcp.Units) float64 {
	b, ok := pcp.ScaleOf(u, pcp.Units{Space: 1})
	if !ok {
		return 0
	}
	return b.Float64(1)
}

func perSecond(u pcp.Units) float64 {
	return pcp.SecondsPer[min(u.TimeScale, pcp.Hour)]
}
