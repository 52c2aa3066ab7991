package derived

import (
	"math"

	"pcpscope/core/series"
	"pcpscope/core/trend"
)

// slopePlan is slope(x): one number for all points, see trend.Slope. It has no
// value where x has none.
type slopePlan struct {
	shape
	seconds float64 // length of x's unit, if x is a time
}

func (p *slopePlan) open(e *evaluation) stream {
	xs, ys := make([]float64, e.n), make([]float64, e.n)
	for i := range xs {
		xs[i] = e.time(i).Since(e.time(0))
	}
	t := p.in[0].desc().Type
	return &mapped{p.in[0].open(e), func(dst []uint64, c column) column {
		for i := range ys {
			ys[i] = math.NaN()
		}
		lo, hi := c.bounds()
		for i := lo; i < hi; i++ {
			if c.has(i) {
				ys[i] = series.Float(t, c.vals[i])
			}
		}
		v := trend.Slope(xs, ys) * p.seconds
		for i := lo; i < hi; i++ {
			dst[i] = math.Float64bits(v)
			if v != v && c.has(i) {
				e.writable(&c)[i] = missing(series.NoPrevious, 0)
			}
		}
		c.vals = dst
		return c
	}}
}

// movSlopePlan is movslope(x, "window"): the slope of x over the window that
// ends at each point, or over its last minPoints points if they go further
// back. It has no value where x has none.
type movSlopePlan struct {
	shape
	window  int64   // in nanoseconds
	seconds float64 // as in slopePlan
}

const (
	minPoints = 9 // in a window: even a chart of a month still distinguishes days
	minValues = 5 // for a slope: with two it could be anything
	minShare  = 6 // the values must span a sixth of the window: over less time, the slope is just noise
)

func (p *movSlopePlan) lookback(step int64) int {
	n := 0
	if step = max(step, -step); step > 0 {
		n = int(min((p.window-1)/step, 1<<20))
	}
	return max(n, minPoints-1) + p.shape.lookback(step)
}

func (p *movSlopePlan) open(e *evaluation) stream {
	from := e.windowsOf(p.window)
	xs, ys, known := make([]float64, e.n), make([]float64, e.n), make([]int, e.n+1)
	for i := range xs {
		xs[i] = e.time(i).Since(e.time(0))
		from[i] = min(from[i], max(0, i+1-minPoints))
	}
	t := p.in[0].desc().Type
	var sloper trend.Sloper
	return &mapped{p.in[0].open(e), func(dst []uint64, c column) column {
		lo, hi := c.bounds()
		for i := range ys {
			ys[i] = math.NaN()
			if known[i+1] = known[i]; i >= lo && i < hi && c.has(i) {
				ys[i], known[i+1] = series.Float(t, c.vals[i]), known[i]+1
			}
		}
		last, v := -1, math.NaN()
		for i := lo; i < hi; i++ {
			if !c.has(i) {
				continue
			}
			// Windows with many points are sampled, and one point more or less
			// changes little: the slope is computed as often as the sample
			// changes.
			k := from[i]
			if last < 0 || v != v || i == hi-1 || (i-last)*trend.Points > i-k {
				last, v = i, math.NaN()
				for k < i && ys[k] != ys[k] {
					k++
				}
				if known[i+1]-known[k] >= minValues && math.Abs(xs[i]-xs[k])*1e9*minShare >= float64(p.window) {
					v = sloper.Slope(xs[k:i+1], ys[k:i+1]) * p.seconds
				}
			}
			if dst[i] = math.Float64bits(v); v != v {
				e.writable(&c)[i] = missing(series.NoPrevious, 0)
			}
		}
		c.vals = dst
		return c
	}}
}

// tallyPlan is tally(x, y): for each instance of y, how many instances of x
// have its number as their value. It has no value where y has none.
type tallyPlan struct{ shape }

func (p *tallyPlan) open(e *evaluation) stream {
	return &tallyStream{p.in[1].open(e), e, e.table(p.in[0]), p}
}

type tallyStream struct {
	stream
	e *evaluation
	x *table
	p *tallyPlan
}

func (s *tallyStream) take([]uint64) column {
	h, _ := s.stream.peek()
	c := s.stream.take(make([]uint64, s.e.n))
	vals := make([]uint64, s.e.n)
	known := make([]bool, s.e.n)
	for k := range s.x.cols {
		x := &s.x.cols[k]
		for i, hi := x.bounds(); i < hi; i++ {
			if x.has(i) {
				known[i] = true
				if int64(x.vals[i]) == int64(h.inst) {
					vals[i]++
				}
			}
		}
	}
	c.vals = vals
	lo, hi := c.bounds()
	for i := lo; i < hi; i++ {
		if !known[i] && c.has(i) {
			s.e.writable(&c)[i] = missing(series.InstanceAbsent, s.e.firstOperand(s.p))
		}
	}
	return c
}
