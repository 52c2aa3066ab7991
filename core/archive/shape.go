package archive

import (
	"encoding/binary"
	"slices"

	"pcpscope/core/pcp"
)

// A shape is the sequence of value set headers of a record. Records of one
// shape differ only in instances and values; nearly all records have a shape
// seen before, and checking that is faster than parsing.
type shape struct {
	sets       []set
	end        int // offset after the last value set, where the blocks begin
	lines      []*timeline
	generation int // of the store's timelines when lines was made
	used       bool
	valueless  bool // see Archive.Valueless
}

// A set is the header of one value set. See spec/archive.md section 5.2.
type set struct {
	word   uint64  // PMID and numval in record byte order
	off    uint32  // in the record
	format uint32  // valfmt in record byte order; 0 if numval <= 0
	n      int32   // numval
	column *column // nil for a PMID repeated in the record: the first counts
	track  *track  // likewise
}

const (
	maxShapeCells = 1 << 17 // limit on the value sets of cached shapes
	shapeCells    = 8       // cost of a shape without its value sets, in the same unit
)

// matches reports whether a record has the shape.
func (s *shape) matches(rec []byte) bool {
	if len(rec)-4 < s.end {
		return false
	}
	for i := range s.sets {
		t := &s.sets[i]
		b := rec[t.off:]
		if binary.LittleEndian.Uint64(b) != t.word || t.n > 0 && binary.LittleEndian.Uint32(b[8:]) != t.format {
			return false
		}
	}
	return true
}

// shapeOf returns the shape of a record, or what is wrong with the record.
func (st *store) shapeOf(rec []byte) (*shape, *pcp.Fault) {
	p := int32(be32(rec[st.head-4:]))
	if s := st.latest[p]; s != nil && s.matches(rec) {
		return s, nil
	}
	hash, end, fault := st.walk(rec)
	if fault != nil {
		return nil, fault
	}
	s := st.shapes[hash]
	if s == nil || len(s.sets) != len(st.walked) || !s.matches(rec) {
		if st.shapeCells += int(p) + shapeCells; st.shapeCells > maxShapeCells {
			clear(st.shapes)
			clear(st.latest)
			st.shapeCells = int(p) + shapeCells
		}
		s = st.newShape(end)
		if st.shapes == nil {
			st.shapes, st.latest = map[uint64]*shape{}, map[int32]*shape{}
		}
		st.shapes[hash] = s
	}
	st.latest[p] = s
	return s, nil
}

// walk parses the value sets of a record into st.walked.
func (st *store) walk(rec []byte) (hash uint64, end int, fault *pcp.Fault) {
	limit := len(rec) - 4
	p := int(int32(be32(rec[st.head-4:])))
	if p < 0 || p > (limit-st.head)/8 {
		return 0, 0, pcp.Faultf(pcp.Corrupt, "The record says that it has %s value sets, which its %s bytes cannot hold.", pcp.Grouped(p), pcp.Grouped(len(rec))).At(int64(st.head-4), "number of value sets")
	}
	st.walked = st.walked[:0]
	at := st.head
	hash = 14695981039346656037
	for range p {
		if at+8 > limit {
			return 0, 0, pcp.Faultf(pcp.Corrupt, "The value sets run past the end of their record.").At(int64(at), "value set")
		}
		s := set{word: binary.LittleEndian.Uint64(rec[at:]), off: uint32(at), n: int32(be32(rec[at+4:]))}
		if s.n > 0 {
			if int64(at)+12+8*int64(s.n) > int64(limit) {
				return 0, 0, pcp.Faultf(pcp.Corrupt, "A value set says that it has %d values, which its record cannot hold.", s.n).At(int64(at+4), "numval")
			}
			s.format = binary.LittleEndian.Uint32(rec[at+8:])
			if f := be32(rec[at+8:]); f > 2 {
				return 0, 0, pcp.Faultf(pcp.Corrupt, "A value set has the format %d, which does not exist.", int32(f)).At(int64(at+8), "valfmt")
			}
			at += 4 + 8*int(s.n)
		}
		at += 8
		hash = (hash ^ s.word) * 1099511628211
		hash = (hash ^ uint64(s.format)) * 1099511628211
		hash ^= hash >> 29
		st.walked = append(st.walked, s)
	}
	return hash, at, nil
}

// newShape makes a shape from the result of walk.
func (st *store) newShape(end int) *shape {
	s := &shape{end: end, generation: -1}
	st.made++
	const many = 4096
	if len(st.walked) > many {
		s.sets, st.walked = st.walked, nil // the copy would be megabytes
	} else {
		s.sets = slices.Clone(st.walked)
	}
	empty, single := true, false
	for i := range s.sets {
		t := &s.sets[i]
		id := pcp.PMID(uint32(swap64(t.word)>>32) &^ (1 << 31))
		c := st.column(id)
		if c.shape == st.made {
			continue // the record already has this metric
		}
		c.shape, t.column = st.made, c
		empty, single = empty && t.n <= 0, single || c.dom == st.singular
		if t.n > 0 {
			t.track = &t.column.values
		} else {
			t.track = t.column.void(pcp.Code(t.n))
		}
	}
	s.valueless = empty && single
	return s
}

func swap64(v uint64) uint64 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	return be64(b[:])
}
