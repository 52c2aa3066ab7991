package build

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// A program without its lines does what it did, and is smaller. What it must
// print follows from its source.
func TestDropLinesLeavesTheProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	dir := t.TempDir()
	before, after := filepath.Join(dir, "before.wasm"), filepath.Join(dir, "after.wasm")
	cmd := exec.Command("go", "build", "-o", before, "./testdata/stacks")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program, err := os.ReadFile(before)
	if err != nil {
		t.Fatal(err)
	}
	same, err := repack(program, leave)
	if err != nil {
		t.Fatal(err)
	}
	without, err := repack(program, dropLines)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := len(packGzip(same)), len(packGzip(without)); b > a*95/100 {
		t.Errorf("%d bytes became %d", a, b)
	}
	if !bytes.Equal(stackTables(t, same), stackTables(t, without)) {
		t.Error("what the runtime needs to scan and unwind stacks has changed")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no Node to run it")
	}
	if err := os.WriteFile(after, without, 0o644); err != nil {
		t.Fatal(err)
	}
	const want = "456510 4501501\nruntime error: index out of range [456510] with length 0\n" +
		"runtime error: invalid memory address or nil pointer dereference\ntrue main.main\n"
	run := filepath.Join(runtime.GOROOT(), "lib", "wasm", "go_js_wasm_exec")
	if out, err := exec.Command(run, after).CombinedOutput(); err != nil || string(out) != want {
		t.Errorf("it printed %s%v, want %s", out, err, want)
	}
}

// stackTables writes out, for each function, how deep its stack is and which
// of its words are pointers, at each place of its code. The tables are read
// as step in runtime/symtab.go does.
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
		if dropLines(memory) == nil {
			t.Errorf("%s is taken for a program", name)
		}
	}
}
