package pcp

import "strconv"

// Grouped formats an integer with commas between thousands, for sentences:
// "204,800".
func Grouped[T ~int | ~int32 | ~int64 | ~uint32 | ~uint64](n T) string {
	s := strconv.FormatUint(uint64(n), 10)
	sign := ""
	if n < 0 {
		sign, s = "\u2212", strconv.FormatUint(-uint64(n), 10)
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}
