package pattern

import (
	"regexp/syntax"
	"strings"
	"testing"
)

// The size of a compiled expression follows from its repetitions, which a few
// characters multiply.
func TestSizeIsLimited(t *testing.T) {
	for expression, want := range map[string]bool{
		"^sd[a-z]+$": true, "(lo|eth)[0-9]{1,3}": true, strings.Repeat("x", MaxSize-1): true, strings.Repeat("x", MaxSize+1): false,
		"(" + strings.Repeat("x", 900) + "){1000}": false, "((x{10}){10}){10}": true, "(x{900}y{900}){1000}": false, "(": false, strings.Repeat("x{1000}", 21): false,
	} {
		if _, err := Size(expression, syntax.Perl); (err == nil) != want {
			t.Errorf("%.40s: %v", expression, err)
		}
		if re, err := Compile(expression); (err == nil) != want || (re == nil) == want {
			t.Errorf("%.40s compiles to %v, %v", expression, re, err)
		}
	}
}
