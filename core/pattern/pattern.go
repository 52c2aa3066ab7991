// Package pattern provides regular expressions that are compiled on first use.
// The program starts twice on each visit of a page, as the page and as its
// engine, and most visits need few of them.
package pattern

import (
	"regexp"
	"sync"
)

// New returns a function that returns the compiled expression, and panics if
// the expression is invalid.
func New(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
