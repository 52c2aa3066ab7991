package derived

import (
	"math"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// aggregatePlan is avg, count, max, min or sum: all instances reduced to one
// value at each point. Without instances, count, avg and sum are 0, as in PCP,
// and max and min have no value. See spec/derived.md section 7.
type aggregatePlan struct {
	shape
	fn functionID
}

func (p *aggregatePlan) open(e *evaluation) stream {
	t := e.table(p.in[0])
	out := column{vals: make([]uint64, e.n)}
	counts := make([]int, e.n)
	for k := range t.cols {
		c := &t.cols[k]
		for i, hi := c.bounds(); i < hi; i++ {
			if c.has(i) {
				counts[i]++
			}
		}
	}
	if p.fn == fnCount {
		for i, n := range counts {
			out.vals[i] = uint64(n)
		}
		return single(out)
	}
	cols := make([]*column, len(t.cols))
	for k := range cols {
		cols[k] = &t.cols[k]
	}
	from := p.in[0].desc()
	if from.InDom != pcp.NullInDom && (p.fn == fnAvg || p.fn == fnSum && !from.Type.Integer()) {
		cols = e.listed(t, from.InDom) // rounding depends on the order
	}
	switch {
	case p.fn == fnAvg:
		average(out.vals, cols, counts, from.Type)
	case p.fn == fnSum:
		for _, c := range cols {
			add(out.vals, c, from.Type)
		}
		if from.Type == pcp.Int32 {
			narrowSigned(out.vals, out.vals)
		} else if from.Type == pcp.Uint32 {
			narrowUnsigned(out.vals, out.vals)
		}
	default:
		extreme(out.vals, cols, from.Type, p.fn == fnMax)
	}
	out.miss, out.codes = e.unanswered(p, t, counts)
	return single(out)
}

// unanswered returns the points without a result: for max and min those without
// any value, for all functions those whose result is an error code.
func (e *evaluation) unanswered(p *aggregatePlan, t *table, counts []int) (m []miss, codes map[int]pcp.Code) {
	extremes := p.fn == fnMax || p.fn == fnMin
	var reasons []miss
	for i, n := range counts {
		if n > 0 {
			continue
		}
		if reasons == nil {
			reasons = e.nothing(t, p)
		}
		failed := e.logged && reasons[i].why() == series.ErrorLogged
		if !failed && !extremes {
			continue
		}
		if m == nil {
			m = e.misses()
		}
		m[i] = reasons[i]
	}
	if m != nil {
		for k := range t.cols {
			codes = mergeCodes(codes, t.cols[k].codes)
		}
	}
	return m, codes
}

// average adds float(v)/n in single precision.
func average(dst []uint64, cols []*column, counts []int, t pcp.Type) {
	single := make([]uint64, len(dst))
	for _, c := range cols {
		vals := convert(single, c.vals, t, pcp.Float)
		for i, hi := c.bounds(); i < hi; i++ {
			if c.has(i) {
				dst[i] = uint64(math.Float32bits(f32(dst[i]) + f32(vals[i])/float32(counts[i])))
			}
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
// NaN only if it comes first, like a comparison in C.
func extreme(dst []uint64, cols []*column, t pcp.Type, largest bool) {
	started := make([]bool, len(dst))
	for _, c := range cols {
		for i, hi := c.bounds(); i < hi; i++ {
			v := c.vals[i]
			if !c.has(i) {
				continue
			}
			if a, b := v, dst[i]; started[i] {
				if largest {
					a, b = b, a
				}
				if !less(a, b, t) {
					continue
				}
			}
			dst[i], started[i] = v, true
		}
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
