package api

import "pcpscope/core/pcp"

// DaysQuery asks for one measure by days and hours.
type DaysQuery struct {
	Source SourceID `json:"source"`
	Metric string   `json:"metric"` // a name or an expression; counters as rates
	// Instance selects one by name. Otherwise the instances of a metric are
	// combined by Aggregate: "sum", "avg", "max" or "min"; by default the sum
	// of what adds up (counters, counts and sizes), and the average of the
	// rest.
	Instance  string `json:"instance,omitempty"`
	Aggregate string `json:"aggregate,omitempty"`
	Start     *When  `json:"start,omitempty"` // days that the window touches are included completely
	End       *When  `json:"end,omitempty"`
	Zone      string `json:"zone,omitempty"`
}

// Days is a measure by days and hours, computed from all observations: the
// result of Query with Reduce for an interval of an hour. Values of hours are
// day by day, 24 for each; an hour that occurs twice because the clock is set
// back holds both, one that is skipped is NaN.
type Days struct {
	Metric    string       `json:"metric"`
	Instance  *InstanceRef `json:"instance"`
	Aggregate string       `json:"aggregate"` // "" if there was nothing to combine
	Units     string       `json:"units"`
	Days      []Day        `json:"days"`
	Average   []float64    `json:"average"` // over time; NaN where nothing was observed
	Minimum   []float64    `json:"minimum"`
	Maximum   []float64    `json:"maximum"`
	Count     []float64    `json:"count"`   // observations; of counters the rates between them that ended in the hour
	Covered   []float64    `json:"covered"` // fraction of the hour that Average covers, 0 to 1
	// The usual band: of the averages of each hour of the week, 168 of them
	// from Sunday 00:00; NaN if fewer than three weeks have that hour.
	Median   []float64    `json:"median"`
	P10      []float64    `json:"p10"`
	P90      []float64    `json:"p90"`
	Weeks    []float64    `json:"weeks"` // number of averages behind it
	Outages  []Outage     `json:"outages"`
	Boots    []pcp.Time   `json:"boots"`
	Unusual  []UnusualDay `json:"unusual"`  // by this measure alone, the most unusual first
	Observed int          `json:"observed"` // days with any observation
}

// Day is one day of a calendar in a zone.
type Day struct {
	Date    string   `json:"date"`    // "2018-02-27"
	Weekday int      `json:"weekday"` // 0 for Sunday
	Start   pcp.Time `json:"start"`
	End     pcp.Time `json:"end"` // when the next one begins
}

// UnusualQuery asks which days differed from the others, by the measures most
// telling of a host.
type UnusualQuery struct {
	Source SourceID `json:"source"`
	Start  *When    `json:"start,omitempty"`
	End    *When    `json:"end,omitempty"`
	Zone   string   `json:"zone,omitempty"`
}

// UnusualDay is a day that differed from others, with the reasons.
type UnusualDay struct {
	Date    string          `json:"date"`
	Start   pcp.Time        `json:"start"`
	End     pcp.Time        `json:"end"`
	Score   float64         `json:"score"`   // sum over the hours of the distance from the usual band, on a log scale
	Reasons []UnusualReason `json:"reasons"` // the most important first
	Text    string          `json:"text"`
}

// UnusualReason is one measure that was outside its usual band for hours of a
// day.
type UnusualReason struct {
	Name       string   `json:"name"` // "CPU busy"
	Expression string   `json:"expression"`
	Units      string   `json:"units"`
	Start      pcp.Time `json:"start"` // the hours that were furthest out
	End        pcp.Time `json:"end"`
	Hours      int      `json:"hours"` // of the day that were outside the band, in total
	Score      float64  `json:"score"` // contribution of this measure to the day's score
	Value      float64  `json:"value"` // mean over these hours
	Low        float64  `json:"low"`   // the band there: 10 to 90 % of the hourly averages of the other days
	High       float64  `json:"high"`
	Against    string   `json:"against"` // the days compared with: "Tuesdays", "working days", "weekends" or "days"
	Text       string   `json:"text"`    // "CPU busy 63 % from 10:00 to 14:00, usually 4 to 12 % (other Tuesdays)"
}
