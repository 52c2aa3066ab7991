// Package shell writes words of a POSIX shell's command line: names from
// archives are put into lines that people paste into a terminal.
package shell

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const bare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+-"

// Quote makes one word of the shell's of a text that Pasteable allows. POSIX.1,
// Shell Command Language, 2.2.2.
func Quote(s string) string {
	if s != "" && strings.Trim(s, bare) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Pasteable reports whether a text can be in a line that is pasted into a
// terminal. Quotes keep a shell from acting on what is in them, but not the
// terminal: it acts on control characters while they are typed, and an escape
// sequence ends a paste, after which a line feed runs what is before it.
func Pasteable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
	})
}

// Operand reports whether a text can be where a command takes a name, quoted
// or not: one that begins with "-" would be an option.
func Operand(s string) bool { return Pasteable(s) && s != "" && s[0] != '-' }
