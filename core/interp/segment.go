package interp

import (
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A Segment is one archive of a context, with all its volumes: a stretch of
// time whose observations belong together.
type Segment struct {
	Start pcp.Time   // of the label
	End   pcp.Time   // of the last complete record, marks included
	Marks []pcp.Time // mark records, in ascending order
	Holes []Hole     // unreadable stretches, in ascending order
	// Outlasted are marks, in ascending order, that a setting outlasts until it is logged
	// again. They cut nothing, but a later value does not reach back across them.
	Outlasted []pcp.Time
}

// A Hole is a stretch of a segment for which records may be missing. It changes
// no value, but is the reason given for values missing in it.
type Hole struct {
	pcp.Span
	Why series.Why
}

// Options change how values are found. The zero value is what PCP's tools do
// without any of the environment variables.
type Options struct {
	// CounterWrap treats a decrease of a 32- or 64-bit counter as one overflow
	// of its type, as PCP_COUNTER_WRAP does. See spec/interp.md section 5.
	CounterWrap bool
	// Empty keeps instances that have no value at any point, for their reasons.
	// A singular metric always has its one vector.
	Empty bool
	// AfterMarks keeps the first values of counters after a mark, which PCP's
	// tools do not get. It is for callers that never compute a rate across a
	// mark anyway.
	AfterMarks bool
	// Stop, which may be nil, is called for each instance, with the number of
	// vectors so far, or 0 where no more memory is needed; if it returns true the
	// work ends and the answer is incomplete.
	Stop func(vectors int) bool
}

// Lifetime returns when an instance existed: birth and death are the times of the
// first instance-domain record that names it and of the first after the last
// one that does (pcp.MaxTime if there is none). ok is false if the check does
// not apply because the domain never has 16 instances at once. See
// spec/interp.md section 6.
type Lifetime func(inst int32) (birth, death pcp.Time, ok bool)

// virtualMark is how long after the end of an archive the context places a mark
// before the next archive, and how far a fetch may lie outside the ends of the
// context. See spec/interp.md sections 1 and 8.
const (
	virtualMark      pcp.Time = 1e6
	toleranceSeconds          = 0.001
)
