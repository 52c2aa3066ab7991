package shrink

// After each call a branch leads to the end of the function, which returns 1 to
// unwind. Its depth differs from call to call. Written out, the end is longer
// but always the same, which compresses to nothing.
func unwinding(code []instruction) []instruction {
	n := len(code)
	if n < 3 || code[n-3].op != opEnd || !code[n-2].is(opI32Const, 1) || code[n-1].op != opEnd {
		return code
	}
	from, depth := 0, 0 // of the last outermost block, which ends there
	for k, i := range code {
		if depth == 0 && i.nests() > 0 {
			from = k
		}
		depth += i.nests()
	}
	if !code[from].is(opBlock, void) {
		return code
	}
	out := append(make([]instruction, 0, n), code[:from]...)
	depth = 0
	for _, i := range code[from:] {
		if i.op == opBrIf && int(i.a) == depth-1 {
			out = append(out, constant(opIf, void), constant(opI32Const, 1), plain(opReturn), plain(opEnd))
			continue
		}
		depth += i.nests()
		out = append(out, i)
	}
	return out
}

const number = 2 // local: the function's number, where returns has put it there

// leaving adds up at once what a function that returns adds to the stack
// pointer: the size of its frame, and that of the return address.
func leaving(code []instruction) []instruction {
	out := make([]instruction, 0, len(code))
	for k := 0; k < len(code); k++ {
		if c := code[k:]; len(c) > 9 && c[1].op == opI32Const && c[6].op == opI32Const && raises(c) && raises(c[5:]) {
			code[k+6] = constant(opI32Const, int64(int32(c[1].a+c[6].a)))
			k += 4
			continue
		}
		out = append(out, code[k])
	}
	return out
}

// raises reports whether code begins by adding a constant to the stack pointer.
func raises(code []instruction) bool {
	return code[0].is(opLocalGet, pointer) && code[1].op == opI32Const && code[2].op == opI32Add && code[3].is(opLocalTee, pointer) && code[4].is(opGlobalSet, stack)
}

// returns shortens the return addresses that calls leave on Go's stack. Each is
// the function's number, and in its lower 16 bits the position after the call.
// The number is put into a local, once.
func (f *function) returns() {
	if len(f.locals) == 0 || f.locals[0].kind != i32 || f.locals[0].count == 0 {
		return
	}
	address := func(k int) bool {
		return f.code[k].op == opI64Const && f.code[k].a >= places && k+1 < len(f.code) && f.code[k+1].op == opI64Store && f.code[k+1].b == 0
	}
	count := map[int64]int{}
	base := int64(0)
	for k := range f.code {
		if address(k) {
			b := f.code[k].a &^ (places - 1)
			if count[b]++; count[b] > count[base] {
				base = b
			}
		}
	}
	if count[base] < 2 {
		return
	}
	out := []instruction{constant(opI64Const, base), indexed(opLocalSet, number)}
	for k, i := range f.code {
		switch {
		case address(k) && i.a&^(places-1) == base:
			out = append(out, constant(opI64Const, i.a-base), indexed(opLocalGet, number), plain(opI64Or))
		case i.op >= opLocalGet && i.op <= opLocalTee && i.a >= number:
			out = append(out, indexed(i.op, i.a+1))
		default:
			out = append(out, i)
		}
	}
	f.code = out
	was := f.locals
	f.locals = nil
	for _, l := range append([]locals{{1, i32}, {1, i64}, {was[0].count - 1, i32}}, was[1:]...) {
		f.declare(l)
	}
}

// declare adds locals behind those that the function has.
func (f *function) declare(l locals) {
	switch n := len(f.locals); {
	case l.count == 0:
	case n > 0 && f.locals[n-1].kind == l.kind:
		f.locals[n-1].count += l.count
	default:
		f.locals = append(f.locals, l)
	}
}
