package api

import "pcpscope/core/pcp"

// CheckQuery asks whether an expression stays within a limit, at every
// observation. Exactly one of Above, Below and Always is given.
type CheckQuery struct {
	Source     SourceID `json:"source"`
	Expression string   `json:"expression"` // or the name of a metric
	Instances  []string `json:"instances,omitempty"`
	Above      *float64 `json:"above,omitempty"`  // values above it are bad
	Below      *float64 `json:"below,omitempty"`  // values below it are bad
	Always     bool     `json:"always,omitempty"` // the expression is a condition: it is bad where it is 0
	For        *When    `json:"for,omitempty"`    // a length of time; shorter runs are ignored
	Start      *When    `json:"start,omitempty"`
	End        *When    `json:"end,omitempty"`
	Zone       string   `json:"zone,omitempty"`
	Convert    string   `json:"convert,omitempty"` // "rate" (default): counters as rates; "none"
	Read       string   `json:"read,omitempty"`    // as in Query; default "window"
}

// Checked is the answer to check.
type Checked struct {
	OK           bool       `json:"ok"`   // there are values, and no run of bad ones
	Runs         []CheckRun `json:"runs"` // in order of their starts
	Observations int        `json:"observations"`
	Units        string     `json:"units"`
	Sentence     string     `json:"sentence"` // the result, for a log
}

// CheckRun is a stretch of time in which every observation was bad. A value
// lasts until the next one, that of a setting also into the window and to its
// end; a rate covers the time since the previous one.
type CheckRun struct {
	Instance *InstanceRef `json:"instance"`
	Start    pcp.Time     `json:"start"`
	End      pcp.Time     `json:"end"`
	Seconds  float64      `json:"seconds"`
	Worst    float64      `json:"worst"`
	WorstAt  pcp.Time     `json:"worstAt"`
}
