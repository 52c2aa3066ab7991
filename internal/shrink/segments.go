package shrink

import "encoding/binary"

// The Go linker leaves zeros out of the data of a WebAssembly program: each run
// of them ends a segment. Its tables have many short runs, which gives 90,000
// segments whose headers compress badly and which the browser copies into place
// one by one. writeData writes the zeros of short gaps out again: 6 % less to
// download, after compression.

// gap is how many zeros between two segments are written out.
const gap = 64

// maxMemory limits the data of a program.
const maxMemory = 64 << 20

// readData returns the memory initialised by a data section, from address 0.
// Its segments must all be active, in memory 0, at constant addresses.
func readData(body []byte) (memory []byte, err error) {
	r := reader{b: body}
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

// writeData returns the body of a data section that initialises memory.
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
