package shrink

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
)

// The function table is 190 KB of the download, and most of it can be computed:
// the offsets of functions and of their names ascend from one function to the
// next, and the table with which the runtime finds the function of a program
// counter follows from the former. dropLines has put what depends on program counters
// in the order of the functions, so that what is first used by a function lies behind
// all before it. packTables replaces them by differences and zeros, which compress to
// half the size, and gives the module a start function that restores the numbers: it
// runs once the memory is initialised, before anything else can, and takes about a
// millisecond.
//
// Functions that are numbered get a name: "f." and the function's number in four
// letters, of which a stands for 0 and p for 15. The runtime tells its own
// functions by their names: these begin with "runtime.f.".

// What the runtime calls findfuncbucket: for each 4096 program counters the
// function of the first of them, and differences from that within them. A
// function of a WebAssembly program has 65536 program counters.
const (
	bucketSize  = 20
	perFunction = 16
)

// stackMaps is which of a function's tables says what is on its stack. The others of Go's
// compiler are traceTables.
const (
	stackMaps     = 1
	stackMapField = funcHeader + 4*stackMaps
)

const (
	nameSize     = 16      // of a numbered function: "runtime.f.aaaa" and zeros
	ownName      = 8       // where in it the name of a function that is not the runtime's begins
	maxFunctions = 1 << 16 // that four letters can number
)

var errNoBuckets = errors.New("the program's table of program counters is not as Go 1.26 writes it")

// packed is what the start function needs to know.
type packed struct {
	index, count    int // address of the index of functions, and its length
	buckets, places int // the same of the table of program counters
	names, room     int // address of the names, and where in them is room for more; 0 if functions keep their names
}

// packTables packs the tables in the memory of a program. If functions are
// numbered, those without a name get one.
func packTables(memory []byte, numbered bool) (packed, error) {
	t, err := findTables(memory)
	if err != nil {
		return packed{}, err
	}
	p := packed{index: len(memory) - len(t.funcs), count: t.count}
	p.buckets, p.places = findBuckets(memory)
	if p.places < perFunction*(p.count-1) || p.places > perFunction*p.count {
		return packed{}, errNoBuckets
	}
	if numbered {
		p.names, p.room = p.index-len(t.pctab)-len(t.files)-len(t.names), len(bytes.TrimRight(t.names, "\x00"))+1
		if p.count > maxFunctions || p.room+nameSize*p.count > len(t.names) {
			return packed{}, errNoLines
		}
	}
	for i := range p.places {
		clear(memory[p.buckets+bucketSize*i:][:4])
	}
	var start, offset, name, most uint32
	for i := range t.count {
		f, err := t.function(i) // before its offset is changed
		if err != nil {
			return packed{}, err
		}
		if binary.LittleEndian.Uint32(f) != binary.LittleEndian.Uint32(t.funcs[8*i:]) {
			return packed{}, errNoLines
		}
		clear(f[:4])
		difference(t.funcs[8*i:], &start)
		difference(t.funcs[8*i+4:], &offset)
		if at := binary.LittleEndian.Uint32(f[funcName:]); at != noName && at != runtimeName {
			difference(f[funcName:], &name)
		}
		if err := beyond(f[funcPCSP:], &most); err != nil {
			return packed{}, err
		}
		if binary.LittleEndian.Uint32(f[funcTables:]) > stackMaps {
			if err := beyond(f[stackMapField:], &most); err != nil {
				return packed{}, err
			}
		}
	}
	return p, nil
}

// beyond replaces an offset above all before it by the negative difference from the
// highest of them.
func beyond(field []byte, most *uint32) error {
	n := binary.LittleEndian.Uint32(field)
	if n >= 1<<31 {
		return errNoLines
	}
	if n > *most {
		binary.LittleEndian.PutUint32(field, *most-n)
		*most = n
	}
	return nil
}

// difference replaces a number by its difference from the previous one.
func difference(field []byte, before *uint32) {
	n := binary.LittleEndian.Uint32(field)
	binary.LittleEndian.PutUint32(field, n-*before)
	*before = n
}

// findBuckets finds the table of program counters: bucket i belongs to function
// i/perFunction, and starts there.
func findBuckets(memory []byte) (at, count int) {
	bucket := func(i int) []byte {
		return append(binary.LittleEndian.AppendUint32(nil, uint32(i/perFunction)), make([]byte, bucketSize-4)...)
	}
	var first []byte
	for i := range 4 * perFunction {
		first = append(first, bucket(i)...)
	}
	if at = bytes.Index(memory, first); at < 0 {
		return 0, 0
	}
	for len(memory)-at >= bucketSize*(count+1) && bytes.Equal(memory[at+bucketSize*count:][:bucketSize], bucket(count)) {
		count++
	}
	return at, count
}

// unpack is the body of the start function.
func (p packed) unpack() []byte {
	const at, start, offset, name, function, place, distance, text, kind, most, locals = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
	get := func(local int64) instruction { return indexed(opLocalGet, local) }
	set := func(local int64) instruction { return indexed(opLocalSet, local) }
	number := func(n int) instruction { return constant(opI32Const, int64(n)) }
	add, load, store := plain(opI32Add), func(offset int64) instruction { return access(opFirstLoad, 2, offset) }, func(offset int64) instruction { return access(opI32Store, 2, offset) }

	// sum adds the value at an address to a local, and stores the sum there.
	sum := func(local, address, offset int64) []instruction {
		return []instruction{get(local), get(address), load(offset), add, set(local), get(address), get(local), store(offset)}
	}
	var code []instruction
	put := func(list ...instruction) { code = append(code, list...) }

	put(number(p.index), set(at), constant(opLoop, void))
	put(sum(start, at, 0)...)
	put(sum(offset, at, 4)...)
	put(number(p.index), get(offset), add, set(function))
	put(get(function), get(start), store(0))
	// Whether it has a name: one more than what stands there is above 1.
	put(number(1), get(function), load(funcName), number(1), add, indexed(opLocalTee, kind), plain(opI32Less), constant(opIf, void))
	put(sum(name, function, funcName)...)
	if p.room > 0 {
		put(plain(opElse))
		put(get(at), number(p.index), plain(opI32Sub), set(distance))
		put(get(distance), number(nameSize/8), plain(opI32Mul), number(p.names+p.room), add, set(text))
		put(get(function), get(text), number(p.names), plain(opI32Sub), get(kind), number(ownName), plain(opI32Mul), add, store(funcName))
		put(get(text), constant(opI64Const, int64(binary.LittleEndian.Uint64([]byte("runtime.")))), access(opI64Store, 0, 0))
		put(get(text), number('f'|'.'<<8), access(opI32Store16, 0, ownName))
		put(get(text), number(0x61616161)) // four times 'a'
		for shift := range 4 {
			put(get(distance), number(3+12-4*shift), plain(opI32ShiftRight), number(15), plain(opI32And), number(8*shift), plain(opI32ShiftLeft), add)
		}
		put(access(opI32Store, 0, ownName+2))
	}
	put(plain(opEnd))
	restore := func(field int64) {
		put(number(math.MinInt32), get(function), load(field), indexed(opLocalTee, kind), plain(opI32Less), constant(opIf, void)) // it is negative
		put(get(most), get(kind), plain(opI32Sub), set(most), get(function), get(most), store(field), plain(opEnd))
	}
	restore(funcPCSP)
	put(number(stackMaps), get(function), load(funcTables), plain(opI32Less), constant(opIf, void))
	restore(stackMapField)
	put(plain(opEnd))
	put(get(at), number(8), add, indexed(opLocalTee, at), number(p.index+8*p.count), plain(opI32Less), indexed(opBrIf, 0), plain(opEnd))

	put(number(p.buckets), set(at), constant(opLoop, void))
	put(get(at), get(place), number(4), plain(opI32ShiftRight), store(0))
	put(get(at), number(bucketSize), add, set(at))
	put(get(place), number(1), add, indexed(opLocalTee, place), number(p.places), plain(opI32Less), indexed(opBrIf, 0), plain(opEnd))
	put(plain(opEnd))

	body := []byte{1, locals, 0x7f} // all of them are i32
	for _, i := range code {
		body = append(body, i.raw...)
	}
	return body
}

// addStart gives a module a start function.
func (m *module) addStart(body []byte) error {
	types, err := count(m.body(typeSection))
	if err != nil {
		return err
	}
	functions, err := count(m.body(functionSection))
	if err != nil {
		return err
	}
	imports, err := m.importedFunctions()
	if err != nil {
		return err
	}
	for kind, item := range map[byte][]byte{
		typeSection:     {0x60, 0, 0}, // no parameters, no results
		functionSection: binary.AppendUvarint(nil, types),
		codeSection:     append(binary.AppendUvarint(nil, uint64(len(body))), body...),
	} {
		if err := m.edit(kind, func(list []byte) ([]byte, error) { return appendItem(list, item) }); err != nil {
			return err
		}
	}
	for i, s := range m.sections { // sections have an order
		if s.kind >= elementSection && s.kind != dataCountSection {
			start := section{startSection, binary.AppendUvarint(nil, imports+functions)}
			m.sections = append(m.sections[:i:i], append([]section{start}, m.sections[i:]...)...)
			return nil
		}
	}
	return errNoModule
}

// importedFunctions counts the functions that a module imports, which are
// numbered before its own. Go's programs import nothing else.
func (m *module) importedFunctions() (uint64, error) {
	r := reader{b: m.body(importSection)}
	n := r.uint()
	for range n {
		r.bytes(r.uint())
		r.bytes(r.uint())
		if r.byte() != 0 {
			r.bad = true
		}
		r.uint()
		if r.bad {
			return 0, errNoModule
		}
	}
	return n, nil
}

// count returns how many items a section has.
func count(body []byte) (uint64, error) {
	r := reader{b: body}
	n := r.uint()
	if r.bad {
		return 0, errNoModule
	}
	return n, nil
}

// appendItem adds an item to a section.
func appendItem(body, item []byte) ([]byte, error) {
	r := reader{b: body}
	n := r.uint()
	if r.bad {
		return nil, errNoModule
	}
	return append(append(binary.AppendUvarint(nil, n+1), body[r.at:]...), item...), nil
}
