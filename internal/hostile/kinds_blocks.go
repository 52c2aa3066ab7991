package hostile

import (
	"fmt"
	"strings"

	"pcpscope/core/pcp"
)

var blockKinds = []archiveKind{
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
	{name: "parameters of an event record", fill: func(e *encoder, n int) {
		e.desc(pcp.Desc{PMID: id(0), Type: pcp.HighresEvent, InDom: none, Sem: pcp.Instant}, "a.b")
		e.metric(1, none, pcp.Instant, "a.p")
		for k := range 3 {
			b := put(nil, 1, 0, word(epoch+k), 0, 0, 1, word(n))
			for i := range n {
				b = put(b, word(id(1+i%500)), 1<<24|8, word(i))
			}
			e.result(0, k, set{pmid: id(0), typ: pcp.HighresEvent, insts: []int{-1}, blocks: [][]byte{b}})
		}
	}},
	{name: "event records that are missing", fill: func(e *encoder, n int) {
		e.desc(pcp.Desc{PMID: id(0), Type: pcp.Event, InDom: none, Sem: pcp.Instant}, "a.b")
		for k := range n {
			e.result(0, k, set{pmid: id(0), typ: pcp.Event, insts: []int{-1}, blocks: [][]byte{put(nil, 1, word(epoch+k), 0, 1<<31, word(k))}})
		}
	}},
	{name: "aggregates", fill: func(e *encoder, n int) {
		e.desc(pcp.Desc{PMID: id(0), Type: pcp.Aggregate, InDom: none, Sem: pcp.Instant}, "a.b")
		for k := range n {
			e.result(0, k, set{pmid: id(0), typ: pcp.Aggregate, insts: []int{-1}, blocks: [][]byte{put(nil, word(k), word(k))}})
		}
	}},
	{name: "event arrays", fill: func(e *encoder, n int) {
		e.desc(pcp.Desc{PMID: id(0), Type: pcp.Event, InDom: none, Sem: pcp.Instant}, "a.b")
		e.metric(1, none, pcp.Instant, "a.p")
		for k := range n {
			e.result(0, k, set{pmid: id(0), typ: pcp.Event, insts: []int{-1}, blocks: [][]byte{put(nil, 1, word(epoch+k), 0, 1, 1, word(id(1)), 1<<24|8, 5)}})
		}
	}},
}
