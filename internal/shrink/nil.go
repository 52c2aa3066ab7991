package shrink

import "slices"

// The compiler checks a pointer that may be nil by calling sigpanic if it is,
// and goes on behind the call in case it returns, which it never does: the call
// is either not over or unwinds. So the function can return what it returns.
//
// Each call leaves a place of its own on Go's stack. It served to print the
// line; the runtime looks up how deep the stack is there, which is the same for
// all of a function's checks, but not which of its words are pointers: nothing
// behind the call will use them (resolveInternal in runtime/traceback.go). So
// all checks of a function can leave the place of the first, or place 1 if the
// stack is as deep there, as it nearly always is: the same in all functions.
func nilChecks(code []instruction, sigpanic int64, depths []byte) []instruction {
	out := make([]instruction, 0, len(code))
	var first []instruction
	for k := 0; k < len(code); k++ {
		n := placeOfCheck(code[k:], sigpanic)
		if n == 0 {
			out = append(out, code[k])
			continue
		}
		at := k + beforePlace
		if first == nil {
			first = slices.Clone(code[at : at+n])
			if a := first[0].a; tableAt(depths, 1) == tableAt(depths, a&(places-1)) {
				first[0] = constant(opI64Const, a&^(places-1)|1)
			}
		}
		out = append(append(out, code[k:at]...), first...)
		out = append(append(out, code[at+n:at+n+3]...), plain(opReturn))
		k = at + n + 3 + len(afterCall) - 1
	}
	return out
}

// afterCall is what follows a call: the function unwinds if that did.
var afterCall = []instruction{
	indexed(opGlobalGet, stack), indexed(opLocalSet, pointer),
	constant(opIf, void), constant(opI32Const, 1), plain(opReturn), plain(opEnd),
}

// placeOfCheck returns how many instructions give the place in a call of
// sigpanic, 0 if code does not begin with one.
func placeOfCheck(code []instruction, sigpanic int64) int {
	if len(code) < beforePlace+4+len(afterCall) || !same(code[:beforePlace], pushing) || code[beforePlace].op != opI64Const {
		return 0
	}
	n := 1
	if code[beforePlace+1].op == opLocalGet && code[beforePlace+2].op == opI64Or { // made by returns
		n = 3
	}
	rest := code[beforePlace+n:]
	if len(rest) < 3+len(afterCall) || rest[0].op != opI64Store || rest[0].b != 0 || !rest[1].is(opI32Const, 0) || !rest[2].is(opCall, sigpanic) || !same(rest[3:3+len(afterCall)], afterCall) {
		return 0
	}
	return n
}

// same reports whether two pieces of code are.
func same(a, b []instruction) bool {
	for k := range a {
		if string(a[k].raw) != string(b[k].raw) {
			return false
		}
	}
	return true
}
