package columns

import (
	"encoding/binary"
	"math"

	"github.com/parquet-go/parquet-go/format"
)

// longest is the longest string used as a bound in the index.
const longest = 128

// bounds are the smallest and the largest value of some rows, encoded; none if
// there is no value, a NaN, or a string that is too long.
type bounds struct {
	low, high []byte
	some      bool // there are values
	lost      bool // they have no bounds
	nulls     int64
}

func (b bounds) known() bool { return b.some && !b.lost }

func (b bounds) statistics() format.Statistics {
	s := format.Statistics{NullCount: b.nulls}
	if b.known() {
		s.MinValue, s.MaxValue = b.low, b.high
	}
	return s
}

func boundsOf(c *Column, k Kind) (b bounds) {
	switch k {
	case Int32:
		low, high := extremes(&b, c.Int32s, c.Null)
		b.low, b.high = binary.LittleEndian.AppendUint32(nil, uint32(low)), binary.LittleEndian.AppendUint32(nil, uint32(high))
	case Int64:
		low, high := extremes(&b, c.Int64s, c.Null)
		b.low, b.high = binary.LittleEndian.AppendUint64(nil, uint64(low)), binary.LittleEndian.AppendUint64(nil, uint64(high))
	case Float64:
		low, high := extremes(&b, c.Float64s, c.Null)
		if low == 0 { // the format requires the smaller of the two zeros
			low = math.Copysign(0, -1)
		}
		if high == 0 {
			high = math.Abs(high)
		}
		b.low, b.high = binary.LittleEndian.AppendUint64(nil, math.Float64bits(low)), binary.LittleEndian.AppendUint64(nil, math.Float64bits(high))
	default:
		low, high := extremes(&b, c.Strings, c.Null)
		if len(low) > longest || len(high) > longest {
			b.lost = true
			break
		}
		b.low, b.high = []byte(low), []byte(high)
	}
	if !b.known() {
		b.low, b.high = nil, nil
	}
	return b
}

func extremes[T int32 | int64 | float64 | string](b *bounds, list []T, null []bool) (low, high T) {
	for i, v := range list {
		if null != nil && null[i] {
			b.nulls++
			continue
		}
		if v != v {
			b.lost = true
		}
		if !b.some {
			b.some, low, high = true, v, v
			continue
		}
		low, high = min(low, v), max(high, v)
	}
	return low, high
}

// join extends the bounds by those of more rows.
func (b *bounds) join(more bounds, k Kind) {
	b.nulls += more.nulls
	if !more.some {
		return
	}
	b.lost = b.lost || more.lost
	if b.lost || !b.some {
		b.some, b.low, b.high = true, more.low, more.high
		return
	}
	if less(more.low, b.low, k) {
		b.low = more.low
	}
	if less(b.high, more.high, k) {
		b.high = more.high
	}
}

// less compares two encoded values.
func less(a, b []byte, k Kind) bool {
	switch k {
	case Int32:
		return int32(binary.LittleEndian.Uint32(a)) < int32(binary.LittleEndian.Uint32(b))
	case Int64:
		return int64(binary.LittleEndian.Uint64(a)) < int64(binary.LittleEndian.Uint64(b))
	case Float64:
		return math.Float64frombits(binary.LittleEndian.Uint64(a)) < math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return string(a) < string(b)
}
