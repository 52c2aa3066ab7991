package shrink

import "encoding/binary"

// The compiler checks a pointer that may be nil by calling sigpanic if it is,
// and goes on behind the call in case it returns, which it never does: the call
// is either not over or unwinds. So the function can return what it returns.
//
// Each call leaves a place of its own on Go's stack. It served to print the
// line; the runtime looks up how deep the stack is there, which is the same for
// all of a function's checks, but not which of its words are pointers: nothing
// behind the call will use them (resolveInternal in runtime/traceback.go). So
// all checks of a function can leave the place of the first.
func nilChecks(code []instruction, sigpanic int64) []instruction {
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
			first = code[at : at+n]
		}
		out = append(append(out, code[k:at]...), first...)
		out = append(append(out, code[at+n:at+n+3]...), plain(opReturn))
		k = at + n + 3 + len(afterCall) - 1
	}
	return out
}

// firstFunction is the number of the first function in the function table, without
// those that are imported (cmd/link/internal/wasm).
const firstFunction = 0x1000

// beforePlace is the number of instructions of a call that precede the place.
const beforePlace = 6

// afterCall is what follows a call: the function unwinds if that did.
var afterCall = []instruction{
	indexed(opGlobalGet, stack), indexed(opLocalSet, pointer),
	constant(opIf, void), constant(opI32Const, 1), plain(opReturn), plain(opEnd),
}

// placeOfCheck returns how many instructions give the place in a call of
// sigpanic, 0 if code does not begin with one.
func placeOfCheck(code []instruction, sigpanic int64) int {
	call := []instruction{
		indexed(opLocalGet, pointer), constant(opI32Const, 8), plain(opI32Sub), indexed(opLocalTee, pointer), indexed(opGlobalSet, stack), indexed(opLocalGet, pointer),
	}
	if len(code) < beforePlace+4+len(afterCall) || !same(code[:beforePlace], call) || code[beforePlace].op != opI64Const {
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

// sigpanic returns the number of the function that panics for a nil pointer.
func (m *module) sigpanic() (number int64, err error) {
	imports, err := m.importedFunctions()
	if err != nil {
		return 0, err
	}
	memory, err := readData(m.body(dataSection))
	if err != nil {
		return 0, err
	}
	t, err := findTables(memory)
	if err != nil {
		return 0, err
	}
	for i := range t.count {
		f, err := t.function(i)
		if err != nil {
			return 0, err
		}
		if name, err := nameOf(t.names, f); err != nil || name != "runtime.sigpanic" {
			continue
		}
		number := int64(binary.LittleEndian.Uint32(f)) - firstFunction
		if number != int64(i) {
			return 0, errNoLines
		}
		return int64(imports) + number, nil
	}
	return 0, errNoLines
}
