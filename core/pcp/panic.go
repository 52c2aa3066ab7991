package pcp

import (
	"fmt"
	"os"
	"runtime/debug"
)

// Recover, deferred, turns a panic into an error, so that a mistake of ours
// that one file brings to light does not end the work on all others. doing
// says what failed, as in "reading web01.0".
func Recover(doing string, err *error) {
	if e := recover(); e != nil {
		*err = Panicked(doing, e)
	}
}

// Panicked is the fault of a panic. For developers the place goes to the
// standard error, which is the console of a browser.
func Panicked(doing string, e any) *Fault {
	fmt.Fprintf(os.Stderr, "panic in %s: %v\n%s", doing, e, debug.Stack())
	return Faultf(Internal, "The engine failed in %s (%v). This is a mistake in pcpscope, not in your files.", doing, e)
}
