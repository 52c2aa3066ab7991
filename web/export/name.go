package export

import "strings"

// maxName limits how much of a text goes into a file name; file systems allow
// 255 bytes for the whole name.
const maxName = 80

// SafeName turns an untrusted text into a file name.
func SafeName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, s)
	return s[:min(len(s), maxName)]
}
