package shrink

import "math"

// The compiler computes addresses in 64 bits and truncates them, and for
// addresses on the stack it adds to its pointer what could be the offset of the
// memory access.
func addresses(code []instruction) []instruction {
	out := make([]instruction, 0, len(code))
	for k := 0; k < len(code); k++ {
		if c := code[k:]; len(c) > 3 && c[0].op == opExtend && c[1].op == opI64Const && c[2].op == opI64Add && c[3].op == opWrap {
			out = append(out, constant(opI32Const, int64(int32(c[1].a))), plain(opI32Add))
			k += 3
			continue
		}
		out = append(out, code[k])
	}
	return offsets(out)
}

// offsets moves what is added to the stack pointer into the access. The stack
// lies below the end of memory, so that no such sum wraps.
func offsets(code []instruction) []instruction {
	out := code[:0]
	for k := 0; k < len(code); k++ {
		out = append(out, code[k])
		if c := code[k:]; len(c) > 3 && c[0].is(opLocalGet, pointer) && c[1].op == opI32Const && c[1].a >= 0 && c[2].op == opI32Add {
			if at, ok := user(c[3:]); ok && c[3+at].b+c[1].a <= math.MaxInt32 {
				i := c[3+at]
				c[3+at] = access(i.op, i.a, i.b+c[1].a)
				k += 2
			}
		}
	}
	return out
}

// user finds the access to memory whose address is on the stack before code.
func user(code []instruction) (at int, ok bool) {
	above := 0 // values above the address
	for at, i := range code {
		takes, leaves, known := i.stack()
		switch {
		case !known:
			return 0, false
		case takes <= above:
			above += leaves - takes
		case above == 0 && i.op >= opFirstLoad && i.op <= opLastLoad, above == 1 && i.op >= opI32Store && i.op <= opLastStore:
			return at, true
		default:
			return 0, false
		}
	}
	return 0, false
}
