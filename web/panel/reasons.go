package panel

import "pcpscope/core/series"

// Reasons are the texts for missing values, indexed by their number in a frame.
func Reasons() []string {
	var list []string
	for y := series.HasValue; y <= series.NotChosen; y++ {
		list = append(list, y.String())
	}
	return append(list, "left out: more time was counted than elapsed")
}
