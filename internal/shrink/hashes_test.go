package shrink

import (
	"encoding/binary"
	"testing"
)

// Types get small hashes, the same in interface tables; those that code asks
// for remain.
func TestNumberTypes(t *testing.T) {
	m, err := readModule(stacks(t))
	if err != nil {
		t.Fatal(err)
	}
	memory, err := readData(m.body(dataSection))
	if err != nil {
		t.Fatal(err)
	}
	module, err := findModule(memory)
	if err != nil {
		t.Fatal(err)
	}
	word := func(at int) int { return int(binary.LittleEndian.Uint64(memory[at:])) }
	hash := func(at int) uint32 { return binary.LittleEndian.Uint32(memory[at+16:]) }
	var types []int // that the linker lists for reflection
	for k := range word(module + 8*46) {
		types = append(types, word(module+8*37)+int(binary.LittleEndian.Uint32(memory[word(module+8*45)+4*k:])))
	}
	if len(types) < 100 || word(module+8*49) < 10 {
		t.Fatalf("%d types and %d interface tables", len(types), word(module+8*49))
	}
	kept := hash(types[7])
	if err := numberTypes(memory, map[uint32]bool{kept: true}); err != nil {
		t.Fatal(err)
	}
	seen := map[uint32]bool{}
	for k, at := range types {
		if h := hash(at); k == 7 && h != kept || k != 7 && h > 1<<16 || seen[h] {
			t.Errorf("type %d has the hash %#x", k, h)
		}
		seen[hash(at)] = true
	}
	for k := range word(module + 8*49) {
		if at := word(word(module+8*48) + 8*k); hash(at) != hash(word(at+8)) {
			t.Errorf("interface table %d has another hash than its type", k)
		}
	}
}

func TestNumberTypesRefusesWhatItDoesNotKnow(t *testing.T) {
	m, err := readModule(stacks(t))
	if err != nil {
		t.Fatal(err)
	}
	for what, word := range map[string]int{"types": moduleTypes, "their end": moduleTypesEnd, "interface tables": moduleItabs, "their number": moduleItabs + 1} {
		memory, err := readData(m.body(dataSection))
		if err != nil {
			t.Fatal(err)
		}
		module, err := findModule(memory)
		if err != nil {
			t.Fatal(err)
		}
		binary.LittleEndian.PutUint64(memory[module+8*word:], 1<<62)
		if err := numberTypes(memory, nil); err == nil {
			t.Errorf("%s lie outside the memory, and nothing is said", what)
		}
	}
}
