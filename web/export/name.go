package export

import "strings"

// maxName is how much of a text a file's name takes; file systems have 255
// bytes for all of it.
const maxName = 80

// SafeName makes a file's name of a text from anywhere.
func SafeName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, s)
	return s[:min(len(s), maxName)]
}
