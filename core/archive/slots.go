package archive

import (
	"cmp"

	"pcpscope/core/sorting"
)

// slots says which series the instances of a metric have, by their dense
// numbers. Most metrics have most instances of their domain: near is an array
// of all. One that has few of many must not cost what the many would.
type slots struct {
	near []uint32          // by dense number: number of the series + 1, 0 for none
	far  map[uint32]uint32 // the same for identifiers beyond near; nil for none
	n    int               // instances that have a series
}

// worthAll reports whether n instances of a domain are so many of all that these
// may be gone through.
func worthAll(n, all int) bool { return all <= 64+16*n }

func (s *slots) at(dense uint32) uint32 {
	if int(dense) < len(s.near) {
		return s.near[dense]
	}
	return s.far[dense]
}

// set gives an instance that has none its series; all is how many instances
// the domain has.
func (s *slots) set(dense, series uint32, all int) {
	s.n++
	if int(dense) >= len(s.near) {
		s.expect(s.n, all)
	}
	if int(dense) < len(s.near) {
		s.near[dense] = series + 1
		return
	}
	if s.far == nil {
		s.far = map[uint32]uint32{}
	}
	s.far[dense] = series + 1
}

// expect makes room for all instances of the domain, if n are worth that.
func (s *slots) expect(n, all int) {
	if len(s.near) >= all || !worthAll(n, all) {
		return
	}
	s.near = append(s.near, make([]uint32, all-len(s.near))...)
	for d, slot := range s.far {
		s.near[d] = slot
	}
	s.far = nil
}

// all calls f for each series, in no order.
func (s *slots) all(f func(dense, series uint32)) {
	for d, slot := range s.near {
		if slot != 0 {
			f(uint32(d), slot-1)
		}
	}
	for d, slot := range s.far {
		f(d, slot-1)
	}
}

// size returns about how many bytes they take.
func (s *slots) size() int { return 4*cap(s.near) + 16*len(s.far) }

// order returns the dense numbers of the column's instances, and maybe of
// others, in the order of the instances.
func (c *column) order() []uint32 {
	if worthAll(c.slots.n, len(c.dom.insts)) {
		return c.dom.sorted()
	}
	own := make([]uint32, 0, c.slots.n)
	c.slots.all(func(dense, _ uint32) { own = append(own, dense) })
	sorting.Stable(own, func(a, b uint32) int { return cmp.Compare(c.dom.insts[a], c.dom.insts[b]) })
	return own
}
