package pcp

import (
	"errors"
	"fmt"
	"io"
)

// A FaultKind classifies faults by what can be done about them. The values are
// those of the JavaScript API.
type FaultKind string

const (
	Truncated       FaultKind = "truncated"   // ends inside a record: the logger may still be writing
	Corrupt         FaultKind = "corrupt"     // no PCP writer produces these bytes
	Unsupported     FaultKind = "unsupported" // valid, but not supported
	BadExpression   FaultKind = "expression"
	UnknownMetric   FaultKind = "unknown-metric"
	UnknownInstance FaultKind = "unknown-instance"
	BadArgument     FaultKind = "argument"
	Cancelled       FaultKind = "cancelled"
	OutOfMemory     FaultKind = "memory"
	Internal        FaultKind = "internal"
)

// A Fault is the project's only form of errors and problem reports. It says in
// one sentence that a user understands what is wrong, and where. If data were
// damaged, Done says what the reader did about it and Lost the time for which
// values are missing.
type Fault struct {
	Kind    FaultKind `json:"kind"`
	Message string    `json:"message"`         // one sentence, with the facts in it
	Done    string    `json:"done,omitempty"`  // what the reader did instead of giving up
	File    string    `json:"file,omitempty"`  // name as the user knows it: "web01.meta"
	Field   string    `json:"field,omitempty"` // what was being read, in the words of LOGARCHIVE(5) or mmv(5)
	Offset  *int64    `json:"offset,omitempty"`
	Span    *[2]int   `json:"span,omitempty"` // in an expression, in UTF-16 units
	Lost    *Span     `json:"lost,omitempty"` // the time for which values are missing
	When    *Span     `json:"when,omitempty"` // the time that a problem without loss is about
	Fix     *Fix      `json:"fix,omitempty"`  // of a text: what was probably meant
	Passing bool      `json:"-"`              // a file cannot be read now, but perhaps later: its server does not answer
}

// A Fix is a suggested correction of a text.
type Fix struct {
	Span [2]int `json:"span"` // to replace, in UTF-16 units
	Text string `json:"text"` // by what
	What string `json:"what"` // explains Text in a few words: "millisec"; "" if Text does
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

// Is makes errors.Is(err, &Fault{Kind: k}) compare only the kind.
func (f *Fault) Is(target error) bool {
	t, ok := target.(*Fault)
	return ok && t.Kind == f.Kind && t.Message == ""
}

// Faultf makes a fault without a position.
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

// AsFault returns the Fault in err, or wraps err in one: Truncated if a reader
// met an unexpected end of file, Internal otherwise. It returns nil for nil.
func AsFault(err error) *Fault {
	if err == nil {
		return nil
	}
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return Faultf(Truncated, "The file ends unexpectedly.")
	}
	return &Fault{Kind: Internal, Message: err.Error()}
}
