// Package shell quotes words for a POSIX shell: names from archives become part
// of command lines that people paste into a terminal.
package shell

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

const bare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+-"

// Quote makes one shell word of a text that Pasteable allows. POSIX.1, Shell
// Command Language, 2.2.2.
func Quote(s string) string {
	if s != "" && strings.Trim(s, bare) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Pasteable reports whether a text may be part of a line that is pasted into a
// terminal. Quotes keep a shell from interpreting the text, but not the
// terminal: it acts on control characters as if typed, and an escape sequence
// can end the paste, after which a line feed runs what precedes it.
func Pasteable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
	})
}

// Operand reports whether a text can be used where a command takes a name,
// quoted or not: one that begins with "-" would be an option.
func Operand(s string) bool { return Pasteable(s) && s != "" && s[0] != '-' }

// Archives is how PCP's tools are given the archives of a source: the names of their metadata
// files without ".meta", separated by commas (PCPIntro(1)). name is that of a single one.
func Archives(name string, members []string) string {
	var list []string
	for _, m := range members {
		if at := strings.LastIndex(m, ".meta"); at > 0 {
			list = append(list, path.Base(m[:at]))
		}
	}
	if len(list) < 2 {
		return name
	}
	return strings.Join(list, ",")
}
