package interp

import (
	"math"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Rate converts a counter's frame to what pmval(1) shows: the growth since the
// previous point, in the order of the grid, per second; for a counter of time
// the fraction of time (time utilisation). The result is DOUBLE and INSTANT, in
// f.Desc.Units.Rate(). A point has no rate if it or the previous one has no
// value or the counter went backwards between them. Frames of other semantics
// are returned unchanged. See spec/interp.md section 13.
//
// It computes every rate that is shown on a grid. Other rates are computed from
// something else or follow other rules: RawRate from observations, a
// Summariser's over a window, the language's rate(x), analysis.Table's, which
// also knows steps of the clock, and pmie's (pmie/eval.go), of which one counter
// that goes backwards ends all.
//
// The first point never has a rate.
func Rate(f series.Frame, opt Options) series.Frame {
	if f.Desc.Sem != pcp.Counter || !f.Desc.Type.Numeric() {
		return f
	}
	n := f.Grid.Count
	out := series.Frame{Desc: rateDesc(f.Desc), Grid: f.Grid, Vectors: make([]series.Vector, len(f.Vectors))}
	span := make([]float64, n) // divisor of the growth
	for i := 1; i < n; i++ {
		span[i] = perSecond(f.Desc.Units) * f.Grid.At(i).Since(f.Grid.At(i-1))
	}
	sign := 1.0
	if f.Grid.Step < 0 {
		sign = -1
	}
	vals := make([]uint64, n*len(f.Vectors))
	why := make([]series.Why, n*len(f.Vectors))
	level := make([]float64, n)
	for i := range f.Vectors {
		if opt.Stop != nil && opt.Stop(0) {
			break
		}
		in := &f.Vectors[i]
		v := series.Vector{Inst: in.Inst, Name: in.Name, Operand: in.Operand, Codes: in.Codes,
			Vals: vals[i*n : (i+1)*n : (i+1)*n], Why: why[i*n : (i+1)*n : (i+1)*n]}
		floats(level, in.Vals, f.Desc.Type)
		rates(&v, level, span, in.Why, sign*overflow(f.Desc.Type, opt), sign)
		out.Vectors[i] = v
	}
	return out
}

// rates fills one vector. A difference against the counter's direction is
// corrected by wrap, or gives no rate if wrap is 0.
func rates(v *series.Vector, level, span []float64, why []series.Why, wrap, sign float64) {
	if len(level) == 0 {
		return
	}
	v.Why[0] = series.NoPrevious
	if why != nil && why[0] != series.HasValue {
		v.Why[0] = why[0]
	}
	for i := 1; i < len(level); i++ {
		if why != nil {
			if w := why[i]; w != series.HasValue {
				v.Why[i] = w
				continue
			}
			if why[i-1] != series.HasValue {
				v.Why[i] = series.NoPrevious
				continue
			}
		}
		d := level[i] - level[i-1]
		if d*sign < 0 {
			if wrap == 0 {
				v.Why[i] = series.WentBackwards
				continue
			}
			d += wrap
		}
		if d != 0 { // and not -0 if the span is negative
			v.Vals[i] = math.Float64bits(d / span[i])
		}
	}
}

// rateDesc describes the rate of a counter.
func rateDesc(d pcp.Desc) pcp.Desc {
	d.Type, d.Sem, d.Units = pcp.Double, pcp.Instant, d.Units.Rate()
	return d
}

// perSecond returns how many of the units' own time units make a second, so
// that a counter of milliseconds becomes a fraction of time; 1 for units
// without time.
func perSecond(u pcp.Units) float64 {
	if u.Time == 0 {
		return 1
	}
	switch u.TimeScale {
	case pcp.Nanosec:
		return 1e9
	case pcp.Microsec:
		return 1e6
	case pcp.Millisec:
		return 1e3
	case pcp.Min:
		return 1.0 / 60
	case pcp.Hour:
		return 1.0 / 3600
	}
	return 1
}

// overflow returns what to add to the difference of a counter that wrapped, 0
// if decreases are not treated as overflows.
func overflow(t pcp.Type, opt Options) float64 {
	if !opt.CounterWrap {
		return 0
	}
	switch t {
	case pcp.Int32, pcp.Uint32:
		return 1 << 32
	case pcp.Int64, pcp.Uint64:
		return 1 << 64
	}
	return 0
}

// floats converts values of a numeric type to doubles.
func floats(dst []float64, vals []uint64, typ pcp.Type) {
	switch typ {
	case pcp.Int32, pcp.Int64:
		for i, v := range vals {
			dst[i] = float64(int64(v))
		}
	case pcp.Uint32:
		for i, v := range vals {
			dst[i] = float64(int64(v))
		}
	case pcp.Uint64:
		for i, v := range vals {
			dst[i] = float64(v)
		}
	case pcp.Float:
		for i, v := range vals {
			dst[i] = float64(math.Float32frombits(uint32(v)))
		}
	case pcp.Double:
		for i, v := range vals {
			dst[i] = math.Float64frombits(v)
		}
	}
}
