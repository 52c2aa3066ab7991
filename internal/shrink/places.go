package shrink

import (
	"encoding/binary"
	"slices"
)

// Go's compiler numbers every place of a function at which a basic block begins,
// or a call returns. Most are reached by falling through, and, once jumps are
// branches, nothing else leads there. renumber numbers only those that are
// needed, and removes the blocks of the others, which the browser need not
// compile either.
//
// The runtime looks up by these numbers how deep a function's stack is, and which
// words of it are pointers: those tables follow (renumberTable).

const places = 1 << 16 // that a function has at most

// A push of a return address, at the beginning of a call.
type push struct {
	place  int64
	length int // instructions that make the address
}

// pushing is what a call begins with; the address follows.
var pushing = []instruction{
	indexed(opLocalGet, pointer), constant(opI32Const, 8), plain(opI32Sub), indexed(opLocalTee, pointer), indexed(opGlobalSet, stack), indexed(opLocalGet, pointer),
}

const beforePlace = 6 // instructions in pushing

// pushed recognises a push of a return address at the beginning of code.
func pushed(code []instruction) (p push, ok bool) {
	if len(code) < beforePlace+4 || !same(code[:beforePlace], pushing) || code[beforePlace].op != opI64Const {
		return push{}, false
	}
	c := code[beforePlace:]
	p = push{c[0].a & (places - 1), 1}
	if c[1].is(opLocalGet, number) && c[2].op == opI64Or { // made by returns
		p.length = 3
	}
	c = c[p.length:]
	if len(c) < 3 || c[0].op != opI64Store || c[0].b != 0 {
		return push{}, false
	}
	direct := c[1].is(opI32Const, 0) && c[2].op == opCall
	indirect := len(c) > 4 && c[1].is(opI64Const, 16) && callsWhat(c[4:])
	return p, direct || indirect
}

// needed returns the places that something leads to in code: calls return there,
// jumps go there, or the runtime, to run deferred functions. ok is false if the
// code does anything else with places.
func needed(code []instruction, deferred int64) (list []int64, ok bool) {
	list = []int64{0}
	if deferred > 0 {
		list = append(list, deferred)
	}
	tables, known := 0, 0 // known is how far local.get of the place is accounted for
	for k, i := range code {
		if p, ok := pushed(code[k:]); ok {
			list = append(list, p.place)
		}
		switch {
		case i.op == opBrTable:
			tables++
		case callsWhat(code[k:]):
			known = k + 3
		case i.op == opLocalSet && i.a == place:
			if code[k-1].op != opI32Const {
				return nil, false
			}
			list = append(list, code[k-1].a)
		case i.op == opLocalTee && i.a == place, i.op == opLocalGet && i.a == place && k >= known && (k+1 == len(code) || code[k+1].op != opBrTable):
			return nil, false
		}
	}
	slices.Sort(list)
	return slices.Compact(list), tables < 2 && list[0] == 0
}

// renumber numbers a function's places anew, and returns what they were before;
// nil if they remain as they are.
func (f *function) renumber(deferred int64) []int64 {
	list, ok := needed(f.code, deferred)
	if !ok {
		return nil
	}
	table := slices.IndexFunc(f.code, func(i instruction) bool { return i.op == opBrTable })
	if table >= 0 && list[len(list)-1] >= int64(len(f.code[table].table)) {
		return nil
	}
	unused := unusedBlocks(f.code, table, list)
	// The tables for the entry hold for it alone, so that place 1, if nothing
	// leads there, keeps its number.
	spare := len(list) > 1 && list[1] != 1
	if spare {
		list = slices.Insert(list, 1, 1)
	}
	now := map[int64]int64{}
	for k, p := range list {
		now[p] = int64(k)
	}
	out := make([]instruction, 0, len(f.code))
	var open []bool // whether an open block remains
	remaining := func(depth uint64) (n int64) {
		for _, remains := range open[len(open)-int(min(depth, uint64(len(open)))):] {
			if remains {
				n++
			}
		}
		return n
	}
	for k := 0; k < len(f.code); k++ {
		i := f.code[k]
		p, pushes := pushed(f.code[k:])
		switch {
		case pushes:
			out = append(out, f.code[k:k+beforePlace]...)
			k += beforePlace
			out = append(out, constant(opI64Const, f.code[k].a-p.place+now[p.place]))
			continue
		case i.op == opI32Const && k+1 < len(f.code) && f.code[k+1].is(opLocalSet, place):
			i = constant(opI32Const, now[i.a])
		case i.op == opBr || i.op == opBrIf:
			i = indexed(i.op, remaining(uint64(i.a)))
		case i.op == opBrTable:
			i.table = nil
			for n, p := range list {
				if n == 1 && spare {
					p = 0
				}
				i.table = append(i.table, uint64(remaining(f.code[k].table[p])))
			}
			i.raw = binary.AppendUvarint([]byte{opBrTable}, uint64(len(list)-1))
			for _, depth := range i.table {
				i.raw = binary.AppendUvarint(i.raw, depth)
			}
		}
		if !unused[k] {
			out = append(out, i)
		}
		switch {
		case i.nests() > 0:
			open = append(open, !unused[k])
		case i.op == opEnd && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	f.code = out
	return list
}

// newPlace returns a place's number in a list of renumber.
func newPlace(list []int64, place int64) int64 {
	if at, ok := slices.BinarySearch(list, place); ok {
		return int64(at)
	}
	return place
}

// unusedBlocks returns the indexes of the beginnings and ends of the blocks at a
// function's beginning whose ends nothing leads to.
func unusedBlocks(code []instruction, table int, needed []int64) map[int]bool {
	unused := map[int]bool{}
	if table < 0 {
		return unused
	}
	var open []int // indexes of the open blocks
	used, end := map[int]bool{}, map[int]int{}
	lead := func(depth uint64) {
		if depth < uint64(len(open)) {
			used[open[len(open)-1-int(depth)]] = true
		}
	}
	for k, i := range code {
		switch {
		case i.nests() > 0:
			open = append(open, k)
		case i.op == opEnd && len(open) > 0:
			end[open[len(open)-1]] = k
			open = open[:len(open)-1]
		case i.op == opBr || i.op == opBrIf:
			lead(uint64(i.a))
		case i.op == opBrTable:
			for place, depth := range i.table {
				if _, ok := slices.BinarySearch(needed, int64(place)); ok {
					lead(depth)
				}
			}
		}
	}
	for k, i := range code[:table] {
		if i.is(opBlock, void) && !used[k] && end[k] > table {
			unused[k], unused[end[k]] = true, true
		}
	}
	return unused
}

// tableAt returns the value that a table (pcTable) has for a place, -1 where it
// has none, as runtime.pcvalue does.
func tableAt(table []byte, place int64) int64 {
	r := reader{b: table}
	for value, end, first := int64(-1), int64(0), true; ; first = false {
		change := r.uint()
		if r.bad || change == 0 && !first {
			return -1
		}
		value += int64(change>>1) ^ -int64(change&1)
		if end += int64(r.uint()); place < end {
			return value
		}
	}
}

// renumberTable returns a table with the values that table has for a list of
// places, for 0, 1, 2 and so on.
func renumberTable(table []byte, list []int64) []byte {
	var out []byte
	before := int64(-1)
	for k := 0; k < len(list); {
		value, n := tableAt(table, list[k]), 1
		for k+n < len(list) && tableAt(table, list[k+n]) == value {
			n++
		}
		change, length := value-before, 0
		if k+n == len(list) {
			length = toTheEnd
		}
		if k == 0 || change != 0 {
			out = binary.AppendUvarint(out, uint64(change<<1^change>>63))
			out = binary.AppendUvarint(out, uint64(max(n, length)))
		}
		before = value
		k += n
	}
	return append(out, 0)
}

// toTheEnd is how long the last value of a table holds, so that functions with
// the same values can share one.
const toTheEnd = 1<<14 - 1

// beforeCalls returns, for each place, the place of the call that returns to the
// next one. The runtime looks up the pointers of a stack by it, of a function
// that has yet to begin by its entry.
func beforeCalls(list []int64) []int64 {
	out := make([]int64, len(list))
	for k := range list {
		out[k] = list[k]
		if k+1 < len(list) {
			out[k] = list[k+1] - 1
		}
	}
	return out
}
