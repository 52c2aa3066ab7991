package api

import "pcpscope/core/pcp"

// Overview summarises a source for a first look.
type Overview struct {
	Who   []Fact     `json:"who"`   // host, system, hardware, as far as logged
	Boots []pcp.Time `json:"boots"` // when the host was booted, in order; empty if not known
	// Recording says how much of the time was recorded, History what happened
	// to the host in it, in order of time.
	Recording Recording  `json:"recording"`
	History   []Event    `json:"history"`
	Coverage  []Coverage `json:"coverage"` // groups of metrics by logging interval, largest first
	Tiles     []Tile     `json:"tiles"`    // worst case by resource
	Findings  []Finding  `json:"findings"` // "broken" first, then "look", then "know"; within each by cost
	Pulse     Pulse      `json:"pulse"`
}

// Fact is a fact about the host.
type Fact struct {
	Name   string `json:"name"`  // "kernel"
	Value  string `json:"value"` // "4.13.9-300.fc27.x86_64"
	Metric string `json:"metric"`
}

// Recording says how much of a source's time was recorded.
type Recording struct {
	Length  float64  `json:"length"`  // seconds from start to end, but for those by which the host's clock was set forward
	Missing float64  `json:"missing"` // seconds of the outages
	Outages []Outage `json:"outages"` // stretches of 5 min and more without a record that has values, in order of time
	Pauses  int      `json:"pauses"`  // shorter ones: logger restarts, or interruptions
	Paused  float64  `json:"paused"`  // seconds of these
	// Restarts says of stretches of 5 min and more in which a logger was restarted again and
	// again how much of them rates are known for, as a sentence; "" if there are none.
	Restarts string `json:"restarts"`
}

// Outage is a stretch of time for which nothing was recorded, or whose data are
// missing.
type Outage struct {
	Start pcp.Time `json:"start"`
	End   pcp.Time `json:"end"`
	Why   string   `json:"why"`             // "between archives", "missing volume", "damage", "no values", "mark" or "no records"
	Files []string `json:"files,omitempty"` // missing or damaged files
}

// Event is something that happened to the host.
type Event struct {
	At   pcp.Time `json:"at"`
	Kind string   `json:"kind"` // "boot", "outage", "clock", "hardware", "kernel", "packages" or "limits"
	Text string   `json:"text"`
	// Metric is where it can be seen; "" for an outage, which lasts until
	// Until.
	Metric string    `json:"metric"`
	Until  *pcp.Time `json:"until,omitempty"`
}

// Coverage describes metrics that were logged equally often. What it says of their records holds
// for most of them.
type Coverage struct {
	Interval float64  `json:"interval"` // usual seconds between records; 0 if logged once, or once per start of a logger
	Metrics  int      `json:"metrics"`  // how many
	Examples []string `json:"examples"`
	Samples  int      `json:"samples"`
	Missed   int      `json:"missed"`  // records missing at this interval, not counting marks and gaps
	Longest  float64  `json:"longest"` // seconds of the longest time between two records
	At       pcp.Time `json:"at"`      // when that began
	Mean     float64  `json:"mean"`    // mean seconds between records, not across marks and gaps
	Jitter   float64  `json:"jitter"`  // 95th percentile of the deviation from the interval in seconds, except after missed records
	Bytes    int64    `json:"bytes"`   // of its values in the data volumes, before compression
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
	Why   string    `json:"why,omitempty"`  // what is missing for a judgement, or what it is based on
}

// Levels are the levels of findings, the worst first.
var Levels = []string{"broken", "look", "know"}

// Finding is something that happened, in one sentence.
type Finding struct {
	Level     string   `json:"level"` // "broken", "look" or "know"
	Resource  string   `json:"resource"`
	Text      string   `json:"text"`
	Start     pcp.Time `json:"start"`
	End       pcp.Time `json:"end"`
	Rule      string   `json:"rule"`      // the rule behind it: "disk busy above 85 % with more than 4 requests in flight, for 2 min"
	Metrics   []string `json:"metrics"`   // to look at
	Dashboard string   `json:"dashboard"` // where they are
	// Times is how often it happened, Lasted for how many seconds in total (0
	// for instants), Worst where it cost most, and Spans lists every occurrence
	// in order of time, if there are several.
	Times  int        `json:"times"`
	Lasted float64    `json:"lasted,omitempty"`
	Worst  *pcp.Span  `json:"worst,omitempty"`
	Spans  []pcp.Span `json:"spans,omitempty"`
	// Cost ranks findings of one level: the duration in seconds times the
	// excess over the limit, on a log scale.
	Cost float64 `json:"cost"`
}

// Pulse is the one series that represents the whole source.
type Pulse struct {
	Name       string `json:"name"`       // "CPU busy"
	Expression string `json:"expression"` // "" if the source has no such series
	Unit       string `json:"unit"`
}

// Activity says how a metric behaved, and how much space it takes.
type Activity struct {
	Metric  string `json:"metric"`
	State   string `json:"state"`   // "empty", "constant" or "moving"
	Records int    `json:"records"` // that have the metric
	Values  int    `json:"values"`  // of all instances in all records
	Bytes   int64  `json:"bytes"`   // of the values in the data volumes, before compression
}

// Sparkline is a metric in a few points, counters as rates: of several
// instances the one with the highest peak.
type Sparkline struct {
	Metric   string       `json:"metric"`
	Instance *InstanceRef `json:"instance"`
	Units    string       `json:"units"`
	Values   []float64    `json:"values"` // NaN if missing; means over time if a point covers several observations
	Low      []float64    `json:"low,omitempty"`
	High     []float64    `json:"high,omitempty"`
}
