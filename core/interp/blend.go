package interp

import (
	"math"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// between writes the values of a counter at times ts, which lie strictly
// between an observation v at tp and the next one, w at tn. Times are in
// seconds. The order of operations determines the last bit; the conversions to
// float64 keep compilers from fusing them. See spec/interp.md sections 4 and 5.
func between(dst []uint64, ts []float64, typ pcp.Type, wrap bool, v, w uint64, tp, tn float64) {
	d := tn - tp
	switch typ {
	case pcp.Int32, pcp.Uint32:
		if wrap && v > w || wrap && typ == pcp.Int32 && int64(v) > int64(w) {
			grow := float64(uint32(w) - uint32(v))
			for i, t := range ts {
				step := uint32(v) + uint32(uint64(0.5+float64((t-tp)*grow)/d))
				dst[i] = extend32(step, typ)
			}
			return
		}
		// Both types fit into an int64, and so does their difference.
		from, diff := float64(int64(v)), float64(int64(w)-int64(v))
		for i, t := range ts {
			dst[i] = uint64(int64(0.5 + from + float64((t-tp)*diff)/d))
		}
	case pcp.Int64:
		from, diff := float64(int64(v)), float64(int64(w)-int64(v))
		if (int64(w) > int64(v)) != (diff > 0) && v != w { // the difference overflows
			diff = float64(int64(w)) - from
		}
		for i, t := range ts {
			dst[i] = toInt64(0.5 + from + float64((t-tp)*diff)/d)
		}
	case pcp.Uint64:
		from := float64(v)
		if w >= v || wrap {
			grow := float64(w - v) // modulo 2^64, like the overflow
			for i, t := range ts {
				dst[i] = toUint64(0.5+from+float64((t-tp)*grow)/d, w < v)
			}
			return
		}
		fall := float64(v - w)
		for i, t := range ts {
			dst[i] = toUint64(0.5+from-float64((t-tp)*fall)/d, false)
		}
	case pcp.Float:
		a, b := math.Float32frombits(uint32(v)), math.Float32frombits(uint32(w))
		from, diff := float64(a), float64(float32(b-a))
		for i, t := range ts {
			dst[i] = uint64(math.Float32bits(float32(from + float64((t-tp)*diff)/d)))
		}
	case pcp.Double:
		a, b := math.Float64frombits(v), math.Float64frombits(w)
		diff := b - a
		for i, t := range ts {
			dst[i] = math.Float64bits(a + float64((t-tp)*diff)/d)
		}
	}
}

// extend32 converts a 32-bit pattern to the form in which series stores the
// type.
func extend32(bits uint32, typ pcp.Type) uint64 {
	if typ == pcp.Int32 {
		return uint64(int64(int32(bits)))
	}
	return uint64(bits)
}

// toInt64 truncates x and limits it to the type's range: 64-bit values pass
// through a double, which may round them up beyond it.
func toInt64(x float64) uint64 {
	switch {
	case x >= 1<<63:
		return math.MaxInt64
	case x < -1<<63:
		return 1 << 63
	}
	return uint64(int64(x))
}

// toUint64 is toInt64 for the unsigned type. With wrap set, values beyond the
// range wrap around to 0.
func toUint64(x float64, wrap bool) uint64 {
	switch {
	case x < 0:
		return 0
	case x < 1<<63:
		return uint64(int64(x)) // one instruction less than the full conversion
	case x < 1<<64:
		return uint64(x)
	case wrap:
		return toUint64(x-1<<64, false)
	}
	return math.MaxUint64
}

// inside returns the value of a counter between two equal observations. It
// differs from v where the arithmetic in doubles is inexact: 64-bit values
// above 2^52, negative numbers (a half is added before truncation), infinities.
func inside(typ pcp.Type, v uint64) uint64 {
	switch typ {
	case pcp.Uint32, pcp.Uint64:
		if v < 1<<52 {
			return v
		}
	case pcp.Int32, pcp.Int64:
		if v < 1<<52 { // and not negative
			return v
		}
	}
	var mid [1]uint64
	between(mid[:], []float64{1}, typ, false, v, v, 0, 2)
	return mid[0]
}

// choose writes v for times up to half way between tp and tn, and w for those
// after it. See spec/interp.md section 3.
func choose(dst []uint64, ts []float64, v, w uint64, tp, tn float64) {
	mid := (tp + tn) / 2
	i := 0
	for i < len(ts) && ts[i] <= mid {
		dst[i] = v
		i++
	}
	fill(dst[i:], w)
}

// fill writes v everywhere.
func fill(dst []uint64, v uint64) {
	for i := range dst {
		dst[i] = v
	}
}

func fillWhy(dst []series.Why, w series.Why) {
	for i := range dst {
		dst[i] = w
	}
}
