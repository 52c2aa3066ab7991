package shrink

import "slices"

// The compiler puts nearly every value into a register, which is a local here,
// and reads it from there for the next instruction. Where that is what is read
// next, the value can stay on WebAssembly's own stack; and where it is never
// read again, it need not be put into the local.

// values leaves values on the stack where it can.
func values(code []instruction) []instruction {
	live, ok := liveAfter(code)
	if !ok {
		return code
	}
	out := make([]instruction, 0, len(code))
	for k, i := range code {
		switch {
		case i.op == opLocalGet && i.a > pointer:
			var done bool
			if out, done = stayed(out, i.a, live[k].has(i.a)); done {
				continue
			}
		case i.op == opLocalSet && i.a > pointer:
			if n := len(out); n > 0 && out[n-1].is(opLocalGet, i.a) {
				out = out[:n-1]
				continue
			}
			if !live[k].has(i.a) {
				if from := lastValue(out); from >= 0 {
					out = out[:from]
					continue
				}
			}
		}
		out = append(out, i)
	}
	return out
}

// stayed removes the last instruction that sets a local from code, if its value
// can as well be computed at the end, where it is about to be read.
func stayed(code []instruction, local int64, live bool) (out []instruction, ok bool) {
	const farthest = 64
	above := 0 // values from before the set that the code after it uses, at most
	for at := len(code) - 1; at >= max(0, len(code)-farthest); at-- {
		i := code[at]
		if i.is(opLocalSet, local) {
			from := lastValue(code[:at])
			if above > 0 || from < 0 || !commute(code[:at], from, code[at+1:]) {
				return code, false
			}
			value := slices.Clone(code[from:at])
			if live {
				value = append(value, indexed(opLocalTee, local))
			}
			return append(append(code[:from], code[at+1:]...), value...), true
		}
		takes, leaves, known := i.stack()
		if !known || i.a == local && (i.op == opLocalGet || i.op == opLocalTee) || i.op == opGlobalSet || (i.op == opLocalSet || i.op == opLocalTee) && i.a <= pointer {
			return code, false
		}
		above = max(above-leaves, 0) + takes
	}
	return code, false
}

// commute reports whether the code of a value, which begins at an index of code
// and ends there, gives the same after other code as before it.
func commute(code []instruction, from int, other []instruction) bool {
	value := code[from:]
	for k, i := range other {
		switch {
		case i.op == opLocalSet || i.op == opLocalTee:
			if slices.ContainsFunc(value, func(v instruction) bool { return v.is(opLocalGet, i.a) }) {
				return false
			}
		case i.op >= opI32Store && i.op <= opLastStore:
			address := lastValue(other[:k]) - 1
			for n, v := range value {
				if v.op < opFirstLoad || v.op > opLastLoad {
					continue
				}
				if n == 0 || !value[n-1].is(opLocalGet, pointer) || address < 0 || !other[address].is(opLocalGet, pointer) || v.b < i.b+8 && i.b < v.b+8 {
					return false
				}
			}
		}
	}
	return true
}

// lastValue returns where the computation of the value on top of the stack
// begins, -1 if it does anything else.
func lastValue(code []instruction) int {
	missing := 1
	for at := len(code) - 1; at >= 0; at-- {
		takes, leaves, known := code[at].pure()
		if !known {
			return -1
		}
		if missing += takes - leaves; missing == 0 {
			return at
		}
	}
	return -1
}

// pure returns what stack does, for instructions that do nothing else.
func (i instruction) pure() (takes, leaves int, ok bool) {
	switch op := i.op; {
	case op == opLocalSet || op == opLocalTee || op == opGlobalSet || op == 0x1a, op >= opI32Store && op <= opLastStore:
		return 0, 0, false
	}
	return i.stack()
}

// A set of locals.
type localSet uint64

// has reports whether a local may be in the set, which has room for the first 64.
func (s localSet) has(local int64) bool { return local >= 64 || s&only(local) != 0 }

func only(local int64) localSet {
	if local < 0 || local >= 64 {
		return 0
	}
	return 1 << local
}

// liveAfter returns for each instruction the locals that may be read after it
// before they are set. After a call none of the compiler's is: the function may
// have been left and entered anew meanwhile.
func liveAfter(code []instruction) (after []localSet, ok bool) {
	var open []int
	end := make([]int, len(code))      // of the block that begins there
	target := make([][]int, len(code)) // where the blocks begin that a branch leads to
	for k, i := range code {
		switch {
		case i.op == opElse:
			return nil, false
		case i.nests() > 0:
			open = append(open, k)
		case i.op == opEnd && len(open) > 0:
			end[open[len(open)-1]] = k
			open = open[:len(open)-1]
		case i.op == opBr || i.op == opBrIf || i.op == opBrTable:
			depths := i.table
			if i.op != opBrTable {
				depths = []uint64{uint64(i.a)}
			}
			for _, depth := range depths {
				if depth >= uint64(len(open)) {
					return nil, false
				}
				target[k] = append(target[k], open[len(open)-1-int(depth)])
			}
		}
	}
	before := make([]localSet, len(code)+1)
	after = make([]localSet, len(code))
	for changed := true; changed; {
		changed = false
		for k := len(code) - 1; k >= 0; k-- {
			i := code[k]
			var next localSet
			for _, begin := range target[k] {
				if code[begin].op == opLoop {
					next |= before[begin]
				} else {
					next |= before[end[begin]]
				}
			}
			if i.op != opBr && i.op != opBrTable && i.op != opReturn && i.op != 0 {
				next |= before[k+1]
			}
			if i.op == opIf {
				next |= before[end[k]]
			}
			after[k] = next
			switch {
			case i.op == opLocalGet:
				next |= only(i.a)
			case i.op == opLocalSet || i.op == opLocalTee:
				next &^= only(i.a)
			}
			if _, calls := pushed(code[k:]); calls {
				next = 0
			}
			if before[k] != next {
				before[k], changed = next, true
			}
		}
	}
	return after, true
}
