package derived

import (
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A head identifies the instance of a column.
type head struct {
	inst int32
	name string
}

var singular = head{inst: pcp.NoInstance}

// A column holds one instance's values. Elements of vals are undefined where
// miss says that there is no value.
type column struct {
	vals  []uint64 // encoded as in series.Vector.Vals
	miss  []miss   // nil if all points have a value
	own   bool     // miss is not shared
	codes map[int]pcp.Code
	// There are no values before point lo nor from point len(vals)-tail on.
	// Most processes live for less time than the grid covers.
	lo, tail int
}

// bounds returns the range of points that may have values.
func (c *column) bounds() (lo, hi int) {
	lo, hi = c.lo, len(c.vals)-c.tail
	return lo, max(lo, hi)
}

// has reports whether point i has a value.
func (c *column) has(i int) bool { return c.miss == nil || c.miss[i] == 0 }

// same reports whether two slices share memory.
func same[T any](a, b []T) bool { return len(a) > 0 && len(b) > 0 && &a[0] == &b[0] }

// writable returns c.miss, copied first if it is shared.
func (e *evaluation) writable(c *column) []miss {
	if !c.own {
		m := e.misses()
		copy(m, c.miss)
		c.miss, c.own = m, true
	}
	return c.miss
}

// A miss is the reason for a missing value; 0 means that there is a value. Its
// low byte is a series.Why, its high byte the number, from 1, of the operand
// that the reason comes from; 0 for the expression itself.
type miss uint16

func missing(w series.Why, operand int) miss { return miss(w) | miss(min(operand, 255))<<8 }

func (m miss) why() series.Why { return series.Why(m) }

// misses allocates the reasons of one column, all of them 0.
func (e *evaluation) misses() []miss { return carve(&e.arena, e.n) }

// both starts the column of an operation on a and b. If both are missing, a's
// reason is used.
func (e *evaluation) both(a, b *column) (out column) {
	out.lo, out.tail = max(a.lo, b.lo), max(a.tail, b.tail)
	out.codes = mergeCodes(a.codes, b.codes)
	switch {
	case len(b.miss) == 0 || same(a.miss, b.miss):
		out.miss, out.own = a.miss, a.own && len(b.miss) == 0
	case len(a.miss) == 0:
		out.miss, out.own = b.miss, b.own
	default:
		out.miss, out.own, out.vals = a.miss, a.own, a.vals
		m := e.writable(&out)
		lo, hi := a.bounds() // a is missing everywhere else
		second := b.miss[lo:hi]
		for i, w := range m[lo:hi] {
			if w == 0 {
				m[lo+i] = second[i]
			}
		}
	}
	return out
}

// mergeCodes merges error codes in the same way.
func mergeCodes(a, b map[int]pcp.Code) map[int]pcp.Code {
	if len(b) == 0 {
		return a
	}
	if len(a) == 0 {
		return b
	}
	out := make(map[int]pcp.Code, len(a)+len(b))
	for i, c := range b {
		out[i] = c
	}
	for i, c := range a {
		out[i] = c
	}
	return out
}

// blank sets missing values to 0. Values outside dst are copied there first.
func (c *column) blank(dst []uint64) {
	if len(c.miss) == 0 {
		c.miss = nil
		return
	}
	lo, hi := c.bounds()
	whole := lo == 0 && hi == len(c.vals)
	for _, w := range c.miss[lo:hi] {
		if w != 0 {
			whole = false
			break
		}
	}
	if whole {
		c.miss = nil
		return
	}
	if !same(c.vals, dst) {
		if zero(c.vals, c.miss) {
			return
		}
		copy(dst, c.vals)
		c.vals = dst
	}
	clear(dst[:lo])
	clear(dst[hi:])
	for i, w := range c.miss[lo:hi] {
		if w != 0 {
			dst[lo+i] = 0
		}
	}
}

// zero reports whether all missing values are 0, as in a frame.
func zero(vals []uint64, m []miss) bool {
	for i, w := range m {
		if w != 0 && vals[i] != 0 {
			return false
		}
	}
	return true
}
