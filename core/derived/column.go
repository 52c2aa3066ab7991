package derived

import (
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A head names the instance of a column.
type head struct {
	inst int32
	name string
}

var singular = head{inst: pcp.NoInstance}

// A column holds one instance's values. vals may hold anything where miss
// says that there is none.
type column struct {
	vals  []uint64 // as series.Vector.Vals
	miss  []miss   // nil when all points have a value
	own   bool     // miss is not shared
	codes map[int]pcp.Code
	// All values lie from point lo up to point len(vals)-tail, some of them
	// perhaps missing too. Most processes live shorter than the grid is long.
	lo, tail int
}

// bounds returns the stretch of points that may have values.
func (c *column) bounds() (lo, hi int) {
	lo, hi = c.lo, len(c.vals)-c.tail
	return lo, max(lo, hi)
}

// has says that point i has a value.
func (c *column) has(i int) bool { return c.miss == nil || c.miss[i] == 0 }

// same says that two slices are the same memory.
func same[T any](a, b []T) bool { return len(a) > 0 && len(b) > 0 && &a[0] == &b[0] }

// writable returns c.miss, a copy if others have it too.
func (e *evaluation) writable(c *column) []miss {
	if !c.own {
		m := e.misses()
		copy(m, c.miss)
		c.miss, c.own = m, true
	}
	return c.miss
}

// A miss says why there is no value; 0 says that there is one. Its low byte is
// a series.Why, its high byte the number of the operand whose reason it is,
// counted from 1; 0 for the expression's own.
type miss uint16

func missing(w series.Why, operand int) miss { return miss(w) | miss(min(operand, 255))<<8 }

func (m miss) why() series.Why { return series.Why(m) }

// misses returns room for one column's reasons, all of them 0.
func (e *evaluation) misses() []miss { return carve(&e.arena, e.n) }

// both starts the column of something that needs a and b. Where both are
// missing, the reason is that of a.
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
		lo, hi := a.bounds() // all others are missing in a
		second := b.miss[lo:hi]
		for i, w := range m[lo:hi] {
			if w == 0 {
				m[lo+i] = second[i]
			}
		}
	}
	return out
}

// mergeCodes joins error codes the same way.
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

// blank makes values 0 where they are missing. Values outside dst are not
// written but copied there.
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

// zero says that all values are 0 where they are missing, as in a frame.
func zero(vals []uint64, m []miss) bool {
	for i, w := range m {
		if w != 0 && vals[i] != 0 {
			return false
		}
	}
	return true
}
