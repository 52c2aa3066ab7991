package panel

import (
	"pcpscope/core/api"
	"pcpscope/core/chart"
	"pcpscope/web/timeline"
)

// Stats describes the values of a series within a window, in the unit of the frame. All
// are NaN if there is no value.
type Stats = api.Stats

// StatsOf computes a column's statistics within the window: from the observations if they
// were requested, else from the points.
func StatsOf(f *api.Frame, c *api.Column, w timeline.Window) Stats {
	return chart.StatsOf(f, c, w.Start, w.End)
}
