package derived

import (
	"math"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// aggregatePlan is avg, count, max, min or sum: all instances reduced to one
// value at each point. Without instances, count, avg and sum are 0, as in PCP,
// and max and min have no value; with gaps, see [Bound.WithGaps]. See spec/derived.md
// section 7.
type aggregatePlan struct {
	shape
	fn functionID
}

func (p *aggregatePlan) open(e *evaluation) stream {
	from := p.in[0].desc()
	out, r := column{}, tally{}
	compute := func(each func(visit func(h head, c *column))) {
		out.vals = make([]uint64, e.n)
		r = tally{counts: make([]int, e.n), matters: e.gaps && p.fn != fnCount}
		if p.fn == fnAvg { // each share depends on how many there are
			each(r.note)
			scratch := make([]uint64, e.n)
			each(func(_ head, c *column) { share(out.vals, scratch, c, r.counts, from.Type) })
			return
		}
		each(func(h head, c *column) {
			switch p.fn {
			case fnSum:
				add(out.vals, c, from.Type)
			case fnMax, fnMin:
				extreme(out.vals, c, r.counts, from.Type, p.fn == fnMax)
			}
			r.note(h, c)
		})
	}
	ordered := p.fn == fnAvg || p.fn == fnSum && !from.Type.Integer() // rounding depends on the order
	if below := int32(math.MaxInt32); p.fn == fnAvg && e.groups(p.in[0]) == nil {
		compute(e.tabled(p.in[0], ordered))
	} else {
		if ordered {
			below = e.ascending(from.InDom)
		}
		astray := below == 0
		if !astray {
			compute(func(visit func(h head, c *column)) {
				e.inGroups(p.in[0], func(h head, c *column) {
					astray = astray || ordered && (h.inst < 0 || h.inst >= below) && h.inst != pcp.NoInstance
					if !astray {
						visit(h, c)
					}
				})
			})
		}
		if astray {
			compute(e.tabled(p.in[0], ordered))
		}
	}
	switch {
	case p.fn == fnCount:
		for i, n := range r.counts {
			out.vals[i] = uint64(n)
		}
		return single(out)
	case p.fn == fnSum && from.Type == pcp.Int32:
		narrowSigned(out.vals, out.vals)
	case p.fn == fnSum && from.Type == pcp.Uint32:
		narrowUnsigned(out.vals, out.vals)
	}
	out.miss, out.codes = e.unanswered(p, &r)
	return single(out)
}

// tally is what an aggregate needs to know about the columns besides their
// values.
type tally struct {
	counts []int  // values at each point
	some   bool   // there was a column
	lowest int32  // the instance that the reasons are from
	miss   []miss // its reasons
	codes  map[int]pcp.Code
	// fell is where a counter went backwards; nil if nowhere, or if that does not matter.
	// The rates of the others are neither their sum then nor the highest: that may be unknown.
	fell    []bool
	matters bool
}

func (r *tally) note(h head, c *column) {
	if !r.some || h.inst < r.lowest {
		r.some, r.lowest, r.miss, r.codes = true, h.inst, c.miss, c.codes
	}
	for i, hi := c.bounds(); i < hi; i++ {
		if c.has(i) {
			r.counts[i]++
		} else if r.matters && c.miss[i].why() == series.WentBackwards {
			if r.fell == nil {
				r.fell = make([]bool, len(r.counts))
			}
			r.fell[i] = true
		}
	}
}

// unanswered returns the points without a result: for max and min those without
// any value, with gaps also for avg, and for sum where it is unknown and not 0, and for all
// of these where a counter went backwards; for all functions those whose result is an
// error code. The reason is that of the first instance.
func (e *evaluation) unanswered(p *aggregatePlan, r *tally) (m []miss, codes map[int]pcp.Code) {
	extremes := p.fn == fnMax || p.fn == fnMin
	for i, n := range r.counts {
		fell := r.fell != nil && r.fell[i]
		if n > 0 && !fell {
			continue
		}
		reason := missing(series.InstanceAbsent, e.firstOperand(p))
		switch {
		case fell:
			reason = missing(series.WentBackwards, 0)
		case r.miss != nil:
			reason = r.miss[i]
		}
		failed := e.logged && reason.why() == series.ErrorLogged
		unknown := e.gaps && (p.fn == fnAvg || p.fn == fnSum && !none(reason.why()))
		if !failed && !extremes && !unknown {
			continue
		}
		if m == nil {
			m, codes = e.misses(), r.codes
		}
		m[i] = reason
	}
	return m, codes
}

// none reports whether a value is missing because there is nothing to add up.
func none(why series.Why) bool { return why == series.InstanceAbsent || why == series.NotChosen }

// share adds float(v)/n in single precision.
func share(dst, scratch []uint64, c *column, counts []int, t pcp.Type) {
	vals := convert(scratch, c.vals, t, pcp.Float)
	for i, hi := c.bounds(); i < hi; i++ {
		if c.has(i) {
			dst[i] = uint64(math.Float32bits(f32(dst[i]) + f32(vals[i])/float32(counts[i])))
		}
	}
}

// add sums c's values into dst, in type t; the caller must truncate 32 and U32.
func add(dst []uint64, c *column, t pcp.Type) {
	for i, hi := c.bounds(); i < hi; i++ {
		if !c.has(i) {
			continue
		}
		v := c.vals[i]
		switch t {
		case pcp.Double:
			dst[i] = math.Float64bits(f64(dst[i]) + f64(v))
		case pcp.Float:
			dst[i] = uint64(math.Float32bits(f32(dst[i]) + f32(v)))
		default:
			dst[i] += v
		}
	}
}

// extreme keeps the largest or smallest value; the first of equal ones, and a
// NaN only if it comes first, like a comparison in C. counts has the number of
// values before.
func extreme(dst []uint64, c *column, counts []int, t pcp.Type, largest bool) {
	for i, hi := c.bounds(); i < hi; i++ {
		v := c.vals[i]
		if !c.has(i) {
			continue
		}
		if a, b := v, dst[i]; counts[i] > 0 {
			if largest {
				a, b = b, a
			}
			if !less(a, b, t) {
				continue
			}
		}
		dst[i] = v
	}
}

func less(a, b uint64, t pcp.Type) bool {
	switch t {
	case pcp.Double:
		return f64(a) < f64(b)
	case pcp.Float:
		return f32(a) < f32(b)
	case pcp.Int32, pcp.Int64:
		return int64(a) < int64(b)
	}
	return a < b
}
