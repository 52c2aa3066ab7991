package shrink

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// memoryAtStart returns the memory of a module after instantiation, with
// no-op imports.
const memoryAtStart = `const fs = require("fs");
const imports = new Proxy({}, { get: () => new Proxy({}, { get: () => () => {} }) });
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(process.argv[1])), imports);
fs.writeFileSync(process.argv[2], new Uint8Array(exports.mem.buffer));`

// numbered gives the functions without a name theirs, behind the others.
func numbered(memory []byte) error {
	if _, err := dropLines(memory, true, nil); err != nil {
		return err
	}
	tables, err := findTables(memory)
	if err != nil {
		return err
	}
	room := bytes.LastIndexFunc(tables.names, func(r rune) bool { return r != 0 }) + 2
	for i := range tables.count {
		f, err := tables.function(i)
		if err != nil {
			return err
		}
		name := tables.names[room+16*i:]
		switch at := f[4:8]; binary.LittleEndian.Uint32(at) {
		case 0:
			binary.LittleEndian.PutUint32(at, uint32(room+16*i+8))
		case 1<<32 - 1: // of the runtime
			binary.LittleEndian.PutUint32(at, uint32(room+16*i))
		default:
			continue
		}
		copy(name, "runtime.f."+string([]byte{byte('a' + i/4096), byte('a' + i/256%16), byte('a' + i/16%16), byte('a' + i%16)}))
	}
	return nil
}

// With its tables packed a program has the memory that it had, but for names,
// and less to download.
func TestTablesAreUnpackedAtStart(t *testing.T) {
	program := stacks(t)
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	plain, err := edit(program, asIs, numbered)
	if err != nil {
		t.Fatal(err)
	}
	var tables packed
	small, err := edit(program, asIs, func(memory []byte) (err error) {
		if _, err = dropLines(memory, true, nil); err == nil {
			tables, err = packTables(memory, true)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	m, err := readModule(small)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.addStart(tables.unpack()); err != nil {
		t.Fatal(err)
	}
	small = m.write()
	dir := t.TempDir()
	started := func(name string, program []byte) []byte {
		in, out := filepath.Join(dir, name), filepath.Join(dir, name+".memory")
		if err := os.WriteFile(in, program, 0o644); err != nil {
			t.Fatal(err)
		}
		if text, err := exec.Command(node, "-e", memoryAtStart, in, out).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		memory, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return memory
	}
	if want, got := started("plain", plain), started("small", small); !bytes.Equal(want, got) {
		t.Error("the memory at the start is not what it was")
	}
	if a, b := len(zipped(t, contents(t, plain, dataSection))), len(zipped(t, contents(t, small, dataSection))); b > a*90/100 {
		t.Errorf("%d bytes of data became %d", a, b)
	}
}

func TestPackTablesRefusesWhatItDoesNotKnow(t *testing.T) {
	head := append([]byte(pclnMagic), make([]byte, 200)...)
	for name, memory := range map[string][]byte{"nothing": nil, "no tables": make([]byte, 1000), "an empty header": head} {
		if _, err := packTables(memory, true); err == nil {
			t.Errorf("%s is taken for a program", name)
		}
	}
}
