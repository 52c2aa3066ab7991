package pcp

import (
	"math"
	"strconv"
)

// Digits formats a number for tables and logs: integers in full, as far as a double has every one,
// others with six digits, or all of those before the point.
func Digits(v float64) string {
	const sixBeforeThePoint = 1e5
	if a := math.Abs(v); a <= 1<<53 && (v == math.Trunc(v) || a >= sixBeforeThePoint) {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}
