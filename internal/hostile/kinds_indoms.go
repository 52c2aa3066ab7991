package hostile

import (
	"fmt"
	"strings"

	"pcpscope/core/pcp"
)

var inDomKinds = []archiveKind{
	{name: "instances", fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Counter, "a.b")
		e.instances(dom, 0, 0, n)
		wide(e, []int{0}, n, 4)
	}},
	{name: "metrics of many instances", fill: func(e *encoder, n int) {
		which := []int{0, 1, 2, 3}
		for i, name := range []string{"disk.dev.total", "disk.dev.write", "network.interface.in.bytes", "a.b"} {
			e.metric(i, dom, pcp.Counter, name)
		}
		e.instances(dom, 0, 0, n/4)
		wide(e, which, n/4, 4)
	}},
	{name: "processes, another in each record", fill: func(e *encoder, n int) {
		names := []string{"proc.psinfo.utime", "proc.psinfo.stime", "proc.psinfo.rss"}
		for i, name := range names {
			e.metric(i, dom, pcp.Counter, name)
		}
		n /= 8
		e.instances(dom, 0, 0, n)
		for i := range n {
			var sets []set
			for m := range names {
				sets = append(sets, set{pmid: id(m), pairs: []pair{{i, 100 * (i + 1)}}})
			}
			e.result(0, 10*i, sets...)
		}
	}},
	{name: "processes", fill: func(e *encoder, n int) {
		names := []string{"proc.psinfo.utime", "proc.psinfo.stime", "proc.psinfo.pid", "proc.psinfo.rss", "proc.io.read_bytes"}
		which := make([]int, len(names))
		for i, name := range names {
			e.metric(i, dom, pcp.Counter, name)
			which[i] = i
		}
		e.instances(dom, 0, 0, n/8)
		wide(e, which, n/8, 4)
	}},
	{name: "filesystems, disks and interfaces", fill: func(e *encoder, n int) {
		which := []int{}
		for i, name := range []string{"filesys.full", "filesys.used", "filesys.capacity", "disk.dev.avactive", "disk.dev.total", "network.interface.out.bytes", "kernel.percpu.cpu.user", "kernel.percpu.cpu.idle"} {
			e.metric(i, dom, pcp.Counter, name)
			which = append(which, i)
		}
		e.instances(dom, 0, 0, n/8)
		wide(e, which, n/8, 4)
	}},
	{name: "cgroups", fill: func(e *encoder, n int) {
		which := []int{}
		for i, name := range []string{"cgroup.cpu.stat.usage", "cgroup.memory.current", "cgroup.pressure.cpu.some.total"} {
			e.metric(i, dom, pcp.Counter, name)
			which = append(which, i)
		}
		var table strings.Builder
		ids, offsets := make([]int, n/4), make([]int, n/4)
		for i := range ids {
			ids[i], offsets[i] = i, table.Len()
			fmt.Fprintf(&table, "/system.slice/s%d.service/x\x00", i)
		}
		e.indom(dom, 0, ids, offsets, table.String())
		wide(e, which, n/4, 4)
	}},
	{name: "metrics and instances of one domain", fill: func(e *encoder, n int) {
		for i := range n {
			e.metric(i, dom, pcp.Counter, fmt.Sprint("a.b", i))
		}
		e.instances(dom, 0, 0, n)
		for k := range 2 {
			sets := make([]set, n)
			for i := range n {
				sets[i] = set{pmid: id(i), pairs: []pair{{n - 1 - i, k}}}
			}
			e.result(0, k, sets...)
		}
	}},
	{name: "domains", fill: func(e *encoder, n int) {
		for i := range n {
			d := pcp.MakeInDom(60, i)
			e.metric(i, d, pcp.Counter, fmt.Sprint("a.b", i))
			e.instances(d, 0, 0, 2)
		}
		values(e, 0)
	}},
	{name: "full records, another instance in each", fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Counter, "a.b")
		for i := range n {
			e.indom(dom, i, []int{i}, []int{0}, "x\x00\x00\x00")
		}
		for i := range 3 {
			e.one(i, id(0), i, i)
		}
	}},
	{name: "full records, one instance", fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Counter, "a.b")
		for i := range n {
			e.indom(dom, i, []int{1}, []int{0}, "x\x00\x00\x00")
		}
		e.one(1, id(0), 1, 1)
	}},
	{name: "an instance that is renamed", fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Counter, "a.b")
		for i := range n {
			e.indom(dom, i, []int{1}, []int{0}, fmt.Sprint("x", i, "\x00"))
		}
		for i := range n {
			e.one(i, id(0), 1, i)
		}
	}},
	{name: "full records at one time", fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Counter, "a.b")
		for i := range n {
			e.indom(dom, 0, []int{i % 3}, []int{0}, "x\x00\x00\x00")
		}
		e.one(1, id(0), 1, 1)
	}},
	{name: "full records, latest first", fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Counter, "a.b")
		for i := range n {
			e.indom(dom, n-i, []int{i}, []int{0}, "x\x00\x00\x00")
		}
		e.one(1, id(0), 1, 1)
	}},
	{name: "deltas that add", version: 3, fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Counter, "a.b")
		e.instances(dom, 0, 0, 2)
		for i := range n {
			e.delta(dom, i+1, []int{i + 2}, []int{0}, "x\x00\x00\x00")
		}
		e.one(1, id(0), 1, 1)
	}},
	{name: "deltas that add and take away", version: 3, fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Counter, "a.b")
		e.instances(dom, 0, 0, n)
		for i := range n {
			e.delta(dom, i+1, []int{i, n + i}, []int{-1, 0}, "x\x00\x00\x00")
		}
		for i := range n {
			e.one(i, id(0), i, 1)
		}
	}},
	{name: "an instance that comes and goes", version: 3, fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Counter, "a.b")
		e.instances(dom, 0, 0, 20)
		for i := range n {
			e.delta(dom, i+1, []int{5}, []int{i%2 - 1}, "x\x00\x00\x00")
		}
		e.one(1, id(0), 1, 1)
	}},
	{name: "large domains that change", version: 3, fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Counter, "a.b")
		for i := range root(n) {
			e.instances(dom, i, i, root(n))
		}
		e.one(1, id(0), 1, 1)
	}},
	{name: "instances that share a long name", fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Counter, "a.b")
		ids, offsets := make([]int, n), make([]int, n)
		for i := range ids {
			ids[i] = i
		}
		e.indom(dom, 0, ids, offsets, strings.Repeat("x", 5000)+"\x00")
		for i := range 3 {
			e.one(i, id(0), i, i)
		}
	}},
	{name: "instances of one name", fill: func(e *encoder, n int) {
		named(e, n, func(int) string { return "same" })
	}},
	{name: "instances with empty names", fill: func(e *encoder, n int) {
		named(e, n, func(int) string { return "" })
	}},
	{name: "instances with long names", fill: func(e *encoder, n int) {
		named(e, n/16, func(i int) string { return fmt.Sprint(strings.Repeat("name ", 60), i) })
	}},
	{name: "instances with deep names", fill: func(e *encoder, n int) {
		named(e, n/16, func(i int) string { return strings.Repeat("/a.slice", 30) + fmt.Sprint("/", i) })
	}},
	{name: "instances whose names begin alike", fill: func(e *encoder, n int) {
		named(e, n, func(i int) string { return fmt.Sprint("i", i, " same") })
	}},
	{name: "help texts of domains", fill: func(e *encoder, n int) {
		for i := range n {
			d := pcp.MakeInDom(60, i)
			e.metric(i, d, pcp.Instant, fmt.Sprint("a.b", i))
			e.help(9, word(d), "what they are")
			e.help(10, word(d), "what they are, at length")
		}
		values(e, 0)
	}},
	{name: "an instance twice in a record", fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Counter, "a.b")
		ids, offsets := make([]int, n), make([]int, n)
		e.indom(dom, 0, ids, offsets, "x\x00")
		pairs := make([]pair, n)
		for i := range 3 {
			e.result(0, i, set{pmid: id(0), pairs: pairs})
		}
	}},
}

// named is a metric of n instances with names, in a few records.
func named(e *encoder, n int, name func(i int) string) {
	e.metric(0, dom, pcp.Counter, "a.b")
	var table strings.Builder
	ids, offsets := make([]int, n), make([]int, n)
	for i := range ids {
		ids[i], offsets[i] = i, table.Len()
		table.WriteString(name(i) + "\x00")
	}
	e.indom(dom, 0, ids, offsets, table.String())
	wide(e, []int{0}, n, 3)
}

// wide appends records in which some metrics have n instances each.
func wide(e *encoder, which []int, n, records int) {
	for k := range records {
		var sets []set
		for _, m := range which {
			pairs := make([]pair, n)
			for j := range pairs {
				pairs[j] = pair{j, 1000 * k * (j%7 + 1)}
			}
			sets = append(sets, set{pmid: id(m), pairs: pairs})
		}
		e.result(0, 60*k, sets...)
	}
}
