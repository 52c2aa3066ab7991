package archive

import (
	"cmp"
	"encoding/binary"
	"math/bits"

	"pcpscope/core/sorting"
)

// A domain numbers the instances of an instance domain densely, in order of
// appearance, and caches the recent instance lists. It is shared by all metrics
// of the domain, so that a change of the list is worked out once.
type domain struct {
	singular bool
	index    map[int32]uint32 // instance -> dense number
	insts    []int32          // dense number -> instance
	order    []uint32         // dense numbers sorted by instance
	*lately                   // nil after loading
}

// lately is what a domain needs only while records are read.
type lately struct {
	recent   [8]*instList // recent lists, a ring
	turn     int
	moves    [8]*transition // recent transitions, a ring
	moveTurn int
	place    []int32 // scratch: dense number -> position + 1
}

// An instList is the instances of a row in their order.
type instList struct {
	ids   []uint32 // in record byte order
	dense []uint32 // dense numbers; noDense for a repeated instance
}

const noDense = ^uint32(0)

func newDomain(singular bool) *domain {
	return &domain{singular: singular, index: map[int32]uint32{}, lately: &lately{}}
}

// read drops what is needed only while records are read.
func (d *domain) read() {
	if d.index != nil {
		*d = domain{singular: d.singular, insts: d.insts, order: d.order}
	}
}

// size estimates its memory in bytes.
func (d *domain) size() int {
	n := 100 + 40*len(d.insts)
	if d.lately == nil {
		return n
	}
	n += 200
	for _, l := range d.recent {
		if l != nil {
			n += 64 + 8*len(l.ids)
		}
	}
	return n
}

// list returns the list of the instances in the pairs.
func (d *domain) list(pairs []byte) *instList {
	n := len(pairs) / 8
	for i := range d.recent {
		l := d.recent[(d.turn+len(d.recent)-1-i)%len(d.recent)]
		if l != nil && len(l.ids) == n && sameIDs(pairs, l.ids) {
			return l
		}
	}
	l := d.newList(pairs, n)
	d.recent[d.turn] = l
	d.turn = (d.turn + 1) % len(d.recent)
	return l
}

func (d *domain) newList(pairs []byte, n int) *instList {
	both := make([]uint32, 2*n)
	l := &instList{ids: both[:n:n], dense: both[n:]}
	for i := range n {
		raw := binary.LittleEndian.Uint32(pairs[8*i:])
		l.ids[i] = raw
		id := int32(bits.ReverseBytes32(raw))
		if d.singular { // ignore what old writers put there: spec/archive.md section 5.2
			id = -1
		}
		k, known := d.index[id]
		if !known {
			k = uint32(len(d.insts))
			d.index[id] = k
			d.insts = append(d.insts, id)
			d.place = append(d.place, 0)
		}
		if d.place[k] != 0 { // of duplicates the first counts
			l.dense[i] = noDense
			continue
		}
		d.place[k] = 1
		l.dense[i] = k
	}
	d.clear(l)
	return l
}

func (d *domain) clear(l *instList) {
	for _, k := range l.dense {
		if k != noDense {
			d.place[k] = 0
		}
	}
}

// sorted returns the dense numbers in the order of the instances.
func (d *domain) sorted() []uint32 {
	if len(d.order) != len(d.insts) {
		order := make([]uint32, len(d.insts))
		for i := range order {
			order[i] = uint32(i)
		}
		sorting.Stable(order, func(a, b uint32) int { return cmp.Compare(d.insts[a], d.insts[b]) })
		d.order = order
	}
	return d.order
}

// A transition leads from one list to the next.
type transition struct {
	from, to *instList
	runs     []parallel
	gone     []uint32 // positions in from without a successor
}

// parallel is a range of positions that are adjacent in both lists; old is -1
// if the instances are new.
type parallel struct{ old, new, n int32 }

func (d *domain) transition(from, to *instList) *transition {
	for _, t := range d.moves {
		if t != nil && t.from == from && t.to == to {
			return t
		}
	}
	t := &transition{from: from, to: to}
	for i, k := range from.dense {
		if k != noDense {
			d.place[k] = int32(i + 1)
		}
	}
	for i, k := range to.dense {
		if k == noDense {
			continue
		}
		old := d.place[k] - 1
		if old >= 0 {
			d.place[k] = 0 // taken
		}
		if n := len(t.runs); n > 0 {
			r := &t.runs[n-1]
			if r.new+r.n == int32(i) && (old < 0 && r.old < 0 || old >= 0 && r.old >= 0 && r.old+r.n == old) {
				r.n++
				continue
			}
		}
		t.runs = append(t.runs, parallel{old, int32(i), 1})
	}
	for i, k := range from.dense {
		if k != noDense && d.place[k] != 0 {
			d.place[k] = 0
			t.gone = append(t.gone, uint32(i))
		}
	}
	d.moves[d.moveTurn] = t
	d.moveTurn = (d.moveTurn + 1) % len(d.moves)
	return t
}
