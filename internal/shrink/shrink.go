// Package shrink makes a Go program in WebAssembly smaller to download and
// quicker to start, without changing what it does. Go's compiler translates
// for WebAssembly as for a machine with registers, a stack and addresses of
// code; what is only roundabout in that is straightened here, and tables that
// nobody reads, or that follow from their size, are emptied.
package shrink

import "errors"

var errNoModule = errors.New("not a WebAssembly module as Go's linker writes them")

// Program returns the module made smaller. It refuses what Go 1.26 does not
// write.
func Program(program []byte) ([]byte, error) {
	m, err := readModule(program)
	if err != nil {
		return nil, err
	}
	if err := m.editCode(straighten); err != nil {
		return nil, err
	}
	var t counted
	err = m.editMemory(func(memory []byte) error {
		t = emptyCounted(memory)
		return dropLines(memory)
	})
	if err != nil {
		return nil, err
	}
	if t.entries > 0 {
		if err := m.startWith(t.refill()); err != nil {
			return nil, err
		}
	}
	return m.write(), nil
}
