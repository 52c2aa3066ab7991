package api

import "pcpscope/core/pcp"

// MovesQuery asks what moves with a series in a window.
type MovesQuery struct {
	Source   SourceID `json:"source"`
	Metric   string   `json:"metric,omitempty"`   // or an expression
	Command  string   `json:"command,omitempty"`  // in place of a metric: its CPU time
	Instance string   `json:"instance,omitempty"` // its name; may be absent where there is only one
	Start    *When    `json:"start,omitempty"`
	End      *When    `json:"end,omitempty"`
	Zone     string   `json:"zone,omitempty"`
	Points   int      `json:"points,omitempty"` // of the small charts, at most; 120 where absent
	Limit    int      `json:"limit,omitempty"`  // rows, at most; 12 where absent
}

// Moves says what moves with a series: which series and commands, by their CPU
// time or the number of their processes, rise and fall when it does, or a little before or after. It tells
// what happened together, and not why.
type Moves struct {
	Start pcp.Time `json:"start"` // the window
	End   pcp.Time `json:"end"`
	// From, and every Step seconds from there on, is where the small charts have
	// a value: the mean of the step that ends there.
	From       pcp.Time `json:"from"`
	Step       float64  `json:"step"`
	Resolution float64  `json:"resolution"` // seconds; lags are multiples of it, up to six; at six it may be more
	Series     Mover    `json:"series"`     // the one that was asked about; its Rho is 1
	Looked     int      `json:"looked"`     // how many others were compared with it
	Rows       []Mover  `json:"rows"`       // one a subject, the closest first; those of Same last
	Why        string   `json:"why"`        // nothing can be said; "" if something can
}

// Mover is a series, or a command, that moves with another series.
type Mover struct {
	Family   string       `json:"family"`  // as ExplanationRow.Family
	Subject  string       `json:"subject"` // "Disk sdb"; the command, of a command
	Metric   string       `json:"metric"`  // "" for a command
	Instance *InstanceRef `json:"instance"`
	Command  string       `json:"command"`         // "" for a series
	Title    string       `json:"title,omitempty"` // the human-readable name of the instance, as Column.Title
	Name     string       `json:"name"`            // the human-readable name of the metric, or ""; of a command "CPU time" (in percent of one CPU) or "processes"
	Unit     string       `json:"unit"`            // of the values, where Units say nothing
	Units    string       `json:"units"`           // counters as rates
	Rho      float64      `json:"rho"`             // Spearman's rank correlation at Lag, -1 to 1
	Lag      float64      `json:"lag"`             // seconds by which it follows; negative where it comes first
	Values   []float64    `json:"values"`
	With     []string     `json:"with"` // other series of the subject that move with it, "metric[instance]"; other commands that come and go at the same times
	// Same is set if it tells of the same subject as the series that was asked
	// about, or repeats what that says, as a partition does of its disk.
	Same bool `json:"same"`
}
