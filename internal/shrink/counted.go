package shrink

import "encoding/binary"

// The runtime finds the function of an address through a table with an entry
// for each 4,096 addresses: the number of the first function there, then by
// how much that grows within (runtime.findfuncbucket). In WebAssembly every
// function has 65,536 addresses to itself, so that the table counts, each
// number 16 times: a fifth of the program's bytes that say nothing. They are
// left out of the data and written when the program starts.
type counted struct {
	at, entries int
}

const (
	countedEntry = 20 // bytes
	countedTimes = 16 // entries with the same number
	countedLeast = 64 * countedTimes
)

// emptyCounted finds the table in the memory of a program and empties it.
func emptyCounted(memory []byte) counted {
	const step = countedEntry * countedTimes
	for at := 0; at+countedLeast*countedEntry <= len(memory); at += 4 {
		if binary.LittleEndian.Uint32(memory[at+step:]) != 1 || binary.LittleEndian.Uint32(memory[at+2*step:]) != 2 {
			continue
		}
		if n := countedFrom(memory[at:]); n >= countedLeast {
			clear(memory[at : at+n*countedEntry])
			return counted{at, n}
		}
	}
	return counted{}
}

// countedFrom returns how many entries count from 0 at the beginning of memory.
func countedFrom(memory []byte) int {
	for n := 0; ; n++ {
		var entry [countedEntry]byte
		binary.LittleEndian.PutUint32(entry[:], uint32(n/countedTimes))
		at := n * countedEntry
		if at+countedEntry > len(memory) || [countedEntry]byte(memory[at:]) != entry {
			return n
		}
	}
}

// refill returns the function that writes the table.
func (t counted) refill() *function {
	const at, n = 0, 1 // locals
	return &function{
		locals: []locals{{2, i32}},
		code: []instruction{
			constant(opI32Const, int64(t.at)), indexed(opLocalSet, at),
			constant(opLoop, void),
			indexed(opLocalGet, at), indexed(opLocalGet, n), constant(opI32Const, 4), plain(opI32ShiftRight), access(opI32Store, 2, 0),
			indexed(opLocalGet, at), constant(opI32Const, countedEntry), plain(opI32Add), indexed(opLocalSet, at),
			indexed(opLocalGet, n), constant(opI32Const, 1), plain(opI32Add), indexed(opLocalTee, n),
			constant(opI32Const, int64(t.entries)), plain(opI32Less), indexed(opBrIf, 0),
			plain(opEnd), plain(opEnd),
		},
	}
}
