// Package export says in which form observations leave the core: series by
// series. Package tables makes files of them, which a program that only reads
// need not link.
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
	Logged     pcp.Time `json:"logged"` // the time of the value that held it
	Time       pcp.Time `json:"time"`   // when it happened
	Flags      string   `json:"flags"`
	Missed     int      `json:"missed"`     // how many records were lost here
	Parameters string   `json:"parameters"` // JSON: a list of objects with metric and value
}

// A Sink takes series one after the other, and what was observed of each in
// order of time, whole: numbers, texts or event records. It keeps nothing of
// what it is given.
type Sink interface {
	Series(s *Series) error
	// Samples are numbers. Exact, where it is there, has the digits of those
	// that a double cannot hold, and "" for others.
	Samples(times []pcp.Time, values []float64, exact []string) error
	Strings(times []pcp.Time, values []string) error
	Events(list []Event) error
	Close() error
}
