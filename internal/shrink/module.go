package shrink

import (
	"encoding/binary"
	"slices"
)

// The sections of a module that matter here.
const (
	typeSection      = 1
	importSection    = 2
	functionSection  = 3
	startSection     = 8
	elementSection   = 9
	codeSection      = 10
	dataSection      = 11
	dataCountSection = 12
)

// A module of WebAssembly (core specification 2.0, section 5.5).
type module struct {
	head     []byte
	sections []section
}

type section struct {
	kind byte
	body []byte
}

func readModule(program []byte) (*module, error) {
	if len(program) < 8 || string(program[:4]) != "\x00asm" {
		return nil, errNoModule
	}
	m := &module{head: program[:8]}
	r := reader{b: program, at: 8}
	for r.at < len(program) && !r.bad {
		m.sections = append(m.sections, section{r.byte(), r.bytes(r.uint())})
	}
	if r.bad {
		return nil, errNoModule
	}
	return m, nil
}

func (m *module) write() []byte {
	out := slices.Clone(m.head)
	for _, s := range m.sections {
		out = append(out, s.kind)
		out = binary.AppendUvarint(out, uint64(len(s.body))) // LEB128, as WebAssembly has it
		out = append(out, s.body...)
	}
	return out
}

// body returns the contents of the section of a kind, nil if there is none.
func (m *module) body(kind byte) []byte {
	for _, s := range m.sections {
		if s.kind == kind {
			return s.body
		}
	}
	return nil
}

// edit changes the section of a kind, if there is one.
func (m *module) edit(kind byte, change func(body []byte) ([]byte, error)) error {
	for i, s := range m.sections {
		if s.kind == kind {
			body, err := change(s.body)
			if err != nil {
				return err
			}
			m.sections[i].body = body
		}
	}
	return nil
}

// editCode changes the functions that look like the compiler's output.
func (m *module) editCode(change func(n int, f *function)) error {
	return m.edit(codeSection, func(body []byte) ([]byte, error) {
		return editCode(body, m.body(typeSection), m.body(functionSection), change)
	})
}

// editMemory changes the memory that the data section initialises.
func (m *module) editMemory(change func(memory []byte) error) error {
	return m.edit(dataSection, func(body []byte) ([]byte, error) {
		memory, err := readData(body)
		if err != nil {
			return nil, err
		}
		if err := change(memory); err != nil {
			return nil, err
		}
		return writeData(memory), nil
	})
}
