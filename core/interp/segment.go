package interp

import (
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A Segment is one archive of a context, with all its volumes: the stretch of
// time for which its observations belong together.
type Segment struct {
	Start pcp.Time   // of the label
	End   pcp.Time   // of the last complete record, a mark included
	Marks []pcp.Time // mark records, in ascending order
	Holes []Hole     // stretches whose records could not be read, in ascending order
}

// A Hole is a stretch of a segment for which records may be missing. It
// changes no value; it is the reason given for the values missing inside it.
type Hole struct {
	pcp.Span
	Why series.Why
}

// Options change how values are found. The zero value is what PCP's tools do
// without any of its environment variables.
type Options struct {
	// CounterWrap takes a decrease of a 32- or 64-bit counter for one overflow
	// of its type, as PCP_COUNTER_WRAP does. See spec/interp.md section 5.
	CounterWrap bool
	// IgnoreMarks interpolates across all marks inside an archive, as an empty
	// PCP_IGNORE_MARK_RECORDS does. See KeepMarks for the one with a length.
	IgnoreMarks bool
	// Empty keeps instances that have no value at any point, for their
	// reasons. A singular metric always has its one vector.
	Empty bool
	// AfterMarks keeps the first values of counters after a mark, which PCP's
	// tools do not get. It is for those who form no rate across a mark anyway.
	AfterMarks bool
	// Stop, which may be nil, is asked after each instance, with the number of
	// vectors so far; true ends the work, and the frame is not whole.
	Stop func(vectors int) bool
}

// Life tells when an instance existed: birth and death are the stamps of the
// first instance-domain record that names it and of the first after the last
// one that does (pcp.MaxTime if there is none). ok is false where the check
// does not apply, because the domain never lists 16 instances at once. See spec/interp.md section 6.
type Life func(inst int32) (birth, death pcp.Time, ok bool)

// virtualMark is how long after the end of an archive the context places a
// mark before the next archive, and how far a fetch may lie outside the ends
// of the context. See spec/interp.md sections 1 and 8.
const (
	virtualMark      pcp.Time = 1e6
	toleranceSeconds          = 0.001
)

// KeepMarks returns the marks that are left when those are ignored whose
// neighbouring records, in ascending order of time, lie at most apart
// nanoseconds from each other, as PCP_IGNORE_MARK_RECORDS with an interval
// does. See spec/interp.md section 7.
func KeepMarks(marks, records []pcp.Time, apart int64) []pcp.Time {
	var kept []pcp.Time
	for _, m := range marks {
		i := before(records, m)
		if i > 0 && i < len(records) && int64(records[i]-records[i-1]) <= apart {
			continue
		}
		kept = append(kept, m)
	}
	return kept
}
