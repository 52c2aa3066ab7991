package columns

import "math"

// maxDistinct is the most distinct values of a dictionary: as many as two bytes
// can number.
const maxDistinct = 1 << 16

// A numbering numbers distinct values in the order of their first appearance.
// The zero value is empty.
type numbering struct {
	table []int32 // number + 1 of a value, by its hash; the length is a power of two
	list  []uint64
	last  int32
}

// of returns the number of a value, -1 if there are too many. Values that come
// in the same order again, such as the times of one series after those of
// another, are found without a search.
func (n *numbering) of(v uint64) int32 {
	if next := n.last + 1; int(next) < len(n.list) && n.list[next] == v {
		n.last = next
		return next
	}
	if int(n.last) < len(n.list) && n.list[n.last] == v {
		return n.last
	}
	if 2*len(n.list) >= len(n.table) {
		n.grow()
	}
	at := hashed(v) & uint64(len(n.table)-1)
	for n.table[at] != 0 {
		if k := n.table[at] - 1; n.list[k] == v {
			n.last = k
			return k
		}
		at = (at + 1) & uint64(len(n.table)-1)
	}
	if len(n.list) == maxDistinct {
		return -1
	}
	n.list = append(n.list, v)
	n.last = int32(len(n.list) - 1)
	n.table[at] = n.last + 1
	return n.last
}

func (n *numbering) grow() {
	n.table = make([]int32, max(1024, 2*len(n.table)))
	for k, v := range n.list {
		at := hashed(v) & uint64(len(n.table)-1)
		for n.table[at] != 0 {
			at = (at + 1) & uint64(len(n.table)-1)
		}
		n.table[at] = int32(k) + 1
	}
}

// hashed mixes the bits of a value into the lower ones.
func hashed(v uint64) uint64 {
	v *= 0x9e3779b97f4a7c15
	return v ^ v>>32
}

// numbers numbers the rows of a column by dictionary entry, and returns the
// first row of each entry; false if there are too many. Rows without a value
// have no number.
func numbers(c *Column, k Kind, rows int) (index []uint16, first []int32, ok bool) {
	index = make([]uint16, 0, rows)
	if k == String {
		known := map[string]uint16{}
		for i, s := range c.Strings {
			if c.Null != nil && c.Null[i] {
				continue
			}
			at, had := known[s]
			if !had {
				if len(first) == maxDistinct {
					return nil, nil, false
				}
				at = uint16(len(first))
				known[s] = at
				first = append(first, int32(i))
			}
			index = append(index, at)
		}
		return index, first, true
	}
	var n numbering
	for i := range rows {
		if c.Null != nil && c.Null[i] {
			continue
		}
		var v uint64
		switch k {
		case Int32:
			v = uint64(c.Int32s[i])
		case Int64:
			v = uint64(c.Int64s[i])
		default:
			v = math.Float64bits(c.Float64s[i])
		}
		at := n.of(v)
		if at < 0 || k == Float64 && i == tryout && len(n.list) > tryout/2 {
			return nil, nil, false
		}
		if int(at) == len(first) {
			first = append(first, int32(i))
		}
		index = append(index, uint16(at))
	}
	return index, first, true
}

// tryout is after how many rows it is decided whether a dictionary pays.
const tryout = 1 << 14
