package panel

import (
	"pcpscope/core/api"
	"pcpscope/core/series"
)

// Reasons are the words for why there is no value, by their numbers in a
// frame.
func Reasons() []string {
	var list []string
	for y := series.HasValue; y <= series.NotChosen; y++ {
		list = append(list, y.String())
	}
	return append(list, "left out: more time was counted than passed")
}

// reason is the most frequent word on why there is no value.
func reason(f *api.Frame) string {
	counts := map[uint8]int{}
	for _, c := range f.Columns {
		for _, y := range c.Why {
			if y != 0 {
				counts[y]++
			}
		}
	}
	best, n := uint8(0), 0
	for y, c := range counts {
		if c > n || c == n && y < best {
			best, n = y, c
		}
	}
	if n == 0 {
		return "nothing was logged"
	}
	return Reasons()[best]
}
