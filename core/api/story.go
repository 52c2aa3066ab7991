package api

import "pcpscope/core/pcp"

// StoryQuery asks what happened in a recording.
type StoryQuery struct {
	Source SourceID `json:"source"`
	Start  *When    `json:"start,omitempty"`
	End    *When    `json:"end,omitempty"`
	Zone   string   `json:"zone,omitempty"`  // of recurring jobs and Text; "" for the source's
	Least  float64  `json:"least,omitempty"` // the lowest score of an incident that is listed; 0 for 8
}

// Story is what happened, as far as it was logged: incidents, recurring jobs, and the
// history of the host.
type Story struct {
	Start pcp.Time `json:"start"` // the window
	End   pcp.Time `json:"end"`
	Step  float64  `json:"step"` // levels are compared by means over this many seconds
	// Series is the number of series that were examined, those of processes by command.
	Series    int          `json:"series"`
	Incidents []Incident   `json:"incidents"` // in order of time
	Recurring []Recurrence `json:"recurring"` // the largest first
	History   []Event      `json:"history"`   // in order of time
	Text      []string     `json:"text"`      // the same in sentences, with times in the zone
	Why       string       `json:"why"`       // why there are no incidents; "" if there can be some
}

// Incident is a time at which several subjects changed their levels.
type Incident struct {
	// At is when it began: the record before the first that shows what changed first, or when
	// the host booted, or the recording resumed, between these.
	At pcp.Time `json:"at"`
	// Until is when most of them were back at their previous level, or the beginning of the
	// outage after which they were; null if that was not recorded.
	Until   *pcp.Time     `json:"until"`
	Score   float64       `json:"score"`
	Series  int           `json:"series"`  // how many of them changed
	Changes []LevelChange `json:"changes"` // one for each subject, the largest first
	First   *LevelChange  `json:"first"`   // what changed before the first of these; null if nothing did
	Began   []string      `json:"began"`   // commands that used no CPU time before it
	After   string        `json:"after"`   // an event of the host just before it: "Host rebooted"; "" if there was none
	During  string        `json:"during"`  // if there was none, one between its beginning and the last of its changes; "" likewise
	Text    string        `json:"text"`
}

// LevelChange is a subject that changed from one level to another, represented by its
// most telling series.
type LevelChange struct {
	Family   string       `json:"family"`  // as ExplanationRow.Family
	Subject  string       `json:"subject"` // "Disk sdb"
	Metric   string       `json:"metric"`  // "" for the CPU time of a command
	Instance *InstanceRef `json:"instance"`
	Command  string       `json:"command"` // "" for a metric
	Title    string       `json:"title,omitempty"`
	Name     string       `json:"name"`   // the human-readable name of the metric, or ""
	Unit     string       `json:"unit"`   // of the values, if Units does not say it
	Units    string       `json:"units"`  // those of rates, for counters
	Before   float64      `json:"before"` // mean of up to 60 steps
	After    float64      `json:"after"`
	At       pcp.Time     `json:"at"`
	Until    *pcp.Time    `json:"until"` // when it was back at the previous level, or the beginning of the outage after which it was; null if that was not recorded
	Weight   float64      `json:"weight"`
	Text     string       `json:"text"`
}

// Recurrence is what recurs at the same times of day.
type Recurrence struct {
	Period  float64       `json:"period"`  // seconds
	Phases  []float64     `json:"phases"`  // seconds after midnight in the zone, modulo the period
	Clock   string        `json:"clock"`   // "every 30 min at :25 and :55"
	Hits    int           `json:"hits"`    // how often it occurred,
	Slots   int           `json:"slots"`   // of how many times for which there are records
	Changes []LevelChange `json:"changes"` // usual levels and peaks, one for each subject
	Text    string        `json:"text"`
}
