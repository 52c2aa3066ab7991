package hostile

import (
	"fmt"

	"pcpscope/core/pcp"
)

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
	{name: "metrics, and volumes with holes between them", fill: func(e *encoder, n int) {
		for i := range n / 4 {
			e.metric(i, none, pcp.Counter, fmt.Sprint("a.b", i))
			e.result(2*i, i, set{pmid: id(i), pairs: []pair{{-1, i}}})
			for range 5 {
				e.entry(i, 2*i, 132, 132)
			}
		}
	}},
	{name: "metrics and marks", fill: func(e *encoder, n int) {
		for i := range n {
			e.metric(i, none, pcp.Counter, fmt.Sprint("a.b", i))
			e.one(2*i, id(i), -1, i)
			e.result(0, 2*i+1)
		}
	}},
	{name: "metrics and damaged records", fill: func(e *encoder, n int) {
		for i := range n {
			e.metric(i, none, pcp.Counter, fmt.Sprint("a.b", i))
			e.one(i, id(i), -1, i)
			e.result(0, i, set{pmid: id(0), pairs: []pair{{-1, i}}})
			v := e.volumes[0]
			v[len(v)-16]++ // its format
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

// lookalikes ends a volume with the beginnings of n records, each with a length
// that extends beyond them all, and with the given number of value sets. What
// follows each is two sound value sets, the second of which has the beginning of
// the next record as its values: only at its end is none of them a record.
func lookalikes(e *encoder, n, sets int) {
	e.metric(0, none, pcp.Counter, "a.b")
	e.one(0, id(0), -1, 1)
	e.volume(0, put(nil, 1))
	const cell = 36
	var b []byte
	for i := range n {
		length := word(cell*n + 4*i + 4 - cell*i)
		b = put(b, length, epoch+1, word(i), word(sets), 0, 0, 1, 2, 0)
	}
	for i := range n {
		b = put(b, word(cell*n+4*i+4-cell*i))
	}
	e.volume(0, b)
}
