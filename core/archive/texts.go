package archive

import (
	"bytes"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Blocks of varying length: strings, aggregates, event arrays. Their values are
// stored once in the column's blobs; a cell holds the number of its blob.

// newTexts records which of n blocks of varying length differ from the cells.
func (st *store) newTexts(c *column, row uint32, blocks []byte, n int) {
	for i := range n {
		size := int(be32(blocks) & 0xffffff)
		if d := c.list.dense[i]; d != noDense {
			payload := blocks[4:size]
			if old := &c.cells[i]; !c.sameText(old.val, payload) {
				old.val = c.blob(payload)
				st.log.fresh = append(st.log.fresh, event{st.series(c, d), row, old.val})
			}
		}
		blocks = blocks[(size+3)&^3:]
	}
}

// text returns the significant part of a payload: of strings, up to the first
// NUL.
func (c *column) text(payload []byte) []byte {
	if c.Type == pcp.String {
		if i := bytes.IndexByte(payload, 0); i >= 0 {
			return payload[:i]
		}
	}
	return payload
}

func (c *column) sameText(ref uint64, payload []byte) bool {
	return string(c.blobs.At(ref)) == string(c.text(payload))
}

const maxTexts = 1 << 16 // distinct strings of one metric that are deduplicated

// blob stores a payload and returns its number; a string stored before keeps
// its number.
func (c *column) blob(payload []byte) uint64 {
	text := c.text(payload)
	c.own()
	if c.Type != pcp.String {
		return c.blobs.Add(text)
	}
	if ref, ok := c.texts[string(text)]; ok {
		return ref
	}
	ref := c.blobs.Add(text)
	if c.texts == nil {
		c.texts = map[string]uint64{}
	}
	if len(c.texts) < maxTexts {
		c.texts[string(text)] = ref
	}
	return ref
}

// shiftTexts is shift for blocks of varying length.
func (st *store) shiftTexts(c *column, row uint32, blocks []byte, ch *change) {
	t := c.dom.transition(c.list, ch.list)
	for _, i := range t.gone {
		st.log.fresh = append(st.log.fresh, event{series: c.slots.at(c.list.dense[i]) - 1, row: row | series.Gone})
	}
	cells := make([]cell, len(ch.list.ids))
	runs := t.runs
	for i := range cells {
		size := int(be32(blocks) & 0xffffff)
		payload := blocks[4:size]
		blocks = blocks[(size+3)&^3:]
		d := ch.list.dense[i]
		if d == noDense {
			continue
		}
		for int(runs[0].new+runs[0].n) <= i {
			runs = runs[1:]
		}
		if old := runs[0].old; old >= 0 {
			if last := c.cells[int(old)+i-int(runs[0].new)]; c.sameText(last.val, payload) {
				cells[i] = last
				continue
			}
		}
		cells[i].val = c.blob(payload)
		st.log.fresh = append(st.log.fresh, event{st.series(c, d), row, cells[i].val})
	}
	c.hold(cells, ch.layout)
}
