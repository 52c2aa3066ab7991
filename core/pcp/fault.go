package pcp

import (
	"errors"
	"fmt"
	"io"
)

// A FaultKind sorts faults by what can be done about them. The values are
// those of the JavaScript API.
type FaultKind string

const (
	Truncated       FaultKind = "truncated"   // ends inside a record: the logger may still be writing
	Corrupt         FaultKind = "corrupt"     // no PCP writer produces these bytes
	Unsupported     FaultKind = "unsupported" // valid, but not something we read
	BadExpression   FaultKind = "expression"
	UnknownMetric   FaultKind = "unknown-metric"
	UnknownInstance FaultKind = "unknown-instance"
	BadArgument     FaultKind = "argument"
	Cancelled       FaultKind = "cancelled"
	OutOfMemory     FaultKind = "memory"
	Internal        FaultKind = "internal"
)

// A Fault is the one form of error and of problem report in the project. It
// says what is wrong in one sentence that a user understands, and where.
// Where the fault damaged data, Done says what the reader did about it and
// Lost for which time values are missing.
type Fault struct {
	Kind    FaultKind `json:"kind"`
	Message string    `json:"message"`         // one sentence, with the facts in it
	Done    string    `json:"done,omitempty"`  // what the reader did instead of giving up
	File    string    `json:"file,omitempty"`  // name as the user knows it: "web01.meta"
	Field   string    `json:"field,omitempty"` // what was being read, in the words of LOGARCHIVE(5) or mmv(5)
	Offset  *int64    `json:"offset,omitempty"`
	Span    *[2]int   `json:"span,omitempty"` // in an expression, in UTF-16 units
	Lost    *Span     `json:"lost,omitempty"` // the time for which values are missing
	When    *Span     `json:"when,omitempty"` // the time that a problem without loss speaks of
	Fix     *Fix      `json:"fix,omitempty"`  // of a text: what was probably meant
}

// A Fix is a change to a text that would mend it.
type Fix struct {
	Span [2]int `json:"span"` // what to replace, in UTF-16 units
	Text string `json:"text"` // by what
	What string `json:"what"` // what that is, in a few words: "millisec"; "" where the text says it
}

// A Span is a stretch of time, both ends included.
type Span struct {
	Start Time `json:"start"`
	End   Time `json:"end"`
}

// Error returns file, byte and sentence on one line.
func (f *Fault) Error() string {
	switch {
	case f.File == "":
		return f.Message
	case f.Offset == nil:
		return f.File + ": " + f.Message
	}
	return fmt.Sprintf("%s, byte %s: %s", f.File, Grouped(*f.Offset), f.Message)
}

// Is makes errors.Is(err, &Fault{Kind: k}) ask for the kind alone.
func (f *Fault) Is(target error) bool {
	t, ok := target.(*Fault)
	return ok && t.Kind == f.Kind && t.Message == ""
}

// Faultf makes a fault without a place.
func Faultf(kind FaultKind, format string, args ...any) *Fault {
	return &Fault{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// In returns a copy of f that names its file.
func (f *Fault) In(file string) *Fault {
	g := *f
	g.File = file
	return &g
}

// At returns a copy of f that names a byte of its file and the field there.
func (f *Fault) At(offset int64, field string) *Fault {
	g := *f
	g.Offset, g.Field = &offset, field
	return &g
}

// AsFault finds the Fault in err, or makes one around it: Truncated where a
// reader met the end of its file too early, Internal otherwise.
// It returns nil for nil.
func AsFault(err error) *Fault {
	if err == nil {
		return nil
	}
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return Faultf(Truncated, "The file ends in the middle of what it holds.")
	}
	return &Fault{Kind: Internal, Message: err.Error()}
}
