package cli

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A plainWriter writes text that has names from archives in it. A terminal takes
// control characters for commands, which set its title or the clipboard, or hide
// what is printed; others turn the direction of writing. Each becomes U+FFFD.
type plainWriter struct{ to io.Writer }

func (w plainWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.to, strings.Map(plainRune, string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

func plainRune(r rune) rune {
	switch {
	case r == '\n', r == '\t', r == '\r':
		return r
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
		return utf8.RuneError
	}
	return r // of bytes that are not UTF-8, which a terminal may take for control characters too, U+FFFD
}
