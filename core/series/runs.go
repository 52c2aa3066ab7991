// Package series is the form in which values travel: as runs of observations
// on the way out of a reader, and as vectors on a time grid after
// interpolation. It holds no algorithm of either.
package series

import "pcpscope/core/pcp"

// Bits of a Run's Row above the row number.
const (
	Gone   uint32 = 1 << 31 // from this row on the instance has no observation; Val means nothing
	Failed uint32 = 1 << 30 // the observations carry an error: Val is its pcp.Code
	RowNum uint32 = 1<<30 - 1
)

// A Run says that from one row of its metric on, up to the series' next run,
// every row observed the same value. A series that was observed at rows 3, 4
// and 5 with 7, 7 and 8, and then no more, is {3,7} {5,8} {6|Gone}.
type Run struct {
	Row uint32 // row number, with Gone or Failed
	Val uint64 // as Bits says
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

// A Void is a row that was logged without values: none at that moment (Code
// 0), or an error code. Interpolation does not see it (spec/interp.md section 2); raw
// mode and reasons do.
type Void struct {
	Time pcp.Time
	Code pcp.Code
}

// Observations holds everything that one segment (one archive of a set, with
// all its volumes) knows of one metric.
//
// Times has one entry for each row with at least one value, in the order of
// the archive, never decreasing; it may be shared between metrics and must
// not be written to. Series is sorted by instance id.
type Observations struct {
	Desc   pcp.Desc
	Times  []pcp.Time
	Series []Series
	Voids  []Void
	// Backward says that each value is of the time since the row before, as
	// the results of rate() are; others last until the next one.
	Backward bool
	Blobs    Blobs // texts and opaque values that Run.Val points into; nil for numbers
}

// Blobs keeps byte strings of any length end to end. The zero value is empty.
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

// At returns the bytes stored under i, which must not be written to.
func (s *Blobs) At(i uint64) []byte {
	from := 0
	if i > 0 {
		from = s.end[i-1]
	}
	return s.data[from:s.end[i]:s.end[i]]
}

// Len returns how many byte strings are stored.
func (s *Blobs) Len() int { return len(s.end) }

// Size returns the bytes of memory in use.
func (s *Blobs) Size() int { return cap(s.data) + 8*cap(s.end) }
