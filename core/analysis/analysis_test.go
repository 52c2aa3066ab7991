package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/trend"
)

// fake is a host defined by a few numbers: for each metric and instance one
// value per row, rows ten seconds apart.
type fake struct {
	descs map[string]pcp.Desc
	rows  map[string]map[string][]float64 // by metric and instance
	times []pcp.Time                      // if not every ten seconds
	marks []pcp.Time
	lacks map[string]int // a record that does not have the metric
}

const start = pcp.Time(1e18)

func (f *fake) Table(metric string) *Table {
	cols, ok := f.rows[metric]
	if !ok {
		return nil
	}
	desc, ok := f.descs[metric]
	if !ok {
		desc = pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom}
	}
	o := &series.Observations{Desc: desc}
	var names []string
	for _, name := range sorted(cols) {
		vals := cols[name]
		for i := len(o.Times); i < len(vals); i++ {
			at := start + pcp.Time(i)*10e9
			if f.times != nil {
				at = f.times[i]
			}
			o.Times = append(o.Times, at)
		}
		s := series.Series{Inst: int32(len(names))}
		for i, v := range vals {
			switch {
			case v != v:
				s.Runs = append(s.Runs, series.Run{Row: uint32(i) | series.Gone})
			case i == 0 || v != vals[i-1]:
				s.Runs = append(s.Runs, series.Run{Row: uint32(i), Val: math.Float64bits(v)})
			}
		}
		o.Series = append(o.Series, s)
		names = append(names, name)
	}
	if row, less := f.lacks[metric]; less {
		whole := o
		o = whole.Between(pcp.MinTime, whole.Times[row-1])
		o.Times = slices.Concat(o.Times, whole.Times[row+1:])
		for i, s := range whole.Series {
			for _, run := range s.Runs {
				if int(run.Row) > row {
					run.Row--
					o.Series[i].Runs = append(o.Series[i].Runs, run)
				}
			}
		}
	}
	return NewTable([]Part{{o, f.marks}}, func(inst int32) string { return names[inst] })
}

func (f *fake) Processes() ProcessData { return nil }

func sorted(m map[string][]float64) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	for i := range names {
		for k := i; k > 0 && names[k] < names[k-1]; k-- {
			names[k], names[k-1] = names[k-1], names[k]
		}
	}
	return names
}

func counter(units pcp.Units) pcp.Desc {
	return pcp.Desc{Type: pcp.Double, Sem: pcp.Counter, InDom: pcp.NullInDom, Units: units}
}

var (
	mbit      = pcp.Desc{Type: pcp.Double, Sem: pcp.Discrete, InDom: pcp.NullInDom, Units: pcp.Units{Space: 1, SpaceScale: 2, Time: -1, TimeScale: pcp.Sec}}
	perSecond = pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Count: 1, Time: -1, TimeScale: pcp.Sec}}
	ms        = pcp.Units{Time: 1, TimeScale: pcp.Millisec}
	count     = pcp.Units{Count: 1}
	octets    = pcp.Units{Space: 1}
)

// level repeats values: level(60, 1, 60, 2) is sixty times 1, sixty times 2.
func level(pairs ...float64) []float64 {
	var out []float64
	for i := 0; i < len(pairs); i += 2 {
		for range int(pairs[i]) {
			out = append(out, pairs[i+1])
		}
	}
	return out
}

// growing adds up rates: for each row, growth in ten seconds at that rate.
func growing(rates []float64) []float64 {
	out := make([]float64, len(rates))
	for i := 1; i < len(out); i++ {
		out[i] = out[i-1] + 10*rates[i]
	}
	return out
}

// set adds a metric with one value per row and instance.
func (f *fake) set(metric, instance string, desc *pcp.Desc, vals []float64) *fake {
	if f.rows == nil {
		f.rows, f.descs = map[string]map[string][]float64{}, map[string]pcp.Desc{}
	}
	if f.rows[metric] == nil {
		f.rows[metric] = map[string][]float64{}
	}
	f.rows[metric][instance] = vals
	if desc != nil {
		f.descs[metric] = *desc
	}
	return f
}

func (f *fake) level(metric, instance string, pairs ...float64) *fake {
	return f.set(metric, instance, nil, level(pairs...))
}

func (f *fake) rate(metric, instance string, units pcp.Units, pairs ...float64) *fake {
	d := counter(units)
	return f.set(metric, instance, &d, growing(level(pairs...)))
}

// cpu adds the CPU time of a host with the given number of CPUs, busy in user
// mode by the given percentage.
func (f *fake) cpu(n float64, pairs ...float64) *fake {
	user, idle := make([]float64, len(pairs)), make([]float64, len(pairs))
	for i := range pairs {
		user[i], idle[i] = pairs[i], pairs[i]
		if i%2 == 1 {
			user[i], idle[i] = 10*n*pairs[i], 10*n*(100-pairs[i])
		}
	}
	f.level("hinv.ncpu", "", 1, n)
	f.rate("kernel.all.cpu.user", "", ms, user...)
	f.rate("kernel.all.cpu.idle", "", ms, idle...)
	zero := level(pairs...)
	for i := range zero {
		zero[i] = 0
	}
	d := counter(ms)
	for _, mode := range []string{"sys", "nice", "intr", "wait.total", "steal"} {
		f.set("kernel.all.cpu."+mode, "", &d, zero)
	}
	return f
}

// Every rule has a name of its own, a text and a default. None of the defaults
// is 0, which is the value of one that was forgotten.
func TestRulesAreComplete(t *testing.T) {
	rules, seen := DefaultRules, map[string]bool{}
	for i, r := range rules.List() {
		if r.Name == "" || seen[r.Name] || r.Text == "" {
			t.Errorf("rule %d, %q: the name is missing or used twice, or the text (%q) is missing", i, r.Name, r.Text)
		}
		if seen[r.Name] = true; r.Usual == 0 {
			t.Errorf("the rule %s has no default", r.Name)
		}
	}
}

// Each rule, with data that must violate it and data that must not.
func TestFindings(t *testing.T) {
	kib := pcp.Units{Space: 1, SpaceScale: 1}
	for _, tt := range []struct {
		name string
		host *fake
		want string // level, first and last row, and text, of each finding
	}{
		{"CPU busy for three minutes", new(fake).cpu(2, 30, 10, 18, 95, 30, 10), "look 29-47 CPU 95 % busy for 3 min"},
		{"below the limit, one mode in seconds", func() *fake {
			f := new(fake).cpu(2, 30, 10, 60, 89, 30, 10)
			d, user := counter(pcp.Units{Time: 1, TimeScale: pcp.Sec}), f.rows["kernel.all.cpu.user"][""]
			for i := range user {
				user[i] /= 1000
			}
			return f.set("kernel.all.cpu.user", "", &d, user)
		}(), ""},
		{"a short peak", new(fake).cpu(2, 30, 10, 2, 95, 30, 10), "know 29-31 CPU saturated once for 20 s"},
		{"two short peaks", new(fake).cpu(2, 30, 10, 2, 95, 30, 10, 1, 99, 5, 10), "know 29-62 CPU saturated twice"},
		{"below the limit", new(fake).cpu(2, 30, 10, 60, 89, 30, 10), ""},
		{"one CPU full", new(fake).cpu(4, 60, 26).rate("kernel.percpu.cpu.idle", "cpu0", ms, 60, 1000).rate("kernel.percpu.cpu.idle", "cpu1", ms, 20, 900, 20, 20, 20, 900),
			"look 19-39 cpu1 saturated for 3 min 20 s while all CPUs together were at 26 %: probably a single thread"},
		{"soft interrupts on one CPU", new(fake).cpu(4, 60, 26).rate("kernel.percpu.cpu.irq.soft", "cpu2", ms, 20, 100, 20, 400, 20, 100),
			"look 19-39 cpu2 spent 40 % of its time in soft interrupts for 3 min 20 s"},
		{"load", new(fake).cpu(2, 60, 26).level("kernel.all.load", "1 minute", 20, 1, 10, 8, 30, 1), "look 19-29 Load above 6 for 1 min 40 s, up to 8.00 on 2 CPUs"},
		{"runnable", new(fake).cpu(2, 60, 85).level("kernel.all.running", "", 20, 1, 15, 5, 25, 1), "look 19-34 5 runnable tasks on 2 CPUs for 2 min 30 s"},
		{"runnable, without CPU time", new(fake).level("hinv.ncpu", "", 1, 2).level("kernel.all.load", "1 minute", 60, 1).level("kernel.all.running", "", 60, 9), ""},
		{"blocked", new(fake).cpu(2, 60, 26).level("kernel.all.blocked", "", 20, 1, 15, 5, 25, 1), "look 19-34 5 tasks blocked for 2 min 30 s: they wait for storage"},
		{"context switches", new(fake).cpu(2, 60, 26).rate("kernel.all.pswitch", "", count, 20, 100, 15, 9000, 25, 100), "know 19-34 9,000 context switches a second for 2 min 30 s"},
		{"steal", new(fake).cpu(2, 60, 26).rate("kernel.all.cpu.steal", "", ms, 20, 0, 40, 200), "look 19-59 The hypervisor took 10 % of CPU time for 6 min 40 s"},
		{"thermal throttling", new(fake).cpu(2, 60, 26).rate("hinv.cpu.thermal_throttle.core.count", "cpu0", count, 20, 0, 1, 0.3, 39, 0), "know 19-20 CPUs were throttled 3 times because of heat"},
		{"little memory", new(fake).level("mem.physmem", "", 1, 1000).level("mem.util.available", "", 20, 500, 15, 50, 25, 500), "look 19-34 Only 5.0 % of memory available for 2 min 30 s"},
		{"little memory, and for a moment hardly any", new(fake).level("mem.physmem", "", 1, 1000).level("mem.util.available", "", 20, 500, 10, 50, 5, 20, 25, 500), "look 19-34 Only 4.0 % of memory available for 2 min 30 s, 2.0 % at the lowest"},
		{"swapping", new(fake).level("mem.physmem", "", 1, 1000).rate("swap.pagesout", "", count, 20, 0, 12, 50, 28, 0), "look 19-31 Memory was swapped out for 2 min, up to 50 pages a second"},
		{"swapping twice, less the longer time", new(fake).level("mem.physmem", "", 1, 1000).rate("swap.pagesout", "", count, 20, 0, 5, 10, 20, 0, 3, 200, 12, 0), "look 19-47 Memory was swapped out for 30 s, up to 200 pages a second; worst of twice, 1 min 20 s in all"},
		{"swapping most at first", new(fake).level("mem.physmem", "", 1, 1000).rate("swap.pagesout", "", count, 20, 0, 1, 65, 1, 213, 1, 50, 37, 0), "look 19-22 Memory was swapped out for 30 s, up to 213 pages a second"},
		{"a little swapping", new(fake).level("mem.physmem", "", 1, 1000).rate("swap.pagesout", "", count, 20, 0, 2, 50, 38, 0), ""},
		{"direct reclaim", new(fake).rate("swap.pagesout", "", count, 60, 0).rate("mem.vmstat.allocstall_normal", "", count, 20, 0, 10, 3, 30, 0), "look 19-29 Direct reclaim for 1 min 40 s: programs had to free memory themselves"},
		{"killed", new(fake).rate("swap.pagesout", "", count, 60, 0).set("mem.vmstat.oom_kill", "", ptr(counter(count)), level(20, 4, 40, 6)), "broken 19-20 The OOM killer killed 2 processes"},
		{"disk with a queue", new(fake).rate("disk.dev.avactive", "sda", ms, 20, 100, 20, 990, 20, 100).rate("disk.dev.aveq", "sda", ms, 60, 8000), "look 19-39 sda 99 % busy for 3 min 20 s, average queue size 8.0"},
		// In the pauses of 20 s nothing is queued, which says nothing of the time in which it was busy: 150 s of 200.
		{"disk with a queue and pauses", new(fake).rate("disk.dev.avactive", "sda", ms, 20, 100, 5, 990, 2, 100, 5, 990, 2, 100, 5, 990, 20, 100).rate("disk.dev.aveq", "sda", ms, 20, 0, 5, 5000, 2, 0, 5, 5000, 2, 0, 5, 5000, 20, 0),
			"look 19-38 sda 99 % busy for 2 min 30 s, average queue size 5.0"},
		{"disk that is slow", new(fake).rate("disk.dev.avactive", "sda", ms, 20, 100, 20, 990, 20, 100).rate("disk.dev.total_rawactive", "sda", ms, 60, 1000).rate("disk.dev.total", "sda", count, 60, 25),
			"look 19-39 sda 99 % busy for 3 min 20 s, latency 40 ms"},
		{"disk that is busy but quick", new(fake).rate("disk.dev.avactive", "sda", ms, 20, 100, 20, 990, 20, 100).rate("disk.dev.aveq", "sda", ms, 60, 1000).rate("disk.dev.total_rawactive", "sda", ms, 60, 1000).rate("disk.dev.total", "sda", count, 60, 1000),
			"know 19-39 sda 99 % busy for 3 min 20 s, but latency only 1 ms"},
		{"a loop device", new(fake).rate("disk.dev.avactive", "loop0", ms, 20, 100, 20, 990, 20, 100).rate("disk.dev.aveq", "loop0", ms, 60, 8000), ""},
		{"array", new(fake).rate("disk.dev.avactive", "sda", ms, 60, 0).level("disk.md.status", "md0", 20, 0, 10, 1, 30, 0), "broken 19-29 The array md0 is degraded"},
		{"full filesystem", new(fake).level("filesys.full", "/dev/sda1", 20, 90, 40, 97), "look 20-59 sda1 97 % full"},
		{"full tmpfs, beside one for a file", new(fake).level("filesys.full", "/dev/sda1", 60, 50).level("tmpfs.full", "/run", 20, 50, 40, 100).level("tmpfs.capacity", "/run", 1, 204800).level("tmpfs.full", "/run/one", 60, 100).level("tmpfs.capacity", "/run/one", 1, 512), "look 20-59 tmpfs /run 100 % full"},
		{"full, from what is used and available", new(fake).level("filesys.used", "/dev/sda1", 20, 90, 40, 970).level("filesys.avail", "/dev/sda1", 60, 30).level("filesys.capacity", "/dev/sda1", 60, 2000), "look 20-59 sda1 97 % full"},
		{"full, from what is used of all", new(fake).level("filesys.used", "/dev/sda1", 20, 90, 40, 1940).level("filesys.capacity", "/dev/sda1", 60, 2000), "look 20-59 sda1 97 % full"},
		{"full, from what is used and free", new(fake).level("filesys.used", "/dev/sda1", 20, 90, 40, 970).level("filesys.free", "/dev/sda1", 60, 30), "look 20-59 sda1 97 % full"},
		{"what is used alone", new(fake).level("filesys.used", "/dev/sda1", 60, 970), ""},
		{"snap and CD", new(fake).level("filesys.full", "/dev/loop3", 60, 100).level("filesys.full", "/dev/sr0", 60, 100).level("filesys.usedfiles", "/dev/loop3", 60, 500).level("filesys.maxfiles", "/dev/loop3", 60, 500), ""},
		{"pseudo filesystems of macOS and FreeBSD", new(fake).level("filesys.full", "devfs", 60, 100).level("filesys.full", "map auto_home", 60, 100).level("filesys.full", "fdescfs", 60, 100).level("filesys.full", "procfs", 60, 100).level("filesys.full", "linprocfs", 60, 100).
			level("filesys.usedfiles", "devfs", 60, 708).level("filesys.maxfiles", "devfs", 60, 708), ""},
		{"an installation medium", new(fake).level("filesys.full", "/dev/sdb", 60, 100).level("filesys.readonly", "/dev/sdb", 60, 1), ""},
		{"a full filesystem that was made read-only", new(fake).level("filesys.full", "/dev/sdb", 60, 100).level("filesys.readonly", "/dev/sdb", 30, 0, 30, 1), "broken 29-30 sdb became read-only\nlook 0-59 sdb 100 % full"},
		{"a ZFS pool named after a map", new(fake).level("filesys.full", "maps", 20, 90, 40, 97), "look 20-59 maps 97 % full"},
		{"a filesystem in a file", new(fake).level("filesys.full", "/dev/loop0", 20, 90, 40, 97), "look 20-59 loop0 97 % full"},
		{"filling", new(fake).level("filesys.full", "/dev/sda1", 60, 50).set("filesys.used", "/dev/sda1", &pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: kib}, growing(level(61, 100))).level("filesys.avail", "/dev/sda1", 61, 60000),
			"look 0-60 At the rate of the last 10 min, sda1 would be full 10 min after the end"},
		{"read-only", new(fake).level("filesys.full", "/dev/sda1", 60, 50).level("filesys.readonly", "/dev/sda1", 20, 0, 40, 1), "broken 19-20 sda1 became read-only"},
		{"always read-only", new(fake).level("filesys.full", "/dev/sr9", 60, 50).level("filesys.readonly", "/dev/sr9", 60, 1), ""},
		{"line rate", new(fake).rate("network.interface.in.bytes", "eth0", pcp.Units{Space: 1}, 20, 10, 20, 900, 20, 10).rate("network.interface.out.bytes", "eth0", pcp.Units{Space: 1}, 60, 10).
			set("network.interface.baudrate", "eth0", &pcp.Desc{Type: pcp.Double, Sem: pcp.Discrete, InDom: pcp.NullInDom, Units: pcp.Units{Space: 1, Time: -1, TimeScale: pcp.Sec}}, level(1, 1000)),
			"look 19-39 eth0 used 90 % of its line rate for 3 min 20 s"},
		{"drops", new(fake).rate("network.interface.in.drops", "eth0", count, 20, 0, 1, 20, 39, 0), "look 19-20 200 inbound packets dropped"},
		{"one drop", new(fake).rate("network.interface.in.drops", "eth0", count, 20, 0, 1, 0.1, 39, 0), "know 19-20 1 inbound packet dropped"},
		{"drops on a bridge", new(fake).rate("network.interface.in.drops", "docker0", count, 20, 0, 1, 1, 39, 0), ""},
		{"link", new(fake).rate("network.interface.in.drops", "eth0", count, 60, 0).level("network.interface.running", "eth0", 20, 1, 3, 0, 10, 1, 3, 0, 24, 1), "look 19-33 eth0 lost its link twice"},
		{"sent again", new(fake).rate("network.interface.in.drops", "eth0", count, 60, 0).rate("network.tcp.outsegs", "", count, 60, 1000).rate("network.tcp.retranssegs", "", count, 20, 0, 20, 50, 20, 0), "look 19-39 TCP retransmissions: 5 % of segments for 3 min 20 s"},
		// 600 of 10,000 segments, then 600 of 30,000: 3 % of all.
		{"sent again, of more and more", new(fake).rate("network.interface.in.drops", "eth0", count, 60, 0).rate("network.tcp.outsegs", "", count, 30, 1000, 30, 3000).rate("network.tcp.retranssegs", "", count, 20, 0, 20, 60, 20, 0), "look 19-39 TCP retransmissions: 3 % of segments for 3 min 20 s"},
		{"sent again, of few", new(fake).rate("network.interface.in.drops", "eth0", count, 60, 0).rate("network.tcp.outsegs", "", count, 60, 10).rate("network.tcp.retranssegs", "", count, 20, 0, 20, 5, 20, 0), ""},
		{"pressure", new(fake).rate("kernel.all.pressure.cpu.some.total", "", pcp.Units{Time: 1, TimeScale: pcp.Microsec}, 20, 0, 20, 700000, 20, 0), "look 19-39 Tasks waited for a CPU 70 % of the time for 3 min 20 s"},
		{"a cgroup at its quota", groups().rate("cgroup.cpuacct.usage", "/a/web", ms, 20, 500, 20, 1960, 20, 500).level("cgroup.cpusched.cfs_quota", "/a/web", 1, 200000).level("cgroup.cpusched.cfs_period", "/a/web", 1, 100000),
			"look 19-39 web used 98 % of its CPU quota for 3 min 20 s"},
		{"a cgroup without quota", groups().rate("cgroup.cpuacct.usage", "/a/web", ms, 60, 1960).level("cgroup.cpusched.cfs_quota", "/a/web", 1, -1).level("cgroup.cpusched.cfs_period", "/a/web", 1, 100000), ""},
		{"a cgroup at its limit of memory", groups().level("cgroup.memory.usage", "/a/web", 20, 50, 20, 97, 20, 50).level("cgroup.memory.limit", "/a/web", 1, 100).rate("cgroup.memory.failcnt", "/a/web", count, 25, 0, 1, 0.3, 34, 0),
			"look 19-39 web used 97 % of its memory for 3 min 20 s\nknow 24-25 web reached its memory limit 3 times"},
		{"a cgroup full of page cache", groups().level("cgroup.memory.usage", "/a/web", 60, 100).level("cgroup.memory.stat.inactive_file", "/a/web", 60, 90).level("cgroup.memory.limit", "/a/web", 1, 100), ""},
		// 100 - 3 = 97 of 100.
		{"a cgroup at its limit in spite of page cache", groups().level("cgroup.memory.usage", "/a/web", 60, 100).level("cgroup.memory.stat.inactive_file", "/a/web", 20, 50, 20, 3, 20, 50).level("cgroup.memory.limit", "/a/web", 1, 100),
			"look 19-39 web used 97 % of its memory for 3 min 20 s"},
		{"page cache of the cgroups below", groups().level("cgroup.memory.usage", "/a", 60, 100).level("cgroup.memory.stat.inactive_file", "/a", 60, 0).level("cgroup.memory.stat.total.inactive_file", "/a", 60, 90).level("cgroup.memory.limit", "/a", 1, 100), ""},
		{"a cgroup whose page cache is not known", groups().level("cgroup.memory.usage", "/a/web", 20, 50, 20, 97, 20, 50).level("cgroup.memory.stat.inactive_file", "/a/db", 60, 90).level("cgroup.memory.limit", "/a/web", 1, 100),
			"look 19-39 web used 97 % of its memory for 3 min 20 s"},
		{"a cgroup without limit", groups().level("cgroup.memory.usage", "/a/web", 60, 9e18).level("cgroup.memory.limit", "/a/web", 1, 9223372036854771712), ""},
		{"throttled", groups().rate("cgroup.cpusched.periods", "/a/web", count, 60, 10).rate("cgroup.cpusched.throttled", "/a/web", count, 20, 0, 20, 2, 20, 0),
			"look 19-39 web was throttled in 20 % of its periods for 3 min 20 s"},
		{"pressure within", groups().rate("cgroup.pressure.memory.full.total", "/", ms, 20, 0, 20, 200, 20, 0).rate("cgroup.pressure.memory.full.total", "/a", ms, 20, 0, 20, 200, 20, 0).rate("cgroup.pressure.memory.full.total", "/a/web", ms, 20, 0, 20, 200, 20, 0),
			"look 19-39 web waited for memory 20 % of the time for 3 min 20 s"},
		{"an empty node", new(fake).level("mem.numa.util.total", "node0", 60, 1000).level("mem.numa.util.total", "node1", 60, 1000).level("mem.numa.util.free", "node0", 20, 500, 20, 10, 20, 500).level("mem.numa.util.free", "node1", 60, 400),
			"look 19-39 node0 had only 1 % of its memory free for 3 min 20 s while another node had 40 %"},
		{"two empty nodes", new(fake).level("mem.numa.util.total", "node0", 60, 1000).level("mem.numa.util.total", "node1", 60, 1000).level("mem.numa.util.free", "node0", 60, 10).level("mem.numa.util.free", "node1", 60, 10), ""},
		{"memory of other nodes", new(fake).rate("mem.numa.alloc.local_node", "node1", count, 20, 900, 20, 600, 20, 900).rate("mem.numa.alloc.other_node", "node1", count, 20, 100, 20, 400, 20, 100),
			"look 19-39 Only 60 % of the memory of node1 went to its own CPUs for 3 min 20 s"},
		{"RPC sent again", new(fake).rate("rpc.client.rpccnt", "", count, 60, 100).rate("rpc.client.rpcretrans", "", count, 20, 0, 20, 2, 20, 0), "look 19-39 NFS retransmissions: 2 % of RPC calls for 3 min 20 s"},
		{"slow NFS", new(fake).rate("nfsclient.ops.read.ops", "s:/home", count, 60, 10).rate("nfsclient.ops.read.rtt", "s:/home", ms, 20, 100, 20, 800, 20, 100),
			"look 19-39 NFS read latency of s:/home: 80 ms for 3 min 20 s"},
		{"busy NFS server", new(fake).rate("rpc.server.th_fullcnt", "", count, 20, 0, 1, 0.3, 39, 0), "look 19-20 All threads of the NFS server were busy 3 times"},
		{"journal of XFS", new(fake).rate("xfs.log_tail.sleep_logspace", "", count, 20, 0, 20, 40, 20, 0), "look 19-39 XFS log-space waits: 40 a second for 3 min 20 s"},
		{"the mean of all CPUs", new(fake).level("hinv.ncpu", "", 1, 4).rate("kernel.all.cpu.user", "", ms, 30, 450, 30, 950).rate("kernel.all.cpu.sys", "", ms, 60, 40).rate("kernel.all.cpu.idle", "", ms, 30, 510, 30, 10), "look 29-59 CPU 99 % busy for 5 min"},
		{"few waits for the log", new(fake).rate("xfs.log.noiclogs", "", count, 20, 0, 20, 2.3, 20, 0), ""},
		{"twice the same", new(fake).rate("xfs.log.noiclogs", "", count, 10, 0, 15, 20, 10, 0, 20, 80, 5, 0), "look 9-54 XFS log-buffer waits: 80 a second for 3 min 20 s; longest of twice, 5 min 50 s in all"},
		{"twice the same, worse in the shorter time", new(fake).rate("xfs.log.noiclogs", "", count, 10, 0, 20, 20, 10, 0, 15, 8000, 5, 0), "look 9-54 XFS log-buffer waits: 8,000 a second for 2 min 30 s; worst of twice, 5 min 50 s in all"},
		{"unknown speed", new(fake).rate("network.interface.in.drops", "eth0", count, 60, 0).set("network.interface.speed", "eth0", &mbit, level(20, 4294967295, 40, 119)), ""},
		{"faster than its line", new(fake).set("network.interface.speed", "eth0", &mbit, level(60, 119.209289)).rate("network.interface.in.bytes", "eth0", octets, 20, 1e7, 40, 2.5e8).rate("network.interface.out.bytes", "eth0", octets, 60, 1e6),
			"know 19-20 eth0 moved 2 Gbit/s in one direction, more than its line rate of 1 Gbit/s: that rate is not the line's"},
		{"as fast as its line", new(fake).set("network.interface.speed", "eth0", &mbit, level(60, 119.209289)).rate("network.interface.in.bytes", "eth0", octets, 20, 1e7, 40, 1.25e8).rate("network.interface.out.bytes", "eth0", octets, 60, 1e6),
			"look 19-59 eth0 used 100 % of its line rate for 6 min 40 s"},
		{"both ways of a line", new(fake).set("network.interface.speed", "eth0", &mbit, level(60, 119.209289)).rate("network.interface.in.bytes", "eth0", octets, 20, 1e7, 20, 1.25e8, 20, 1e7).rate("network.interface.out.bytes", "eth0", octets, 20, 1e6, 30, 1.25e8, 10, 1e6),
			"look 19-49 eth0 used 100 % of its line rate for 5 min"},
		{"free memory in a cache", new(fake).level("mem.physmem", "", 60, 1000).level("mem.freemem", "", 60, 20).level("mem.util.cached", "", 60, 700).level("mem.util.bufmem", "", 60, 30), ""},
		{"no free memory, as from sar", new(fake).level("mem.util.used", "", 60, 990).level("mem.util.free", "", 60, 10).level("mem.util.cached", "", 60, 20).level("mem.util.bufmem", "", 60, 20),
			"look 0-59 Only 5.0 % of memory available for 9 min 50 s"},
		{"slower link", new(fake).rate("network.interface.in.drops", "eth0", count, 60, 0).set("network.interface.speed", "eth0", &mbit, level(20, 119.209289, 5, 0, 35, 11.9209289)), "look 19-59 Link speed of eth0 dropped from 1 Gbit/s to 100 Mbit/s"},
		{"faster link in one record", new(fake).rate("network.interface.in.drops", "eth0", count, 60, 0).set("network.interface.speed", "eth0", &mbit, level(1, 1192.09289, 59, 119.209289)), ""},
		{"faster link in two records", new(fake).rate("network.interface.in.drops", "eth0", count, 60, 0).set("network.interface.speed", "eth0", &mbit, level(2, 1192.09289, 58, 119.209289)), "look 1-59 Link speed of eth0 dropped from 10 Gbit/s to 1 Gbit/s"},
		{"slower radio", new(fake).rate("network.interface.in.drops", "wlp3s0", count, 60, 0).set("network.interface.speed", "wlp3s0", &mbit, level(20, 35.8, 40, 15.5)).level("network.interface.duplex", "wlp3s0", 60, 1), ""},
		// As sar2pcp imports them: shares of time and rates, not counters.
		{"idle as a share of time", new(fake).level("hinv.ncpu", "", 1, 2).level("kernel.percpu.cpu.idle", "cpu0", 30, 0.9987, 30, 0.9998).level("kernel.percpu.cpu.idle", "cpu1", 60, 0.9995), ""},
		{"a number of CPUs from damaged records", new(fake).level("hinv.ncpu", "", 298, 2, 2, 1318954416).level("kernel.all.load", "1 minute", 20, 1, 10, 8, 270, 1),
			"look 19-29 Load above 6 for 1 min 40 s, up to 8.00 on 2 CPUs"},
		{"one busy CPU, as a share of time", new(fake).level("hinv.ncpu", "", 1, 2).level("kernel.percpu.cpu.idle", "cpu0", 30, 0.01, 30, 0.9).level("kernel.percpu.cpu.idle", "cpu1", 60, 0.9).level("kernel.percpu.cpu.idle", "cpu2", 60, 0.9).level("kernel.percpu.cpu.idle", "cpu3", 60, 0.9),
			"look 0-29 cpu0 saturated for 4 min 50 s while all CPUs together were at 32 %: probably a single thread"},
		{"the mean of all CPUs, as shares of time", new(fake).level("hinv.ncpu", "", 1, 4).level("kernel.all.cpu.user", "", 30, 0.45, 30, 0.95).level("kernel.all.cpu.sys", "", 60, 0.04).level("kernel.all.cpu.idle", "", 30, 0.51, 30, 0.01), "look 29-59 CPU 99 % busy for 5 min"},
		{"dropped packets as a rate", new(fake).set("network.interface.in.drops", "eth0", &perSecond, level(20, 0, 20, 50, 20, 0)), "look 19-39 10,000 inbound packets dropped"},
		{"latency in the place of a share of time", new(fake).level("disk.dev.avactive", "sda", 60, 20).set("disk.dev.total", "sda", &perSecond, level(60, 5)), ""},
		{"waiting is not busy", new(fake).level("hinv.ncpu", "", 1, 2).rate("kernel.percpu.cpu.idle", "cpu0", ms, 60, 50).rate("kernel.percpu.cpu.idle", "cpu1", ms, 60, 60).
			rate("kernel.percpu.cpu.wait.total", "cpu0", ms, 60, 900).rate("kernel.percpu.cpu.wait.total", "cpu1", ms, 60, 850).level("kernel.all.load", "1 minute", 60, 1), ""},
		{"idle counter that stepped back", new(fake).level("hinv.ncpu", "", 1, 2).rate("kernel.percpu.cpu.idle", "cpu0", ms, 20, 990, 1, -5, 39, 990).rate("kernel.percpu.cpu.idle", "cpu1", ms, 60, 100).level("kernel.all.load", "1 minute", 60, 1), ""},
		{"packets to one CPU", new(fake).cpu(4, 60, 26).rate("kernel.percpu.softirqs", "NET_RX::cpu0", count, 20, 100, 20, 1800, 20, 100).rate("kernel.percpu.softirqs", "NET_RX::cpu1", count, 60, 200).rate("kernel.percpu.softirqs", "TIMER::cpu1", count, 60, 9000),
			"look 19-39 cpu0 served 90 % of the soft interrupts of the network for 3 min 20 s"},
		{"unclosed connections", new(fake).rate("network.interface.in.drops", "eth0", count, 60, 0).set("network.tcpconn.close_wait", "", nil, growing(level(61, 0.5))[1:]),
			"look 0-59 Connections in close wait rose from 5 to 300: a program does not close them"},
		{"some connections", new(fake).rate("network.interface.in.drops", "eth0", count, 60, 0).level("network.tcpconn.close_wait", "", 30, 10, 10, 300, 20, 12), ""},
		{"memory that leaks", new(fake).level("mem.physmem", "", 1, 1000).level("mem.util.available", "", 60, 500).set("mem.util.used", "", nil, growing(level(61, 0.25))[1:]).level("mem.util.bufmem", "", 60, 0).level("mem.util.cached", "", 60, 0).
			level("mem.util.slab", "", 60, 0).level("mem.util.anonpages", "", 60, 0).level("mem.util.pageTables", "", 60, 0).level("mem.util.kernelStack", "", 60, 0),
			"look 0-59 Unaccounted memory rose from 0 to 15 %: a driver that leaks, or a cache of the kernel that no metric counts"},
		{"a disk that is slow at times", new(fake).rate("disk.dev.total", "sda", count, 101, 10).rate("disk.dev.total_rawactive", "sda", ms, 91, 50, 10, 600), "know 0-100 Latency of sda 60 ms or more in 5 % of samples, with a median of 5 ms"},
		{"a disk that is always slow", new(fake).rate("disk.dev.total", "sda", count, 101, 10).rate("disk.dev.total_rawactive", "sda", ms, 101, 600), ""},
		{"few drops of many packets", new(fake).rate("network.interface.in.drops", "eth0", count, 20, 0, 1, 20, 39, 0).rate("network.interface.in.packets", "eth0", count, 60, 1000), "know 19-20 200 inbound packets dropped"},
		{"array that could not be asked", new(fake).rate("disk.dev.avactive", "sda", ms, 60, 0).level("disk.md.status", "raid1", 60, 36096), ""},
		{"array, status of a process", new(fake).rate("disk.dev.avactive", "sda", ms, 60, 0).level("disk.md.status", "md0", 20, 0, 40, 256), "broken 19-59 The array md0 is degraded"},
		{"packets that wait", new(fake).rate("network.interface.in.drops", "eth0", count, 60, 0).rate("network.softnet.time_squeeze", "", count, 20, 0, 1, 1, 39, 0), "know 19-20 10 time squeezes: the kernel ran out of time with packets left to process"},
		{"drops on what the kernel calls virtual", new(fake).rate("network.interface.in.drops", "eth0.7", count, 20, 0, 1, 1, 39, 0).level("network.interface.virtual", "eth0.7", 1, 1), ""},
		{"drops on the loopback interface that an agent calls real", new(fake).rate("network.interface.in.drops", "lo", count, 20, 0, 1, 20, 39, 0).level("network.interface.virtual", "lo", 1, 0), ""},
		{"drops on a bridge that is none", new(fake).rate("network.interface.in.drops", "br-7", count, 20, 0, 1, 20, 39, 0).level("network.interface.virtual", "br-7", 1, 0), "look 19-20 200 inbound packets dropped"},
		{"open files", new(fake).level("vfs.files.count", "", 20, 10, 20, 950, 20, 10).level("vfs.files.max", "", 1, 1000), "look 19-39 95 % of all open files that the kernel allows"},
		{"semaphores", new(fake).level("ipc.sem.used_sem", "", 20, 10, 40, 31000).level("ipc.sem.max_semid", "", 1, 32000), "look 19-59 97 % of all semaphore sets that the kernel allows"},
		{"database", new(fake).level("filesys.full", "/dev/sda1", 61, 50).set("mssql.databases.data_file_size", "shop", &pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: kib}, level(30, 2000000, 31, 4000000)), "know 29-30 Space used by shop grew from 1.91 GiB to 3.81 GiB in 10 min, 90 % of it within 10 s"},
		{"database, without the capacity of filesystems", new(fake).set("mssql.databases.data_file_size", "shop", &pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: kib}, level(30, 2000000, 31, 4000000)), "know 29-30 Space used by shop grew from 1.91 GiB to 3.81 GiB in 10 min, 90 % of it within 10 s"},
		{"database of MongoDB", new(fake).set("mongodb.dbStats.storageSize", "shop", &pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: octets}, level(30, 2<<30, 31, 5<<30)), "know 29-30 Space used by shop grew from 2 GiB to 5 GiB in 10 min, 90 % of it within 10 s"},
		{"database that grows less", new(fake).level("filesys.full", "/dev/sda1", 61, 50).set("mssql.databases.data_file_size", "shop", &pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: kib}, level(30, 2000000, 31, 3999000)), ""},
		{"collector", new(fake).rate("pmcd.cputime.total", "", ms, 20, 10, 20, 101, 20, 10), "know 19-39 pmcd used 10 % of a CPU for 3 min 20 s"},
		{"collector that is quick", new(fake).rate("pmcd.cputime.total", "", ms, 20, 10, 20, 99, 20, 10), ""},
		{"unknown speed of 16 bits", new(fake).rate("network.interface.in.drops", "eth0", count, 60, 0).set("network.interface.speed", "eth0", &mbit, level(20, 65535e6/8/1048576, 40, 119.2)), ""},
		{"agent", new(fake).level("pmcd.agent.status", "proc", 20, 0, 20, -12386, 20, 0), "look 19-39 The agent proc did not answer for 3 min 20 s; its metrics are missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, findings := NewHost(tt.host).Judge()
			var got []string
			for _, f := range findings {
				got = append(got, fmt.Sprintf("%s %d-%d %s", f.Level, (f.Start-start)/10e9, (f.End-start)/10e9, f.Text))
				if f.Rule == "" || f.Dashboard == "" || len(f.Metrics) == 0 {
					t.Errorf("%+v is not complete", f)
				}
			}
			if strings.Join(got, "\n") != tt.want {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), tt.want)
			}
		})
	}
}

// groups is a host with logged cgroups.
func groups() *fake { return new(fake).level("cgroup.memory.current", "/a/web", 60, 1) }

func ptr[T any](v T) *T { return &v }

// A time since boot that stands still says nothing about the clock, nor does its last record.
func TestUptimeThatStandsStill(t *testing.T) {
	seconds := pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Time: 1, TimeScale: pcp.Sec}}
	f := new(fake).set("kernel.all.uptime", "", &seconds, level(60, 1000))
	if got := judged(f); got != "" || len(NewHost(f).Clock.Steps) > 0 {
		t.Errorf("got %s", got)
	}
	// One that goes on, until the clock is set forward before the last record.
	f = new(fake).every(59, 10, 1, 0)
	f.times[59] += 60e9
	up := level(60, 0)
	for i := range up {
		up[i] = 1000 + 10*float64(i)
	}
	f.set("kernel.all.uptime", "", &seconds, up)
	if steps := NewHost(f).Clock.Steps; len(steps) != 1 || steps[0].By != 60 {
		t.Errorf("steps %+v, want one by 60 s", steps)
	}
}

// A clock that is set back makes one interval too long. Only the time since
// boot reveals that; otherwise the CPUs would seem busier than possible.
func TestClockSteps(t *testing.T) {
	f := new(fake)
	up := make([]float64, 60)
	for i := range up {
		f.times = append(f.times, start+pcp.Time(i)*10e9)
		up[i] = 1000 + 10*float64(i)
		if i >= 30 {
			f.times[i] -= 8e9
		}
	}
	f.cpu(2, 60, 50)
	f.set("kernel.all.uptime", "", &pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Time: 1, TimeScale: pcp.Sec}}, up)
	h := NewHost(f)
	if len(h.Clock.Steps) != 1 || math.Abs(h.Clock.Steps[0].By+8) > 0.01 {
		t.Fatalf("steps %+v", h.Clock.Steps)
	}
	if len(h.Clock.Boots) != 1 || h.Clock.Boots[0] != start-1000e9 {
		t.Errorf("boots %v", h.Clock.Boots)
	}
	busy := h.busy()
	for i, v := range busy.vals {
		if i == 30 {
			if v == v {
				t.Errorf("the sample with the step has %v %%", v)
			}
		} else if i > 0 && math.Abs(v-50) > 1e-6 {
			t.Errorf("sample %d: %v %%", i, v)
		}
	}
	// If the CPU time agrees with the timestamps, the time since boot is what jumps.
	for i := range f.times {
		f.times[i] = start + pcp.Time(i)*10e9
		if i >= 30 {
			up[i] += 100
		}
	}
	if h := NewHost(f); len(h.Clock.Steps) != 0 {
		t.Errorf("steps %+v", h.Clock.Steps)
	}
	up[40] = 5 // started again
	for i := 41; i < 60; i++ {
		up[i] = 5 + 10*float64(i-40)
	}
	if h := NewHost(f); len(h.Clock.Boots) != 2 {
		t.Errorf("boots %v", h.Clock.Boots)
	}
}

// Nothing is carried across a mark, and duplicate rows count once.
func TestTables(t *testing.T) {
	f := new(fake)
	f.rate("a", "", count, 10, 5)
	f.marks = []pcp.Time{start + 45e9}
	r := f.Table("a").Rate(nil)
	for i, v := range r.Columns[0].Vals {
		if i == 0 || i == 5 {
			if v == v {
				t.Errorf("row %d: %v", i, v)
			}
		} else if v != 5 {
			t.Errorf("row %d: %v, want 5", i, v)
		}
	}
	g := new(fake)
	for i := range 20 {
		g.times = append(g.times, start+pcp.Time(i/2)*10e9+pcp.Time(i%2)*15e6)
	}
	vals := level(20, 0)
	for i := range vals {
		vals[i] = float64(i / 2)
	}
	d := counter(count)
	g.set("a", "", &d, vals)
	if n := len(g.Table("a").Times); n != 10 {
		t.Errorf("%d rows, want 10", n)
	}
	backwards := new(fake).set("a", "", &d, []float64{10, 20, 5, 15})
	if v := backwards.Table("a").Rate(nil).Columns[0].Vals; v[1] != 1 || v[2] == v[2] || v[3] != 1 {
		t.Errorf("a counter that goes backwards: %v", v)
	}
	gone := new(fake).set("a", "x", &d, []float64{10, 20, math.NaN(), 40, 50})
	if v := gone.Table("a").Rate(nil).Columns[0].Vals; v[1] != 1 || v[2] == v[2] || v[3] == v[3] || v[4] != 1 {
		t.Errorf("an instance that was away: %v", v)
	}
}

func TestTilesWithoutMetrics(t *testing.T) {
	tiles, findings := NewHost(new(fake)).Judge()
	if len(tiles) != 8 || len(findings) != 0 {
		t.Fatalf("%d tiles, %d findings", len(tiles), len(findings))
	}
	for _, tile := range tiles {
		for _, c := range []api.TileCell{tile.Utilisation, tile.Saturation, tile.Errors} {
			if c.State != "not logged" || c.Why == "" {
				t.Errorf("%s: %+v", tile.Resource, c)
			}
		}
	}
}

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		FormatDuration(0.25): "250 ms", FormatDuration(20): "20 s", FormatDuration(3570): "59 min 30 s", FormatDuration(3600): "1 h", FormatDuration(16282): "4 h 31 min", FormatDuration(100000): "1 day 4 h", FormatDuration(200000): "2 days 8 h", FormatDuration(200000 - 1800): "2 days 7 h", FormatDuration(42510.996): "11 h 49 min", FormatDuration(172700): "2 days", FormatDuration(86399): "24 h",
		Decimals(1234567.89, 1): "1,234,567.9", Decimals(-0.04, 1): "0.0", Decimals(-1234, 0): "−1,234", Decimals(999, 0): "999",
		Quantity(18636, "byte / sec"): "18.2 KiB/s", Quantity(7860812, "Kbyte"): "7.50 GiB", Quantity(4, ""): "4", Quantity(0.5, "millisec"): "0.50 ms", Quantity(120, "count / sec"): "120/s", Quantity(0.25, "millisec / sec"): "25 %",
		Quantity(1500, "none"): "1,500", Quantity(1797, "/ microsec"): "1,797 MHz", Quantity(195, "byte / sec"): "195 B/s", Quantity(37, "temperature (C)"): "37 temperature (C)",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Values of which each is like the one before it count for few: an AR(1) series
// of coefficient r has (1-r)/(1+r) of its values in effect.
func TestEffective(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, r := range []float64{0, 0.5, 0.9} {
		vals, v := make([]float64, 20_000), 0.0
		for i := range vals {
			v = r*v + rng.NormFloat64()
			vals[i] = v
		}
		want := float64(len(vals)) * (1 - r) / (1 + r)
		if got := effective(vals, slices.Sorted(slices.Values(vals))); math.Abs(got-want) > 0.15*want {
			t.Errorf("r = %g: %.0f effective values of %d, want %.0f", r, got, len(vals), want)
		}
	}
	if got := effective([]float64{2, 2, 2}, []float64{2, 2, 2}); got != 3 {
		t.Errorf("a constant: %g, want 3", got)
	}
}

func always(*Shift) bool { return true }

// Of many values all are compared where some of them differ.
func TestDifferOfMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var a, b Sample
	for i := range 3 * maxQuick {
		a.Vals, b.Vals = append(a.Vals, rng.Float64()), append(b.Vals, rng.Float64()+0.5)
		if i%3 == 1 { // never among evenly spaced ones alone
			b.Vals[i] += 0.25
		}
	}
	above := 0
	for _, x := range a.Vals {
		for _, y := range b.Vals {
			if y > x {
				above++
			} else if y < x {
				above--
			}
		}
	}
	if got, want := new(Comparer).Compare(a, b, 0.3, always).Effect, float64(above)/float64(len(a.Vals)*len(b.Vals)); math.Abs(got-want) > 1e-12 {
		t.Errorf("effect %v, want %v", got, want)
	}
}

// Cliff's delta and the Hodges-Lehmann shift, compared with brute force over
// all pairs of values.
func TestDiffer(t *testing.T) {
	seed := uint64(7)
	next := func(n int) float64 {
		seed = seed*6364136223846793005 + 1442695040888963407
		return float64(seed >> 33 % uint64(n))
	}
	for round := range 200 {
		var a, b Sample
		for range 1 + int(next(30)) {
			a.Vals = append(a.Vals, next(10)-5)
		}
		for range 1 + int(next(30)) {
			b.Vals = append(b.Vals, next(12)*float64(round%3)/2)
		}
		var diffs []float64
		sum := 0.0
		for _, x := range a.Vals {
			for _, y := range b.Vals {
				diffs = append(diffs, y-x)
				switch {
				case y > x:
					sum++
				case y < x:
					sum--
				}
			}
		}
		got := new(Comparer).Compare(a, b, 0, always)
		if want := sum / float64(len(diffs)); math.Abs(got.Effect-want) > 1e-12 {
			t.Fatalf("effect %v, want %v", got.Effect, want)
		}
		if want := trend.Median(diffs); got.Effect != 0 && math.Abs(got.By-want) > 1e-9 {
			t.Fatalf("shift %v, want %v of %v and %v", got.By, want, a.Vals, b.Vals)
		}
	}
}

// How long a program has run is another value at each moment, whatever happens.
func TestUptimesAreUninteresting(t *testing.T) {
	for metric, want := range map[string]bool{"kernel.all.uptime": true, "apache.uptime": true, "apache.total_accesses": false} {
		if Uninteresting(metric) != want {
			t.Errorf("%s: %v", metric, !want)
		}
	}
}

// A logger that is restarted within a minute, or anew each day, does not end what lasts; what was
// between two recordings ten minutes apart is unknown.
func TestEpisodesAcrossABreak(t *testing.T) {
	for _, c := range []struct {
		apart int // seconds
		want  []float64
	}{{2, []float64{1080}}, {60, []float64{1080}}, {150, []float64{1080}}, {600, []float64{540, 540}}} {
		var s signal
		for i := range 20 {
			at := 60 * i
			if i >= 10 {
				at += c.apart - 60
			}
			first := i == 0 || i == 10 // of a recording: there is no rate yet
			s.times, s.broken, s.vals = append(s.times, pcp.Time(at)*1e9), append(s.broken, first), append(s.vals, 99)
			if first {
				s.vals[i] = math.NaN()
			}
		}
		var got []float64
		for _, e := range s.episodes(above(85), 120, 300) {
			got = append(got, e.lasted)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d s apart: %v, want %v", c.apart, got, c.want)
		}
	}
}
