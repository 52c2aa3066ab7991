package shrink

import (
	"encoding/binary"
	"slices"
)

// The sections of a module that are looked at.
const (
	typeSection     = 1
	importSection   = 2
	functionSection = 3
	startSection    = 8
	codeSection     = 10
	dataSection     = 11
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

// body returns what is in the section of a kind, nil if there is none.
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

// editCode changes those functions that are as the compiler writes them.
func (m *module) editCode(change func(*function)) error {
	return m.edit(codeSection, func(body []byte) ([]byte, error) {
		return editCode(body, m.body(typeSection), m.body(functionSection), change)
	})
}

// editMemory changes the memory that the data leave.
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

// startWith adds a function without parameters or results, which runs when
// the module is instantiated.
func (m *module) startWith(f *function) error {
	imports := reader{b: m.body(importSection)}
	index := imports.uint() // functions that are imported come first
	for range index {
		imports.bytes(imports.uint())
		imports.bytes(imports.uint())
		if imports.byte() != 0 { // a function
			return errNoModule
		}
		imports.uint()
	}
	after := slices.IndexFunc(m.sections, func(s section) bool { return s.kind > startSection })
	if imports.bad || after < 0 || m.body(startSection) != nil {
		return errNoModule
	}
	var kind, number uint64
	for _, add := range []struct {
		section byte
		entry   func() []byte
		count   *uint64
	}{
		{typeSection, func() []byte { return []byte{0x60, 0, 0} }, &kind},
		{functionSection, func() []byte { return binary.AppendUvarint(nil, kind) }, &number},
		{codeSection, func() []byte {
			text := f.write()
			return append(binary.AppendUvarint(nil, uint64(len(text))), text...)
		}, new(uint64)},
	} {
		err := m.edit(add.section, func(body []byte) ([]byte, error) {
			r := reader{b: body}
			*add.count = r.uint()
			if r.bad {
				return nil, errNoModule
			}
			out := binary.AppendUvarint(nil, *add.count+1)
			return append(append(out, body[r.at:]...), add.entry()...), nil
		})
		if err != nil {
			return err
		}
	}
	m.sections = slices.Insert(m.sections, after, section{startSection, binary.AppendUvarint(nil, index+number)})
	return nil
}
