// Package export defines the form in which observations leave the core: series
// by series. Package tables makes files of them; programs that only read need
// not link it.
package export

import "pcpscope/core/pcp"

// A Series is one metric and instance of a source.
type Series struct {
	Host       string  `json:"host"`
	Source     string  `json:"source"`
	Metric     string  `json:"metric"`
	Instance   *string `json:"instance"` // nil for a singular metric
	InstanceID int32   `json:"instanceId"`
	Type       string  `json:"type"`
	Semantics  string  `json:"semantics"`
	Units      string  `json:"units"`
	Labels     string  `json:"labels"` // a JSON object
}

// An Event is one event record.
type Event struct {
	Logged     pcp.Time `json:"logged"` // the time of the value that contains it
	Time       pcp.Time `json:"time"`   // when it happened
	Flags      string   `json:"flags"`
	Missed     int      `json:"missed"`     // how many records were lost here
	Parameters string   `json:"parameters"` // JSON: a list of objects with metric and value
}

// A Sink takes series one after the other, each followed by all its
// observations in order of time: numbers, strings or event records. It does not
// retain its arguments.
type Sink interface {
	Series(s *Series) error
	// Samples are numbers. Exact, if not nil, has the decimal digits of those
	// that do not fit a double, and "" for the others.
	Samples(times []pcp.Time, values []float64, exact []string) error
	Strings(times []pcp.Time, values []string) error
	Events(list []Event) error
	Close() error
}
