package pcp

// Clip shortens a text to limit characters, so that a message stays readable
// whatever is in a file or is pasted. What it shortens ends in "…".
func Clip(s string, limit int) string {
	n := 0
	for i := range s {
		if n == limit {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
