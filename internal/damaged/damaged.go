// Package damaged makes damaged inputs of good ones, for fuzz tests to begin with. An
// ordinary run of the tests has no others: with good ones alone it would pass
// without a check of any length.
package damaged

import (
	"encoding/binary"
	"slices"
)

// Copies returns copies of an input: cut short at 16 places, and with one of its words
// replaced by the largest number of 31 or 32 bits, in either byte order. words is how
// many words at most, spread over the input, are replaced in their turn.
func Copies(good []byte, words int) (list [][]byte) {
	for i := range 16 {
		list = append(list, slices.Clone(good[:len(good)*i/16]))
	}
	all := len(good) / 4
	for i := range min(words, all) {
		at := 4 * (i * all / min(words, all))
		for _, put := range []func(b []byte){
			func(b []byte) { binary.BigEndian.PutUint32(b, 1<<32-1) },
			func(b []byte) { binary.BigEndian.PutUint32(b, 1<<31-1) },
			func(b []byte) { binary.LittleEndian.PutUint32(b, 1<<31-1) },
		} {
			bad := slices.Clone(good)
			put(bad[at:])
			list = append(list, bad)
		}
	}
	return list
}
