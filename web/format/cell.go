package format

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"pcpscope/core/pattern"
)

// CSVCell writes a text as a field of comma-separated values (RFC 4180), as
// safe as Cell makes it. Semicolons are quoted, too: where they separate
// fields, what follows one would be a cell of its own. static/cells.js does
// the same.
func CSVCell(s string) string {
	s = Cell(s)
	if strings.ContainsAny(s, "\",;\t\r\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// Cell keeps spreadsheets from taking a name out of a file for a formula: what
// begins like one, behind blanks and quotes too, gets an apostrophe before it.
// Numbers stay numbers.
// https://owasp.org/www-community/attacks/CSV_Injection
func Cell(s string) string {
	head := strings.TrimLeftFunc(s, func(r rune) bool {
		return r == '"' || r == '\ufeff' || r == '\u200b' || unicode.IsSpace(r) || unicode.IsControl(r)
	})
	if first, _ := utf8.DecodeRuneInString(head); !strings.ContainsRune(formula, first) || numeral().MatchString(s) {
		return s
	}
	return "'" + s
}

// formula are the signs that a formula begins with, in both widths.
const formula = "=+-@\uff1d\uff0b\uff0d\uff20"

var numeral = pattern.New(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)
