package hostile

import (
	"fmt"
	"math/rand/v2"

	"pcpscope/core/pcp"
)

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
