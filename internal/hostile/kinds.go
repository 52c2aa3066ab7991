package hostile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"pcpscope/core"
	"pcpscope/core/pcp"
)

// A Kind is a kind of input with a count or length that can be made as large
// as one likes.
type Kind struct {
	Name string
	Make func(n int) []core.File
}

var (
	none = pcp.NullInDom
	dom  = pcp.MakeInDom(60, 1)
)

// Kinds returns inputs of every kind that the formats allow: each count and
// each length large, each kind of record repeated, names long, deep, equal
// and empty.
func Kinds() []Kind {
	var list []Kind
	for _, kinds := range [][]archiveKind{metricKinds, inDomKinds, labelKinds, valueKinds, volumeKinds} {
		for i, k := range kinds {
			version := 2 + i%2
			if k.version != 0 {
				version = k.version
			}
			list = append(list, Kind{k.name, func(n int) []core.File {
				e := newEncoder(version)
				k.fill(e, n)
				return e.files()
			}})
		}
	}
	return append(list, otherKinds...)
}

type archiveKind struct {
	name    string
	fill    func(e *encoder, n int)
	version int // 0: any
}

// few values of one metric, for archives whose metadata are the matter.
func values(e *encoder, i int) {
	for k := range 3 {
		e.one(60*k, id(i), -1, 10*k)
	}
}

// root is for shapes whose size grows with the square of a number.
func root(n int) int { return max(1, int(math.Sqrt(float64(n)))) }

var metricKinds = []archiveKind{
	{name: "descriptors without a name", fill: func(e *encoder, n int) {
		e.metric(n, none, pcp.Instant, "a.b")
		for i := range n {
			e.metric(i, none, pcp.Instant)
		}
		values(e, n)
	}},
	{name: "values without a descriptor", fill: func(e *encoder, n int) {
		e.metric(n, none, pcp.Instant, "a.b")
		for k := range 2 {
			sets := make([]set, n)
			for i := range n {
				sets[i] = set{pmid: id(i), pairs: []pair{{-1, i + k}}}
			}
			e.result(0, k, sets...)
		}
	}},
	{name: "names at the top", fill: func(e *encoder, n int) {
		for i := range n {
			e.metric(i, none, pcp.Counter, fmt.Sprint("n", i))
		}
		for k := range 2 {
			for i := range n {
				e.one(k, id(i), -1, k)
			}
		}
	}},
	{name: "names in folders", fill: func(e *encoder, n int) {
		sets := make([]set, n)
		for i := range n {
			e.metric(i, none, pcp.Instant, fmt.Sprintf("m%d.n%d.k%d", i%10, i/100, i))
			sets[i] = set{pmid: id(i), pairs: []pair{{-1, 1}}}
		}
		e.result(0, 0, sets...)
	}},
	{name: "a folder each", fill: func(e *encoder, n int) {
		for i := range n {
			e.metric(i, none, pcp.Instant, fmt.Sprintf("g%d.a.b.c", i))
		}
		values(e, n/2)
	}},
	{name: "names that are equal", fill: func(e *encoder, n int) {
		for i := range n {
			e.metric(i, none, pcp.Instant, "a.b")
		}
		values(e, 0)
	}},
	{name: "empty names", fill: func(e *encoder, n int) {
		for i := range n {
			e.metric(i, none, pcp.Instant, "")
		}
		values(e, 0)
	}},
	{name: "names of one metric", fill: func(e *encoder, n int) {
		names := make([]string, n)
		for i := range n {
			names[i] = fmt.Sprintf("a.n%d", i)
		}
		e.metric(0, none, pcp.Counter, names...)
		values(e, 0)
	}},
	{name: "a name of dots", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, strings.Repeat("a.", 10*n)+"a")
		values(e, 0)
	}},
	{name: "a long name", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "a."+strings.Repeat("x", 20*n))
		values(e, 0)
	}},
	{name: "names below names", fill: func(e *encoder, n int) {
		deep := ""
		for i := range root(20 * n) {
			deep += "a."
			e.metric(i, none, pcp.Counter, deep+"a")
		}
		values(e, 0)
	}},
	{name: "names that are the beginning of others", fill: func(e *encoder, n int) {
		for i := range n {
			e.metric(2*i, none, pcp.Counter, fmt.Sprintf("a.n%d.x", i))
			e.metric(2*i+1, none, pcp.Counter, fmt.Sprintf("a.n%d", i))
		}
		values(e, 0)
	}},
	{name: "a metric described again", fill: func(e *encoder, n int) {
		for range n {
			e.metric(0, none, pcp.Counter, "a.b")
		}
		values(e, 0)
	}},
	{name: "a metric described otherwise", fill: func(e *encoder, n int) {
		for i := range n {
			e.desc(pcp.Desc{PMID: id(0), Type: pcp.Type(i % 5), InDom: none, Sem: pcp.Counter}, fmt.Sprint("a.b", i%7))
		}
		values(e, 0)
	}},
	{name: "help texts", fill: func(e *encoder, n int) {
		for i := range n {
			e.metric(i, none, pcp.Instant, fmt.Sprint("a.b", i))
			e.help(5, word(id(i)), "what it is")
			e.help(6, word(id(i)), "what it is, at length")
		}
		values(e, 0)
	}},
	{name: "a long help text", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Instant, "a.b")
		e.help(6, word(id(0)), strings.Repeat("Helpful. ", 10*n))
		values(e, 0)
	}},
	{name: "a help text again and again", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Instant, "a.b")
		for i := range n {
			e.help(6, word(id(0)), fmt.Sprint("Helpful ", i))
		}
		values(e, 0)
	}},
	{name: "metadata of a type that does not exist", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Instant, "a.b")
		for range n {
			e.meta = append(e.meta, record(put(nil, 99, 1, 2))...)
		}
		values(e, 0)
	}},
	{name: "damaged metadata", fill: func(e *encoder, n int) {
		for i := range n {
			e.metric(i, none, pcp.Instant, fmt.Sprint("a.b", i))
			e.meta = put(e.meta, 7, 0xffffffff, 24)
		}
		values(e, 0)
	}},
	{name: "metadata whose lengths disagree", fill: func(e *encoder, n int) {
		for i := range n {
			e.metric(i, none, pcp.Instant, fmt.Sprint("a.b", i))
			e.meta[len(e.meta)-1]++
		}
		values(e, 0)
	}},
	{name: "metadata of zeros", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Instant, "a.b")
		e.meta = append(e.meta, make([]byte, 40*n)...)
		values(e, 0)
	}},
}

var inDomKinds = []archiveKind{
	{name: "instances", fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Counter, "a.b")
		e.instances(dom, 0, 0, n)
		wide(e, []int{0}, n, 4)
	}},
	{name: "metrics of many instances", fill: func(e *encoder, n int) {
		which := []int{0, 1, 2, 3}
		for i, name := range []string{"disk.dev.read", "disk.dev.write", "network.interface.in.bytes", "a.b"} {
			e.metric(i, dom, pcp.Counter, name)
		}
		e.instances(dom, 0, 0, n/4)
		wide(e, which, n/4, 4)
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

var labelKinds = []archiveKind{
	{name: "label records", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Instant, "a.b")
		for i := range n {
			e.labelRecord(1, 0xffffffff, i, labels{-1, `{"a":1}`})
		}
		values(e, 0)
	}},
	{name: "label records, latest first", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Instant, "a.b")
		for i := range n {
			e.labelRecord(1, 0xffffffff, n-i, labels{-1, `{"a":1}`})
		}
		values(e, 0)
	}},
	{name: "label records of one time", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Instant, "a.b")
		for range n {
			e.labelRecord(1, 0xffffffff, 0, labels{-1, `{"a":1}`})
		}
		values(e, 0)
	}},
	{name: "label records without sets", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Instant, "a.b")
		for i := range n {
			e.labelRecord(16, word(id(0)), i)
		}
		values(e, 0)
	}},
	{name: "labels of instances", fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Counter, "a.b")
		e.instances(dom, 0, 0, n)
		sets := make([]labels, n)
		for i := range sets {
			sets[i] = labels{i, `{"a":1}`}
		}
		e.labelRecord(32, word(dom), 0, sets...)
		wide(e, []int{0}, n, 2)
	}},
	{name: "labels of items", fill: func(e *encoder, n int) {
		for i := range n {
			e.metric(i, none, pcp.Instant, fmt.Sprint("a.b", i))
			e.labelRecord(16, word(id(i)), 0, labels{-1, `{"a":1,"b":{"c":"d"}}`})
		}
		values(e, 0)
	}},
	{name: "many labels in a set", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Instant, "a.b")
		for k := range max(1, n/4000) {
			e.metric(k+1, none, pcp.Instant, fmt.Sprint("a.c", k))
			var text strings.Builder
			for i := range min(n, 4000) {
				fmt.Fprintf(&text, `,"b%d":%d`, min(n, 4000)-i, i)
			}
			e.labelRecord(16, word(id(k+1)), 0, labels{-1, "{" + text.String()[1:] + "}"})
		}
		values(e, 0)
	}},
	{name: "labels that all metrics share", fill: func(e *encoder, n int) {
		e.labelRecord(1, 0xffffffff, 0, labels{-1, `{"a":"` + strings.Repeat("x", min(n, 60_000)) + `"}`})
		for i := range n {
			e.metric(i, none, pcp.Instant, fmt.Sprint("a.b", i))
		}
		values(e, 0)
	}},
	{name: "deep labels", fill: func(e *encoder, n int) {
		for k := range max(1, n/6000) {
			depth := min(n, 6000)
			e.metric(k, none, pcp.Instant, fmt.Sprint("a.c", k))
			e.labelRecord(16, word(id(k)), 0, labels{-1, strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth)})
		}
		values(e, 0)
	}},
	{name: "deep lists in labels", fill: func(e *encoder, n int) {
		for k := range max(1, n/30_000) {
			depth := min(n, 30_000)
			e.metric(k, none, pcp.Instant, fmt.Sprint("a.c", k))
			e.labelRecord(16, word(id(k)), 0, labels{-1, `{"a":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + "}"})
		}
		values(e, 0)
	}},
}

var valueKinds = []archiveKind{
	{name: "records", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "a.b")
		for i := range n {
			e.one(i, id(0), -1, i*i)
		}
	}},
	{name: "records that repeat", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Instant, "a.b")
		for i := range n {
			e.one(i, id(0), -1, 7)
		}
	}},
	{name: "records at one time", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "a.b")
		for i := range n {
			e.one(0, id(0), -1, i)
		}
	}},
	{name: "records that go back in time", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "a.b")
		for i := range n {
			e.one(n-i, id(0), -1, i)
		}
	}},
	{name: "records whose stamps jump", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "a.b")
		for i := range n {
			e.one(i+i%3*100_000, id(0), -1, i)
		}
	}},
	{name: "marks", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Instant, "a.b")
		e.one(0, id(0), -1, 1)
		for i := range n {
			e.result(0, i+1)
		}
		e.one(n+1, id(0), -1, 1)
	}},
	{name: "marks between values", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "kernel.all.cpu.user")
		for i := range n {
			e.one(2*i, id(0), -1, i)
			e.result(0, 2*i+1)
		}
	}},
	{name: "marks, and then a counter that falls", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "a.b")
		for i := range n {
			e.result(0, i)
		}
		for i := range n {
			e.one(n+i, id(0), -1, 2*n-i)
		}
	}},
	{name: "counters that fall", fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Counter, "a.b")
		e.instances(dom, 0, 0, n)
		for k := range 4 {
			pairs := make([]pair, n)
			for j := range pairs {
				pairs[j] = pair{j, 100 - k}
			}
			e.result(0, 60*k, set{pmid: id(0), pairs: pairs})
		}
	}},
	{name: "error codes", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "a.b")
		for i := range n {
			e.result(0, i, set{pmid: id(0), code: -(i + 1)})
		}
	}},
	{name: "error codes between values", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "a.b")
		for i := range n {
			e.result(0, 2*i, set{pmid: id(0), code: -(i%50 + 1)})
			e.one(2*i+1, id(0), -1, i)
		}
	}},
	{name: "value sets of one metric in a record", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "a.b")
		for k := range 3 {
			sets := make([]set, n)
			for i := range sets {
				sets[i] = set{pmid: id(0), pairs: []pair{{-1, i + k}}}
			}
			e.result(0, k, sets...)
		}
	}},
	{name: "records of different metrics", fill: func(e *encoder, n int) {
		m := root(n)
		for i := range m {
			e.metric(i, none, pcp.Counter, fmt.Sprint("a.b", i))
		}
		for i := range n {
			e.result(0, i, set{pmid: id(i % m), pairs: []pair{{-1, i}}}, set{pmid: id(i / m % m), pairs: []pair{{-1, i}}})
		}
	}},
	{name: "metrics that drop out one by one", fill: func(e *encoder, n int) {
		m := root(4 * n)
		for i := range m {
			e.metric(i, none, pcp.Counter, fmt.Sprint("a.b", i))
		}
		for k := range m {
			sets := make([]set, m-k)
			for i := range sets {
				sets[i] = set{pmid: id(i), pairs: []pair{{-1, k}}}
			}
			e.result(0, k, sets...)
		}
	}},
	{name: "instances that move through a domain", fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Counter, "a.b")
		e.instances(dom, 0, 0, n)
		for i := range n {
			e.result(0, i, set{pmid: id(0), pairs: []pair{{i, i}, {(i + 1) % n, i}}})
		}
	}},
	{name: "instances in another order each time", fill: func(e *encoder, n int) {
		m := root(4 * n)
		e.metric(0, dom, pcp.Counter, "a.b")
		e.instances(dom, 0, 0, m)
		for k := range m {
			pairs := make([]pair, m)
			for j := range pairs {
				pairs[j] = pair{(j + k*7) % m, k}
			}
			e.result(0, k, set{pmid: id(0), pairs: pairs})
		}
	}},
	{name: "instances without names", fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Counter, "a.b")
		for k := range 3 {
			pairs := make([]pair, n)
			for j := range pairs {
				pairs[j] = pair{j * 3, k}
			}
			e.result(0, k, set{pmid: id(0), pairs: pairs})
		}
	}},
	{name: "instances that all change in ways of their own", fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Instant, "a.b")
		n /= 8
		e.instances(dom, 0, 0, n)
		random := rand.New(rand.NewPCG(1, 2))
		for k := range 40 {
			pairs := make([]pair, n)
			for j := range pairs {
				pairs[j] = pair{j, random.IntN(1000) + k/20*(500+j)}
			}
			e.result(0, 60*k, set{pmid: id(0), pairs: pairs})
		}
	}},
	{name: "numbers in blocks", fill: func(e *encoder, n int) {
		e.desc(pcp.Desc{PMID: id(0), Type: pcp.Uint64, InDom: dom, Sem: pcp.Counter}, "a.b")
		e.instances(dom, 0, 0, n/2)
		for k := range 4 {
			s := set{pmid: id(0), typ: pcp.Uint64}
			for j := range n / 2 {
				s.insts, s.blocks = append(s.insts, j), append(s.blocks, put(nil, word(k), word(j)))
			}
			e.result(0, k, s)
		}
	}},
	{name: "texts", fill: func(e *encoder, n int) {
		e.desc(pcp.Desc{PMID: id(0), Type: pcp.String, InDom: none, Sem: pcp.Discrete}, "a.b")
		for k := range n {
			e.result(0, k, set{pmid: id(0), typ: pcp.String, insts: []int{-1}, blocks: [][]byte{fmt.Appendf(nil, "text %d\x00", k)}})
		}
	}},
	{name: "texts of instances", fill: func(e *encoder, n int) {
		e.desc(pcp.Desc{PMID: id(0), Type: pcp.String, InDom: dom, Sem: pcp.Discrete}, "a.b")
		e.instances(dom, 0, 0, n/2)
		for k := range 4 {
			s := set{pmid: id(0), typ: pcp.String}
			for j := range n / 2 {
				s.insts, s.blocks = append(s.insts, j), append(s.blocks, fmt.Appendf(nil, "t%d", j%3*k))
			}
			e.result(0, k, s)
		}
	}},
	{name: "a long text", fill: func(e *encoder, n int) {
		e.desc(pcp.Desc{PMID: id(0), Type: pcp.String, InDom: none, Sem: pcp.Discrete}, "a.b")
		for k := range 3 {
			e.result(0, k, set{pmid: id(0), typ: pcp.String, insts: []int{-1}, blocks: [][]byte{[]byte(strings.Repeat(fmt.Sprint(k), min(20*n, 1<<24-9)))}})
		}
	}},
	{name: "values of another type than the metric's", fill: func(e *encoder, n int) {
		e.desc(pcp.Desc{PMID: id(0), Type: pcp.Uint64, InDom: none, Sem: pcp.Counter}, "a.b")
		for k := range n {
			if k%2 == 0 {
				e.one(k, id(0), -1, k)
			} else {
				e.result(0, k, set{pmid: id(0), typ: pcp.Double, insts: []int{-1}, blocks: [][]byte{put(nil, 0, word(k))}})
			}
		}
	}},
	{name: "event records", fill: func(e *encoder, n int) {
		e.desc(pcp.Desc{PMID: id(0), Type: pcp.Event, InDom: none, Sem: pcp.Instant}, "a.b")
		e.metric(1, none, pcp.Instant, "a.p")
		for k := range 3 {
			b := put(nil, word(n))
			for i := range n {
				b = put(b, word(epoch+k), word(i), 1, 1, word(id(1)), 1<<24|8, word(i))
			}
			if len(b) < 1<<24-8 {
				e.result(0, k, set{pmid: id(0), typ: pcp.Event, insts: []int{-1}, blocks: [][]byte{b}})
			}
		}
	}},
	{name: "event arrays", fill: func(e *encoder, n int) {
		e.desc(pcp.Desc{PMID: id(0), Type: pcp.Event, InDom: none, Sem: pcp.Instant}, "a.b")
		e.metric(1, none, pcp.Instant, "a.p")
		for k := range n {
			e.result(0, k, set{pmid: id(0), typ: pcp.Event, insts: []int{-1}, blocks: [][]byte{put(nil, 1, word(epoch+k), 0, 1, 1, word(id(1)), 1<<24|8, 5)}})
		}
	}},
	{name: "metrics logged at different times", fill: func(e *encoder, n int) {
		m := root(n)
		for i := range m {
			e.metric(i, none, pcp.Instant, fmt.Sprint("a.b", i))
		}
		for k := range n {
			e.one(k, id(k%m), -1, k)
		}
	}},
	{name: "a metric each second, many once", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "kernel.all.cpu.user")
		for i := range n {
			e.metric(i+1, none, pcp.Instant, fmt.Sprint("a.b", i))
			e.one(i, id(0), -1, i)
			e.one(i, id(i+1), -1, i)
		}
	}},
}

var volumeKinds = []archiveKind{
	{name: "volumes", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "a.b")
		for i := range n / 4 {
			e.result(i, i, set{pmid: id(0), pairs: []pair{{-1, i}}})
			e.entry(i, i, 132, 132)
		}
	}},
	{name: "volumes with holes between them", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "a.b")
		for i := range n / 4 {
			e.result(2*i, i, set{pmid: id(0), pairs: []pair{{-1, i}}})
			for range 5 {
				e.entry(i, 2*i, 132, 132)
			}
		}
	}},
	{name: "entries of the index", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "a.b")
		for i := range 3 {
			e.one(i, id(0), -1, i)
		}
		for i := range n {
			e.entry(i, 0, 132, 132)
		}
	}},
	{name: "entries that cannot be", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "a.b")
		for i := range 3 {
			e.one(i, id(0), -1, i)
		}
		for i := range n {
			e.entry(n-i, -i, 1, 2)
		}
	}},
	{name: "entries for volumes that are missing", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "a.b")
		for i := range 3 {
			e.one(i, id(0), -1, i)
		}
		for i := range n {
			e.entry(i, i, 1000, 1000)
		}
	}},
	{name: "damaged records between good ones", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "a.b")
		for i := range n {
			e.one(i, id(0), -1, i)
			e.result(0, i, set{pmid: id(0), pairs: []pair{{-1, i}}})
			v := e.volumes[0]
			v[len(v)-16]++ // its format
		}
	}},
	{name: "noise between records", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "a.b")
		for i := range n {
			e.one(i, id(0), -1, i)
			e.volume(0, put(nil, word(i), 3, 0xffffffff))
		}
	}},
	{name: "a volume of zeros", fill: func(e *encoder, n int) {
		e.metric(0, none, pcp.Counter, "a.b")
		e.one(0, id(0), -1, 1)
		e.volume(0, make([]byte, 40*n))
	}},
	{name: "what looks like the beginning of records", version: 2, fill: func(e *encoder, n int) {
		lookalikes(e, n, 8)
	}},
	{name: "what looks like the beginning of large records", version: 2, fill: func(e *encoder, n int) {
		lookalikes(e, n, n)
	}},
}

// lookalikes ends a volume with the beginnings of n records, each as long as
// up to a length of its own behind them all, with so many value sets.
func lookalikes(e *encoder, n, sets int) {
	e.metric(0, none, pcp.Counter, "a.b")
	e.one(0, id(0), -1, 1)
	e.volume(0, put(nil, 1))
	const cell = 32
	var b []byte
	for i := range n {
		length := word(cell*n + 4*i + 4 - cell*i)
		b = put(b, length, epoch+1, word(i), word(sets), 0, 0, 1, 0)
	}
	for i := range n {
		b = put(b, word(cell*n+4*i+4-cell*i))
	}
	e.volume(0, b)
}
