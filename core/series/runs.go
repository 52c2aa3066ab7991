// Package series defines how values are represented: as runs of observations by
// readers, and as vectors on a time grid after interpolation. It cuts and
// renumbers observations, but computes no values.
package series

import "pcpscope/core/pcp"

// Bits of a Run's Row above the row number.
const (
	Gone   uint32 = 1 << 31 // from this row on the instance has no observation; Val is undefined
	Failed uint32 = 1 << 30 // the observations carry an error: Val is its pcp.Code
	// The instance is there, but its expression has no value: the one before lasts until this
	// row, while what was logged lasts until the next observation.
	Ended         = Gone | Failed
	RowNum uint32 = 1<<30 - 1
)

// A Run says that from one row of its metric on, up to the series' next run,
// every row observed the same value. A series observed as 7, 7 and 8 at rows 3,
// 4 and 5, and then no more, is {3,7} {5,8} {6|Gone}.
type Run struct {
	Row uint32 // row number, with Gone or Failed
	Val uint64 // encoded as in Bits
}

// Bits: how a value of each type is in 64 bits.
//
//	32, U32, 64, U64   the number, sign-extended for the signed types
//	FLOAT              math.Float32bits
//	DOUBLE             math.Float64bits
//	all others         an index into the metric's Blobs
//
// Equal values have equal bits, so NaNs and signed zeros are kept apart.

// A Series holds the observations of one instance, as runs in row order.
type Series struct {
	Inst int32 // pcp.NoInstance for a singular metric
	Runs []Run
}

// A Void is a row that was logged without values: none at that time (Code 0),
// or an error code. Interpolation ignores it (spec/interp.md section 2); raw
// mode and reasons use it.
type Void struct {
	Time pcp.Time
	Code pcp.Code
}

// Observations holds everything that one segment (one archive of a set, with
// all its volumes) has of one metric.
//
// Times has one entry for each row with at least one value, in the order of the
// archive, never decreasing; it may be shared between metrics and is read-only.
// Series is sorted by instance ID.
type Observations struct {
	Desc   pcp.Desc
	Times  []pcp.Time
	Series []Series
	Voids  []Void
	// Backward says that each value covers the time since the previous row,
	// like results of rate(); other values last until the next one.
	Backward bool
	Blobs    Blobs // strings and opaque values that Run.Val refers to; nil for numbers
}

// Blobs stores byte strings of any length back to back. The zero value is
// empty.
type Blobs struct {
	data []byte
	end  []int
}

// Add stores a copy of b and returns its index.
func (s *Blobs) Add(b []byte) uint64 {
	s.data = append(s.data, b...)
	s.end = append(s.end, len(s.data))
	return uint64(len(s.end) - 1)
}

// At returns the bytes with index i; read-only.
func (s *Blobs) At(i uint64) []byte {
	from := 0
	if i > 0 {
		from = s.end[i-1]
	}
	return s.data[from:s.end[i]:s.end[i]]
}

// Len returns how many byte strings are stored.
func (s *Blobs) Len() int { return len(s.end) }

// Size returns the memory in use in bytes.
func (s *Blobs) Size() int { return cap(s.data) + 8*cap(s.end) }
