package xz

import (
	"encoding/binary"
	"hash"
	"sync"
)

// crc64Poly is the ECMA-182 polynomial, highest power in the lowest bit.
const crc64Poly = 0xc96c5795d7870f42

// Each step of a sum depends on the one before, so a processor that could
// execute several at once stalls. crc64 therefore sums lanes of a block in
// parallel, and then combines the sums: a lane's sum is carried past the bytes
// of the other lanes, which is a linear function, and thus another set of
// tables.
const (
	laneSize = 2 << 10
	lanes    = 4
)

type crc64Tables struct {
	bytes [8][256]uint64 // [i][b]: the sum after byte b and i zeros
	carry [8][256]uint64 // [i][b]: the sum b<<8i after laneSize zeros
}

var crc64Table = sync.OnceValue(func() *crc64Tables {
	t := new(crc64Tables)
	for b := range t.bytes[0] {
		c := uint64(b)
		for range 8 {
			c = c>>1 ^ crc64Poly&-(c&1)
		}
		t.bytes[0][b] = c
	}
	for i := 1; i < 8; i++ {
		for b, c := range t.bytes[i-1] {
			t.bytes[i][b] = c>>8 ^ t.bytes[0][byte(c)]
		}
	}
	zeros := make([]byte, laneSize)
	for i := range t.carry {
		for bit := range 8 {
			c := t.update(1<<(8*i+bit), zeros)
			for b := range t.carry[i] { // the sum is linear: each bit contributes its own
				if b>>bit&1 == 1 {
					t.carry[i][b] ^= c
				}
			}
		}
	}
	return t
})

// word advances the sum c, already mixed with eight bytes, past them.
func word(t *[8][256]uint64, c uint64) uint64 {
	return t[7][byte(c)] ^ t[6][byte(c>>8)] ^ t[5][byte(c>>16)] ^ t[4][byte(c>>24)] ^
		t[3][byte(c>>32)] ^ t[2][byte(c>>40)] ^ t[1][byte(c>>48)] ^ t[0][byte(c>>56)]
}

// move advances the sum c past laneSize zeros.
func (t *crc64Tables) move(c uint64) uint64 {
	m := &t.carry
	return m[0][byte(c)] ^ m[1][byte(c>>8)] ^ m[2][byte(c>>16)] ^ m[3][byte(c>>24)] ^
		m[4][byte(c>>32)] ^ m[5][byte(c>>40)] ^ m[6][byte(c>>48)] ^ m[7][byte(c>>56)]
}

// update adds p to the sum c, one word at a time.
func (t *crc64Tables) update(c uint64, p []byte) uint64 {
	for ; len(p) >= 8; p = p[8:] {
		c = word(&t.bytes, c^binary.LittleEndian.Uint64(p))
	}
	for _, b := range p {
		c = c>>8 ^ t.bytes[0][byte(c)^b]
	}
	return c
}

// blocks adds whole blocks to the sum c, and returns the rest of p.
func (t *crc64Tables) blocks(c uint64, p []byte) (uint64, []byte) {
	for ; len(p) >= lanes*laneSize; p = p[lanes*laneSize:] {
		p0, p1 := (*[laneSize]byte)(p), (*[laneSize]byte)(p[laneSize:])
		p2, p3 := (*[laneSize]byte)(p[2*laneSize:]), (*[laneSize]byte)(p[3*laneSize:])
		var c1, c2, c3 uint64
		for i := 0; i < laneSize; i += 8 {
			c = word(&t.bytes, c^binary.LittleEndian.Uint64(p0[i:i+8]))
			c1 = word(&t.bytes, c1^binary.LittleEndian.Uint64(p1[i:i+8]))
			c2 = word(&t.bytes, c2^binary.LittleEndian.Uint64(p2[i:i+8]))
			c3 = word(&t.bytes, c3^binary.LittleEndian.Uint64(p3[i:i+8]))
		}
		c = t.move(t.move(t.move(c)^c1)^c2) ^ c3
	}
	return c, p
}

// crc64 is a hash.Hash64 with the same sums as hash/crc64 for ECMA.
type crc64 struct{ c uint64 }

func newCRC64() hash.Hash { return new(crc64) }

func (h *crc64) Write(p []byte) (int, error) {
	t := crc64Table()
	c, rest := t.blocks(^h.c, p)
	h.c = ^t.update(c, rest)
	return len(p), nil
}

func (h *crc64) Sum(b []byte) []byte { return binary.BigEndian.AppendUint64(b, h.c) }
func (h *crc64) Reset()              { h.c = 0 }
func (h *crc64) Size() int           { return 8 }
func (h *crc64) BlockSize() int      { return 1 }
