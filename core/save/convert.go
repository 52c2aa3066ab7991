package save

import (
	"math"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A conversion converts values of a metric to a later descriptor of it, as
// pmlogrewrite(1) does: other numeric types, other scales of the same units.
type conversion struct {
	from, to pcp.Type
	scale    pcp.Scale
}

// newConversion returns the conversion, nil if values stay unchanged, or why it
// is impossible.
func newConversion(from, to pcp.Desc) (c *conversion, why string) {
	if from.InDom != to.InDom {
		return nil, "values cannot be moved to another instance domain"
	}
	if from.Type == pcp.NoSupport { // there are none
		return nil, ""
	}
	c = &conversion{from: from.Type, to: to.Type}
	if from.Units != to.Units && from.Type.Numeric() {
		var ok bool
		a, b := from.Units, to.Units
		if a.Space != b.Space || a.Time != b.Time || a.Count != b.Count || a.Extra != b.Extra {
			return nil, "units of another dimension cannot be converted"
		}
		if c.scale, ok = pcp.ScaleOf(a, b); !ok {
			return nil, "its units cannot be converted"
		}
	}
	if from.Type != to.Type {
		if !from.Type.Numeric() || !to.Type.Numeric() {
			return nil, "values of one type cannot be converted to the other"
		}
		return c, ""
	}
	if one := (pcp.Scale{}); c.scale == one || c.scale.Float64(1) == 1 {
		return nil, ""
	}
	return c, ""
}

// value converts one value, encoded as in series.Run; false if it overflows.
func (c *conversion) value(v uint64) (uint64, bool) {
	ok := true
	switch c.from {
	case pcp.Int32, pcp.Int64:
		var i int64
		if i, ok = c.scale.Int64(int64(v)); !ok {
			return c.float(c.scale.Float64(float64(int64(v))))
		}
		switch c.to {
		case pcp.Int32:
			return uint64(i), i == int64(int32(i))
		case pcp.Uint32:
			return uint64(i), i == int64(uint32(i))
		case pcp.Int64:
			return uint64(i), true
		case pcp.Uint64:
			return uint64(i), i >= 0
		}
		return c.float(c.scale.Float64(float64(int64(v))))
	case pcp.Uint32, pcp.Uint64:
		var u uint64
		if u, ok = c.scale.Uint64(v); !ok {
			return c.float(c.scale.Float64(float64(v)))
		}
		switch c.to {
		case pcp.Int32:
			return u, u <= math.MaxInt32
		case pcp.Uint32:
			return u, u <= math.MaxUint32
		case pcp.Int64:
			return u, u <= math.MaxInt64
		case pcp.Uint64:
			return u, true
		}
		return c.float(c.scale.Float64(float64(v)))
	}
	return c.float(c.scale.Float64(series.Float(c.from, v)))
}

// float stores a floating-point number as the type to.
func (c *conversion) float(f float64) (uint64, bool) { return numberOf(c.to, f) }

// numberOf converts a number to a type, rounding to integers; false if it
// overflows.
func numberOf(t pcp.Type, f float64) (uint64, bool) {
	switch t {
	case pcp.Float:
		return uint64(math.Float32bits(float32(f))), true
	case pcp.Double:
		return math.Float64bits(f), true
	}
	f = math.Round(f)
	switch t {
	case pcp.Int32:
		return uint64(int64(f)), f >= math.MinInt32 && f <= math.MaxInt32
	case pcp.Uint32:
		return uint64(f), f >= 0 && f <= math.MaxUint32
	case pcp.Int64:
		return uint64(int64(f)), f >= -1<<63 && f < 1<<63
	}
	return uint64(f), f >= 0 && f < 1<<64
}

// number decodes the i-th value of a set according to its descriptor; false if
// it is stored differently. See spec/archive.md section 6.1.
func number(s value, t pcp.Type) (uint64, bool) {
	if s.block == nil {
		switch t {
		case pcp.Int32:
			return uint64(int64(int32(s.word))), true
		case pcp.Uint32, pcp.Float:
			return uint64(s.word), true
		}
		return 0, false
	}
	kind, payload := pcp.Type(s.block[0]), s.block[4:]
	if kind != t && kind != 0 || len(payload) != t.Width() || t == pcp.Int32 || t == pcp.Uint32 {
		return 0, false
	}
	var v uint64
	for _, b := range payload {
		v = v<<8 | uint64(b)
	}
	return v, true
}

// A value is one value of a record: a word, or a block.
type value struct {
	inst  int32
	word  uint32
	block []byte
}
