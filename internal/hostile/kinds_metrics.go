package hostile

import (
	"fmt"
	"strings"

	"pcpscope/core/pcp"
)

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
