package shrink

import "slices"

// The address to which a call returns remains on Go's stack, below the stack
// pointer, once the call is over: the runtime itself resumes functions by it
// (wasm_pc_f_loop in runtime/asm_wasm.s). The next call's address is there, and
// mostly one more. Adding one is as quick as writing the address, and is always
// the same code, which compresses to nothing.
//
// That holds where nothing but the previous call leads to the next one.

// consecutive makes return addresses of the previous ones where it can.
func consecutive(code []instruction, deferred int64) []instruction {
	list, ok := needed(code, deferred)
	if !ok {
		return code
	}
	ways := waysTo(code, list)
	type level struct {
		op   byte
		last int64 // before it
	}
	var open []level
	out := make([]instruction, 0, len(code))
	last := int64(-1) // where the last call on the only way here returned, or -1
	for k := 0; k < len(code); k++ {
		i := code[k]
		if p, ok := pushed(code[k:]); ok {
			out = append(out, code[k:k+beforePlace]...)
			k += beforePlace
			if d := p.place - last; last >= 0 && d > 0 && d <= farthest {
				out = append(out, indexed(opLocalGet, pointer), access(opI64Load, 3, 0), constant(opI64Const, d), plain(opI64Add))
			} else {
				out = append(out, code[k:k+p.length]...)
			}
			last = p.place
			k += p.length - 1
			continue
		}
		out = append(out, i)
		switch {
		case i.nests() > 0:
			open = append(open, level{i.op, last})
		case i.op == opElse:
			return code // Go's compiler does not write any
		case i.op == opEnd && len(open) > 0:
			from := open[len(open)-1]
			open = open[:len(open)-1]
			w := ways[k]
			switch {
			case w.branch || len(w.places) > 1 || len(w.places) == 1 && w.places[0] != last:
				last = -1
			case from.op == opIf && (code[k-1].op == opReturn || code[k-1].op == opBr):
				last = from.last
			case from.op == opIf && last != from.last:
				last = -1
			}
		case (i.op == opLocalSet || i.op == opLocalTee) && i.a == pointer && !code[k-1].is(opGlobalGet, stack):
			last = -1 // the stack begins or ends here
		}
	}
	return out
}

// farthest is the largest difference that takes one byte.
const farthest = 63

// A way is what leads to the end of a block, apart from the code before it.
type way struct {
	branch bool
	places []int64 // for which the br_table leads there
}

// waysTo returns the ways to the ends of blocks, by their indexes. list are the
// places that are needed.
func waysTo(code []instruction, list []int64) map[int]way {
	var open []way
	found := map[int]way{}
	lead := func(depth uint64, change func(*way)) {
		if depth < uint64(len(open)) {
			change(&open[len(open)-1-int(depth)])
		}
	}
	for k, i := range code {
		switch {
		case i.nests() > 0:
			open = append(open, way{})
		case i.op == opEnd && len(open) > 0:
			found[k] = open[len(open)-1]
			open = open[:len(open)-1]
		case i.op == opBr || i.op == opBrIf:
			lead(uint64(i.a), func(w *way) { w.branch = true })
		case i.op == opBrTable:
			for place, depth := range i.table {
				if _, ok := slices.BinarySearch(list, int64(place)); ok {
					lead(depth, func(w *way) { w.places = append(w.places, int64(place)) })
				}
			}
		}
	}
	return found
}
