package shrink

// A jump within a function sets the place and branches to the loop, whose
// br_table leads on. If the place is ahead, its block is still open, and
// leaving it has the same effect: one branch instead of four instructions,
// which the browser compiles to a jump and not to a table look-up.
//
// The place, stale then, is read only at the loop, and nothing branches there
// without setting it; a function for which that is not true is left as it is.
// (Calls of function values pass their number through the same local, and leave
// it stale in the same way.)
func jumps(code []instruction) []instruction {
	h, ok := readHead(code)
	if !ok {
		return code
	}
	out := append([]instruction{}, code[:h.end]...)
	depth, again := h.depth, false
	for k := h.end; k < len(code); k++ {
		i := code[k]
		at := k
		if i.is(opIf, void) && len(code)-k > 4 && code[k+4].op == opEnd {
			at++
		}
		inside := depth + at - k
		if target, jumps := jump(code[at:], inside-h.loop); jumps {
			away, ahead := h.ahead(target, depth)
			if !ahead {
				again = true
				out = append(out, code[k:at+3]...)
				depth = inside
			} else if at == k {
				out = append(out, indexed(opBr, int64(away)))
			} else {
				out = append(out, indexed(opBrIf, int64(away)))
				at++ // the end of the if
			}
			k = at + 2
			continue
		}
		if callsWhat(code[k:]) {
			out = append(out, code[k:k+4]...)
			k += 3
			continue
		}
		switch {
		case i.op == opLocalGet && i.a == place, i.op == opLocalTee && i.a == place, i.op == opLocalSet && i.a == place:
			return code
		case (i.op == opBr || i.op == opBrIf) && depth-int(i.a) == h.loop:
			return code
		case i.op == opBrTable:
			return code
		}
		depth += i.nests()
		if depth < 0 && k < len(code)-1 { // the last end is the function's
			return code
		}
		h.open = min(h.open, depth-h.loop)
		out = append(out, i)
	}
	if !again {
		// Nothing branches back to it.
		out[h.at] = constant(opBlock, void)
	}
	return out
}

// jump returns where code that begins with a jump leads to. up is the depth of
// the loop.
func jump(code []instruction, up int) (target int64, ok bool) {
	if len(code) < 3 || code[0].op != opI32Const || !code[1].is(opLocalSet, place) || !code[2].is(opBr, int64(up)) {
		return 0, false
	}
	return code[0].a, true
}

// callsWhat reports whether code begins with a call of the function whose
// number is on the stack.
func callsWhat(code []instruction) bool {
	return len(code) > 3 && code[0].is(opLocalSet, place) && code[1].is(opI32Const, 0) && code[2].is(opLocalGet, place) && code[3].op == opCallIndirect
}

// A head is the beginning of a function that has jumps.
type head struct {
	at    int      // of the loop, in the code
	end   int      // after the br_table
	loop  int      // depth inside the loop
	depth int      // depth of the br_table
	open  int      // number of blocks within the loop that are still open
	table []uint64 // number of blocks to leave for each place; the last is the default
}

func readHead(code []instruction) (h head, ok bool) {
	k := 2 // after setting the stack pointer
	for ; k < len(code) && (code[k].is(opBlock, void) || code[k].is(opLoop, void)); k++ {
		h.depth++
		if code[k].op == opLoop {
			if h.at > 0 {
				return h, false
			}
			h.at, h.loop = k, h.depth
		}
	}
	if h.at == 0 || k+1 >= len(code) || !code[k].is(opLocalGet, place) || code[k+1].op != opBrTable {
		return h, false
	}
	h.end, h.table, h.open = k+2, code[k+1].table, h.depth-h.loop
	return h, true
}

// ahead returns the depth of a branch to a place, with depth blocks open, if
// the place is ahead.
func (h *head) ahead(target int64, depth int) (away int, ok bool) {
	if target < 0 || target >= int64(len(h.table)) {
		target = int64(len(h.table) - 1)
	}
	all := h.depth - h.loop
	leaves := int(h.table[target])
	if leaves >= all || all-leaves > h.open {
		return 0, false
	}
	return depth - (h.loop + all - leaves), true
}
