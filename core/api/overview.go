package api

import "pcpscope/core/pcp"

// Overview is what to say first about a source.
type Overview struct {
	Who   []Fact     `json:"who"`   // host, system, hardware, as far as logged
	Boots []pcp.Time `json:"boots"` // when the host started, in order; empty where that is not known
	// Recording says what of the time is recorded at all, History what became
	// of the host in it, in order of time.
	Recording Recording  `json:"recording"`
	History   []Event    `json:"history"`
	Coverage  []Coverage `json:"coverage"` // groups of metrics by how often they were logged, most first
	Tiles     []Tile     `json:"tiles"`    // worst case by resource
	Findings  []Finding  `json:"findings"` // what is broken first, then what deserves a look, then what is good to know; of these first what cost most
	Pulse     Pulse      `json:"pulse"`
}

// Fact is one thing known about the host.
type Fact struct {
	Name   string `json:"name"`  // "kernel"
	Value  string `json:"value"` // "4.13.9-300.fc27.x86_64"
	Metric string `json:"metric"`
}

// Recording says how much of a source's time was recorded.
type Recording struct {
	Length  float64  `json:"length"`  // seconds from start to end
	Missing float64  `json:"missing"` // seconds of the outages
	Outages []Outage `json:"outages"` // stretches of 5 min and more without a record, in order of time
	Pauses  int      `json:"pauses"`  // shorter ones: where a logger was started again, or recording was interrupted
	Paused  float64  `json:"paused"`  // seconds of these
}

// Outage is a stretch for which nothing was recorded, or its data are missing.
type Outage struct {
	Start pcp.Time `json:"start"`
	End   pcp.Time `json:"end"`
	Why   string   `json:"why"`             // "between archives", "missing volume", "damage", "mark" or "no records"
	Files []string `json:"files,omitempty"` // that are missing or damaged
}

// Event is something that became of the host.
type Event struct {
	At   pcp.Time `json:"at"`
	Kind string   `json:"kind"` // "boot", "outage", "clock", "hardware", "kernel", "packages" or "limits"
	Text string   `json:"text"`
	// Metric is where it is told; "" of an outage, which lasts until Until.
	Metric string    `json:"metric"`
	Until  *pcp.Time `json:"until,omitempty"`
}

// Coverage describes metrics that were logged together.
type Coverage struct {
	Interval float64  `json:"interval"` // seconds from one record to the next, as a rule; 0 for once, or once after each start of a logger
	Metrics  int      `json:"metrics"`  // how many
	Examples []string `json:"examples"`
	Samples  int      `json:"samples"`
	Missed   int      `json:"missed"`  // records that the interval would have had besides, not over marks and gaps
	Longest  float64  `json:"longest"` // seconds of the longest stretch between two records
	At       pcp.Time `json:"at"`      // when that began
	Mean     float64  `json:"mean"`    // seconds from one record to the next on average, not over marks and gaps
	Jitter   float64  `json:"jitter"`  // seconds by which 95 of 100 records are off the interval at most, but for those after missed ones
	Bytes    int64    `json:"bytes"`   // that its values take in the data volumes, before compression
	First    pcp.Time `json:"first"`
	Last     pcp.Time `json:"last"`
}

// Tile is the worst case of one resource.
type Tile struct {
	Resource    string   `json:"resource"` // "CPU", "Memory", "Disks", "Filesystems", "Network", "Pressure", "Cgroups", "Kernel tables"
	Dashboard   string   `json:"dashboard"`
	Utilisation TileCell `json:"utilisation"`
	Saturation  TileCell `json:"saturation"`
	Errors      TileCell `json:"errors"`
}

// TileCell is one judgement with its worst value.
type TileCell struct {
	Text  string    `json:"text"`            // "sdb 100 %"
	State string    `json:"state"`           // "ok", "look", "broken", "cannot judge" or "not logged"
	Value *float64  `json:"value,omitempty"` // the worst value
	Unit  string    `json:"unit,omitempty"`
	When  *pcp.Span `json:"when,omitempty"` // where it was
	Why   string    `json:"why,omitempty"`  // what is missing to judge, or what the judgement rests on
}

// Finding is something that happened, in one sentence.
type Finding struct {
	Level     string   `json:"level"` // "broken", "look" or "know"
	Resource  string   `json:"resource"`
	Text      string   `json:"text"`
	Start     pcp.Time `json:"start"`
	End       pcp.Time `json:"end"`
	Rule      string   `json:"rule"`      // what made it: "disk busy above 85 % with more than 4 requests in flight, for 2 min"
	Metrics   []string `json:"metrics"`   // to look at
	Dashboard string   `json:"dashboard"` // where they are
	// Times is how often it happened, Lasted for how many seconds in all (0 of
	// what has no length), Worst where it cost most, and Spans each of them in
	// order of time, where it happened more than once.
	Times  int        `json:"times"`
	Lasted float64    `json:"lasted,omitempty"`
	Worst  *pcp.Span  `json:"worst,omitempty"`
	Spans  []pcp.Span `json:"spans,omitempty"`
	// Cost orders findings of one level: how long it lasted, in seconds, times
	// how far it was beyond its limit, on a log scale.
	Cost float64 `json:"cost"`
}

// Pulse is the one series that stands for the whole source.
type Pulse struct {
	Name       string `json:"name"`       // "CPU busy"
	Expression string `json:"expression"` // "" where the source has nothing of the kind
	Unit       string `json:"unit"`
}

// Activity says how a metric behaved, and what room it takes.
type Activity struct {
	Metric  string `json:"metric"`
	State   string `json:"state"`   // "empty", "constant" or "moving"
	Records int    `json:"records"` // that have the metric
	Values  int    `json:"values"`  // of all instances in all of them
	Bytes   int64  `json:"bytes"`   // that these take in the data volumes, before compression
}

// Sparkline is a metric in a few points, counters as rates: of several
// instances the one that reaches highest.
type Sparkline struct {
	Metric   string       `json:"metric"`
	Instance *InstanceRef `json:"instance"`
	Units    string       `json:"units"`
	Values   []float64    `json:"values"` // NaN: no value. Means over time where a point stands for several observations
	Low      []float64    `json:"low,omitempty"`
	High     []float64    `json:"high,omitempty"`
}
