package pcp

import (
	"slices"
	"strconv"
	"strings"
)

// Grouped formats an integer with commas between thousands, for sentences:
// "204,800".
func Grouped[T ~int | ~int32 | ~int64 | ~uint32 | ~uint64](n T) string {
	if n < 0 {
		return "\u2212" + Thousands(strconv.FormatUint(-uint64(n), 10))
	}
	return Thousands(strconv.FormatUint(uint64(n), 10))
}

// Thousands puts commas between the thousands of an unsigned decimal number:
// "204,800.5".
func Thousands(digits string) string {
	whole, rest := digits, ""
	if i := strings.IndexByte(digits, '.'); i >= 0 {
		whole, rest = digits[:i], digits[i:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return whole + rest
}

// Counted formats a number with its noun, for sentences: "1 byte",
// "204,800 bytes".
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Grouped(n) + " " + many
}

// SomeOf lists names in order, for sentences; of more than eight the first six, and how many
// there are besides. It sorts the names.
func SomeOf(names []string) string {
	slices.Sort(names)
	if n := len(names); n > 8 {
		return strings.Join(names[:6], ", ") + " and " + Grouped(n-6) + " more"
	}
	return strings.Join(names, ", ")
}
