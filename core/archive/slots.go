package archive

import (
	"cmp"

	"pcpscope/core/sorting"
)

// slots maps the instances of a metric, by dense number, to their series. Most
// metrics have most instances of their domain: near is an array over all of
// them. A metric with few of a domain's many instances uses far, so that it
// costs no more than it has.
type slots struct {
	near []uint32               // by dense number: series number + 1, 0 for none
	far  *table[uint32, uint32] // the same for numbers beyond near; nil if none
	n    int                    // instances that have a series
}

// mostOfDomain reports whether n is so large a part of all instances of a domain
// that looping over all is acceptable.
func mostOfDomain(n, all int) bool { return all <= 64+16*n }

func (s *slots) at(dense uint32) uint32 {
	if int(dense) < len(s.near) {
		return s.near[dense]
	}
	if s.far == nil {
		return 0
	}
	return s.far.get(dense)
}

// set assigns a series to an instance that has none; all is the number of
// instances of the domain.
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
		s.far = new(table[uint32, uint32])
	}
	s.far.set(dense, series+1)
}

// expect sizes near for all instances of the domain if n justifies it.
func (s *slots) expect(n, all int) {
	if len(s.near) >= all || !mostOfDomain(n, all) {
		return
	}
	s.near = append(s.near, make([]uint32, all-len(s.near))...)
	if s.far != nil {
		for d, slot := range s.far.all() {
			s.near[d] = slot
		}
		s.far = nil
	}
}

// all calls f for each series, in no particular order.
func (s *slots) all(f func(dense, series uint32)) {
	for d, slot := range s.near {
		if slot != 0 {
			f(uint32(d), slot-1)
		}
	}
	if s.far != nil {
		for d, slot := range s.far.all() {
			f(d, slot-1)
		}
	}
}

// size estimates the memory in bytes.
func (s *slots) size() int {
	n := 4 * cap(s.near)
	if s.far != nil {
		n += 32 + 24*s.far.len()
	}
	return n
}

// order returns the dense numbers of the column's instances, and maybe of
// others, in the order of the instances.
func (c *column) order() []uint32 {
	if mostOfDomain(c.slots.n, len(c.dom.insts)) {
		return c.dom.sorted()
	}
	own := make([]uint32, 0, c.slots.n)
	c.slots.all(func(dense, _ uint32) { own = append(own, dense) })
	sorting.Stable(own, func(a, b uint32) int { return cmp.Compare(c.dom.insts[a], c.dom.insts[b]) })
	return own
}
