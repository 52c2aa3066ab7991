package api

import "pcpscope/core/pcp"

// ChartQuery asks for what a panel of the page shows: a frame in which is
// left out and added up what the panel does not show as it was logged, and
// what is to be known of its lines without reading their values.
type ChartQuery struct {
	Query     Query          `json:"query"`
	Consumers *ConsumerQuery `json:"who"`   // in place of Query: shares of processes
	Start     pcp.Time       `json:"start"` // the window that is looked at: the frame may begin before it
	End       pcp.Time       `json:"end"`

	Holes  []ChartHole `json:"holes"`  // values within are left out
	Breaks []ChartHole `json:"breaks"` // a moment without values is put there into frames of single records
	Limits []string    `json:"limits"` // metrics that are no lines
	Texts  bool        `json:"texts"`  // columns of texts are lines
	Share  string      `json:"share"`  // jitter of clocks is taken out of "percent"; of a "utilisation" all lines are parts of one hundred
	Groups string      `json:"groups"` // of cgroups "innermost" or, by the slices that they are in, "slices"
	Adds   []string    `json:"adds"`   // metrics whose cgroups add up
	Rest   *ChartRest  `json:"rest"`   // a line for those that are too many to be drawn
	Total  string      `json:"total"`  // the sum of all lines, one of the metrics of Query: how high they reach together
}

// ChartHole is a stretch of time without values, with the number of the reason.
type ChartHole struct {
	Start pcp.Time `json:"start"`
	End   pcp.Time `json:"end"`
	Why   int      `json:"why"`
}

// ChartRest asks for the sum of all lines but the largest.
type ChartRest struct {
	Top    int  `json:"top"`
	Single bool `json:"single"` // also of lines that are no instances
}

// ChartLine is what is to be known of a column without reading its values.
// Values are NaN where there are none.
type ChartLine struct {
	// As in Stats, and flat: so a list of them crosses as columns of numbers.
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
	Empty    bool    `json:"empty"`    // it has no value at all
	Unchosen bool    `json:"unchosen"` // because the expression leaves them out
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
	Whole bool     `json:"whole"` // all values are whole numbers
}
