package api

import "pcpscope/core/pcp"

// CheckQuery asks whether an expression stays within a limit, at every
// observation. Exactly one of Above, Below and Always is given.
type CheckQuery struct {
	Source     SourceID `json:"source"`
	Expression string   `json:"expression"` // or the name of a metric
	Instances  []string `json:"instances,omitempty"`
	Above      *float64 `json:"above,omitempty"`  // bad is what is above it
	Below      *float64 `json:"below,omitempty"`  // bad is what is below it
	Always     bool     `json:"always,omitempty"` // the expression is a condition: bad is where it does not hold (0)
	For        *When    `json:"for,omitempty"`    // shorter runs do not count; a length of time
	Start      *When    `json:"start,omitempty"`
	End        *When    `json:"end,omitempty"`
	Zone       string   `json:"zone,omitempty"`
	Convert    string   `json:"convert,omitempty"` // "rate" where absent: counters as rates; "none"
	Read       string   `json:"read,omitempty"`    // as of Query; "window" where absent
}

// Checked is the answer.
type Checked struct {
	OK           bool       `json:"ok"`   // there are values, and no run that counts
	Runs         []CheckRun `json:"runs"` // those that count, in order of their starts
	Observations int        `json:"observations"`
	Units        string     `json:"units"`
	Sentence     string     `json:"sentence"` // what was found, for a log
}

// CheckRun is a stretch of time in which every observation was bad. A value
// counts until the next one; a rate, for the time since the one before.
type CheckRun struct {
	Instance *InstanceRef `json:"instance"`
	Start    pcp.Time     `json:"start"`
	End      pcp.Time     `json:"end"`
	Seconds  float64      `json:"seconds"`
	Worst    float64      `json:"worst"`
	WorstAt  pcp.Time     `json:"worstAt"`
}
