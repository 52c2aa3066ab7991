package panel

import "pcpscope/core/series"

// Reasons are the words for why there is no value, by their numbers in a
// frame.
func Reasons() []string {
	var list []string
	for y := series.HasValue; y <= series.NotChosen; y++ {
		list = append(list, y.String())
	}
	return append(list, "left out: more time was counted than elapsed")
}
