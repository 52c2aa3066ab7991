package hostile

import (
	"fmt"
	"strings"

	"pcpscope/core/pcp"
)

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
	{name: "metrics, and label records later on", fill: func(e *encoder, n int) { // the labels of a metric are those at the start
		for i := range n {
			e.metric(i, none, pcp.Instant, fmt.Sprint("a.b", i))
			e.labelRecord(1, 0xffffffff, i, labels{-1, `{"a":1}`})
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
	{name: "labels of agents, clusters and domains", fill: func(e *encoder, n int) {
		for i := range n {
			d := pcp.MakeInDom(1+i/1000%500, i)
			e.metric(i, d, pcp.Instant, fmt.Sprint("a.b", i))
			e.labelRecord(4, word(d), 0, labels{-1, `{"a":1}`})
			e.labelRecord(8, word(id(i))>>10, i, labels{-1, `{"b":1}`})
			e.labelRecord(2, word(d.Domain()), i, labels{-1, `{"c":1}`})
		}
		values(e, 0)
	}},
	{name: "labels of an instance, again and again", fill: func(e *encoder, n int) {
		e.metric(0, dom, pcp.Counter, "a.b")
		e.instances(dom, 0, 0, 20)
		for i := range n {
			e.labelRecord(32, word(dom), i, labels{i % 20, fmt.Sprintf(`{"a":%d}`, i)})
		}
		wide(e, []int{0}, 20, 2)
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
