package archive

import (
	"encoding/binary"

	"pcpscope/core/pcp"
)

// Copy writes a record of another archive unchanged, except maybe for its time.
// Between versions the block offsets are adjusted: the head of a record is four
// bytes longer in version 3.
func (w *Writer) Copy(t pcp.Time, r *RawRecord) error {
	if !w.ready(t) {
		return w.err
	}
	b := w.time(w.open(), t)
	from := int(recordHead(r.Version)) - 4
	shift := (len(b) - from) / 4
	at := len(b)
	b = append(b, r.Bytes[from:len(r.Bytes)-4]...)
	if shift != 0 {
		shiftBlocks(b, at, uint32(shift))
	}
	w.finish(&w.data, b)
	return w.err
}

// shiftBlocks adds shift to all word indices of the value sets that follow the
// count at b[at:].
func shiftBlocks(b []byte, at int, shift uint32) {
	n := be32(b[at:])
	at += 4
	for range n {
		if at+8 > len(b) {
			return
		}
		numval := int(int32(be32(b[at+4:])))
		at += 8
		if numval <= 0 {
			continue
		}
		if at+4+8*numval > len(b) {
			return
		}
		blocks := be32(b[at:]) != 0
		at += 4
		for range numval {
			if blocks {
				binary.BigEndian.PutUint32(b[at+4:], be32(b[at+4:])+shift)
			}
			at += 8
		}
	}
}

// A Builder assembles a record from value sets and values of other records. Its
// zero value is ready to use; Reset makes it so again.
type Builder struct {
	sets   []byte
	blocks []byte
	moved  []movedPair
	n      int // number of value sets
	open   int // offset of the value set begun, and
	values int // its number of values so far
}

// movedPair is a pair at sets[at:] whose block begins at blocks[block:].
type movedPair struct{ at, block int }

// Reset makes the builder empty.
func (b *Builder) Reset() {
	b.sets, b.blocks, b.moved, b.n = b.sets[:0], b.blocks[:0], b.moved[:0], 0
}

// Len returns the number of value sets.
func (b *Builder) Len() int { return b.n }

// Void adds a metric without values: code is 0 or an error.
func (b *Builder) Void(id pcp.PMID, code int32) {
	b.sets = binary.BigEndian.AppendUint32(b.sets, uint32(id))
	b.sets = binary.BigEndian.AppendUint32(b.sets, uint32(code))
	b.n++
}

// Begin begins a value set; values follow, then End. format is 0 for values
// added by InSitu and 1 for those added by Block.
func (b *Builder) Begin(id pcp.PMID, format uint32) {
	b.open, b.values = len(b.sets), 0
	b.sets = binary.BigEndian.AppendUint32(b.sets, uint32(id))
	b.sets = binary.BigEndian.AppendUint32(b.sets, 0)
	b.sets = binary.BigEndian.AppendUint32(b.sets, format)
}

// InSitu adds a 32-bit value.
func (b *Builder) InSitu(inst int32, word uint32) {
	b.sets = binary.BigEndian.AppendUint32(b.sets, uint32(inst))
	b.sets = binary.BigEndian.AppendUint32(b.sets, word)
	b.values++
}

// Block adds a value that is a block: header and payload.
func (b *Builder) Block(inst int32, block []byte) {
	b.sets = binary.BigEndian.AppendUint32(b.sets, uint32(inst))
	b.moved = append(b.moved, movedPair{len(b.sets), len(b.blocks)})
	b.sets = binary.BigEndian.AppendUint32(b.sets, 0)
	b.blocks = append(b.blocks, block...)
	for range -len(block) & 3 {
		b.blocks = append(b.blocks, '~')
	}
	b.values++
}

// Number adds a number of the type, encoded as in series.Run.
func (b *Builder) Number(inst int32, t pcp.Type, val uint64) {
	var block [12]byte
	binary.BigEndian.PutUint32(block[:], uint32(t)<<24|uint32(4+t.Width()))
	switch t {
	case pcp.Int32, pcp.Uint32:
		b.InSitu(inst, uint32(val))
	case pcp.Float:
		binary.BigEndian.PutUint32(block[4:], uint32(val))
		b.Block(inst, block[:8])
	default:
		binary.BigEndian.PutUint64(block[4:], val)
		b.Block(inst, block[:])
	}
}

// Bytes adds a value that is not a number; a STRING without its NUL.
func (b *Builder) Bytes(inst int32, t pcp.Type, payload []byte) {
	n := 4 + len(payload)
	if t == pcp.String {
		n++
	}
	block := make([]byte, 4, n)
	binary.BigEndian.PutUint32(block, uint32(t)<<24|uint32(n))
	b.Block(inst, append(block, payload...)[:n])
}

// End ends a value set. A set without values is removed, and End returns false.
func (b *Builder) End() bool {
	if b.values == 0 {
		b.sets = b.sets[:b.open]
		return false
	}
	binary.BigEndian.PutUint32(b.sets[b.open+4:], uint32(b.values))
	b.n++
	return true
}

// Set adds a value set unchanged, except maybe for its PMID.
func (b *Builder) Set(s *RawSet, id pcp.PMID) {
	switch {
	case s.N <= 0:
		b.Void(id, s.N)
	case s.Format == 0:
		at := len(b.sets)
		b.sets = append(b.sets, s.Whole...)
		binary.BigEndian.PutUint32(b.sets[at:], uint32(id))
		b.n++
	default:
		b.Begin(id, s.Format)
		for i := range int(s.N) {
			if block := s.Block(i); block != nil {
				b.Block(s.Inst(i), block)
			}
		}
		b.End()
	}
}

// Build writes the assembled record. A record without value sets is not
// written: it would be a mark.
func (w *Writer) Build(t pcp.Time, r *Builder) error {
	if r.n == 0 || !w.ready(t) {
		return w.err
	}
	b := w.time(w.open(), t)
	b = binary.BigEndian.AppendUint32(b, uint32(r.n))
	at := len(b)
	b = append(b, r.sets...)
	first := len(b)
	b = append(b, r.blocks...)
	for _, m := range r.moved {
		binary.BigEndian.PutUint32(b[at+m.at:], uint32(first+m.block+8)/4)
	}
	w.finish(&w.data, b)
	return w.err
}

// Size returns an upper bound of the record's size in bytes.
func (b *Builder) Size() int { return 32 + len(b.sets) + len(b.blocks) }
