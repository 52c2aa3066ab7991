package api

import "pcpscope/core/pcp"

// ChartQuery asks for the contents of a panel: a frame with the panel's
// omissions and sums applied, and facts about its lines that would otherwise
// require reading their values.
type ChartQuery struct {
	Query     Query          `json:"query"`
	Consumers *ConsumerQuery `json:"who"`   // instead of Query: shares of processes
	Start     pcp.Time       `json:"start"` // the visible window: the frame may begin before it
	End       pcp.Time       `json:"end"`

	Holes  []MissingRange `json:"holes"`  // values within are removed
	Breaks []MissingRange `json:"breaks"` // a time without values is inserted there into frames of single records
	Limits []string       `json:"limits"` // metrics that are not lines
	Texts  bool           `json:"texts"`  // columns of strings count as lines
	Until  *pcp.Time      `json:"until"`  // the end of the source, where the last point is drawn that represents what lies before it; nil if that is not known
	Share  string         `json:"share"`  // "percent": timer jitter is removed; "utilisation": all lines are parts of 100 %
	Apart  []string       `json:"apart"`  // metrics that are no such shares: they have a scale of their own
	Groups string         `json:"groups"` // of cgroups: "innermost", or "slices" to add them up by slice
	Adds   []string       `json:"adds"`   // metrics whose cgroups may be added up
	Rest   *ChartRest     `json:"rest"`   // a line for those that are too many to draw
	Total  string         `json:"total"`  // the metric of Query that is the sum of all lines, for the scale
}

// MissingRange is a stretch of time without values, with the number of the reason.
type MissingRange struct {
	Start pcp.Time `json:"start"`
	End   pcp.Time `json:"end"`
	Why   int      `json:"why"`
}

// ChartRest asks for the sum of all lines but the largest.
type ChartRest struct {
	Top    int  `json:"top"`
	Single bool `json:"single"` // also for lines that are not instances
}

// ChartLine has facts about a column that would otherwise require reading its
// values. Numbers are NaN if there are none.
type ChartLine struct {
	// The fields of Stats, flattened, so that a list crosses as columns of
	// numbers.
	Last  float64  `json:"last"`
	Avg   float64  `json:"avg"`
	P95   float64  `json:"p95"`
	Min   float64  `json:"min"`
	Max   float64  `json:"max"`
	MaxAt pcp.Time `json:"maxAt"`
	Count int      `json:"count"`
	Whole bool     `json:"whole"`

	Sum      float64 `json:"sum"`      // of the values in the window
	End      float64 `json:"end"`      // the last of all values
	Peak     float64 `json:"peak"`     // the largest of all values
	Empty    bool    `json:"empty"`    // there is no value at all
	Unchosen bool    `json:"unchosen"` // because the expression excludes them
}

// Stats describes its points in the window.
func (l *ChartLine) Stats() Stats {
	return Stats{Last: l.Last, Avg: l.Avg, P95: l.P95, Min: l.Min, Max: l.Max, MaxAt: l.MaxAt, Count: l.Count, Whole: l.Whole}
}

// Stats describe the points of a line in a window.
type Stats struct {
	Last  float64  `json:"last"`
	Avg   float64  `json:"avg"`
	P95   float64  `json:"p95"`
	Min   float64  `json:"min"`
	Max   float64  `json:"max"`
	MaxAt pcp.Time `json:"maxAt"`
	Count int      `json:"count"`
	Whole bool     `json:"whole"` // all values are integers
}

// A Cadence says how often a metric was logged.
type Cadence struct {
	Usual     int `json:"usual"`   // nanoseconds between records; 0 for fewer than two
	Closest   int `json:"closest"` // the same where records were closest
	Least     int `json:"least"`   // the shortest time between two, not across a mark
	Records   int `json:"records"`
	Instances int `json:"instances"` // of its domain over time; 0 without one
}
