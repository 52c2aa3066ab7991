package archive

import "pcpscope/core/pcp"

// decode returns the value of one pair, or a conversion error if it does not
// match the descriptor. See spec/archive.md section 6.1. prev is the instance's
// last value.
func (c *column) decode(rec, pair []byte, format uint32, prev cell, had bool) cell {
	if format == 0 {
		switch c.Type {
		case pcp.Int32:
			return cell{val: uint64(int32(be32(pair[4:])))}
		case pcp.Uint32, pcp.Float:
			return cell{val: uint64(be32(pair[4:]))}
		}
		return conversionError
	}
	at := blockAt(pair)
	head := be32(rec[at:])
	payload := rec[at+4 : at+int(head&0xffffff)]
	if kind := pcp.Type(head >> 24); kind != c.Type && kind != 0 {
		return conversionError
	}
	switch {
	case len(payload) == 8 && (c.Type == pcp.Int64 || c.Type == pcp.Uint64 || c.Type == pcp.Double):
		return cell{val: be64(payload)}
	case len(payload) == 4 && c.Type == pcp.Float:
		return cell{val: uint64(be32(payload))}
	case c.Type >= pcp.String:
		if had && !prev.failed && c.sameText(prev.val, payload) {
			return prev
		}
		return cell{val: c.blob(payload)}
	}
	return conversionError
}

var errConv = int64(pcp.ErrConv)

var conversionError = cell{val: uint64(errConv), failed: true}

// lastCells returns the values of the metric's last row, by position.
func (c *column) lastCells() []cell {
	if c.layout == layoutAny || c.layout == layoutVarying || c.layout == layoutNone {
		return c.cells
	}
	cells := make([]cell, len(c.list.ids))
	for i := range cells {
		switch {
		case c.layout == layout12:
			cells[i].val = be64(c.blocks()[12*i+4:])
		case c.layout == layout8:
			cells[i].val = uint64(be32(c.blocks()[8*i+4:]))
		case c.Type == pcp.Int32:
			cells[i].val = uint64(int32(be32(c.pairs()[8*i+4:])))
		default:
			cells[i].val = uint64(be32(c.pairs()[8*i+4:]))
		}
	}
	return cells
}
