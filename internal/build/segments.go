package build

import (
	"encoding/binary"
	"errors"
)

// The Go linker leaves zeros out of the data of a WebAssembly program: each
// run of them ends a segment. Its tables have many short runs, so that a
// program gets 90,000 segments, whose headers compress badly and which the
// browser copies into place one by one. mergeSegments writes the zeros of
// short gaps out again: 6 % less to download, after compression.

// gap is how many zeros between two segments are written out.
const gap = 64

const dataSection = 11

var errNoModule = errors.New("not a WebAssembly module as Go's linker writes them")

// mergeSegments returns the program with the segments of its data merged.
// Memory after instantiation is the same.
func mergeSegments(program []byte) ([]byte, error) {
	r := wasmReader{b: program, at: 8}
	if len(program) < 8 || string(program[:4]) != "\x00asm" {
		return nil, errNoModule
	}
	out := append([]byte{}, program[:8]...)
	for r.at < len(program) && !r.bad {
		kind := r.byte()
		body := r.bytes(r.uint())
		if kind == dataSection && !r.bad {
			merged, err := mergeData(body)
			if err != nil {
				return nil, err
			}
			body = merged
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

type segment struct {
	start int64 // address in memory
	data  []byte
}

// mergeData reads and writes the body of a data section whose segments are
// all active, in memory 0, at constant addresses.
func mergeData(body []byte) ([]byte, error) {
	r := wasmReader{b: body}
	var merged []segment
	for range r.uint() {
		if r.byte() != 0 || r.byte() != 0x41 { // active; i32.const
			return nil, errNoModule
		}
		start := r.int()
		if r.byte() != 0x0b { // end
			return nil, errNoModule
		}
		data := r.bytes(r.uint())
		if r.bad {
			return nil, errNoModule
		}
		if n := len(merged) - 1; n >= 0 {
			last := &merged[n]
			if zeros := start - last.start - int64(len(last.data)); zeros >= 0 && zeros <= gap {
				last.data = append(append(last.data, make([]byte, zeros)...), data...)
				continue
			}
		}
		merged = append(merged, segment{start, append([]byte{}, data...)})
	}
	out := binary.AppendUvarint(nil, uint64(len(merged)))
	for _, s := range merged {
		out = append(out, 0, 0x41)
		out = appendInt(out, s.start)
		out = append(out, 0x0b)
		out = binary.AppendUvarint(out, uint64(len(s.data)))
		out = append(out, s.data...)
	}
	return out, nil
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
