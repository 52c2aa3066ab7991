package shrink

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
)

// Types list the names of their fields, and the names and addresses of their
// methods. Nothing reads the names of fields that are not exported, except "%+v".
// Methods are read to convert a value to an interface while the program runs, so
// only those are needed whose name is that of a method of some interface. Types
// that the compiler makes for itself, and the like, need no name either. dropNames
// gives all of these the same name.

// What the runtime calls abi.Type, abi.StructType, abi.InterfaceType,
// abi.UncommonType and abi.Name: kinds, flags and offsets.
const (
	kindArray, kindChan, kindFunc, kindInterface = 17, 18, 19, 20
	kindMap, kindPointer, kindSlice, kindStruct  = 21, 22, 23, 25

	typeFlags, hasMethods = 20, 1

	listAt, listLength             = typeHeader + 8, typeHeader + 16 // of a struct's fields and of an interface's methods
	fieldSize, interfaceMethodSize = 24, 8

	methodCount, methodsAt, methodsHeader = 4, 8, 16
	methodCode, methodSize                = 4, 16

	nameExported, nameTagged, nameInPackage, nameEmbedded = 1, 2, 4, 8
)

// byReflection are the functions that find methods without an interface.
var byReflection = []string{"reflect.Value.Method", "reflect.Value.MethodByName", "reflect.(*rtype).Method", "reflect.(*rtype).MethodByName"}

// noCode is what the linker writes for a method that is never called.
var noCode = bytes.Repeat([]byte{0xff}, methodSize-methodCode)

// dropNames replaces the names that nothing reads. A program whose functions
// find methods by reflection keeps them.
func dropNames(memory []byte, functions []string) error {
	if slices.ContainsFunc(functions, func(name string) bool { return slices.Contains(byReflection, name) }) {
		return nil
	}
	module, err := findModule(memory)
	if err != nil {
		return err
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(memory[module+8*i:]) }
	from, to, links, count := word(moduleTypes), word(moduleTypesEnd), word(moduleLinks), word(moduleLinks+1)
	if to > uint64(len(memory)) || from > to || links > uint64(len(memory)) || count > (uint64(len(memory))-links)/4 {
		return errNoTypes
	}
	n := typeNames{memory: memory[:to], from: int(from), kept: map[int]bool{}, asked: map[string]bool{}}
	for at := n.from; at+typeHeader <= len(n.memory); at += 8 {
		if isType(n.memory, n.from, at) && !n.read(at) {
			return errNoTypes
		}
	}
	if common := n.replace(); common >= 0 {
		left, ok := n.unlink(memory[links:][:4*count], common)
		if !ok {
			return errNoTypes
		}
		binary.LittleEndian.PutUint64(memory[module+8*(moduleLinks+1):], uint64(left))
		binary.LittleEndian.PutUint64(memory[module+8*(moduleLinks+2):], uint64(left))
	}
	return nil
}

// typeNames are the names in the descriptions of types.
type typeNames struct {
	memory []byte          // up to the end of the types
	from   int             // where they begin; offsets of names count from there
	kept   map[int]bool    // addresses of names that are needed
	asked  map[string]bool // names of interfaces' methods

	types   []int // addresses of references to names of types that are never printed
	fields  []int // of references to names of fields that nothing reads
	methods []int // of descriptions of methods
}

// read notes the names of the type at an address.
func (n *typeNames) read(at int) bool {
	name := n.from + n.offset(at+typeName)
	internal := neverPrinted(n.text(name))
	if internal {
		n.types = append(n.types, at+typeName)
	} else {
		n.kept[name] = true
	}
	kind := n.memory[at+typeKind]
	switch kind {
	case kindStruct:
		for field, ok := range n.list(at, fieldSize) {
			if !ok || !n.isName(n.address(field)) {
				return false
			}
			if name := n.address(field); internal || n.memory[name]&(nameExported|nameEmbedded) == 0 {
				n.fields = append(n.fields, field)
			} else {
				n.kept[name] = true
			}
		}
	case kindInterface:
		for method, ok := range n.list(at, interfaceMethodSize) {
			if !ok || !n.isName(n.from+n.offset(method)) {
				return false
			}
			name := n.from + n.offset(method)
			n.kept[name], n.asked[n.text(name)] = true, true
		}
	}
	return n.memory[at+typeFlags]&hasMethods == 0 || n.readMethods(at+describedIn(kind))
}

// neverPrinted reports whether a type holds the variables of a closure, or is a part
// of a map, or the runtime's own, or a function's: nothing prints its name or that of
// its fields.
func neverPrinted(name string) bool {
	_, own, _ := strings.Cut(name, "*runtime.")
	return strings.HasPrefix(name, "*struct { F uintptr") || strings.HasPrefix(name, "*func(") || own != "" && own[0] >= 'a' ||
		strings.Contains(name, "map.group[") || strings.Contains(name, "struct { key ")
}

// describedIn returns how many bytes describe a type of a kind, without its
// methods.
func describedIn(kind byte) int {
	switch kind {
	case kindFunc, kindPointer, kindSlice:
		return typeHeader + 8
	case kindChan:
		return typeHeader + 16
	case kindArray:
		return typeHeader + 24
	case kindInterface, kindStruct:
		return typeHeader + 32
	case kindMap:
		return typeHeader + 64
	}
	return typeHeader
}

func (n *typeNames) readMethods(at int) bool {
	if at > len(n.memory)-methodsHeader {
		return false
	}
	n.kept[n.from+n.offset(at)] = true // the package
	count, list := int(binary.LittleEndian.Uint16(n.memory[at+methodCount:])), at+n.offset(at+methodsAt)
	if list > len(n.memory)-methodSize*count {
		return false
	}
	for k := range count {
		method := list + methodSize*k
		if !n.isName(n.from + n.offset(method)) {
			return false
		}
		n.methods = append(n.methods, method)
	}
	return true
}

// replace gives all unneeded names the shortest of them, clears the others, and
// returns its address; -1 if there is none.
func (n *typeNames) replace() int {
	n.methods = slices.DeleteFunc(n.methods, func(at int) bool {
		name := n.from + n.offset(at)
		if n.asked[n.text(name)] {
			n.kept[name] = true
			return true
		}
		return false
	})
	unneeded := map[int]bool{}
	for _, at := range n.fields {
		unneeded[n.address(at)] = true
	}
	for _, at := range slices.Concat(n.types, n.methods) {
		unneeded[n.from+n.offset(at)] = true
	}
	common := -1
	for name := range unneeded {
		size := n.nameSize(name)
		if shorter := common < 0 || size < n.nameSize(common) || size == n.nameSize(common) && name < common; n.memory[name] == 0 && shorter {
			common = name
		}
	}
	if common < 0 {
		return -1
	}
	for _, at := range n.types {
		binary.LittleEndian.PutUint32(n.memory[at:], uint32(common-n.from))
	}
	for _, at := range n.fields {
		binary.LittleEndian.PutUint64(n.memory[at:], uint64(common))
	}
	for _, at := range n.methods {
		binary.LittleEndian.PutUint32(n.memory[at:], uint32(common-n.from))
		copy(n.memory[at+methodCode:], noCode)
	}
	for name := range unneeded {
		if !n.kept[name] && name != common {
			clear(n.memory[name:][:n.nameSize(name)])
		}
	}
	return common
}

// unlink removes the types that have no name of their own from the list in which
// reflection searches for a type by its name, and returns how many are left.
func (n *typeNames) unlink(list []byte, common int) (left int, ok bool) {
	for k := 0; k < len(list); k += 4 {
		link := list[k : k+4]
		at := n.from + int(binary.LittleEndian.Uint32(link))
		if at > len(n.memory)-typeHeader {
			return 0, false
		}
		if n.offset(at+typeName) != common-n.from {
			copy(list[4*left:], link)
			left++
		}
	}
	clear(list[4*left:])
	return left, true
}

func (n *typeNames) address(at int) int { return int(binary.LittleEndian.Uint64(n.memory[at:])) }
func (n *typeNames) offset(at int) int  { return int(binary.LittleEndian.Uint32(n.memory[at:])) }

// list returns the addresses of a type's fields or methods. It ends with false
// if they are not among the types.
func (n *typeNames) list(at, size int) func(yield func(int, bool) bool) {
	return func(yield func(int, bool) bool) {
		if at+listLength+8 > len(n.memory) {
			yield(0, false)
			return
		}
		first, count := n.address(at+listAt), n.address(at+listLength)
		if count != 0 && (first < n.from || first > len(n.memory) || count < 0 || count > (len(n.memory)-first)/size) {
			yield(0, false)
			return
		}
		for k := range count {
			if !yield(first+size*k, true) {
				return
			}
		}
	}
}

func (n *typeNames) isName(at int) bool {
	const flags = nameExported | nameTagged | nameInPackage | nameEmbedded
	return at >= n.from && at < len(n.memory)-1 && n.memory[at] <= flags && n.nameSize(at) <= len(n.memory)-at
}

func (n *typeNames) text(name int) string {
	length, digits := binary.Uvarint(n.memory[name+1:])
	return string(n.memory[name+1+digits:][:length])
}

// nameSize returns how long a name is: flags, the text after its length, a tag
// likewise, and the offset of a package. For what is no name it is too long.
func (n *typeNames) nameSize(name int) int {
	size := 1
	text := func() {
		length, digits := binary.Uvarint(n.memory[min(name+size, len(n.memory)):])
		if digits <= 0 || length > uint64(len(n.memory)) {
			length = uint64(len(n.memory))
		}
		size += digits + int(length)
	}
	text()
	if n.memory[name]&nameTagged != 0 {
		text()
	}
	if n.memory[name]&nameInPackage != 0 {
		size += 4
	}
	return size
}
