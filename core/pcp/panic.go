package pcp

import (
	"fmt"
	"os"
	"runtime/debug"
)

// Recover, deferred, turns a panic into an error, so that a bug triggered by
// one file does not stop the work on all others. doing says what failed, as in
// "reading web01.0".
func Recover(doing string, err *error) {
	if e := recover(); e != nil {
		*err = Panicked(doing, e)
	}
}

// Panicked returns the fault of a panic, and prints the stack to standard
// error, which is the console in a browser.
func Panicked(doing string, e any) *Fault {
	fmt.Fprintf(os.Stderr, "panic in %s: %v\n%s", doing, e, debug.Stack())
	return Faultf(Internal, "The engine failed in %s (%v). This is a bug in pcpscope, not a problem with your files.", doing, e)
}
