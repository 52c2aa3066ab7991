package shrink

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// A program without line tables behaves the same, and is smaller.
func TestDropLinesLeavesTheProgram(t *testing.T) {
	program := stacks(t)
	same, err := edit(program, asIs, leave)
	if err != nil {
		t.Fatal(err)
	}
	without, err := edit(program, asIs, withoutLines)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := len(zipped(t, same)), len(zipped(t, without)); b > a*95/100 {
		t.Errorf("%d bytes became %d", a, b)
	}
	if !bytes.Equal(stackTables(t, same), stackTables(t, without)) {
		t.Error("what the runtime needs to scan and unwind stacks has changed")
	}
	runs(t, without, "main.main")
}

func withoutLines(memory []byte) error {
	_, err := dropLines(memory, false, nil)
	return err
}

// stackTables lists for each function its stack depth and which of its words
// are pointers, at each position of its code. The tables are read as step in
// runtime/symtab.go does.
func stackTables(t *testing.T, program []byte) (all []byte) {
	t.Helper()
	memory, _ := memory(t, program, 8<<20)
	tables, err := findTables(memory)
	if err != nil {
		t.Fatal(err)
	}
	for i := range tables.count {
		f, err := tables.function(i)
		if err != nil {
			t.Fatal(err)
		}
		offsets := []uint32{binary.LittleEndian.Uint32(f[funcPCSP:])}
		if binary.LittleEndian.Uint32(f[funcTables:]) > 1 {
			offsets = append(offsets, binary.LittleEndian.Uint32(f[funcHeader+4:]))
		}
		for _, at := range offsets {
			all = append(all, byte(len(offsets)))
			p, pc := tables.pctab[at:], uint64(0)
			for at != 0 {
				change, n := binary.Uvarint(p)
				if change == 0 && pc != 0 {
					break
				}
				step, k := binary.Uvarint(p[n:])
				pc += step
				all = append(all, p[:n+k]...)
				p = p[n+k:]
			}
		}
	}
	if len(all) < 10_000 {
		t.Fatalf("there are tables of %d bytes in all", len(all))
	}
	return all
}

func TestDropLinesRefusesWhatItDoesNotKnow(t *testing.T) {
	head := append([]byte(pclnMagic), make([]byte, 200)...)
	for name, memory := range map[string][]byte{"nothing": nil, "no tables": make([]byte, 1000), "an empty header": head} {
		if withoutLines(memory) == nil {
			t.Errorf("%s is taken for a program", name)
		}
	}
}
