package pcp

import "math/bits"

// A Scale converts numbers from one unit to another of the same dimension:
// times mult, divided by div. The zero value converts nothing. See
// pmConvScale(3); spec/interp.md section 13.
type Scale struct {
	mult, div uint64 // reduced by the common factors of the steps between scales; 0 if beyond 64 bits
	ratio     float64
}

// timeSteps are the factors from one scale of time to the next larger one.
var timeSteps = [...]uint64{1000, 1000, 1000, 60, 60}

// ScaleOf returns the conversion from one unit to another. It exists if all
// dimensions are equal; no dimension at all counts as a count.
func ScaleOf(from, to Units) (s Scale, ok bool) {
	if from.Dimensionless() {
		from.Count = 1
	}
	if to.Dimensionless() {
		to.Count = 1
	}
	if from.Space != to.Space || from.Time != to.Time || from.Count != to.Count || from.Extra != to.Extra ||
		from.Extra != 0 && from.ExtraScale != to.ExtraScale || max(from.TimeScale, to.TimeScale) > Hour {
		return Scale{}, false
	}
	f := fraction{mult: 1, div: 1, ratio: 1}
	if from.Space != 0 {
		f.steps(int(from.SpaceScale), int(to.SpaceScale), int(from.Space), func(int) uint64 { return 1024 })
	}
	if from.Time != 0 {
		f.steps(int(from.TimeScale), int(to.TimeScale), int(from.Time), func(i int) uint64 { return timeSteps[i] })
	}
	if from.Count != 0 {
		f.steps(int(from.CountScale), int(to.CountScale), int(from.Count), func(int) uint64 { return 10 })
	}
	if f.over {
		return Scale{ratio: f.ratio}, true
	}
	return Scale{f.mult, f.div, float64(f.mult) / float64(f.div)}, true
}

type fraction struct {
	mult, div uint64
	ratio     float64
	over      bool
}

// steps multiplies by the steps between two scales, raised to the power dim.
func (f *fraction) steps(from, to, dim int, step func(i int) uint64) {
	if from > to { // the unit is larger than the target, so the number grows
		from, to, dim = to, from, -dim
	}
	for i := from; i < to; i++ {
		k := step(i)
		for range max(dim, -dim) {
			if dim < 0 {
				f.times(&f.mult, &f.div, k)
				f.ratio *= float64(k)
			} else {
				f.times(&f.div, &f.mult, k)
				f.ratio /= float64(k)
			}
		}
	}
}

// times multiplies a by k, or divides b by it if that leaves no remainder.
func (f *fraction) times(a, b *uint64, k uint64) {
	if *b%k == 0 {
		*b /= k
		return
	}
	hi, lo := bits.Mul64(*a, k)
	f.over = f.over || hi != 0
	*a = lo
}

// Float64 converts a DOUBLE.
func (s Scale) Float64(v float64) float64 {
	if s == (Scale{}) {
		return v
	}
	return v * s.ratio
}

// Float32 converts a FLOAT in single precision.
func (s Scale) Float32(v float32) float32 {
	switch {
	case s == (Scale{}):
		return v
	case s.mult == 0:
		return float32(float64(v) * s.ratio)
	}
	return v * (float32(s.mult) / float32(s.div))
}

// Int64 converts an integer: (v*mult + div/2)/div, truncated. ok is false if
// the result overflows.
func (s Scale) Int64(v int64) (r int64, ok bool) {
	if s == (Scale{}) {
		return v, true
	}
	if v >= 0 {
		u, ok := s.Uint64(uint64(v))
		return int64(u), ok && u < 1<<63
	}
	// -|v|*mult + div/2, as a negative or a small positive number.
	hi, lo := bits.Mul64(-uint64(v), s.mult)
	if s.mult == 0 || hi >= s.div {
		return 0, false
	}
	half := s.div / 2
	if hi == 0 && lo <= half {
		return int64((half - lo) / s.div), true
	}
	lo, borrow := bits.Sub64(lo, half, 0)
	q, _ := bits.Div64(hi-borrow, lo, s.div)
	return -int64(q), q <= 1<<63
}

// Uint64 is Int64 for unsigned integers.
func (s Scale) Uint64(v uint64) (r uint64, ok bool) {
	if s == (Scale{}) {
		return v, true
	}
	hi, lo := bits.Mul64(v, s.mult)
	lo, carry := bits.Add64(lo, s.div/2, 0)
	hi += carry
	if s.mult == 0 || hi >= s.div {
		return 0, false
	}
	q, _ := bits.Div64(hi, lo, s.div)
	return q, true
}
