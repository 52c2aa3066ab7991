package derived

import (
	"cmp"
	"slices"

	"pcpscope/core/sorting"
)

// A stream yields the columns of a plan, in ascending order of instances. A
// singular plan yields exactly one.
type stream interface {
	// peek names the next column.
	peek() (head, bool)
	// take computes the next column and advances. The values are in dst, or in
	// memory that is read-only and does not change.
	take(dst []uint64) column
	skip()
}

// A table holds all columns of a plan.
type table struct {
	heads []head
	cols  []column
}

func (t *table) find(inst int32) *column {
	i, ok := slices.BinarySearchFunc(t.heads, inst, func(h head, inst int32) int { return cmp.Compare(h.inst, inst) })
	if !ok {
		return nil
	}
	return &t.cols[i]
}

func (e *evaluation) table(p plan) *table {
	t := &table{}
	var dst []uint64
	for s := p.open(e); ; {
		h, ok := s.peek()
		if !ok {
			return t
		}
		if dst == nil {
			e.work(1)
			dst = make([]uint64, e.n)
		}
		c := s.take(dst)
		if same(c.vals, dst) {
			dst = nil // in use now
		}
		t.heads, t.cols = append(t.heads, h), append(t.cols, c)
	}
}

// one computes a singular plan.
func (e *evaluation) one(p plan) column {
	e.work(1)
	return p.open(e).take(make([]uint64, e.n))
}

// tableStream yields the columns of a table.
type tableStream struct {
	*table
	i int
}

func (s *tableStream) peek() (head, bool) {
	if s.i >= len(s.heads) {
		return head{}, false
	}
	return s.heads[s.i], true
}

func (s *tableStream) take([]uint64) column {
	s.i++
	c := s.cols[s.i-1]
	c.own = false // the table may be read again
	return c
}

func (s *tableStream) skip() { s.i++ }

func single(c column) stream {
	return &tableStream{table: &table{[]head{singular}, []column{c}}}
}

// sortHeads sorts by instance and removes duplicates.
func sortHeads(all []head) []head {
	sorting.Stable(all, func(a, b head) int { return cmp.Compare(a.inst, b.inst) })
	return slices.CompactFunc(all, func(a, b head) bool { return a.inst == b.inst })
}
