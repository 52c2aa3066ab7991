package api

import "pcpscope/core/pcp"

// ExplainQuery asks what was unusual in a window.
type ExplainQuery struct {
	Source SourceID `json:"source"`
	Start  *When    `json:"start,omitempty"`
	End    *When    `json:"end,omitempty"`
	Zone   string   `json:"zone,omitempty"`
	Points int      `json:"points,omitempty"` // of the small charts, at most; 120 where absent
}

// Explanation says what left its usual range in a window: how it compares with
// other stretches of the same source. It tells what happened together, and
// not why.
type Explanation struct {
	Start pcp.Time `json:"start"` // the window
	End   pcp.Time `json:"end"`
	// Stretches are compared with the window, each so many seconds long.
	Stretches int     `json:"stretches"`
	Length    float64 `json:"length"`
	// From, and every Step seconds from there on, is where the small charts have
	// a value: the mean of the step that ends there.
	From pcp.Time         `json:"from"`
	Step float64          `json:"step"`
	Rows []ExplanationRow `json:"rows"` // one a subject, what is furthest out first
	Who  []ResourceUse    `json:"who"`  // of the resources that rows speak of
	// Began are commands that used CPU time in the window and none before it, for
	// as long as the window lasts; those that used most first.
	Began []StartedCommand `json:"began"`
	Text  []string         `json:"text"` // the same in sentences
	Why   string           `json:"why"`  // nothing can be said; "" if something can
}

// ExplanationRow is a subject that was unusual, represented by the series that
// shows it best.
type ExplanationRow struct {
	Family   string        `json:"family"`  // "cpu", "memory", "disk", "network", "filesystem", "processes", "cgroup", "collector" or "other"
	Subject  string        `json:"subject"` // "Disk sdb"
	Metric   string        `json:"metric"`  // "" for a command
	Instance *InstanceRef  `json:"instance"`
	Command  string        `json:"command"`         // whose CPU time it is, in percent of one CPU; "" for a metric
	Title    string        `json:"title,omitempty"` // the human-readable name of the instance, as Column.Title
	Name     string        `json:"name"`            // the human-readable name of the metric, or ""
	Unit     string        `json:"unit"`            // of the values, where Units say nothing
	Units    string        `json:"units"`           // counters as rates
	Was      float64       `json:"was"`             // mean in the window, or change over it
	Usual    float64       `json:"usual"`           // median of those of the other stretches
	Low      float64       `json:"low"`             // 5 % of these are below
	High     float64       `json:"high"`            // 95 %
	Beyond   float64       `json:"beyond"`          // how far outside of low to high, in differences that matter; negative below
	Score    float64       `json:"score"`
	Since    *pcp.Time     `json:"since"` // when it left its range; null if not known
	Values   []float64     `json:"values"`
	With     []string      `json:"with"`  // other series of the subject, "metric[instance]", and commands
	Moves    []Correlation `json:"moves"` // what moves with it, the closest first
	// Changed is there if not the mean of a level is unusual, but its change over the window.
	// Where the other stretches are shorter, Usual, Low and High are changes of as many as the
	// window has room for.
	Changed *FromTo `json:"changed,omitempty"`
	// MovesText says so, and what comes before or after it; "" if nothing does.
	MovesText string `json:"movesText,omitempty"`
	Text      string `json:"text"`
}

// FromTo is a level at the start of a window and at its end.
type FromTo struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
}

// Correlation is a series, or the CPU time of a command, that moves with another.
type Correlation struct {
	Series  string  `json:"series"`  // "metric[instance]"; "" for a command
	Command string  `json:"command"` // "" for a series
	Rho     float64 `json:"rho"`     // Spearman's rank correlation
	Lag     float64 `json:"lag"`     // seconds by which it follows; negative where it comes first
}

// ResourceUse says who used a resource in the window.
type ResourceUse struct {
	Resource   string  `json:"resource"` // "cpu", "read", "write", "memory" or "uninterruptible", as ConsumerQuery.What; of memory by how much it grew
	Units      string  `json:"units"`
	Unreadable string  `json:"unreadable,omitempty"` // as Consumers.Unreadable
	Commands   []Share `json:"commands"`             // the largest first
	More       int     `json:"more"`                 // how many further commands used some of it
	Others     float64 `json:"others"`               // their share of the total
	Rest       float64 `json:"rest"`                 // share of the total that no command explains
	// Who else it was: the largest each, as far as processes were sampled. Empty where it was
	// not logged, or says no more than Commands.
	Processes []ProcessShare `json:"processes"`
	Users     []GroupShare   `json:"users"`
	Cgroups   []GroupShare   `json:"cgroups"`
}

// ProcessShare is what one process used of a resource.
type ProcessShare struct {
	Command string  `json:"command"`
	PID     int32   `json:"pid"`
	Mean    float64 `json:"mean"`
	Share   float64 `json:"share"` // 0 to 1
}

// GroupShare is what the processes of a user or of a cgroup used of a resource.
type GroupShare struct {
	Name  string  `json:"name"`
	Mean  float64 `json:"mean"`
	Share float64 `json:"share"` // 0 to 1
}

// Share is what one command used of a resource.
type Share struct {
	Command string  `json:"command"`
	Mean    float64 `json:"mean"`
	Share   float64 `json:"share"` // 0 to 1
	// Estimated is the part of Share that went to short-lived processes that were
	// not sampled, estimated from those that were; Error is its standard error.
	Estimated float64 `json:"estimated,omitempty"`
	Error     float64 `json:"error,omitempty"`
}

// StartedCommand is a command that was new in the window.
type StartedCommand struct {
	Command string   `json:"command"`
	At      pcp.Time `json:"at"`  // the first sample that has it
	CPU     float64  `json:"cpu"` // mean over the window, in percent of one CPU
}
