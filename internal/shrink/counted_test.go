package shrink

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// The table of a program is found, left out, and stands where it stood once
// the program has started.
func TestCountedTableIsWrittenAtTheStart(t *testing.T) {
	program := stacks(t)
	before, _ := memory(t, program, 8<<20)
	var found counted
	small, err := edit(program, asIs, func(memory []byte) error {
		found = emptyCounted(memory)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	tables, err := findTables(before)
	if err != nil {
		t.Fatal(err)
	}
	if want := 16 * (tables.count - 1); found.entries < want {
		t.Errorf("the table has %d entries, not the %d that %d functions need", found.entries, want, tables.count)
	}
	same, err := edit(program, asIs, leave)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := len(same), len(small); b > a-found.entries*countedEntry*9/10 {
		t.Errorf("%d bytes became %d", a, b)
	}
	after, _ := memory(t, small, 8<<20)
	for n := range found.entries {
		binary.LittleEndian.PutUint32(after[found.at+20*n:], uint32(n/16))
	}
	if !bytes.Equal(before, after) {
		t.Error("more than the table was left out")
	}
	m, err := readModule(small)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.startWith(found.refill()); err != nil {
		t.Fatal(err)
	}
	runs(t, m.write())
}

func TestCountedTableIsNotTakenForAnother(t *testing.T) {
	text := make([]byte, 2*countedLeast*countedEntry)
	for n := range 2 * countedLeast {
		binary.LittleEndian.PutUint32(text[20*n:], uint32(n/16))
	}
	short := text[:(countedLeast-1)*countedEntry]
	broken := bytes.Clone(text)
	broken[100*20+7] = 1
	for what, memory := range map[string][]byte{"nothing": nil, "too short a table": short, "one that goes on otherwise": broken} {
		if got := emptyCounted(bytes.Clone(memory)); got.entries != 0 {
			t.Errorf("%s: %d entries were found", what, got.entries)
		}
	}
	if got := emptyCounted(append(make([]byte, 12), text...)); got != (counted{12, 2 * countedLeast}) {
		t.Errorf("found %+v", got)
	}
}
