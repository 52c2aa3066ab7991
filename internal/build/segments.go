package build

import (
	"encoding/binary"
	"errors"
)

// The Go linker leaves zeros out of the data of a WebAssembly program: each
// run of them ends a segment. Its tables have many short runs, so that a
// program gets 90,000 segments, whose headers compress badly and which the
// browser copies into place one by one. repack writes the zeros of short gaps
// out again: 6 % less to download, after compression. While the data are at
// hand, tables that nobody reads are emptied; dropLines says which.

// gap is how many zeros between two segments are written out.
const gap = 64

const dataSection = 11

// maxMemory limits the data of a program.
const maxMemory = 64 << 20

var errNoModule = errors.New("not a WebAssembly module as Go's linker writes them")

// repack returns the program with its data edited, and in few segments.
func repack(program []byte, edit func(memory []byte) error) ([]byte, error) {
	r := wasmReader{b: program, at: 8}
	if len(program) < 8 || string(program[:4]) != "\x00asm" {
		return nil, errNoModule
	}
	out := append([]byte{}, program[:8]...)
	for r.at < len(program) && !r.bad {
		kind := r.byte()
		body := r.bytes(r.uint())
		if kind == dataSection && !r.bad {
			memory, err := readData(body)
			if err != nil {
				return nil, err
			}
			if err := edit(memory); err != nil {
				return nil, err
			}
			body = writeData(memory)
		}
		out = append(out, kind)
		out = binary.AppendUvarint(out, uint64(len(body))) // LEB128, as WebAssembly has it
		out = append(out, body...)
	}
	if r.bad {
		return nil, errNoModule
	}
	return out, nil
}

// readData returns the memory that a data section leaves, from address 0. Its
// segments must all be active, in memory 0, at constant addresses.
func readData(body []byte) (memory []byte, err error) {
	r := wasmReader{b: body}
	for range r.uint() {
		if r.byte() != 0 || r.byte() != 0x41 { // active; i32.const
			return nil, errNoModule
		}
		start := r.int()
		if r.byte() != 0x0b { // end
			return nil, errNoModule
		}
		data := r.bytes(r.uint())
		if r.bad || start < 0 || start > maxMemory-int64(len(data)) {
			return nil, errNoModule
		}
		if end := int(start) + len(data); end > len(memory) {
			memory = append(memory, make([]byte, end-len(memory))...)
		}
		copy(memory[start:], data)
	}
	return memory, nil
}

// writeData returns the body of a data section that leaves memory.
func writeData(memory []byte) []byte {
	var body []byte
	count := uint64(0)
	for at := 0; ; count++ {
		for at < len(memory) && memory[at] == 0 {
			at++
		}
		if at == len(memory) {
			break
		}
		end := at // of the last byte that is not zero
		for i := at; i < len(memory) && i-end <= gap; i++ {
			if memory[i] != 0 {
				end = i + 1
			}
		}
		body = append(body, 0, 0x41)
		body = appendInt(body, int64(at))
		body = append(body, 0x0b)
		body = binary.AppendUvarint(body, uint64(end-at))
		body = append(body, memory[at:end]...)
		at = end
	}
	return append(binary.AppendUvarint(nil, count), body...)
}

// appendInt appends a signed LEB128 number.
func appendInt(b []byte, n int64) []byte {
	for {
		c := byte(n & 0x7f)
		n >>= 7
		if n == 0 && c&0x40 == 0 || n == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

// wasmReader reads a module; after the first mistake bad is set and all it
// gives is zero.
type wasmReader struct {
	b   []byte
	at  int
	bad bool
}

func (r *wasmReader) byte() byte {
	if r.at >= len(r.b) {
		r.bad = true
		return 0
	}
	r.at++
	return r.b[r.at-1]
}

func (r *wasmReader) bytes(n uint64) []byte {
	if n > uint64(len(r.b)-r.at) {
		r.bad = true
		return nil
	}
	r.at += int(n)
	return r.b[r.at-int(n) : r.at]
}

func (r *wasmReader) uint() uint64 {
	n, size := binary.Uvarint(r.b[r.at:])
	if size <= 0 {
		r.bad = true
		return 0
	}
	r.at += size
	return n
}

func (r *wasmReader) int() int64 {
	var n int64
	for shift := 0; shift < 64; shift += 7 {
		c := r.byte()
		n |= int64(c&0x7f) << shift
		if c&0x80 == 0 {
			if c&0x40 != 0 && shift < 57 {
				n |= -1 << (shift + 7)
			}
			return n
		}
	}
	r.bad = true
	return 0
}
