package api

import "pcpscope/core/pcp"

// DaysQuery asks for one measure by days and hours.
type DaysQuery struct {
	Source SourceID `json:"source"`
	Metric string   `json:"metric"` // a name or an expression; counters as rates
	// Instance is one by name. Without it those of a metric that has several are
	// put together by Aggregate: "sum", "avg", "max" or "min"; where that is
	// absent, too, the sum of what adds up (counters, counts and sizes), and
	// the average of what does not.
	Instance  string `json:"instance,omitempty"`
	Aggregate string `json:"aggregate,omitempty"`
	Start     *When  `json:"start,omitempty"` // the days that the window touches are answered for as a whole
	End       *When  `json:"end,omitempty"`
	Zone      string `json:"zone,omitempty"`
}

// Days is a measure by days and hours, of all observations: what Query has with
// Reduce for an interval of an hour. Values of hours are day by day, 24 for
// each; an hour that the clock went through twice holds both, one that it left
// out is NaN throughout.
type Days struct {
	Metric    string       `json:"metric"`
	Instance  *InstanceRef `json:"instance"`
	Aggregate string       `json:"aggregate"` // "" where there was nothing to put together
	Units     string       `json:"units"`
	Days      []Day        `json:"days"`
	Average   []float64    `json:"average"` // over time; NaN where nothing was observed
	Minimum   []float64    `json:"minimum"`
	Maximum   []float64    `json:"maximum"`
	Count     []float64    `json:"count"`   // observations; of counters the rates between them that ended in the hour
	Covered   []float64    `json:"covered"` // part of the hour that Average is of, 0 to 1
	// The usual band: of the averages of each hour of the week, Sunday 00:00
	// first, 168 of them; NaN where fewer than three weeks have that hour.
	Median   []float64    `json:"median"`
	P10      []float64    `json:"p10"`
	P90      []float64    `json:"p90"`
	Weeks    []float64    `json:"weeks"` // how many averages that is of
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

// UnusualQuery asks which days were unlike others by the measures that tell
// most of a host.
type UnusualQuery struct {
	Source SourceID `json:"source"`
	Start  *When    `json:"start,omitempty"`
	End    *When    `json:"end,omitempty"`
	Zone   string   `json:"zone,omitempty"`
}

// UnusualDay is a day that was unlike others, and by what.
type UnusualDay struct {
	Date    string          `json:"date"`
	Start   pcp.Time        `json:"start"`
	End     pcp.Time        `json:"end"`
	Score   float64         `json:"score"`   // adds up, hour by hour, how far beyond the usual band, on a log scale
	Reasons []UnusualReason `json:"reasons"` // what weighs most first
	Text    string          `json:"text"`
}

// UnusualReason is one measure that was out of its usual band for hours of a day.
type UnusualReason struct {
	Name       string   `json:"name"` // "CPU busy"
	Expression string   `json:"expression"`
	Units      string   `json:"units"`
	Start      pcp.Time `json:"start"` // the stretch of hours that was furthest out
	End        pcp.Time `json:"end"`
	Hours      int      `json:"hours"` // of the day that were out of the band, in all
	Score      float64  `json:"score"` // as of the day, for this measure
	Value      float64  `json:"value"` // mean of the stretch
	Low        float64  `json:"low"`   // the band there: 10 to 90 % of the hourly averages of the other days
	High       float64  `json:"high"`
	Against    string   `json:"against"` // these: "Tuesdays", "working days", "weekends" or "days"
	Text       string   `json:"text"`    // "CPU busy 63 % from 10:00 to 14:00, usually 4 to 12 % (other Tuesdays)"
}
