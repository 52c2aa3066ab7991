package shrink

import (
	"encoding/binary"
	"errors"
	"math"
)

// Each type has a hash of four bytes, which does not compress. Type switches compare
// some of them with constants; the runtime uses the others only as keys of its caches,
// so they need only be the same wherever a type is described, and mostly different.
// They become small numbers.

// What the runtime calls moduledata, abi.Type and abi.ITab: indexes of words,
// and offsets.
const (
	moduleTypes, moduleTypesEnd, moduleFuncData, moduleLinks, moduleItabs = 37, 38, 40, 45, 48

	typeSize, typePointers, typeHash         = 0, 8, 16
	typeAlign, typeFieldAlign, typeKind      = 21, 22, 23
	typeEqual, typeGC, typeName, typePointer = 24, 32, 40, 44
	typeHeader                               = 48
	kinds                                    = 26

	itabType, itabHash, itabSize = 8, 16, 24
)

var errNoTypes = errors.New("the program's types are not as Go 1.26 writes them")

// numberTypes replaces the hashes of types that are not among the constants of
// the code.
func numberTypes(memory []byte, constants map[uint32]bool) error {
	word := func(at int) int { return int(binary.LittleEndian.Uint64(memory[at:])) }
	module, err := findModule(memory)
	if err != nil {
		return err
	}
	from, to := word(module+8*moduleTypes), word(module+8*moduleTypesEnd)
	itabs, count := word(module+8*moduleItabs), word(module+8*moduleItabs+8)
	if from < 0 || to > len(memory) || from > to || itabs < 0 || count < 0 || itabs > len(memory)-8 || count > (len(memory)-itabs)/8 {
		return errNoTypes
	}
	next := uint32(1)
	for at := from; at+typeHeader <= to; at += 8 {
		if !isType(memory[:to], from, at) {
			continue
		}
		if hash := memory[at+typeHash:]; !constants[binary.LittleEndian.Uint32(hash)] {
			binary.LittleEndian.PutUint32(hash, next)
			next++
		}
	}
	for k := range count {
		at := word(itabs + 8*k)
		if at < 0 || at > len(memory)-itabSize {
			return errNoTypes
		}
		described := word(at + itabType)
		if described < from || described > to-typeHeader {
			return errNoTypes
		}
		copy(memory[at+itabHash:][:4], memory[described+typeHash:])
	}
	return nil
}

// findModule finds the runtime's moduledata: it begins with the address of the function
// table, and that of the names behind its header.
func findModule(memory []byte) (int, error) {
	t, err := findTables(memory)
	if err != nil {
		return 0, err
	}
	table := len(memory) - len(t.funcs) - len(t.pctab) - len(t.files) - len(t.names) - pcHeader
	for at := 0; at+8*(moduleItabs+2) <= len(memory); at += 8 {
		if binary.LittleEndian.Uint64(memory[at:]) == uint64(table) && binary.LittleEndian.Uint64(memory[at+8:]) == uint64(table+pcHeader) {
			return at, nil
		}
	}
	return 0, errNoTypes
}

// isType reports whether a type is described at an address. from is where types
// begin, and memory ends with them.
func isType(memory []byte, from, at int) bool {
	b := memory[at:]
	word := func(at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }
	size, pointers, align := word(typeSize), word(typePointers), b[typeAlign]
	name, pointer := uint64(binary.LittleEndian.Uint32(b[typeName:])), uint64(binary.LittleEndian.Uint32(b[typePointer:]))
	all := uint64(len(memory) - from)
	if size > math.MaxInt32 || pointers > size || align == 0 || align > 8 || align&(align-1) != 0 || align != b[typeFieldAlign] || size%uint64(align) != 0 ||
		b[typeKind] == 0 || b[typeKind] > kinds || pointers > 0 && word(typeGC) == 0 || word(typeGC) > 1<<32 || word(typeEqual) > 1<<32 ||
		name == 0 || name+2 > all || pointer%8 != 0 || pointer > all {
		return false
	}
	const flags = 1 | 2 | 4 | 8 // of a name
	text := memory[from+int(name):]
	if text[0] > flags {
		return false
	}
	n, digits := binary.Uvarint(text[1:])
	if digits <= 0 || n == 0 || n > uint64(len(text)-1-digits) {
		return false
	}
	for _, c := range text[1+digits : 1+digits+int(n)] {
		if c < ' ' {
			return false
		}
	}
	return true
}

// constants returns the numbers of 32 bits in a code section.
func constants(body []byte) (map[uint32]bool, error) {
	found := map[uint32]bool{}
	r := reader{b: body}
	for range r.uint() {
		f, err := readFunction(r.bytes(r.uint()))
		if err != nil {
			return nil, err
		}
		for _, i := range f.code {
			if (i.op == opI32Const || i.op == opI64Const) && i.a >= math.MinInt32 && i.a <= math.MaxUint32 {
				found[uint32(i.a)] = true
			}
		}
	}
	if r.bad {
		return nil, errNoModule
	}
	return found, nil
}
