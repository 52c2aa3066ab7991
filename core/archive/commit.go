package archive

import (
	"encoding/binary"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// commit applies what examine found in a record.
func (st *store) commit(rec []byte, s *shape, r Record) {
	if !s.used {
		s.used = true
		for i := range s.sets {
			if c := s.sets[i].column; c != nil && c.Guessed {
				st.meta.guess(c.Metric)
			}
		}
	}
	for i := range st.changes {
		ch := &st.changes[i]
		t := &s.sets[ch.set]
		c := t.column
		row := uint32(0)
		if c.values.line != nil {
			row = uint32(len(c.values.line.recs))
		}
		pairs := rec[t.off+12 : int(t.off)+12+8*int(t.n)]
		var blocks []byte
		if ch.layout != layoutAny { // whose blocks may lie anywhere
			blocks = rec[ch.base : ch.base+ch.size]
		}
		switch ch.kind {
		case changedPlace:
			c.base = uint32(ch.base)
			copy(c.pairs(), pairs)
		case changedValues:
			st.values(c, row, pairs, blocks, st.changed[ch.from:ch.to])
			copy(c.pairs(), pairs)
			if c.layout != layoutInSitu {
				c.base = uint32(ch.base)
				copy(c.blocks(), blocks)
			}
		case changedTexts:
			st.newTexts(c, row, blocks, len(c.list.ids))
			c.keep(ch, pairs, blocks)
		case changedRow:
			st.newRow(c, row, rec, pairs, blocks, ch, t.format)
		}
	}
	if len(s.sets) == 0 {
		st.marks = append(st.marks, r.Time)
	}
	if s.valueless {
		st.valueless = append(st.valueless, int32(len(st.recs)))
	}
	st.advance(s, uint32(len(st.recs)))
	st.recs = append(st.recs, r)
	if st.log.full() {
		st.log.flush()
	}
}

// keep makes a row the metric's last one.
func (c *column) keep(ch *change, pairs, blocks []byte) {
	c.base = uint32(ch.base)
	if cap(c.bytes) < len(pairs)+len(blocks) {
		c.bytes = make([]byte, 0, len(pairs)+len(blocks))
	}
	c.bytes = append(append(c.bytes[:0], pairs...), blocks...)
}

// values records new values of the instances at the changed positions.
func (st *store) values(c *column, row uint32, pairs, blocks []byte, changed []uint32) {
	dense, slot, log := c.list.dense, c.slots.near, st.log.fresh
	switch {
	case c.slots.far != nil:
		st.sparseValues(c, row, pairs, blocks, changed)
		return
	case c.layout == layout12:
		for _, i := range changed {
			if d := dense[i]; d != noDense {
				log = append(log, event{slot[d] - 1, row, binary.BigEndian.Uint64(blocks[12*i+4:])})
			}
		}
	case c.layout == layout8:
		for _, i := range changed {
			if d := dense[i]; d != noDense {
				log = append(log, event{slot[d] - 1, row, uint64(binary.BigEndian.Uint32(blocks[8*i+4:]))})
			}
		}
	case c.Type == pcp.Int32:
		for _, i := range changed {
			if d := dense[i]; d != noDense {
				log = append(log, event{slot[d] - 1, row, uint64(int32(binary.BigEndian.Uint32(pairs[8*i+4:])))})
			}
		}
	default:
		for _, i := range changed {
			if d := dense[i]; d != noDense {
				log = append(log, event{slot[d] - 1, row, uint64(binary.BigEndian.Uint32(pairs[8*i+4:]))})
			}
		}
	}
	st.log.fresh = log
}

// sparseValues is values for a metric that has few of its domain's many instances.
func (st *store) sparseValues(c *column, row uint32, pairs, blocks []byte, changed []uint32) {
	for _, i := range changed {
		d := c.list.dense[i]
		if d == noDense {
			continue
		}
		e := event{series: c.slots.at(d) - 1, row: row}
		switch {
		case c.layout == layout12:
			e.val = binary.BigEndian.Uint64(blocks[12*i+4:])
		case c.layout == layout8:
			e.val = uint64(binary.BigEndian.Uint32(blocks[8*i+4:]))
		case c.Type == pcp.Int32:
			e.val = uint64(int32(binary.BigEndian.Uint32(pairs[8*i+4:])))
		default:
			e.val = uint64(binary.BigEndian.Uint32(pairs[8*i+4:]))
		}
		st.log.fresh = append(st.log.fresh, e)
	}
}

// newRow applies a row whose instances or layout differ from the last one.
func (st *store) newRow(c *column, row uint32, rec, pairs, blocks []byte, ch *change, format uint32) {
	c.slots.expect(len(ch.list.ids), len(c.dom.insts))
	alike := ch.layout == c.layout && ch.header == c.header && c.list != nil
	plain := ch.layout == layoutInSitu || ch.layout == layout12 || ch.layout == layout8
	if c.layout != layoutNone && format != c.format {
		more := c.own()
		if more.formatChanges == 0 {
			more.formatChangedAt = len(st.recs)
		}
		more.formatChanges++
	}
	switch {
	case c.layout == layoutNone && plain:
		st.first(c, row, pairs, blocks, ch)
	case alike && plain:
		st.shift(c, row, pairs, blocks, ch)
	case alike && ch.layout == layoutVarying:
		st.shiftTexts(c, row, blocks, ch)
	default:
		st.replace(c, row, rec, pairs, ch, format)
	}
	c.layout, c.header, c.format, c.list = ch.layout, ch.header, format, ch.list
	c.keep(ch, pairs, blocks)
}

// first records the metric's first row.
func (st *store) first(c *column, row uint32, pairs, blocks []byte, ch *change) {
	c.layout, c.list = ch.layout, ch.list
	st.moved = st.moved[:0]
	for i, d := range ch.list.dense {
		if d != noDense {
			st.series(c, d)
			st.moved = append(st.moved, uint32(i))
		}
	}
	st.values(c, row, pairs, blocks, st.moved)
}

// shift records the differences if the list of instances changed and the rows
// are otherwise laid out alike.
func (st *store) shift(c *column, row uint32, pairs, blocks []byte, ch *change) {
	t := c.dom.transition(c.list, ch.list)
	for _, i := range t.gone {
		st.log.fresh = append(st.log.fresh, event{series: c.slots.at(c.list.dense[i]) - 1, row: row | series.Gone})
	}
	stride, now, before := 8, pairs, c.pairs()
	if ch.layout != layoutInSitu {
		stride, now, before = ch.layout.stride(), blocks, c.blocks()
	}
	c.list = ch.list
	for _, r := range t.runs {
		a := now[stride*int(r.new) : stride*int(r.new+r.n)]
		if r.old < 0 {
			for i := range r.n {
				st.series(c, c.list.dense[r.new+i])
			}
			st.moved = st.moved[:0]
			for i := range r.n {
				st.moved = append(st.moved, uint32(r.new+i))
			}
			st.values(c, row, pairs, blocks, st.moved)
			continue
		}
		b := before[stride*int(r.old) : stride*int(r.old+r.n)]
		if equal(a, b) {
			continue
		}
		st.moved = st.moved[:0]
		switch ch.layout { // classify has checked that all headers are the same
		case layoutInSitu:
			st.moved = diffValues(st.moved, a, b)
		case layout12:
			st.moved, _ = diff12(st.moved, a, b, ch.header)
		default:
			st.moved, _ = diff8(st.moved, a, b, ch.header)
		}
		for i := range st.moved {
			st.moved[i] += uint32(r.new)
		}
		st.values(c, row, pairs, blocks, st.moved)
	}
}

// replace records the differences between any two rows, value by value.
func (st *store) replace(c *column, row uint32, rec, pairs []byte, ch *change, format uint32) {
	old, oldList := c.lastCells(), c.list
	before := make(map[uint32]cell, len(old))
	if oldList != nil {
		for i, d := range oldList.dense {
			if d != noDense {
				before[d] = old[i]
			}
		}
	}
	cells := make([]cell, len(ch.list.dense))
	for i, d := range ch.list.dense {
		if d == noDense {
			continue
		}
		prev, had := before[d]
		delete(before, d)
		cells[i] = c.decode(rec, pairs[8*i:], format, prev, had)
		if had && prev == cells[i] {
			continue
		}
		e := event{series: st.series(c, d), row: row, val: cells[i].val}
		if cells[i].failed {
			e.row |= series.Failed
			if more := c.own(); !more.failed {
				more.failed, more.failedAt = true, len(st.recs)
			}
		}
		st.log.fresh = append(st.log.fresh, e)
	}
	if oldList != nil {
		for _, d := range oldList.dense {
			if _, left := before[d]; left {
				delete(before, d)
				st.log.fresh = append(st.log.fresh, event{series: c.slots.at(d) - 1, row: row | series.Gone})
			}
		}
	}
	c.hold(cells, ch.layout)
}

// hold keeps the values of a row of a layout whose bytes are not compared.
func (c *column) hold(cells []cell, l layout) {
	if l == layoutAny || l == layoutVarying {
		c.own().cells = cells
	} else if c.cells != nil {
		c.cells = nil
	}
}
