// Package shrink makes a Go program in WebAssembly smaller to download, without
// changing what it does: for this project's program by a third, and nothing
// simpler reaches the target size. Go's compiler treats WebAssembly like a
// machine with registers, a stack and code addresses; the detours that this
// causes are removed here, unused tables are emptied, names that nothing reads go,
// and hashes of types are shortened.
//
// The remaining tables are packed, and unpacked again by a start function.
//
// It relies on the output of one version of Go. Program is meant for those that
// Known lists; the core's own tests are run through it (TestCorePasses).
package shrink

import (
	"errors"
	"slices"
)

var errNoModule = errors.New("not a WebAssembly module as Go's linker writes them")

// toolchains are the tested versions of Go: TestCorePasses and the browser
// tests passed with their programs, shrunk.
var toolchains = []string{"go1.26.8"}

// Known reports whether Program was tested with a version of Go, as printed by
// "go env GOVERSION".
func Known(toolchain string) bool { return slices.Contains(toolchains, toolchain) }

// Program returns the module made smaller. It refuses a module that does not
// look like the output of Go 1.26.
func Program(program []byte) ([]byte, error) {
	small, _, err := shrunk(program, false)
	return small, err
}

// Numbered does what Program does, and takes the names of functions out of the
// module: stack traces number them, as indexes of names (tables.go).
func Numbered(program []byte) (small []byte, names []string, err error) {
	return shrunk(program, true)
}

func shrunk(program []byte, numbered bool) (small []byte, names []string, err error) {
	m, err := readModule(program)
	if err != nil {
		return nil, nil, err
	}
	known, err := m.known()
	if err != nil {
		return nil, nil, err
	}
	before := make([][]int64, len(known.deferred)) // of the places of functions
	if err := m.editCode(func(n int, f *function) {
		if n >= len(before) {
			return
		}
		transform(f)
		f.code = nilChecks(f.code, known.sigpanic, known.depths[n])
		before[n] = f.renumber(known.deferred[n])
		f.code = encodings(consecutive(f.code, newPlace(before[n], known.deferred[n])))
	}); err != nil {
		return nil, nil, err
	}
	numbers, err := constants(m.body(codeSection))
	if err != nil {
		return nil, nil, err
	}
	var tables packed
	if err := m.editMemory(func(memory []byte) (err error) {
		if err := numberTypes(memory, numbers); err != nil {
			return err
		}
		if names, err = dropLines(memory, numbered, before); err != nil {
			return err
		}
		if err = dropNames(memory, names); err != nil {
			return err
		}
		tables, err = packTables(memory, numbered)
		return err
	}); err != nil {
		return nil, nil, err
	}
	if err := m.addStart(tables.unpack()); err != nil {
		return nil, nil, err
	}
	return m.write(), names, nil
}
