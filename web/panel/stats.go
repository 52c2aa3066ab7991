package panel

import (
	"pcpscope/core/api"
	"pcpscope/core/chart"
	"pcpscope/core/pcp"
	"pcpscope/web/timeline"
)

// Stats describes the values of one series within a window, in the unit of
// the frame. All are NaN where there is no value.
type Stats = api.Stats

// StatsOf describes the values whose times lie within the window.
func StatsOf(start pcp.Time, times, values []float64, w timeline.Window) Stats {
	return chart.StatsOf(start, times, values, w.Start, w.End)
}
