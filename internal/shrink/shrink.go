// Package shrink makes a Go program in WebAssembly smaller to download, without
// changing what it does: by 30 % of what is downloaded of this project's, and
// nothing simpler reaches the size that is wanted. Go's compiler translates for
// WebAssembly as for a machine with registers, a stack and addresses of code;
// what is only roundabout in that is straightened here, and tables that nobody
// reads are emptied.
//
// The tables that are left are packed, and unpacked again by a start function.
//
// It relies on how one version of Go writes programs. Program is meant for
// those that Known lists; the core's own tests are run through it
// (TestCorePasses).
package shrink

import (
	"errors"
	"slices"
)

var errNoModule = errors.New("not a WebAssembly module as Go's linker writes them")

// toolchains are the versions of Go whose programs were shrunk and tried:
// TestCorePasses and the browser's tests passed with them.
var toolchains = []string{"go1.26.8"}

// Known reports whether Program was tried with programs of a version of Go, as
// "go env GOVERSION" prints it.
func Known(toolchain string) bool { return slices.Contains(toolchains, toolchain) }

// Program returns the module made smaller. It refuses what it does not find as
// Go 1.26 writes it.
func Program(program []byte) ([]byte, error) {
	m, err := readModule(program)
	if err != nil {
		return nil, err
	}
	if err := m.editCode(straighten); err != nil {
		return nil, err
	}
	var tables packed
	if err := m.editMemory(func(memory []byte) (err error) {
		if err = dropLines(memory); err == nil {
			tables, err = packTables(memory)
		}
		return err
	}); err != nil {
		return nil, err
	}
	if err := m.addStart(tables.unpack()); err != nil {
		return nil, err
	}
	return m.write(), nil
}
