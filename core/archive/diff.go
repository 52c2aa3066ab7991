package archive

import (
	"encoding/binary"
	"math/bits"
)

// The loops that visit every value. Each is a function of its own, called once
// per row, because wasm engines optimise a function only when it is next
// entered; none makes calls, allocates, or uses a map. Bytes that are only
// compared are not swapped.

// diffPairs appends the positions at which the values of two rows of pairs
// (instance, value) differ; false if the instances differ.
func diffPairs(changed []uint32, a, b []byte) ([]uint32, bool) {
	for i := uint32(0); len(a) >= 8 && len(b) >= 8; i++ {
		if x := binary.LittleEndian.Uint64(a) ^ binary.LittleEndian.Uint64(b); x != 0 {
			if uint32(x) != 0 {
				return changed, false
			}
			changed = append(changed, i)
		}
		a, b = a[8:], b[8:]
	}
	return changed, true
}

// diffValues is diffPairs for rows whose instances are known to be the same.
// The instance numbers in the records are ignored, because a metric without an
// instance domain may have any number there. See spec/archive.md section 5.2.
func diffValues(changed []uint32, a, b []byte) []uint32 {
	for i := uint32(0); len(a) >= 8 && len(b) >= 8; i++ {
		if binary.LittleEndian.Uint32(a[4:]) != binary.LittleEndian.Uint32(b[4:]) {
			changed = append(changed, i)
		}
		a, b = a[8:], b[8:]
	}
	return changed
}

// diff12 appends the positions at which two rows of 12-byte blocks differ;
// false if a block in a has another header.
func diff12(changed []uint32, a, b []byte, header uint32) ([]uint32, bool) {
	var wrong uint32
	for i := uint32(0); len(a) >= 12 && len(b) >= 12; i++ {
		wrong |= binary.LittleEndian.Uint32(a) ^ header
		if binary.LittleEndian.Uint64(a[4:]) != binary.LittleEndian.Uint64(b[4:]) {
			changed = append(changed, i)
		}
		a, b = a[12:], b[12:]
	}
	return changed, wrong == 0
}

// diff8 is diff12 for 8-byte blocks.
func diff8(changed []uint32, a, b []byte, header uint32) ([]uint32, bool) {
	var wrong uint32
	for i := uint32(0); len(a) >= 8 && len(b) >= 8; i++ {
		wrong |= binary.LittleEndian.Uint32(a) ^ header
		if binary.LittleEndian.Uint32(a[4:]) != binary.LittleEndian.Uint32(b[4:]) {
			changed = append(changed, i)
		}
		a, b = a[8:], b[8:]
	}
	return changed, wrong == 0
}

// allHeaders reports whether every block of the row has the header.
func allHeaders(blocks []byte, stride int, header uint32) bool {
	var wrong uint32
	for len(blocks) >= stride && len(blocks) >= 4 {
		wrong |= binary.LittleEndian.Uint32(blocks) ^ header
		blocks = blocks[stride:]
	}
	return wrong == 0
}

// inOrder reports whether the pairs have the instances ids, and blocks of the
// given number of words that lie back to back after the first one.
func inOrder(pairs []byte, ids []uint32, words uint32) bool {
	if len(pairs) < 8 {
		return false
	}
	var wrong uint32
	index := bits.ReverseBytes32(binary.LittleEndian.Uint32(pairs[4:]))
	for _, id := range ids {
		if len(pairs) < 8 {
			return false
		}
		x := binary.LittleEndian.Uint64(pairs)
		wrong |= (uint32(x) ^ id) | (bits.ReverseBytes32(uint32(x>>32)) ^ index) // | binds no tighter than ^
		index += words
		pairs = pairs[8:]
	}
	return wrong == 0
}

// sameIDs reports whether the pairs have the instances ids.
func sameIDs(pairs []byte, ids []uint32) bool {
	var wrong uint32
	for _, id := range ids {
		if len(pairs) < 8 {
			return false
		}
		wrong |= binary.LittleEndian.Uint32(pairs) ^ id
		pairs = pairs[8:]
	}
	return wrong == 0
}
