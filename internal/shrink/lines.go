package shrink

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strings"
)

// A Go program contains tables with the file and line of each position in its
// code, for stack traces, and with the positions where a signal may interrupt
// it; WebAssembly has no signals. They are an eighth of the download. dropLines
// empties them; a stack trace still names or numbers every function. The runtime supports
// functions without such tables (assembler functions have none) and prints "?"
// for their lines. It prints the types of generic functions as "[...]", so only
// that is kept of them.

// What the runtime calls pcHeader, _func and pcdata (runtime/symtab.go and
// runtime2.go of Go 1.26).
const (
	pclnMagic  = "\xf1\xff\xff\xff\x00\x00\x01\x08" // little-endian, pc in steps of 1, 8 bytes to a pointer
	pcHeader   = 72
	funcHeader = 44

	funcName, funcDeferred                    = 4, 12
	funcPCSP, funcPCFile                      = 16, 20
	funcTables, funcUnit, funcStart, funcData = 28, 32, 36, 43

	noData = ^uint32(0)
)

// traceTables are tables of a function that only traces and signals use: unsafe
// points, inlined calls, live arguments.
var traceTables = []int{0, 2, 3}

// traceData are the funcdata that only traces use: inlined calls, arguments,
// live arguments.
var traceData = []int{3, 5, 6}

var errNoLines = errors.New("the program's function table is not as Go 1.26 writes it")

// dropLines removes what only traces need from the memory of a program, and
// returns the names of its functions. If functions are numbered, it removes
// their names, too, but for those that the runtime asks for.
func dropLines(memory []byte, numbered bool, before [][]int64) (list []string, err error) {
	t, err := findTables(memory)
	if err != nil {
		return nil, err
	}
	data, err := findFuncData(memory)
	if err != nil {
		return nil, err
	}
	needed := map[uint32]bool{}                                       // by offset in data: whether anything but traces reads it
	names := nameTable{text: []byte{0}, at: map[string]uint32{"": 0}} // offset 0 means no name
	packed := []byte{0}                                               // offset 0 means no table
	moved := map[string]uint32{}
	keep := func(field []byte, list []int64) error {
		old := binary.LittleEndian.Uint32(field)
		if old == 0 {
			return nil
		}
		table, err := pcTable(t.pctab, old)
		if err != nil {
			return err
		}
		if list != nil {
			table = renumberTable(table, list)
		}
		if _, ok := moved[string(table)]; !ok {
			moved[string(table)] = uint32(len(packed))
			packed = append(packed, table...)
		}
		binary.LittleEndian.PutUint32(field, moved[string(table)])
		return nil
	}
	for i := range t.count {
		f, err := t.function(i)
		if err != nil {
			return nil, err
		}
		name, err := nameOf(t.names, f)
		if err != nil {
			return nil, err
		}
		list = append(list, name)
		switch {
		case !numbered || askedFor(name):
			binary.LittleEndian.PutUint32(f[funcName:], names.put(name))
		case strings.HasPrefix(name, "runtime."):
			binary.LittleEndian.PutUint32(f[funcName:], runtimeName)
		default:
			binary.LittleEndian.PutUint32(f[funcName:], noName)
		}
		clear(f[funcPCFile:funcTables])
		clear(f[funcUnit : funcStart+4])
		var at, calls []int64
		if i < len(before) && before[i] != nil {
			at, calls = before[i], beforeCalls(before[i])
			binary.LittleEndian.PutUint32(f[funcDeferred:], uint32(newPlace(at, int64(binary.LittleEndian.Uint32(f[funcDeferred:])))))
		}
		if err := keep(f[funcPCSP:], at); err != nil {
			return nil, err
		}
		tables := int(binary.LittleEndian.Uint32(f[funcTables:]))
		for k := range tables {
			field := f[funcHeader+4*k:]
			if slices.Contains(traceTables, k) {
				clear(field[:4])
			} else if err := keep(field, calls); err != nil {
				return nil, err
			}
		}
		for k := range int(f[funcData]) {
			field := f[funcHeader+4*tables+4*k:]
			at := binary.LittleEndian.Uint32(field)
			if at == noData {
				continue
			}
			forTraces := slices.Contains(traceData, k)
			needed[at] = needed[at] || !forTraces
			if forTraces {
				binary.LittleEndian.PutUint32(field, noData)
			}
		}
	}
	if err := clearUnneeded(data, needed); err != nil {
		return nil, err
	}
	if len(packed) > len(t.pctab) || len(names.text) > len(t.names) {
		return nil, errNoLines
	}
	clear(t.names[copy(t.names, names.text):])
	clear(t.pctab[copy(t.pctab, packed):])
	clear(t.files)
	return list, nil
}

// What stands in place of the name of a function that is numbered.
const (
	noName      = 0
	runtimeName = 1<<32 - 1 // of a function of the runtime
)

// askedFor reports whether the runtime or reflection compares a function's name
// (runtime/traceback.go, runtime/stkframe.go, reflect/value.go of Go 1.26), or
// prints it as one that users call. Of others the runtime asks at most whether
// they are its own.
func askedFor(name string) bool {
	switch name {
	case "runtime.gopanic", "reflect.makeFuncStub", "reflect.methodValueCall":
		return true
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	return (strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "reflect.Value.")) && last != "" && last[0] >= 'A' && last[0] <= 'Z'
}

// findFuncData returns the memory from where the offsets of funcdata count.
func findFuncData(memory []byte) ([]byte, error) {
	module, err := findModule(memory)
	if err != nil {
		return nil, err
	}
	at := binary.LittleEndian.Uint64(memory[module+8*moduleFuncData:])
	if at > uint64(len(memory)) {
		return nil, errNoLines
	}
	return memory[at:], nil
}

// clearUnneeded clears the funcdata that nothing needs. Each ends where the next
// begins; the last remains, since nothing says where it ends.
func clearUnneeded(data []byte, needed map[uint32]bool) error {
	starts := slices.Sorted(maps.Keys(needed))
	if len(starts) > 0 && uint64(starts[len(starts)-1]) > uint64(len(data)) {
		return errNoLines
	}
	for i := range len(starts) - 1 {
		if !needed[starts[i]] {
			clear(data[starts[i]:starts[i+1]])
		}
	}
	return nil
}

// A nameTable is the table of the names that are kept.
type nameTable struct {
	text []byte
	at   map[string]uint32
}

// put returns where on the shelf a name is.
func (s *nameTable) put(name string) uint32 {
	if _, ok := s.at[name]; !ok {
		s.at[name] = uint32(len(s.text))
		s.text = append(append(s.text, name...), 0)
	}
	return s.at[name]
}

// nameOf returns the name of a function as traces print it.
func nameOf(names, f []byte) (string, error) {
	at := binary.LittleEndian.Uint32(f[funcName:])
	if uint64(at) >= uint64(len(names)) {
		return "", errNoLines
	}
	text, _, ended := bytes.Cut(names[at:], []byte{0})
	if !ended {
		return "", errNoLines
	}
	name := string(text)
	if i, j := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']'); i >= 0 && j > i {
		name = name[:i] + "[...]" + name[j+1:]
	}
	return name, nil
}

// pclntab locates the tables.
type pclntab struct {
	names []byte // of functions, each ended by a zero
	files []byte // names of files, and which of them each package uses
	pctab []byte // values by program counter
	funcs []byte // an index, then the functions
	count int
}

func findTables(memory []byte) (*pclntab, error) {
	var found *pclntab
	for at := 0; at+pcHeader <= len(memory); at += 8 {
		if string(memory[at:at+8]) != pclnMagic {
			continue
		}
		word := func(i int) uint64 { return binary.LittleEndian.Uint64(memory[at+8*i:]) }
		count, names, units, files, tables, funcs := word(1), word(4), word(5), word(6), word(7), word(8)
		all := memory[at:]
		if names != pcHeader || units < names || files < units || tables < files || funcs < tables ||
			funcs > uint64(len(all)) || count > (uint64(len(all))-funcs)/(8+funcHeader) || found != nil {
			return nil, errNoLines
		}
		found = &pclntab{all[names:units], all[units:tables], all[tables:funcs], all[funcs:], int(count)}
	}
	if found == nil {
		return nil, errNoLines
	}
	return found, nil
}

// function returns the table entry of a function.
func (t *pclntab) function(i int) ([]byte, error) {
	at := uint64(binary.LittleEndian.Uint32(t.funcs[8*i+4:]))
	if at+funcHeader > uint64(len(t.funcs)) {
		return nil, errNoLines
	}
	f := t.funcs[at:]
	tables := uint64(binary.LittleEndian.Uint32(f[funcTables:]))
	size := funcHeader + 4*(tables+uint64(f[funcData]))
	if tables > 16 || size > uint64(len(f)) {
		return nil, errNoLines
	}
	return f[:size], nil
}

// pcTable returns the table at an offset: pairs of variable-length numbers, the
// change of the value and the length for which it holds, ending with a change
// of zero other than at the function's entry, where a value may hold for length
// zero.
func pcTable(pctab []byte, at uint32) ([]byte, error) {
	if uint64(at) >= uint64(len(pctab)) {
		return nil, errNoLines
	}
	r := reader{b: pctab[at:]}
	for pc := uint64(0); !r.bad; {
		if r.uint() == 0 && pc > 0 {
			return r.b[:r.at], nil
		}
		pc += r.uint()
	}
	return nil, errNoLines
}
