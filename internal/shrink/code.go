package shrink

import "encoding/binary"

// A function as Go's compiler writes it (cmd/internal/obj/wasm): it takes the
// number of the place where to go on, 0 for its beginning, keeps the stack
// pointer in global 0 and local 1, and returns 1 where the WebAssembly stack
// is to be unwound. Blocks nest at its beginning, one for each place where it
// may go on, within a loop where it has jumps; a br_table leaves as many of
// them as lead there:
//
//	block loop block block block (br_table place) end … end … end … end end
type function struct {
	locals []locals
	code   []instruction
}

// locals are consecutive locals of one type.
type locals struct {
	count uint64
	kind  byte
}

const (
	i32, i64 = 0x7f, 0x7e

	place   = 0 // local: where to continue
	pointer = 1 // local: the stack pointer
	stack   = 0 // global: the stack pointer
)

// transform applies all transformations to a function.
func transform(f *function) {
	f.code = jumps(f.code)
	f.code = addresses(f.code)
	f.code = unwinding(f.code)
	f.code = leaving(f.code)
	f.code = conditions(f.code)
	f.code = values(f.code)
	f.returns()
}

// editCode returns a code section in which functions that look like the
// compiler's output are changed. Functions written by hand for the runtime look
// different, and are left as they are.
func editCode(body, kinds, types []byte, change func(n int, f *function)) ([]byte, error) {
	usual, err := usualTypes(kinds)
	if err != nil {
		return nil, err
	}
	r, t := reader{b: body}, reader{b: types}
	count := r.uint()
	if t.uint() != count {
		return nil, errNoModule
	}
	out := binary.AppendUvarint(nil, count)
	for n := range count {
		text := r.bytes(r.uint())
		kind := t.uint()
		if r.bad || t.bad {
			return nil, errNoModule
		}
		if usual[kind] {
			f, err := readFunction(text)
			if err != nil {
				return nil, err
			}
			if len(f.code) > 2 && f.code[0].is(opGlobalGet, stack) && f.code[1].is(opLocalSet, pointer) {
				change(int(n), f)
				text = f.write()
			}
		}
		out = append(binary.AppendUvarint(out, uint64(len(text))), text...)
	}
	return out, nil
}

// usualTypes returns the indexes of the types that take an i32 and return one.
func usualTypes(section []byte) (map[uint64]bool, error) {
	r := reader{b: section}
	found := map[uint64]bool{}
	count := r.uint()
	for k := uint64(0); k < count && !r.bad; k++ {
		form, takes := r.byte(), r.bytes(r.uint())
		gives := r.bytes(r.uint())
		if form == 0x60 && string(takes) == "\x7f" && string(gives) == "\x7f" {
			found[k] = true
		}
	}
	if r.bad {
		return nil, errNoModule
	}
	return found, nil
}

func readFunction(text []byte) (*function, error) {
	r := reader{b: text}
	f := &function{}
	for n := r.uint(); n > 0 && !r.bad; n-- {
		f.locals = append(f.locals, locals{r.uint(), r.byte()})
	}
	for r.at < len(text) && !r.bad {
		f.code = append(f.code, r.instruction())
	}
	if r.bad {
		return nil, errNoModule
	}
	return f, nil
}

func (f *function) write() []byte {
	out := binary.AppendUvarint(nil, uint64(len(f.locals)))
	for _, l := range f.locals {
		out = append(binary.AppendUvarint(out, l.count), l.kind)
	}
	for _, i := range f.code {
		out = append(out, i.raw...)
	}
	return out
}
