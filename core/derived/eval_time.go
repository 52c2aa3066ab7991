package derived

import (
	"math"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// after gives c the reasons of values that need the previous point: the first
// point has none, nor has the point after a missing one. An error code that was
// logged at the previous point is passed on. See spec/derived.md sections 7 and
// 12.6.
func (e *evaluation) after(c *column) {
	if c.miss == nil {
		if e.first == nil && e.n > 0 {
			e.first = make([]miss, e.n)
			e.first[0] = missing(series.NoPrevious, 0)
			for _, i := range e.fresh {
				e.first[i] = missing(series.NoPrevious, 0)
			}
		}
		c.miss, c.own, c.lo = e.first, false, min(1, e.n)
		return
	}
	lo, hi := c.bounds()
	m := e.writable(c)
	before := miss(0)
	if lo < hi {
		before = missing(series.NoPrevious, 0)
		if lo > 0 {
			before = m[lo-1]
		}
		c.lo++
	}
	for i := lo; i < hi; i++ {
		w := m[i]
		if before != 0 && w == 0 {
			m[i] = missing(series.NoPrevious, 0)
			if e.logged && before.why() == series.ErrorLogged {
				m[i] = before
				c.codes = mergeCodes(c.codes, map[int]pcp.Code{i: c.codes[i-1]})
			}
		}
		before = w
	}
	for _, i := range e.fresh {
		if i >= lo && i < hi && m[i] == 0 {
			m[i] = missing(series.NoPrevious, 0)
		}
	}
}

// deltaPlan is delta(x).
type deltaPlan struct{ shape }

func (p *deltaPlan) lookback(step int64) int { return 1 + p.shape.lookback(step) }

func (p *deltaPlan) open(e *evaluation) stream {
	t := p.in[0].desc().Type
	return &mapped{p.in[0].open(e), func(dst []uint64, c column) column {
		lo, hi := c.bounds()
		differences(dst[lo:hi], c.vals[lo:hi], t)
		c.vals = dst
		e.after(&c)
		return c
	}}
}

// differences subtracts the previous value from each value, in delta()'s type
// for t.
func differences(dst, src []uint64, t pcp.Type) {
	if len(src) == 0 {
		return
	}
	last := src[0]
	switch t {
	case pcp.Uint64: // each is converted to double first
		for i, v := range src {
			dst[i] = math.Float64bits(float64(v) - float64(last))
			last = v
		}
	case pcp.Double:
		for i, v := range src {
			dst[i] = math.Float64bits(f64(v) - f64(last))
			last = v
		}
	case pcp.Float:
		for i, v := range src {
			dst[i] = uint64(math.Float32bits(f32(v) - f32(last)))
			last = v
		}
	default:
		for i, v := range src {
			dst[i] = v - last
			last = v
		}
		if t == pcp.Int32 {
			narrowSigned(dst, dst)
		}
	}
}

// ratePlan is rate(x), which takes any expression and follows the language's
// own rules for types and for decreasing values (spec/derived.md section 7). It
// differs from interp.Rate, which is what clients apply to a counter before
// showing it.
type ratePlan struct {
	shape
	counter bool    // a decrease is a restart, not a rate
	seconds float64 // length of x's unit, if x is a time
}

func (p *ratePlan) lookback(step int64) int { return 1 + p.shape.lookback(step) }

func (p *ratePlan) open(e *evaluation) stream {
	if e.span == nil {
		e.span = make([]float64, e.n)
		for i := 1; i < e.n; i++ {
			e.span[i] = e.time(i).Since(e.time(i - 1))
		}
	}
	t := p.in[0].desc().Type
	return &mapped{p.in[0].open(e), func(dst []uint64, c column) column {
		lo, hi := c.bounds()
		fell := growth(dst[lo:hi], c.vals[lo:hi], e.span[lo:hi], p.seconds, t)
		c.vals = dst
		e.after(&c)
		if p.counter && fell {
			e.backwards(&c)
		}
		return c
	}}
}

// backwards marks the points with a negative rate.
func (e *evaluation) backwards(c *column) {
	for i, hi := c.bounds(); i < hi; i++ {
		if f64(c.vals[i]) < 0 && c.has(i) {
			e.writable(c)[i] = missing(series.WentBackwards, 0)
		}
	}
}

// growth divides the difference to the previous value by the seconds between,
// and multiplies by the length of the unit in seconds if it is a time. Integers
// are subtracted exactly before the conversion to double, FLOATs in single
// precision. fell reports whether one may be negative.
func growth(dst, src []uint64, span []float64, seconds float64, t pcp.Type) (fell bool) {
	if len(src) == 0 {
		return false
	}
	last := src[0]
	span, dst = span[:len(src)], dst[:len(src)]
	if t == pcp.Double || t == pcp.Float {
		return floatGrowth(dst, src, span, seconds, t)
	}
	dst[0] = 0
	switch {
	case isSigned(t):
		for i := 1; i < len(src); i++ {
			v := src[i]
			if int64(v) >= int64(last) {
				dst[i] = math.Float64bits(float64(v-last) / span[i] * seconds)
			} else {
				dst[i] = math.Float64bits(-float64(last-v) / span[i] * seconds)
				fell = true
			}
			last = v
		}
	default:
		for i := 1; i < len(src); i++ {
			v := src[i]
			if v >= last {
				dst[i] = math.Float64bits(float64(v-last) / span[i] * seconds)
			} else {
				dst[i] = math.Float64bits(-float64(last-v) / span[i] * seconds)
				fell = true
			}
			last = v
		}
	}
	return fell
}

func floatGrowth(dst, src []uint64, span []float64, seconds float64, t pcp.Type) (fell bool) {
	if t == pcp.Float { // in single precision
		last := f32(src[0])
		for i := 1; i < len(src); i++ {
			v := f32(src[i])
			fell = fell || v < last
			dst[i] = math.Float64bits(float64(v-last) / span[i] * seconds)
			last = v
		}
		dst[0] = 0
		return fell
	}
	last := f64(src[0])
	dst[0] = 0
	for i := 1; i < len(src); i++ {
		v := f64(src[i])
		fell = fell || v < last
		dst[i] = math.Float64bits((v - last) / span[i] * seconds)
		last = v
	}
	return fell
}

// movAvgPlan is movavg(x, "window"): the mean of the values in the window that
// ends at each point, including that point. It has no value where x has none.
type movAvgPlan struct {
	shape
	window int64 // in nanoseconds
}

func (p *movAvgPlan) lookback(step int64) int {
	n := 0
	if step = max(step, -step); step > 0 {
		n = int(min((p.window-1)/step, 1<<20))
	}
	return n + p.shape.lookback(step)
}

func (p *movAvgPlan) open(e *evaluation) stream {
	from := e.windowsOf(p.window)
	t := p.in[0].desc().Type
	w := &windows{from: from, sums: make([]float64, e.n+1), counts: make([]int, e.n+1)}
	return &mapped{p.in[0].open(e), func(dst []uint64, c column) column {
		c.vals = convert(dst, c.vals, t, pcp.Double)
		w.means(dst, c)
		c.vals = dst
		return c
	}}
}

// windowsOf returns for each point the first point in the window that ends
// there.
func (e *evaluation) windowsOf(length int64) []int {
	from := make([]int, e.n)
	for i := range from {
		j := from[max(i-1, 0)]
		for j < i && math.Abs(e.time(i).Since(e.time(j)))*1e9 >= float64(length) {
			j++
		}
		from[i] = j
	}
	return from
}

// windows averages vals[from[i]:i+1] for each i without subtracting, so that
// values that left the window leave no rounding error behind: before a point
// mid it keeps sums from each point to mid, and from there on a running sum.
type windows struct {
	from   []int
	sums   []float64 // from each point up to mid
	counts []int
}

func (w *windows) means(dst []uint64, c column) {
	mid, sum, count := 0, 0.0, 0
	in := append([]uint64(nil), c.vals...)
	has := func(i int) bool { return c.miss == nil || c.miss[i] == 0 }
	for i, v := range in {
		if has(i) {
			sum += f64(v)
			count++
		}
		k := w.from[i]
		if k >= mid { // the first part is used up: rebuild it from the window
			mid, sum, count = i+1, 0, 0
			w.sums[mid], w.counts[mid] = 0, 0
			for j := i; j >= k; j-- {
				w.sums[j], w.counts[j] = w.sums[j+1], w.counts[j+1]
				if has(j) {
					w.sums[j] += f64(in[j])
					w.counts[j]++
				}
			}
		}
		if n := w.counts[k] + count; n > 0 {
			dst[i] = math.Float64bits((w.sums[k] + sum) / float64(n))
		}
	}
}
