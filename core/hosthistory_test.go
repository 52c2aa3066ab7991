package core

import (
	"strings"
	"testing"
)

// A setting that is a text fits into a sentence, whatever it holds.
func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		" 5.14.0-70\n":            "5.14.0-70",
		"line:\n:break\t x":       "line: :break x",
		"a\x1b[31mb":              "a\uFFFD[31mb",
		"\xffkernel":              "ÿkernel",
		strings.Repeat("X", 1e6):  strings.Repeat("X", 80) + "…",
		strings.Repeat("é ", 100): strings.Repeat("é ", 39) + "é …",
	} {
		if got := oneLine(in); got != want {
			t.Errorf("%.20q: %q, want %q", in, got, want)
		}
	}
}
