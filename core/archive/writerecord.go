package archive

import (
	"encoding/binary"

	"pcpscope/core/pcp"
)

// A ValueSet is one metric in one record.
type ValueSet struct {
	PMID   pcp.PMID
	Type   pcp.Type // says how the values are stored
	Code   pcp.Code // instead of values: 0 or an error
	Values []Value
}

// A Value is the value of one instance; Inst is pcp.NoInstance for a singular
// metric.
type Value struct {
	Inst int32
	Val  uint64 // of a number, encoded as in series.Run
	Blob []byte // of anything else: a string without its NUL, or the payload
}

const indexEvery = 100_000 // bytes of data between two index entries

// Record writes the values of one time. Times must not decrease.
func (w *Writer) Record(t pcp.Time, sets []ValueSet) error {
	if !w.ready(t) {
		return w.err
	}
	b := w.time(w.open(), t)
	w.finish(&w.data, appendSets(b, sets))
	return w.err
}

// ready makes sure that a volume is open, and writes an index entry if one is
// due, before a record of time t.
func (w *Writer) ready(t pcp.Time) bool {
	if w.err == nil && w.records > 0 && t < w.last {
		w.err = pcp.Faultf(pcp.BadArgument, "A record must not be earlier than the one before.")
	}
	w.volumeFor()
	if w.err != nil {
		return false
	}
	if w.data.at-w.entryAt >= indexEvery || w.meta.at != w.metaAt {
		w.entry(t)
	}
	w.last = t
	w.records++
	return true
}

// appendSets appends the value sets of a record that begins at b[0], and their
// blocks. See spec/archive.md section 5.
func appendSets(b []byte, sets []ValueSet) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(sets)))
	blocks := len(b) // where they begin
	for _, s := range sets {
		blocks += 8
		if len(s.Values) > 0 {
			blocks += 4 + 8*len(s.Values)
		}
	}
	for _, s := range sets {
		b = binary.BigEndian.AppendUint32(b, uint32(s.PMID))
		if len(s.Values) == 0 {
			b = binary.BigEndian.AppendUint32(b, uint32(s.Code))
			continue
		}
		b = binary.BigEndian.AppendUint32(b, uint32(len(s.Values)))
		inSitu := s.Type == pcp.Int32 || s.Type == pcp.Uint32
		format := uint32(1)
		if inSitu {
			format = 0
		}
		b = binary.BigEndian.AppendUint32(b, format)
		for _, v := range s.Values {
			b = binary.BigEndian.AppendUint32(b, uint32(v.Inst))
			if inSitu {
				b = binary.BigEndian.AppendUint32(b, uint32(v.Val))
				continue
			}
			b = binary.BigEndian.AppendUint32(b, uint32(blocks+8)/4)
			blocks += (4 + payloadLen(s.Type, v) + 3) &^ 3
		}
	}
	for _, s := range sets {
		if s.Type == pcp.Int32 || s.Type == pcp.Uint32 {
			continue
		}
		for _, v := range s.Values {
			b = appendBlock(b, s.Type, v)
		}
	}
	return b
}

func payloadLen(t pcp.Type, v Value) int {
	switch {
	case t.Numeric():
		return t.Width()
	case t == pcp.String:
		return len(v.Blob) + 1
	}
	return len(v.Blob)
}

func appendBlock(b []byte, t pcp.Type, v Value) []byte {
	n := payloadLen(t, v)
	b = binary.BigEndian.AppendUint32(b, uint32(t)<<24|uint32(4+n))
	switch {
	case t == pcp.Float:
		return binary.BigEndian.AppendUint32(b, uint32(v.Val))
	case t.Numeric():
		return binary.BigEndian.AppendUint64(b, v.Val)
	}
	b = append(b, v.Blob...)
	if t == pcp.String {
		b = append(b, 0)
	}
	for range -n & 3 {
		b = append(b, '~')
	}
	return b
}
