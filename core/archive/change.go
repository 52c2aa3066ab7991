package archive

import (
	"encoding/binary"
	"math"

	"pcpscope/core/pcp"
)

// A change describes a value set that differs from the last one of its metric.
type change struct {
	set        int32
	header     uint32
	list       *instList
	base, size int   // of the blocks in the record
	from, to   int32 // range of store.changed, for changedValues
	kind       changeKind
	layout     layout
}

type changeKind uint8

const (
	changedPlace  changeKind = iota // only the offset of the blocks
	changedValues                   // values at some positions
	changedTexts                    // like changedValues, but of varying length; positions not known yet
	changedRow                      // instances or layout: everything
)

// examine compares a record with the last values of its metrics, and collects
// the changes. It returns a fault if the record is damaged; nothing has been
// changed then. It guarantees of good records that every block lies inside the
// record and that the blocks fill it: spec/archive.md section 5.3.
func (st *store) examine(rec []byte, s *shape) *pcp.Fault {
	st.changes, st.changed = st.changes[:0], st.changed[:0]
	sum, low := 0, math.MaxInt
	for i := range s.sets {
		t := &s.sets[i]
		if t.n <= 0 {
			continue
		}
		pairs := rec[t.off+12 : int(t.off)+12+8*int(t.n)]
		c := t.column
		if c == nil { // a repeated metric: only its blocks count
			base, size, fault := spread(rec, pairs, t.format, s.end)
			if fault != nil {
				return fault
			}
			if t.format != 0 {
				sum, low = sum+size, min(low, base)
			}
			continue
		}
		if t.format == c.format && len(pairs) == len(c.pairs()) {
			switch c.layout {
			case layoutInSitu:
				if equal(pairs, c.pairs()) {
					continue
				}
				from := len(st.changed)
				var same bool
				if st.changed, same = diffPairs(st.changed, pairs, c.pairs()); same {
					st.changes = append(st.changes, change{set: int32(i), kind: changedValues, from: int32(from), to: int32(len(st.changed))})
					continue
				}
				st.changed = st.changed[:from]
			case layout12, layout8, layoutVarying:
				if base, size, ok := st.compare(rec, pairs, c, i); ok {
					sum, low = sum+size, min(low, base)
					continue
				}
			}
		}
		ch, fault := st.classify(rec, pairs, c, t.format, s.end)
		if fault != nil {
			return fault
		}
		ch.set, ch.kind = int32(i), changedRow
		st.changes = append(st.changes, ch)
		if t.format != 0 {
			sum, low = sum+ch.size, min(low, ch.base)
		}
	}
	if room := len(rec) - 4 - s.end; sum != room || room > 0 && low != s.end {
		return pcp.Faultf(pcp.Corrupt, "The values of the record fill %s bytes, but it has %s for them.", pcp.Grouped(sum), pcp.Grouped(room)).At(int64(s.end), "value block")
	}
	return nil
}

// compare compares a row of blocks with the metric's last one if it has the
// same instances in the same layout; ok is false otherwise.
func (st *store) compare(rec, pairs []byte, c *column, i int) (base, size int, ok bool) {
	base, size = int(c.base), len(c.blocks())
	moved := false
	if !equal(pairs, c.pairs()) {
		if c.layout == layoutVarying {
			return st.compareTexts(rec, pairs, c, i)
		}
		if !inOrder(pairs, c.list.ids, uint32(c.layout.stride()/4)) {
			return 0, 0, false
		}
		base, moved = blockAt(pairs), true
	}
	if base < st.head || base+size > len(rec)-4 {
		return 0, 0, false
	}
	blocks := rec[base : base+size]
	if equal(blocks, c.blocks()) {
		if moved {
			st.changes = append(st.changes, change{set: int32(i), kind: changedPlace, base: base, size: size})
		}
		return base, size, true
	}
	from := len(st.changed)
	switch c.layout {
	case layout12:
		st.changed, ok = diff12(st.changed, blocks, c.blocks(), c.header)
	case layout8:
		st.changed, ok = diff8(st.changed, blocks, c.blocks(), c.header)
	default:
		return st.compareTexts(rec, pairs, c, i)
	}
	if !ok {
		st.changed = st.changed[:from]
		return 0, 0, false
	}
	st.changes = append(st.changes, change{set: int32(i), kind: changedValues, base: base, size: size, from: int32(from), to: int32(len(st.changed))})
	return base, size, true
}

// compareTexts is compare for blocks of varying length.
func (st *store) compareTexts(rec, pairs []byte, c *column, i int) (base, size int, ok bool) {
	if !sameIDs(pairs, c.list.ids) {
		return 0, 0, false
	}
	base, size, ok = chain(rec, pairs, c.Type)
	if ok {
		st.changes = append(st.changes, change{set: int32(i), kind: changedTexts, base: base, size: size})
	}
	return base, size, ok
}

// blockAt returns where the first pair's block begins. The index counts words
// of an image with a header 8 bytes longer: spec/archive.md section 5.2.
func blockAt(pair []byte) int { return 4*int(be32(pair[4:])) - 8 }

// chain follows blocks of varying length that lie back to back in the order of
// the pairs; ok is false if they do not, or are not of the type.
func chain(rec, pairs []byte, t pcp.Type) (base, size int, ok bool) {
	base = blockAt(pairs)
	at, limit := base, len(rec)-4
	for ; len(pairs) >= 8; pairs = pairs[8:] {
		if at < 0 || at+4 > limit || blockAt(pairs) != at {
			return 0, 0, false
		}
		head := be32(rec[at:])
		n := int(head & 0xffffff)
		if kind := pcp.Type(head >> 24); n < 4 || kind != t && kind != 0 {
			return 0, 0, false
		}
		at += (n + 3) &^ 3
	}
	return base, at - base, at <= limit
}

// spread checks blocks that may lie anywhere after the value sets, and returns
// the offset of the first and their total size.
func spread(rec, pairs []byte, format uint32, end int) (base, size int, fault *pcp.Fault) {
	if format == 0 {
		return 0, 0, nil
	}
	base = math.MaxInt
	limit := len(rec) - 4
	for ; len(pairs) >= 8; pairs = pairs[8:] {
		at := blockAt(pairs)
		if at < end || at+4 > limit {
			return 0, 0, pcp.Faultf(pcp.Corrupt, "A value's offset is byte %s of its record, which has values from byte %s to %s.", pcp.Grouped(at), pcp.Grouped(end), pcp.Grouped(limit)).At(int64(end), "value index")
		}
		n := int(be32(rec[at:]) & 0xffffff)
		if n < 4 || at+n > limit {
			return 0, 0, pcp.Faultf(pcp.Corrupt, "A value says that it is %s bytes long, more than its record.", pcp.Grouped(n)).At(int64(at), "value length")
		}
		base, size = min(base, at), size+(n+3)&^3
	}
	return base, size, nil
}

// classify determines the layout of a row that differs from the metric's last
// one.
func (st *store) classify(rec, pairs []byte, c *column, format uint32, end int) (change, *pcp.Fault) {
	var ch change
	if c.list != nil && len(c.list.ids)*8 == len(pairs) && sameIDs(pairs, c.list.ids) {
		ch.list = c.list
	} else {
		ch.list = c.dom.list(pairs)
	}
	if format == 0 {
		c.guess(format, nil)
		ch.layout = layoutAny
		if t := c.Type; t == pcp.Int32 || t == pcp.Uint32 || t == pcp.Float {
			ch.layout = layoutInSitu
		}
		return ch, nil
	}
	base := blockAt(pairs)
	if base < end || base+4 > len(rec)-4 {
		_, _, fault := spread(rec, pairs, format, end)
		return ch, fault
	}
	c.guess(format, rec[base:])
	head := be32(rec[base:])
	if kind := pcp.Type(head >> 24); kind == c.Type || kind == 0 {
		switch length := head & 0xffffff; {
		case length == 12 && (c.Type == pcp.Int64 || c.Type == pcp.Uint64 || c.Type == pcp.Double):
			ch.layout = layout12
		case length == 8 && c.Type == pcp.Float:
			ch.layout = layout8
		case c.Type >= pcp.String:
			var ok bool
			if ch.base, ch.size, ok = chain(rec, pairs, c.Type); ok {
				ch.layout = layoutVarying
				return ch, nil
			}
		}
	}
	if ch.layout != layoutNone {
		stride := ch.layout.stride()
		ch.base, ch.size = base, stride*len(ch.list.ids)
		ch.header = binary.LittleEndian.Uint32(rec[base:])
		if ch.base+ch.size <= len(rec)-4 && inOrder(pairs, ch.list.ids, uint32(stride/4)) &&
			allHeaders(rec[ch.base:ch.base+ch.size], stride, ch.header) {
			return ch, nil
		}
	}
	ch.layout, ch.header = layoutAny, 0
	var fault *pcp.Fault
	ch.base, ch.size, fault = spread(rec, pairs, format, end)
	return ch, fault
}
