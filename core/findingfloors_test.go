package core

import (
	"slices"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
)

// A floor is a rule tried with an archive of a host: with a value just beyond
// the threshold, where the sentence is worked out by hand, and with one just
// short of it.
type floor struct {
	name    string
	rules   string // which it tries
	step    pcp.Time
	make    func(x float64) logged
	beyond  float64
	want    string
	short   float64
	instead string // what is said with the smaller value
}

// logged is what was recorded, by metric and instance.
type logged map[string]map[string]any

// and adds a metric.
func (l logged) and(metric, instance string, vals []float64) logged {
	if l[metric] == nil {
		l[metric] = map[string]any{}
	}
	l[metric][instance] = vals
	return l
}

// stretches repeats values: stretches(60, 1, 60, 2) is sixty times 1, sixty times 2.
func stretches(pairs ...float64) (list []float64) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, recording.Steady(int(pairs[i]), pairs[i+1])...)
	}
	return list
}

// counted adds up rates, given as in stretches, to a counter with a sample every step seconds.
func counted(step float64, pairs ...float64) []float64 {
	list := stretches(pairs...)
	sum := 0.0
	for i, rate := range list {
		if i > 0 {
			sum += step * rate
		}
		list[i] = sum
	}
	return list
}

// for200s is a level that is x for 200 s of 600 and low otherwise; grow200s a counter with such rates.
func for200s(x, low float64) []float64  { return stretches(20, low, 20, x, 21, low) }
func grow200s(x, low float64) []float64 { return counted(10, 20, low, 20, x, 21, low) }

// always is a level throughout 600 s.
func always(x float64) []float64 { return stretches(61, x) }

// cpus is the CPU time of a host with n CPUs: percent busy with programs.
func (l logged) cpus(n, step float64, pairs ...float64) logged {
	user, idle := make([]float64, len(pairs)), make([]float64, len(pairs))
	samples := 0
	for i, v := range pairs {
		user[i], idle[i] = v, v
		if i%2 == 1 {
			user[i], idle[i] = 10*n*v, 10*n*(100-v)
		} else {
			samples += int(v)
		}
	}
	l.and("hinv.ncpu", "", recording.Steady(1, n)).and("kernel.all.cpu.user", "", counted(step, user...)).and("kernel.all.cpu.idle", "", counted(step, idle...))
	return l.and("kernel.all.cpu.sys", "", recording.Steady(samples, 0.0))
}

// quiet is a host with n CPUs that are 26 % busy.
func quiet(n float64) logged { return logged{}.cpus(n, 10, 61, 26) }

// memory is a host with 1,000,000 KiB of memory, half of it available.
func memory() logged {
	return logged{}.and("mem.physmem", "", recording.Steady(1, 1e6)).and("mem.util.available", "", always(5e5))
}

// disk is a disk that completes so many requests a second of ms each.
func disk(samples, requests, ms float64) logged {
	return logged{}.and("disk.dev.total", "sda", counted(10, samples, requests)).and("disk.dev.total_rawactive", "sda", counted(10, samples, requests*ms))
}

// filesystem is half full.
func filesystem(samples float64) logged {
	return logged{}.and("filesys.full", "/dev/sda1", stretches(samples, 50))
}

// nic is an interface that loses nothing.
func nic() logged { return logged{}.and("network.interface.in.drops", "eth0", always(0)) }

// group is a cgroup.
func group() logged { return logged{}.and("cgroup.memory.current", "/a/web", always(1)) }

const none = ""

var floors = []floor{
	{"CPU", "cpuBusy", 10, func(x float64) logged { return logged{}.cpus(2, 10, 20, 10, 20, x, 21, 10) }, 90.1, "look CPU 90 % busy for 3 min 20 s", 89.9, none},
	{"how long", "lasting", 10, func(x float64) logged { return logged{}.cpus(2, 10, 20, 10, x, 95, 30, 10) }, 12, "look CPU 95 % busy for 2 min", 11, "know CPU saturated once for 1 min 50 s"},
	{"pause", "pause", 2, func(x float64) logged { return logged{}.cpus(2, 2, 20, 10, 40, 95, x, 10, 40, 95, 20, 10) }, 7, "look CPU 95 % busy for 2 min 40 s", 8, "know CPU saturated twice"},
	{"one CPU", "oneCPU", 10, func(x float64) logged {
		return quiet(4).and("kernel.percpu.cpu.idle", "cpu0", counted(10, 61, 900)).and("kernel.percpu.cpu.idle", "cpu1", grow200s(1000-10*x, 900))
	}, 95.1, "look cpu1 saturated for 3 min 20 s while all CPUs together were at 26 %: probably a single thread", 94.9, none},
	{"other CPUs", "othersIdle", 10, func(x float64) logged {
		return logged{}.cpus(4, 10, 61, x).and("kernel.percpu.cpu.idle", "cpu0", counted(10, 61, 900)).and("kernel.percpu.cpu.idle", "cpu1", grow200s(10, 900))
	}, 49.9, "look cpu1 saturated for 3 min 20 s while all CPUs together were at 50 %: probably a single thread", 50.1, none},
	{"soft interrupts", "softIRQ", 10, func(x float64) logged { return quiet(4).and("kernel.percpu.cpu.irq.soft", "cpu2", grow200s(10*x, 50)) }, 30.1, "look cpu2 spent 30 % of its time in soft interrupts for 3 min 20 s", 29.9, none},
	{"steal", "steal", 10, func(x float64) logged { return quiet(2).and("kernel.all.cpu.steal", "", counted(10, 20, 0, 41, 20*x)) }, 5.1, "look The hypervisor took 5 % of CPU time for 6 min 50 s", 4.9, none},
	{"length of steal", "stealLasting", 10, func(x float64) logged {
		return quiet(2).and("kernel.all.cpu.steal", "", counted(10, 20, 0, x, 200, 41-x, 0))
	}, 30, "look The hypervisor took 10 % of CPU time for 5 min", 29, none},
	{"heat", "throttles", 10, func(x float64) logged {
		return quiet(2).and("hinv.cpu.thermal_throttle.core.count", "cpu0", stretches(20, 7, 41, 7+x)).and("hinv.cpu.thermal_throttle.core.count", "cpu1", stretches(20, 7, 41, 7+x))
	}, 10, "look CPUs were throttled 10 times because of heat", 9, "know CPUs were throttled 9 times because of heat"},
	{"runnable", "runningPerCPU", 10, func(x float64) logged {
		return logged{}.cpus(2, 10, 61, 85).and("kernel.all.running", "", for200s(x, 1))
	}, 5, "look 5 runnable tasks on 2 CPUs for 3 min 20 s", 4, none},
	{"runnable, of the collector", "runningBusy", 10, func(x float64) logged { return logged{}.cpus(2, 10, 61, x).and("kernel.all.running", "", always(5)) }, 81, "look 5 runnable tasks on 2 CPUs for 10 min", 79, none},
	{"load", "loadPerCPU", 10, func(x float64) logged { return quiet(2).and("kernel.all.load", "1 minute", for200s(x, 1)) }, 6.1, "look Load above 6 for 3 min 20 s, up to 6.10 on 2 CPUs", 5.9, none},
	{"load of one CPU", "leastLoad", 10, func(x float64) logged { return quiet(1).and("kernel.all.load", "1 minute", for200s(x, 1)) }, 4.1, "look Load above 4 for 3 min 20 s, up to 4.10 on 1 CPU", 3.9, none},
	{"blocked", "lasting", 10, func(x float64) logged { return quiet(2).and("kernel.all.blocked", "", for200s(x, 0)) }, 3, "look 3 tasks blocked for 3 min 20 s: they wait for storage", 2, none},
	{"switches", "switchesPerCPU", 10, func(x float64) logged { return quiet(2).and("kernel.all.pswitch", "", grow200s(x, 100)) }, 8010, "know 8,010 context switches a second for 3 min 20 s", 7990, none},
	{"a process on one CPU", "pinned", 60, func(x float64) logged { return spinning(61, x) }, 95.1, "look spin (PID 1234) used 95 % of one CPU for 1 h", 94.9, none},
	{"a process that hangs", "stuck", 10, hanging, 13, "look writer (PID 77) hung: it waited in state D for 2 min and did not run", 12, none},
	{"for an hour", "pinnedLasting", 60, func(x float64) logged { return spinning(x, 100) }, 61, "look spin (PID 1234) used 100 % of one CPU for 1 h", 60, none},
	{"pressure, CPU", "pressureCPU", 10, func(x float64) logged {
		return logged{}.and("kernel.all.pressure.cpu.some.total", "", grow200s(1e4*x, 0))
	}, 50.1, "look Tasks waited for a CPU 50 % of the time for 3 min 20 s", 49.9, none},
	{"pressure, memory", "pressureMemory", 10, func(x float64) logged {
		return logged{}.and("kernel.all.pressure.memory.full.total", "", grow200s(1e4*x, 0))
	}, 5.1, "look All tasks stalled on memory 5.10 % of the time for 3 min 20 s", 4.9, none},
	{"pressure, I/O", "pressureIO", 10, func(x float64) logged {
		return logged{}.and("kernel.all.pressure.io.full.total", "", grow200s(1e4*x, 0))
	}, 20.1, "look Everything waited for I/O 20 % of the time for 3 min 20 s", 19.9, none},
	{"memory", "available", 10, func(x float64) logged { return memory().and("mem.util.available", "", for200s(1e4*x, 5e5)) }, 9.4, "look Only 9.4 % of memory available for 3 min 20 s", 10.1, none},
	{"swapping", "pagesOut", 10, func(x float64) logged { return memory().and("swap.pagesout", "", grow200s(x, 0)) }, 5, "look Memory was swapped out for 3 min 20 s, up to 5 pages a second", 4.9, none},
	{"how often", "pagesOutShare", 10, func(x float64) logged { return memory().and("swap.pagesout", "", counted(10, 20, 0, x, 50, 41-x, 0)) }, 3, "look Memory was swapped out for 30 s, up to 50 pages a second", 2, none},
	{"direct reclaim", "stalls", 10, func(x float64) logged { return memory().and("mem.vmstat.allocstall_normal", "", grow200s(x, 0)) }, 1.1, "look Direct reclaim for 3 min 20 s: programs had to free memory themselves", 0.9, none},
	{"length of it", "reclaimLasting", 10, func(x float64) logged {
		return memory().and("mem.vmstat.allocstall_normal", "", counted(10, 20, 0, x, 50, 41-x, 0))
	}, 6, "look Direct reclaim for 1 min: programs had to free memory themselves", 5, none},
	{"direct reclaim of four events", "stalls", 60, func(x float64) logged {
		return memory().and("mem.vmstat.allocstall_normal", "", stretches(20, 0, 41, x))
	}, 61, "look Direct reclaim for 1 min: programs had to free memory themselves", 4, none},
	{"efficiency", "efficiency", 10, func(x float64) logged { return scanning(10000, 100*x) }, 29, "look Reclaim freed only 29 % of the pages that it scanned, for 3 min 20 s", 31, none},
	{"scanning", "scanning", 10, func(x float64) logged { return scanning(x, x/10) }, 1010, "look Reclaim freed only 10 % of the pages that it scanned, for 3 min 20 s", 990, none},
	{"slab", "slabShare", 10, func(x float64) logged {
		return memory().and("mem.util.slabUnreclaimable", "", append(always(1e4)[:20], recording.Rising(41, 1e4*x, 50*x)...)) // by a fifth
	}, 20.1, "look Unreclaimable slab rose to 24 % of memory", 16.6, none},
	{"promised", "commit", 10, func(x float64) logged {
		return memory().and("mem.util.available", "", always(4e5)).and("mem.util.commitLimit", "", always(1e6)).and("mem.util.committed_AS", "", always(1e4*x))
	}, 100.1, "know Committed memory reached 100 % of the commit limit", 99.9, none},
	{"promised, of which little is used", "", 10, func(x float64) logged {
		return memory().and("mem.util.available", "", for200s(1e4*x, 8e5)).and("mem.util.commitLimit", "", always(1e6)).and("mem.util.committed_AS", "", always(2e6))
	}, 49.9, "know Committed memory reached 200 % of the commit limit", 50, none},
	{"killed", "", 10, func(x float64) logged { return memory().and("mem.vmstat.oom_kill", "", stretches(20, 4, 41, 4+x)) }, 2, "broken The OOM killer killed 2 processes", 0, none},
	{"leak", "unaccounted", 10, func(x float64) logged {
		l := memory().and("mem.util.used", "", recording.Rising(61, 1e5, 1e4*x/60))
		for _, part := range []string{"bufmem", "cached", "slab", "anonpages", "pageTables", "kernelStack"} {
			l.and("mem.util."+part, "", always(0))
		}
		return l
	}, 5.1, "look Unaccounted memory rose from 10 to 15 %: a driver that leaks, or a cache of the kernel that no metric counts", 4.9, none},
	{"busy disk", "diskBusy", 10, func(x float64) logged {
		return logged{}.and("disk.dev.avactive", "sda", grow200s(10*x, 100)).and("disk.dev.aveq", "sda", counted(10, 61, 8000))
	}, 85.1, "look sda 85 % busy for 3 min 20 s, average queue size 8.0", 84.9, none},
	{"queue", "diskFlight", 10, func(x float64) logged {
		return logged{}.and("disk.dev.avactive", "sda", grow200s(990, 100)).and("disk.dev.aveq", "sda", counted(10, 61, 1000*x))
	}, 4.1, "look sda 99 % busy for 3 min 20 s, average queue size 4.1", 3.9, "know sda 99 % busy for 3 min 20 s"},
	{"latency", "diskLatency", 10, func(x float64) logged { return disk(61, 100, x).and("disk.dev.avactive", "sda", grow200s(990, 100)) }, 21, "look sda 99 % busy for 3 min 20 s, latency 21 ms", 19, "know sda 99 % busy for 3 min 20 s, but latency only 19 ms"},
	{"slow disk", "diskSlow", 10, func(x float64) logged { return disk(61, 1, x) }, 1010, "look Latency of sda: 1,010 ms for 10 min", 990, none},
	{"requests that take 10 s", "diskSlow", 10, func(x float64) logged { return disk(61, 2, x).and("disk.dev.avactive", "sda", counted(10, 61, 800)) }, 10000, "look Latency of sda: 10,000 ms for 10 min", 100, none},
	{"slow at times", "diskSpread", 10, func(x float64) logged {
		return logged{}.and("disk.dev.total", "sda", counted(10, 101, 10)).and("disk.dev.total_rawactive", "sda", counted(10, 91, 100, 10, 10*x))
	}, 51, "know Latency of sda 51 ms or more in 5 % of samples, with a median of 10 ms", 49, none},
	{"small requests", "smallRequest", 10, func(x float64) logged {
		return logged{}.and("disk.dev.total", "sda", grow200s(200, 0)).and("disk.dev.total_bytes", "sda", grow200s(200*x, 0))
	}, 0.49, "know sda served requests of only 0.49 KiB for 3 min 20 s", 0.51, none},
	{"few of them", "smallIOPS", 10, func(x float64) logged {
		return logged{}.and("disk.dev.total", "sda", grow200s(x, 0)).and("disk.dev.total_bytes", "sda", grow200s(x/4, 0))
	}, 104, "know sda served requests of only 0.25 KiB for 3 min 20 s", 96, none},
	{"ten times as much", "shift", 60, func(x float64) logged { return writes(41, 200, 40, x) }, 2001, "know Writes of sda rose from 200 KiB/s to 1.95 MiB/s and stayed there for 40 min", 1999, none},
	{"a tenth", "shift", 60, func(x float64) logged { return writes(41, 4000, 40, x) }, 399, "know Writes of sda fell from 3.91 MiB/s to 399 KiB/s and stayed there for 40 min", 401, none},
	{"and stays", "shiftLasting", 60, func(x float64) logged { return writes(41, 100, x, 4000) }, 30, "know Writes of sda rose from 100 KiB/s to 3.91 MiB/s and stayed there for 30 min", 29, none},
	{"much", "shiftLeast", 60, func(x float64) logged { return writes(41, 10, 40, x) }, 1025, "know Writes of sda rose from 10 KiB/s to 1.00 MiB/s and stayed there for 40 min", 1023, none},
	{"many requests", "shiftRequests", 60, func(x float64) logged {
		return logged{}.and("disk.dev.total", "sda", counted(60, 41, 5, 40, x))
	}, 101, "know Requests of sda rose from 5/s to 101/s and stayed there for 40 min", 99, none},
	{"array", "", 10, func(x float64) logged { return disk(61, 1, 1).and("disk.md.status", "md0", for200s(x, 0)) }, 256, "broken The array md0 is degraded", 36096, none},
	{"array that could not be asked", "", 10, func(x float64) logged { return disk(61, 1, 1).and("disk.md.status", "md0", always(x)) }, 512, "broken The array md0 is degraded", -1, none},
	{"full", "full", 10, func(x float64) logged { return logged{}.and("filesys.full", "/dev/sda1", always(x)) }, 95.1, "look sda1 95 % full", 94.9, none},
	{"soon", "fullSoon", 10, func(x float64) logged { return filling(61, 10, x) }, 1190, "look At the rate of the last 10 min, sda1 would be full 19 min 50 s after the end", 1210, none},
	{"from minutes", "fillingFrom", 10, func(x float64) logged { return filling(x, 10, 600) }, 61, "look At the rate of the last 10 min, sda1 would be full 10 min after the end", 60, none},
	{"sometime", "fullSometime", 60, func(x float64) logged { return filling(61, 60, x) }, 86000, "know At the rate of the last 1 h, sda1 would be full 23 h 53 min after the end", 87000, none},
	{"twice as much", "doubled", 10, func(x float64) logged { return growing(2e6, 2e6*(x-1)) }, 2, "know Space used by sda1 grew from 1.91 GiB to 3.81 GiB in 10 min", 1.99, none},
	{"twice of little", "doubledLeast", 10, func(x float64) logged { return growing(1e6, x*(1<<20)) }, 1.001, "know Space used by sda1 grew from 976.6 MiB to 1.95 GiB in 10 min", 0.999, none},
	{"inodes", "inodes", 10, func(x float64) logged {
		return filesystem(61).and("filesys.maxfiles", "/dev/sda1", always(1000)).and("filesys.usedfiles", "/dev/sda1", always(10*x))
	}, 95.1, "look sda1 has 95 % of its inodes in use", 94.9, none},
	{"read-only", "", 10, func(x float64) logged {
		return filesystem(61).and("filesys.readonly", "/dev/sda1", stretches(20, x, 41, 1))
	}, 0, "broken sda1 became read-only", 1, none},
	{"line rate", "lineRate", 10, func(x float64) logged {
		return logged{}.and("network.interface.in.bytes", "eth0", grow200s(10*x, 10)).and("network.interface.out.bytes", "eth0", counted(10, 61, 10)).and("network.interface.baudrate", "eth0", recording.Steady(1, 1000.0))
	}, 85.1, "look eth0 used 85 % of its line rate for 3 min 20 s", 84.9, none},
	{"drops", "drops", 600, func(x float64) logged {
		return logged{}.and("network.interface.in.drops", "eth0", stretches(20, 0, 41, x))
	}, 361, "look 361 inbound packets dropped", 359, "know 359 inbound packets dropped"},
	{"share of drops", "dropShare", 10, func(x float64) logged {
		return logged{}.and("network.interface.in.drops", "eth0", stretches(20, 0, 41, x)).and("network.interface.in.packets", "eth0", recording.Rising(61, 0, 5000))
	}, 301, "look 301 inbound packets dropped", 299, "know 299 inbound packets dropped"},
	{"link", "", 10, func(x float64) logged {
		return nic().and("network.interface.running", "eth0", stretches(20, 1, 3, x, 38, 1))
	}, 0, "look eth0 lost its link once", 1, none},
	{"slower link", "", 10, func(x float64) logged {
		return nic().and("network.interface.speed", "eth0", stretches(20, 1e9/8/(1<<20), 41, x/8/(1<<20)))
	}, 1e8, "look Link speed of eth0 dropped from 1 Gbit/s to 100 Mbit/s", 1e9, none},
	{"speed that is not known", "", 10, func(x float64) logged {
		return nic().and("network.interface.speed", "eth0", stretches(20, x/8/(1<<20), 41, 1e9/8/(1<<20)))
	}, 1e10, "look Link speed of eth0 dropped from 10 Gbit/s to 1 Gbit/s", 65535e6, none},
	{"speed of a radio", "", 10, func(x float64) logged {
		return logged{}.and("network.interface.in.drops", "net0", always(0)).and("network.interface.wireless", "net0", always(x)).and("network.interface.speed", "net0", stretches(20, 1e9/8/(1<<20), 41, 1e8/8/(1<<20)))
	}, 0, "look Link speed of net0 dropped from 1 Gbit/s to 100 Mbit/s", 1, none},
	{"retransmissions", "retransmissions", 10, func(x float64) logged {
		return nic().and("network.tcp.outsegs", "", counted(10, 61, 1000)).and("network.tcp.retranssegs", "", grow200s(10*x, 0))
	}, 1.01, "look TCP retransmissions: 1.01 % of segments for 3 min 20 s", 0.99, none},
	{"of few segments", "segments", 10, func(x float64) logged {
		return nic().and("network.tcp.outsegs", "", counted(10, 61, x)).and("network.tcp.retranssegs", "", grow200s(x/20, 0))
	}, 102, "look TCP retransmissions: 5 % of segments for 3 min 20 s", 98, none},
	{"close wait", "closeWait", 10, func(x float64) logged {
		return nic().and("network.tcpconn.close_wait", "", recording.Rising(61, 5, x/60))
	}, 102, "look Connections in close wait rose from 5 to 107: a program does not close them", 98, none},
	{"one CPU for the network", "softIRQShare", 10, func(x float64) logged {
		return quiet(4).and("kernel.percpu.softirqs", "NET_RX::cpu0", grow200s(20*x, 0)).and("kernel.percpu.softirqs", "NET_RX::cpu1", grow200s(2000-20*x, 0))
	}, 81, "look cpu0 served 81 % of the soft interrupts of the network for 3 min 20 s", 79, none},
	{"few packets", "softIRQs", 10, func(x float64) logged {
		return quiet(4).and("kernel.percpu.softirqs", "NET_RX::cpu0", grow200s(x*0.9, 0)).and("kernel.percpu.softirqs", "NET_RX::cpu1", grow200s(x*0.1, 0))
	}, 1010, "look cpu0 served 90 % of the soft interrupts of the network for 3 min 20 s", 990, none},
	{"empty node", "nodeFree", 10, func(x float64) logged { return nodes(10*x, 400) }, 1.9, "look node0 had only 1.90 % of its memory free for 3 min 20 s while another node had 40 %", 2.1, none},
	{"the other node", "nodeOther", 10, func(x float64) logged { return nodes(10, 10*x) }, 20.1, "look node0 had only 1 % of its memory free for 3 min 20 s while another node had 20 %", 19.9, none},
	{"locality", "locality", 10, func(x float64) logged { return allocating(2000, x/100) }, 79, "look Only 79 % of the memory of node1 went to its own CPUs for 3 min 20 s", 81, none},
	{"of few allocations", "allocations", 10, func(x float64) logged { return allocating(x, 0.6) }, 1010, "look Only 60 % of the memory of node1 went to its own CPUs for 3 min 20 s", 990, none},
	{"journal", "logWaits", 10, func(x float64) logged { return logged{}.and("xfs.log.noiclogs", "", grow200s(x, 0)) }, 10.1, "look XFS log-buffer waits: 10.1 a second for 3 min 20 s", 9.9, none},
	{"NFS", "rpcRetries", 10, func(x float64) logged {
		return logged{}.and("rpc.client.rpccnt", "", counted(10, 61, 1000)).and("rpc.client.rpcretrans", "", grow200s(10*x, 0))
	}, 1.1, "look NFS retransmissions: 1.10 % of RPC calls for 3 min 20 s", 0.9, none},
	{"few calls", "rpcCalls", 10, func(x float64) logged {
		return logged{}.and("rpc.client.rpccnt", "", counted(10, 61, x)).and("rpc.client.rpcretrans", "", grow200s(0.5, 0))
	}, 1, "look NFS retransmissions: 50 % of RPC calls for 3 min 20 s", 0.9, none},
	{"NFS, latency", "nfsLatency", 10, func(x float64) logged {
		return logged{}.and("nfsclient.ops.read.ops", "server:/home", counted(10, 61, 10)).and("nfsclient.ops.read.rtt", "server:/home", grow200s(10*x, 10))
	}, 51, "look NFS read latency of server:/home: 51 ms for 3 min 20 s", 49, none},
	{"NFS server", "", 10, func(x float64) logged { return logged{}.and("rpc.server.th_fullcnt", "", stretches(20, 3, 41, 3+x)) }, 1, "look All threads of the NFS server were busy once", 0, none},
	{"quota", "groupCPU", 10, func(x float64) logged {
		return group().and("cgroup.cpuacct.usage", "/a/web", grow200s(2e7*x, 1e8)).and("cgroup.cpusched.cfs_quota", "/a/web", always(200000)).and("cgroup.cpusched.cfs_period", "/a/web", always(100000))
	}, 95.1, "look web used 95 % of its CPU quota for 3 min 20 s", 94.9, none},
	{"limit", "groupMemory", 10, func(x float64) logged {
		return group().and("cgroup.memory.usage", "/a/web", for200s(10*x, 1)).and("cgroup.memory.limit", "/a/web", always(1000))
	}, 95.1, "look web used 95 % of its memory for 3 min 20 s", 94.9, none},
	{"limit, of cache", "groupMemory", 10, func(x float64) logged {
		return group().and("cgroup.memory.usage", "/a/web", always(1000)).and("cgroup.memory.stat.inactive_file", "/a/web", for200s(1000-10*x, 999)).and("cgroup.memory.limit", "/a/web", always(1000))
	}, 95.1, "look web used 95 % of its memory for 3 min 20 s", 94.9, none},
	{"throttled", "groupThrottled", 10, func(x float64) logged {
		return group().and("cgroup.cpusched.periods", "/a/web", counted(10, 61, 10)).and("cgroup.cpusched.throttled", "/a/web", grow200s(x/10, 0))
	}, 11, "look web was throttled in 11 % of its periods for 3 min 20 s", 9, none},
	{"few periods", "groupPeriods", 10, func(x float64) logged {
		return group().and("cgroup.cpusched.periods", "/a/web", counted(10, 61, 1)).and("cgroup.cpusched.throttled", "/a/web", grow200s(x, 0))
	}, 0.6, "look web was throttled in 60 % of its periods for 3 min 20 s", 0.4, none},
	{"pressure of a cgroup", "pressureMemory", 10, func(x float64) logged {
		return group().and("cgroup.pressure.memory.full.total", "/a/web", grow200s(1e4*x, 0))
	}, 5.1, "look web waited for memory 5 % of the time for 3 min 20 s", 4.9, none},
	{"pressure of a cgroup, I/O", "pressureIO", 10, func(x float64) logged {
		return group().and("cgroup.pressure.io.full.total", "/a/web", grow200s(1e4*x, 0))
	}, 20.1, "look web waited for I/O 20 % of the time for 3 min 20 s", 19.9, none},
	{"pressure of a cgroup, CPU", "pressureCPU", 10, func(x float64) logged {
		return group().and("cgroup.pressure.cpu.some.total", "/a/web", grow200s(1e4*x, 0))
	}, 50.1, "look web waited for a CPU 50 % of the time for 3 min 20 s", 49.9, none},
	{"files", "tables", 10, func(x float64) logged {
		return logged{}.and("vfs.files.count", "", for200s(10*x, 10)).and("vfs.files.max", "", always(1000))
	}, 90.1, "look 90 % of all open files that the kernel allows", 89.9, none},
	{"agent", "lasting", 10, func(x float64) logged {
		return logged{}.and("pmcd.agent.status", "proc", stretches(20, 0, x, -12386, 41-x, 0))
	}, 12, "look The agent proc did not answer for 2 min; its metrics are missing", 11, "know The agent proc did not answer for 1 min 50 s; its metrics are missing"},
}

// spinning is a process that uses x percent of one CPU.
func spinning(samples, x float64) logged {
	const name = "001234 /usr/bin/spin"
	return logged{}.and("proc.psinfo.utime", name, counted(60, samples, 10*x)).and("proc.psinfo.stime", name, stretches(samples, 0)).and("proc.psinfo.pid", name, stretches(samples, 1234))
}

// hanging is a process that waits in state D in so many samples, before and after which it runs.
func hanging(samples float64) logged {
	const name = "000077 /usr/bin/writer"
	states := slices.Concat(recording.Steady(5, "R"), recording.Steady(int(samples), "D"), recording.Steady(5, "S"))
	used := slices.Concat(recording.Rising(6, 0, 1000), recording.Steady(int(samples)-1, 5000.0), recording.Rising(5, 6000, 1000))
	l := logged{}.and("proc.psinfo.utime", name, used).and("proc.psinfo.stime", name, stretches(float64(len(used)), 0)).and("proc.psinfo.pid", name, stretches(float64(len(used)), 77))
	l["proc.psinfo.sname"] = map[string]any{name: states}
	return l
}

// scanning is a kernel that scans and frees pages, a second.
func scanning(scanned, freed float64) logged {
	return memory().and("swap.pagesout", "", always(0)).and("mem.vmstat.pgscan_direct", "", always(0)).and("mem.vmstat.pgsteal_direct", "", always(0)).
		and("mem.vmstat.pgscan_kswapd", "", grow200s(scanned, 0)).and("mem.vmstat.pgsteal_kswapd", "", grow200s(freed, 0))
}

// writes is a disk that writes so many KiB a second, in samples of a minute.
func writes(pairs ...float64) logged {
	return logged{}.and("disk.dev.total", "sda", stretches(pairs[0]+pairs[2], 0)).and("disk.dev.write_bytes", "sda", counted(60, pairs...))
}

// filling is a filesystem that takes 100 KiB a second, and has room for left seconds.
func filling(samples, step, left float64) logged {
	return filesystem(samples).and("filesys.used", "/dev/sda1", counted(step, samples, 100)).and("filesys.avail", "/dev/sda1", stretches(samples, 100*left))
}

// growing is a filesystem with much room whose use grows, in KiB.
func growing(first, by float64) logged {
	return filesystem(61).and("filesys.used", "/dev/sda1", recording.Rising(61, first, by/60)).and("filesys.avail", "/dev/sda1", always(1e12))
}

// nodes are two with 1,000 KiB of memory each.
func nodes(free, other float64) logged {
	return logged{}.and("mem.numa.util.total", "node0", always(1000)).and("mem.numa.util.total", "node1", always(1000)).
		and("mem.numa.util.free", "node0", for200s(free, 500)).and("mem.numa.util.free", "node1", always(other))
}

// allocating is a node with allocations a second, and the share that is local.
func allocating(all, near float64) logged {
	return logged{}.and("mem.numa.alloc.local_node", "node1", grow200s(all*near, 0)).and("mem.numa.alloc.other_node", "node1", grow200s(all-all*near, 0))
}

// Every rule says what it says just beyond its threshold, and not short of it.
// The sentences follow from the values by the texts of the rules.
func TestFindingFloors(t *testing.T) {
	tried := map[string]bool{"pmcdCPU": true} // in the tests of package analysis
	for _, f := range floors {
		for _, name := range strings.Fields(f.rules) {
			tried[name] = true
		}
		t.Run(f.name, func(t *testing.T) {
			for _, one := range []struct {
				x    float64
				want string
			}{{f.beyond, f.want}, {f.short, f.instead}} {
				s, src := record(t, recording.Recording{Host: "host", Step: f.step * 1e9, Values: f.make(one.x)})
				list, err := s.Findings(t.Context(), src.ID, nil)
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, found := range list {
					got = append(got, found.Level+" "+found.Text)
				}
				if strings.Join(got, "\n") != one.want {
					t.Errorf("with %v:\ngot  %s\nwant %s", one.x, strings.Join(got, "\n     "), one.want)
				}
				if err := s.Close(src.ID); err != nil {
					t.Error(err)
				}
			}
		})
	}
	s, src := record(t, recording.Recording{Host: "host", Step: 10e9, Values: quiet(1)})
	rules, err := s.Rules(src.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		if !tried[r.Name] {
			t.Errorf("the rule %s (%s) is never tried", r.Name, r.Text)
		}
	}
}
