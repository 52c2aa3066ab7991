package format

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"pcpscope/core/pattern"
)

// CSVCell writes a text as a CSV field (RFC 4180), made safe by Cell.
// Semicolons are quoted too: programs that take them as separators would
// otherwise see a new cell. static/cells.js does the same.
func CSVCell(s string) string {
	s = Cell(s)
	if strings.ContainsAny(s, "\",;\t\r\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// Cell keeps spreadsheets from taking a name from a file for a formula: a text
// that begins like one, even after blanks and quotes, is prefixed with an
// apostrophe. Numbers are left alone.
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

// formula are the characters that begin a formula, in both widths.
const formula = "=+-@\uff1d\uff0b\uff0d\uff20"

var numeral = pattern.New(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)
