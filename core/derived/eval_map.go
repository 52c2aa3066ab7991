package derived

import (
	"math"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// mapped computes each column from one other column.
type mapped struct {
	stream
	apply func(dst []uint64, c column) column
}

func (s *mapped) take(dst []uint64) column { return s.apply(dst, s.stream.take(dst)) }

// instantPlan is instant(x): only the descriptor differs.
type instantPlan struct{ shape }

func (p *instantPlan) open(e *evaluation) stream { return p.in[0].open(e) }

// negPlan is -x, in the signed type. Integers wrap.
type negPlan struct{ shape }

func (p *negPlan) open(e *evaluation) stream {
	return &mapped{p.in[0].open(e), func(dst []uint64, c column) column {
		lo, hi := c.bounds()
		negate(dst[lo:hi], c.vals[lo:hi], p.d.Type)
		c.vals = dst
		return c
	}}
}

func negate(dst, src []uint64, t pcp.Type) {
	switch t {
	case pcp.Double:
		for i, v := range src {
			dst[i] = v ^ 1<<63
		}
	case pcp.Float:
		for i, v := range src {
			dst[i] = v ^ 1<<31
		}
	default:
		for i, v := range src {
			dst[i] = -v
		}
		if t == pcp.Int32 {
			narrowSigned(dst, dst)
		}
	}
}

// notPlan is !x.
type notPlan struct{ shape }

func (p *notPlan) open(e *evaluation) stream {
	t := p.in[0].desc().Type
	return &mapped{p.in[0].open(e), func(dst []uint64, c column) column {
		if !t.Numeric() {
			return e.unusable(dst, c)
		}
		lo, hi := c.bounds()
		nonzero(dst[lo:hi], c.vals[lo:hi], t)
		for i := lo; i < hi; i++ {
			dst[i] ^= 1
		}
		c.vals = dst
		return c
	}}
}

// unusable is a column whose values are not numbers.
func (e *evaluation) unusable(dst []uint64, c column) column {
	m := e.misses()
	for i := range m {
		m[i] = missing(series.NotConvertible, 0)
		if c.miss != nil && c.miss[i] != 0 {
			m[i] = c.miss[i]
		}
	}
	return column{vals: dst, miss: m, own: true, codes: c.codes}
}

// rescalePlan is rescale(x, "units").
type rescalePlan struct {
	shape
	scale    pcp.Scale
	physical affine // applied last, between scales of a physical unit
}

func (p *rescalePlan) open(e *evaluation) stream {
	return &mapped{p.in[0].open(e), func(dst []uint64, c column) column {
		for i, hi := c.bounds(); i < hi; i++ {
			r, ok := p.convert(c.vals[i])
			dst[i] = r
			if !ok && c.has(i) {
				e.writable(&c)[i] = missing(series.NotConvertible, 0)
			}
		}
		c.vals = dst
		return c
	}}
}

// convert converts one value; ok is false if it does not fit its type.
func (p *rescalePlan) convert(v uint64) (r uint64, ok bool) {
	switch p.d.Type {
	case pcp.Double:
		return math.Float64bits(p.physical.of(p.scale.Float64(f64(v)))), true
	case pcp.Float:
		x := p.scale.Float32(f32(v))
		if p.physical != (affine{}) {
			x = float32(p.physical.of(float64(x)))
		}
		return uint64(math.Float32bits(x)), true
	case pcp.Int32, pcp.Int64:
		x, ok := p.scale.Int64(int64(v))
		if p.physical != (affine{}) {
			y := math.Round(p.physical.of(float64(x)))
			x, ok = int64(y), ok && math.Abs(y) < 1<<63
		}
		return uint64(x), ok && (p.d.Type == pcp.Int64 || int64(int32(x)) == x)
	}
	x, ok := p.scale.Uint64(v)
	if p.physical != (affine{}) {
		y := math.Round(p.physical.of(float64(x)))
		x, ok = uint64(y), ok && y >= 0 && y < 1<<64
	}
	return x, ok && (p.d.Type == pcp.Uint64 || x <= math.MaxUint32)
}

// affine is v*mul + add; the zero value changes nothing.
type affine struct{ mul, add float64 }

func (a affine) of(v float64) float64 {
	if a == (affine{}) {
		return v
	}
	return float64(v*a.mul) + a.add // the conversion rounds the product on every machine, so that no FMA is used
}

// physicalScale returns the conversion between two scales of one physical unit;
// ok is false for different units. See Units.Extra.
func physicalScale(from, to pcp.Units) (a affine, ok bool) {
	const temperature = 1
	switch {
	case from.Extra != to.Extra:
		return a, false
	case from.Extra == 0 || from.ExtraScale == to.ExtraScale:
		return a, true
	case from.Extra == temperature:
		celsius := [...]affine{1: {1, 0}, 2: {5.0 / 9, -160.0 / 9}, 3: {1, -273.15}} // from C, F, K
		back := [...]affine{1: {1, 0}, 2: {1.8, 32}, 3: {1, 273.15}}
		if min(from.ExtraScale, to.ExtraScale) < 1 || max(from.ExtraScale, to.ExtraScale) > 3 {
			return a, false
		}
		c, b := celsius[from.ExtraScale], back[to.ExtraScale]
		return affine{c.mul * b.mul, c.add*b.mul + b.add}, true
	case from.Extra < -temperature || from.Extra > temperature: // steps of 1000, downwards
		return affine{mul: math.Pow(1000, float64(int(to.ExtraScale)-int(from.ExtraScale))*math.Copysign(1, float64(from.Extra)))}, true
	}
	return a, false // per degree
}
