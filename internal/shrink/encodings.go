package shrink

// The linker writes the number of a called function as if it had a sign, which
// takes one byte more for half of them. And each load and store says how the
// address is aligned: no browser makes use of it, and nothing promised, always
// the same byte, compresses better.

// encodings writes instructions the shortest way.
func encodings(code []instruction) []instruction {
	out := make([]instruction, len(code))
	for k, i := range code {
		switch {
		case i.op == opCall:
			i = indexed(opCall, i.a)
		case i.op >= opFirstLoad && i.op <= opLastStore:
			i = access(i.op, 0, i.b)
		}
		out[k] = i
	}
	return out
}
