package panel

import (
	"pcpscope/core/api"
	"pcpscope/core/chart"
	"pcpscope/web/timeline"
)

// Stats describes the values of one series within a window, in the unit of
// the frame. All are NaN where there is no value.
type Stats = api.Stats

// StatsOf describes a column of a frame within the window: by what was observed
// in it, where that was asked for, else by the points.
func StatsOf(f *api.Frame, c *api.Column, w timeline.Window) Stats {
	return chart.StatsOf(f, c, w.Start, w.End)
}
