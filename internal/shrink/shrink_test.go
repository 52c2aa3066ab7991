package shrink

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"pcpscope/internal/inputs"
)

// CompileFlags are those of package build, which core_test.go sets: build
// imports this package. With them the standard library is compiled only once.
var CompileFlags []string

// stacks compiles testdata/stacks as the program is compiled.
func stacks(t *testing.T) []byte {
	t.Helper()
	if testing.Short() {
		t.Skip("compiles a program")
	}
	inputs.Watch(t, "testdata")
	out := filepath.Join(t.TempDir(), "stacks.wasm")
	cmd := exec.Command("go", slices.Concat([]string{"build"}, CompileFlags, []string{"-o", out, "./testdata/stacks"})...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	program, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// runs runs testdata/stacks. What it must print follows from its source, but for
// the name of its main function.
func runs(t *testing.T, program []byte, name string) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	file := filepath.Join(t.TempDir(), "changed.wasm")
	if err := os.WriteFile(file, program, 0o644); err != nil {
		t.Fatal(err)
	}
	want := "456510 4501501\nruntime error: index out of range [456510] with length 0\n" +
		"runtime error: invalid memory address or nil pointer dereference\ntrue " + name + "\n"
	run := filepath.Join(runtime.GOROOT(), "lib", "wasm", "go_js_wasm_exec")
	if out, err := exec.Command(run, file).CombinedOutput(); err != nil || string(out) != want {
		t.Errorf("output = %s, %v; want %s", out, err, want)
	}
}

func zipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(data)
	w.Close()
	return out.Bytes()
}

// Every instruction of a program survives reading and writing unchanged.
func TestCodeIsReadAndWritten(t *testing.T) {
	program := stacks(t)
	functions := 0
	same, err := edit(program, func(*function) { functions++ }, leave)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(contents(t, program, codeSection), contents(t, same, codeSection)) {
		t.Error("the code is not what it was")
	}
	if functions < 1000 {
		t.Errorf("%d functions are as the compiler writes them", functions)
	}
}

// A program with straightened code behaves the same, and is smaller.
func TestStraightenLeavesTheProgram(t *testing.T) {
	program := stacks(t)
	straight, err := edit(program, transform, leave)
	if err != nil {
		t.Fatal(err)
	}
	before, after := contents(t, program, codeSection), contents(t, straight, codeSection)
	if a, b := len(before), len(after); b > a*95/100 {
		t.Errorf("%d bytes became %d", a, b)
	}
	if a, b := len(zipped(t, before)), len(zipped(t, after)); b > a*85/100 {
		t.Errorf("%d bytes, compressed, became %d", a, b)
	}
	runs(t, straight, "main.main")
}

// A program with all transformations behaves the same.
func TestProgram(t *testing.T) {
	small, names, err := Numbered(stacks(t))
	if err != nil {
		t.Fatal(err)
	}
	n := slices.Index(names, "main.main")
	if n < 0 {
		t.Fatal("there is no main function among the names")
	}
	digit := func(shift int) string { return string(rune('a' + n>>shift&15)) }
	runs(t, small, "f."+digit(12)+digit(8)+digit(4)+digit(0))
}

func contents(t *testing.T, program []byte, kind byte) []byte {
	t.Helper()
	m, err := readModule(program)
	if err != nil || m.body(kind) == nil {
		t.Fatalf("there is no section %d: %v", kind, err)
	}
	return m.body(kind)
}

func FuzzProgram(f *testing.F) {
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x01\x06\x01\x60\x01\x7f\x01\x7f\x03\x02\x01\x00\x0a\x0e\x01\x0c\x01\x01\x7f\x23\x00\x21\x01\x41\x00\x0f\x0b\x00"))
	f.Fuzz(func(t *testing.T, program []byte) {
		Program(program) // must end, and not panic
	})
}
