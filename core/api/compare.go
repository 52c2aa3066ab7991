package api

import (
	"cmp"

	"pcpscope/core/pcp"
)

// CompareQuery asks what changed between two windows. A missing end is the end
// of the source.
type CompareQuery struct {
	Source SourceID `json:"source"`
	AStart *When    `json:"aStart,omitempty"`
	AEnd   *When    `json:"aEnd,omitempty"`
	BStart *When    `json:"bStart,omitempty"`
	BEnd   *When    `json:"bEnd,omitempty"`
	// Other is the source of window B, if it is another one.
	Other     SourceID `json:"other,omitempty"`
	Zone      string   `json:"zone,omitempty"`
	Effect    float64  `json:"effect,omitempty"`    // smallest that is reported, 0 to 1; default 0.3
	Shift     float64  `json:"shift,omitempty"`     // smallest that is reported, of the median or the mean, as a fraction of the larger median; default 0.1
	Processes bool     `json:"processes,omitempty"` // include the CPU time of commands
	Points    int      `json:"points,omitempty"`    // of the small charts; default 40
}

// Comparison lists what changed, the largest differences first.
type Comparison struct {
	Compared int              `json:"compared"` // series with values in both windows
	Differ   int              `json:"differ"`   // of them those that are in changes, with what is listed with each
	Changes  []Change         `json:"changes"`
	Only     []OnlyIn         `json:"only"`     // what has values in only one window, one entry a subject
	Settings []ChangedSetting `json:"settings"` // that differ at the ends of the windows
	A        pcp.Span         `json:"a"`
	B        pcp.Span         `json:"b"`
	Why      string           `json:"why"` // there are no changes: none is above the thresholds, or those may be chance, or nothing can be compared; "" otherwise
}

// Change is a subject that changed, represented by the series that says most about it.
type Change struct {
	Metric   string       `json:"metric"`            // "" for the CPU time of a command
	Command  string       `json:"command,omitempty"` // then; in percent of one CPU
	Subject  string       `json:"subject"`           // "Disk sdb"
	Score    float64      `json:"score"`             // how far apart the windows are, on a log scale of differences that matter
	Instance *InstanceRef `json:"instance"`
	Title    string       `json:"title,omitempty"` // for people, as Column.Title
	Oneline  string       `json:"oneline"`
	Name     string       `json:"name"`   // the metric's name for people, from the panel that shows it: "Free memory"; "" for none
	Unit     string       `json:"unit"`   // of the values, if Units say nothing: "tasks", "%"; "% of all CPUs" where two hosts have different numbers of CPUs
	Family   string       `json:"family"` // "CPU and tasks", "Memory", "Disks and filesystems", "Network", "Collector", "Processes" or "Other"
	Units    string       `json:"units"`
	MedianA  float64      `json:"medianA"`
	MedianB  float64      `json:"medianB"`
	MeanA    float64      `json:"meanA"` // bursts differ in their mean, and hardly in the median
	MeanB    float64      `json:"meanB"`
	Shift    float64      `json:"shift"`  // Hodges-Lehmann: the median of all differences between a value of B and one of A
	Ratio    float64      `json:"ratio"`  // of the medians; NaN if the first is 0
	Effect   float64      `json:"effect"` // Cliff's delta, -1 to 1
	SamplesA int          `json:"samplesA"`
	SamplesB int          `json:"samplesB"`
	CoveredA float64      `json:"coveredA"` // fraction of the window with values, 0 to 1
	CoveredB float64      `json:"coveredB"`
	A        []float64    `json:"a"` // for the small charts
	B        []float64    `json:"b"`
	With     []string     `json:"with"` // other series of the subject that changed, "metric[instance]"
}

// Series names what changed: "metric", "metric[instance]", or a command.
func (c *Change) Series() string {
	if c.Command != "" {
		return c.Command
	}
	if c.Instance == nil {
		return c.Metric
	}
	return c.Metric + "[" + c.Instance.Name + "]"
}

// DisplayName returns the series' name for people, else the first line of the
// metric's help, else its name.
func (c *Change) DisplayName() string {
	name := cmp.Or(c.Name, c.Oneline, c.Metric)
	if c.Command != "" {
		return name + " of " + c.Command
	}
	if c.Instance != nil {
		name += ", " + cmp.Or(c.Title, c.Instance.Name)
	}
	return name
}

// OnlyIn is what has values in only one window: an instance that came or went,
// or a command that used CPU time in one of them alone.
type OnlyIn struct {
	Metric   string       `json:"metric"` // that tells most of it
	Instance *InstanceRef `json:"instance"`
	Command  string       `json:"command,omitempty"`
	In       string       `json:"in"`   // "A" or "B"
	With     []string     `json:"with"` // its other series
	// Instances is how many instances of the metric the entry stands for, where
	// there are many; With names some of them.
	Instances int `json:"instances,omitempty"`
}

// ChangedSetting is a setting that differs: a limit, a governor, the version of a package.
type ChangedSetting struct {
	Metric   string       `json:"metric"`
	Instance *InstanceRef `json:"instance"`
	A        string       `json:"a"` // at the end of window A; "in byte / sec" for a metric whose units cannot be converted
	B        string       `json:"b"`
}
