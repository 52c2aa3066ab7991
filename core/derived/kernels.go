package derived

import (
	"math"

	"pcpscope/core/pcp"
)

// The loops over values. Each is called once per column; the caller has
// determined the types. dst may be the memory of an operand.

func f64(bits uint64) float64 { return math.Float64frombits(bits) }
func f32(bits uint64) float32 { return math.Float32frombits(uint32(bits)) }

func isSigned(t pcp.Type) bool { return t == pcp.Int32 || t == pcp.Int64 }

// convert converts values to another numeric type as C does. It returns src
// itself if the bits stay the same. See spec/derived.md section 6.
func convert(dst, src []uint64, from, to pcp.Type) []uint64 {
	switch {
	case from == to, from.Integer() && to.Integer() && to.Width() == 8:
		return src
	case from.Integer() && to == pcp.Uint32:
		narrowUnsigned(dst, src)
	case from.Integer() && to == pcp.Int32:
		narrowSigned(dst, src)
	case to == pcp.Double && from == pcp.Float:
		widen(dst, src)
	case to == pcp.Double && isSigned(from):
		signedToDouble(dst, src)
	case to == pcp.Double:
		unsignedToDouble(dst, src)
	case to == pcp.Float && from == pcp.Double:
		for i, v := range src[:len(dst)] {
			dst[i] = uint64(math.Float32bits(float32(f64(v))))
		}
	case to == pcp.Float && isSigned(from):
		for i, v := range src[:len(dst)] {
			dst[i] = uint64(math.Float32bits(float32(int64(v))))
		}
	case to == pcp.Float:
		for i, v := range src[:len(dst)] {
			dst[i] = uint64(math.Float32bits(float32(v)))
		}
	default: // floating point to integer, which does not occur in the language
		for i, v := range src[:len(dst)] {
			x := f64(v)
			if from == pcp.Float {
				x = float64(f32(v))
			}
			dst[i] = uint64(int64(x))
		}
	}
	return dst
}

func narrowUnsigned(dst, src []uint64) {
	for i, v := range src[:len(dst)] {
		dst[i] = uint64(uint32(v))
	}
}

func narrowSigned(dst, src []uint64) {
	for i, v := range src[:len(dst)] {
		dst[i] = uint64(int64(int32(v)))
	}
}

func widen(dst, src []uint64) {
	for i, v := range src[:len(dst)] {
		dst[i] = math.Float64bits(float64(f32(v)))
	}
}

func signedToDouble(dst, src []uint64) {
	for i, v := range src[:len(dst)] {
		dst[i] = math.Float64bits(float64(int64(v)))
	}
}

func unsignedToDouble(dst, src []uint64) {
	for i, v := range src[:len(dst)] {
		dst[i] = math.Float64bits(float64(v))
	}
}

// scale converts doubles to another scale: (v / div) * mul.
func (f factor) scale(dst, src []uint64) {
	if f.mul == 1 {
		for i, v := range src[:len(dst)] {
			dst[i] = math.Float64bits(f64(v) / f.div)
		}
		return
	}
	for i, v := range src[:len(dst)] {
		dst[i] = math.Float64bits(f64(v) / f.div * f.mul)
	}
}

// arithmetic computes + - * in type t, and / in DOUBLE.
func arithmetic(op Op, t pcp.Type, dst, a, b []uint64) {
	switch {
	case op == OpDiv:
		divide(dst, a, b)
	case t == pcp.Double:
		switch op {
		case OpAdd:
			addDouble(dst, a, b)
		case OpSub:
			subDouble(dst, a, b)
		case OpMul:
			mulDouble(dst, a, b)
		}
	case t == pcp.Float:
		floatArithmetic(op, dst, a, b)
	default:
		integerArithmetic(op, dst, a, b)
		if t == pcp.Int32 {
			narrowSigned(dst, dst)
		} else if t == pcp.Uint32 {
			narrowUnsigned(dst, dst)
		}
	}
}

func addDouble(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = math.Float64bits(f64(a[i]) + f64(b[i]))
	}
}

func subDouble(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = math.Float64bits(f64(a[i]) - f64(b[i]))
	}
}

func mulDouble(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = math.Float64bits(f64(a[i]) * f64(b[i]))
	}
}

// divide gives 0 for a dividend of 0, whatever the divisor, as PCP does.
func divide(dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		if x := f64(a[i]); x == 0 {
			dst[i] = 0
		} else {
			dst[i] = math.Float64bits(x / f64(b[i]))
		}
	}
}

func floatArithmetic(op Op, dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	switch op {
	case OpAdd:
		for i := range dst {
			dst[i] = uint64(math.Float32bits(f32(a[i]) + f32(b[i])))
		}
	case OpSub:
		for i := range dst {
			dst[i] = uint64(math.Float32bits(f32(a[i]) - f32(b[i])))
		}
	case OpMul:
		for i := range dst {
			dst[i] = uint64(math.Float32bits(f32(a[i]) * f32(b[i])))
		}
	}
}

func integerArithmetic(op Op, dst, a, b []uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	switch op {
	case OpAdd:
		for i := range dst {
			dst[i] = a[i] + b[i]
		}
	case OpSub:
		for i := range dst {
			dst[i] = a[i] - b[i]
		}
	case OpMul:
		for i := range dst {
			dst[i] = a[i] * b[i]
		}
	}
}

// compare computes the relational operators as 0 or 1, on operands of type t.
// NaN is unequal to everything, including itself.
func compare(op Op, t pcp.Type, dst, a, b []uint64) {
	switch op {
	case OpGreater:
		op, a, b = OpLess, b, a
	case OpGreaterEq:
		op, a, b = OpLessEq, b, a
	}
	a, b = a[:len(dst)], b[:len(dst)]
	switch {
	case t == pcp.Double || t == pcp.Float:
		if t == pcp.Float {
			wide := make([]uint64, 2*len(dst))
			widen(wide[:len(dst)], a)
			widen(wide[len(dst):], b)
			a, b = wide[:len(dst)], wide[len(dst):]
		}
		switch op {
		case OpLess:
			for i := range dst {
				dst[i] = truth(f64(a[i]) < f64(b[i]))
			}
		case OpLessEq:
			for i := range dst {
				dst[i] = truth(f64(a[i]) <= f64(b[i]))
			}
		case OpEqual:
			for i := range dst {
				dst[i] = truth(f64(a[i]) == f64(b[i]))
			}
		case OpNotEqual:
			for i := range dst {
				dst[i] = truth(f64(a[i]) != f64(b[i]))
			}
		}
	case op == OpEqual:
		for i := range dst {
			dst[i] = truth(a[i] == b[i])
		}
	case op == OpNotEqual:
		for i := range dst {
			dst[i] = truth(a[i] != b[i])
		}
	case isSigned(t) && op == OpLess:
		for i := range dst {
			dst[i] = truth(int64(a[i]) < int64(b[i]))
		}
	case isSigned(t):
		for i := range dst {
			dst[i] = truth(int64(a[i]) <= int64(b[i]))
		}
	case op == OpLess:
		for i := range dst {
			dst[i] = truth(a[i] < b[i])
		}
	default:
		for i := range dst {
			dst[i] = truth(a[i] <= b[i])
		}
	}
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// nonzero converts numbers of type t to 0 or 1: both zeros give 0, NaN gives 1.
func nonzero(dst, src []uint64, t pcp.Type) {
	drop := uint64(0) // the sign of a floating zero
	switch t {
	case pcp.Float:
		drop = 1 << 31
	case pcp.Double:
		drop = 1 << 63
	}
	for i, v := range src[:len(dst)] {
		dst[i] = truth(v&^drop != 0)
	}
}

func logical(op Op, t pcp.Type, dst, a, b []uint64) {
	other := make([]uint64, len(dst))
	nonzero(other, b, t)
	nonzero(dst, a, t)
	if op == OpAnd {
		for i, v := range other {
			dst[i] &= v
		}
		return
	}
	for i, v := range other {
		dst[i] |= v
	}
}
