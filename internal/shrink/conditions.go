package shrink

// The compiler converts conditions to 64-bit values and back, and negates comparisons
// that have an inverse. (Those of floats have none, because of NaN.)

// conditions shortens that, and leaves out what does nothing.
func conditions(code []instruction) []instruction {
	out := make([]instruction, 0, len(code))
	last := func(back int) *instruction {
		if len(out) < back {
			return &instruction{op: opMore}
		}
		return &out[len(out)-back]
	}
	for _, i := range code {
		switch {
		case i.op == opNop:
			continue
		case i.op == opWrap && last(1).op == opExtend:
			out = out[:len(out)-1]
			continue
		case i.op == opWrap && last(1).op == opI64Const:
			*last(1) = constant(opI32Const, int64(int32(last(1).a)))
			continue
		case i.op == opI64Zero && last(1).op == opExtend:
			*last(1) = plain(opI32Zero)
			i = out[len(out)-1]
			out = out[:len(out)-1]
			if opposite, ok := inverse(last(1).op); ok {
				*last(1) = plain(opposite)
				continue
			}
		case i.op == opI32Zero:
			if opposite, ok := inverse(last(1).op); ok {
				*last(1) = plain(opposite)
				continue
			}
		case (i.op == opBrIf || i.op == opIf) && last(1).op == opI32Zero && last(2).op == opI32Zero:
			out = out[:len(out)-2]
		}
		out = append(out, i)
	}
	return out
}

// inverse returns the comparison of integers that is true where another is not.
func inverse(op byte) (byte, bool) {
	const pairs = "\x46\x47\x48\x4e\x49\x4f\x4a\x4c\x4b\x4d\x51\x52\x53\x59\x54\x5a\x55\x57\x56\x58"
	for k := range len(pairs) {
		if pairs[k] == op {
			return pairs[k^1], true
		}
	}
	return 0, false
}
