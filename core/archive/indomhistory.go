package archive

import (
	"cmp"
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// A history is an instance domain over time.
type history struct {
	stamps  []pcp.Time // of the records, in order
	insts   []member   // sorted by ID
	largest int        // the largest number of instances at any time
}

// A member is one instance over time: it was in the domain from record
// spans[i].from up to, not including, spans[i].to; -1 means to the end.
type member struct {
	id    int32
	spans []span
}

type span struct {
	from, to int32
	name     string
}

// history resolves all records of a domain. See spec/archive.md section 9.2.
func (md *metadata) history(id pcp.InDom) *history {
	d := md.indoms[id]
	if d == nil || len(d.records) == 0 {
		return nil
	}
	if d.hist != nil {
		return d.hist
	}
	b := historyBuilder{md: md, h: &history{insts: make([]member, 0, min(d.records[0].n, 1<<20))}, index: map[int32]int32{}} // mostly the first record names them all
	for i, r := range d.records {
		if md.full {
			md.faults.add(pcp.Faultf(pcp.OutOfMemory, "The instances of domain %s take more memory than is available.", id), "Its first %d records were read.", i)
			break
		}
		b.record(int32(i), r)
	}
	sorting.Stable(b.h.insts, func(a, b member) int { return cmp.Compare(a.id, b.id) })
	d.hist = b.h
	return d.hist
}

// A historyBuilder makes the history of a domain from its records, in order of
// time. Instances are numbered as they are first named, by their index in
// h.insts.
type historyBuilder struct {
	md    *metadata
	h     *history
	index map[int32]int32 // ID -> number
	alive int             // how many are in the domain now
	now   int32           // index of the current record
	delta bool            // it is a delta record

	seen         []int32 // by number: the last full record that names it, +1
	living, here []int32 // in the domain now or just before; those that a full record names
	before, row  []int32 // in the order of the last record, and of this one
	stood        []int32 // by number: position in the last record with it
	next         int     // index into before: most records repeat each other
}

// record applies the record with index now.
func (b *historyBuilder) record(now int32, r inDomRecord) {
	b.now, b.delta, b.next = now, r.delta, 0
	b.h.stamps = append(b.h.stamps, r.time)
	b.before, b.row = b.row, b.before[:0]
	b.md.entries(r, b.entry)
	if !r.delta { // those that a full record does not name are gone
		for _, p := range b.living {
			if s := b.last(p); b.seen[p] != now+1 && s.to < 0 {
				b.end(s)
			}
		}
		b.living, b.here = b.here, b.living[:0]
	}
	b.h.largest = max(b.h.largest, b.alive)
}

// entry applies an entry of the current record: the instance is there with that
// name, or gone.
func (b *historyBuilder) entry(id int32, name string, gone bool) {
	p, known := b.number(id, gone)
	if !known {
		return
	}
	b.stood[p] = int32(len(b.row))
	b.row = append(b.row, p)
	s := b.last(p)
	in := s != nil && s.to < 0
	switch {
	case gone:
		if in {
			b.end(s)
		}
		return
	case b.delta:
		if in { // the old name stays, whatever this entry says
			return
		}
	case b.seen[p] == b.now+1: // twice in one full record: the first counts
		return
	default:
		b.seen[p] = b.now + 1
		b.here = append(b.here, p)
		if in && named(name, s.name) {
			return
		}
		if in { // renamed
			b.end(s)
		}
	}
	var text string
	if s != nil && named(name, s.name) {
		text = s.name // share the bytes
	} else {
		text = b.md.terminated(name)
	}
	m := &b.h.insts[p]
	m.spans = append(m.spans, span{b.now, -1, text})
	b.md.take(40)
	b.alive++
	if b.delta {
		b.living = append(b.living, p)
	}
}

// number returns the number of an instance, a new one where it is named for the
// first time; false for one that goes and never was there.
func (b *historyBuilder) number(id int32, gone bool) (p int32, ok bool) {
	if b.next < len(b.before) && b.h.insts[b.before[b.next]].id == id {
		b.next++
		return b.before[b.next-1], true
	}
	if p, known := b.index[id]; known {
		b.next = int(b.stood[p]) + 1
		return p, true
	}
	if gone {
		return 0, false
	}
	p = int32(len(b.h.insts))
	b.index[id] = p
	b.h.insts = append(b.h.insts, member{id: id})
	b.seen = append(b.seen, 0)
	b.stood = append(b.stood, 0)
	b.md.take(100)
	return p, true
}

// last returns the last span of an instance, nil if it has none.
func (b *historyBuilder) last(p int32) *span {
	spans := b.h.insts[p].spans
	if len(spans) == 0 {
		return nil
	}
	return &spans[len(spans)-1]
}

// end says that an instance is not in the domain from the current record on.
func (b *historyBuilder) end(s *span) {
	s.to = b.now
	b.alive--
}

// at returns the record in force at t, or -1.
func (h *history) at(t pcp.Time) int {
	n, found := slices.BinarySearch(h.stamps, t)
	for found && n < len(h.stamps) && h.stamps[n] == t {
		n++
	}
	return n - 1
}
