package api

import "pcpscope/core/pcp"

// StoryQuery asks what happened in a record.
type StoryQuery struct {
	Source SourceID `json:"source"`
	Start  *When    `json:"start,omitempty"`
	End    *When    `json:"end,omitempty"`
	Zone   string   `json:"zone,omitempty"`  // of the clock that recurring jobs follow; the source's own where absent
	Least  float64  `json:"least,omitempty"` // score from which incidents are reported; 8 if absent
}

// Story is what happened, as far as it left traces: incidents, jobs that come
// again and again, and what became of the host.
type Story struct {
	Start pcp.Time `json:"start"` // the window
	End   pcp.Time `json:"end"`
	Step  float64  `json:"step"` // seconds; levels are compared by means over so long
	// Series is how many series were looked at, those of processes by command.
	Series    int          `json:"series"`
	Incidents []Incident   `json:"incidents"` // in order of time
	Recurring []Recurrence `json:"recurring"` // the weightiest first
	History   []Event      `json:"history"`   // in order of time
	Text      []string     `json:"text"`      // in sentences, with times of the zone
	Why       string       `json:"why"`       // nothing can be said; "" if something can
}

// Incident is a moment at which several subjects changed their levels.
type Incident struct {
	At pcp.Time `json:"at"` // the first record of what changed first
	// Until is when most of it was undone; null where that is not in the record.
	Until   *pcp.Time     `json:"until"`
	Score   float64       `json:"score"`
	Series  int           `json:"series"`  // how many changed
	Changes []LevelChange `json:"changes"` // one a subject, the weightiest first
	First   *LevelChange  `json:"first"`   // what changed before the first of these; null where nothing did
	Began   []string      `json:"began"`   // commands that used no CPU time before it
	After   string        `json:"after"`   // an event of the host just before it: "Host rebooted"; "" for none
	Text    string        `json:"text"`
}

// LevelChange is a subject that went from one level to another, by the series that
// tells it best.
type LevelChange struct {
	Family   string       `json:"family"`  // as ExplanationRow.Family
	Subject  string       `json:"subject"` // "Disk sdb"
	Metric   string       `json:"metric"`  // "" for the CPU time of a command
	Instance *InstanceRef `json:"instance"`
	Command  string       `json:"command"` // "" for a metric
	Title    string       `json:"title,omitempty"`
	Name     string       `json:"name"`   // what people call the metric; "" for none
	Unit     string       `json:"unit"`   // of the values, where Units say nothing
	Units    string       `json:"units"`  // counters as rates
	Before   float64      `json:"before"` // mean of up to 60 steps
	After    float64      `json:"after"`
	At       pcp.Time     `json:"at"`
	Until    *pcp.Time    `json:"until"` // when the level of before was back; null for never
	Weight   float64      `json:"weight"`
	Text     string       `json:"text"`
}

// Recurrence is what happens again and again at the same times of the clock.
type Recurrence struct {
	Period  float64       `json:"period"`  // seconds
	Phases  []float64     `json:"phases"`  // seconds after midnight, modulo the period, by the clock of the zone
	Clock   string        `json:"clock"`   // "every 30 min at :25 and :55"
	Hits    int           `json:"hits"`    // how often it was so,
	Slots   int           `json:"slots"`   // of how many times that were recorded
	Changes []LevelChange `json:"changes"` // usual levels and peaks, one a subject
	Text    string        `json:"text"`
}
