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
	Shift     float64  `json:"shift,omitempty"`     // smallest that is reported, as a fraction of the larger median; default 0.05
	Processes bool     `json:"processes,omitempty"` // include series of processes
	Points    int      `json:"points,omitempty"`    // of the small charts; default 40
}

// Comparison lists what changed, the largest effects first.
type Comparison struct {
	Compared int      `json:"compared"` // series with values in both windows
	Differ   int      `json:"differ"`
	Changes  []Change `json:"changes"`
	Only     []OnlyIn `json:"only"` // series with values in only one window
	A        pcp.Span `json:"a"`
	B        pcp.Span `json:"b"`
}

// Change is one changed series, with those that moved together with it.
type Change struct {
	Metric   string       `json:"metric"`
	Instance *InstanceRef `json:"instance"`
	Title    string       `json:"title,omitempty"` // for people, as Column.Title
	Oneline  string       `json:"oneline"`
	Name     string       `json:"name"`   // the metric's name for people, from the panel that shows it: "Free memory"; "" for none
	Unit     string       `json:"unit"`   // of the values, if Units say nothing: "tasks", "%"
	Family   string       `json:"family"` // "CPU and tasks", "Memory", "Disks and filesystems", "Network", "Collector", "Processes" or "Other"
	Units    string       `json:"units"`
	MedianA  float64      `json:"medianA"`
	MedianB  float64      `json:"medianB"`
	Shift    float64      `json:"shift"`  // Hodges-Lehmann: the median of all differences between a value of B and one of A
	Ratio    float64      `json:"ratio"`  // of the medians; NaN if the first is 0
	Effect   float64      `json:"effect"` // Cliff's delta, -1 to 1
	SamplesA int          `json:"samplesA"`
	SamplesB int          `json:"samplesB"`
	CoveredA float64      `json:"coveredA"` // fraction of the window with values, 0 to 1
	CoveredB float64      `json:"coveredB"`
	A        []float64    `json:"a"` // for the small charts
	B        []float64    `json:"b"`
	With     []string     `json:"with"` // series that moved together with it, "metric[instance]"
}

// Series names what changed: "metric" or "metric[instance]".
func (c *Change) Series() string {
	if c.Instance == nil {
		return c.Metric
	}
	return c.Metric + "[" + c.Instance.Name + "]"
}

// Called returns the series' name for people, else the first line of the
// metric's help, else its name.
func (c *Change) Called() string {
	name := cmp.Or(c.Name, c.Oneline, c.Metric)
	if c.Instance != nil {
		name += ", " + cmp.Or(c.Title, c.Instance.Name)
	}
	return name
}

// OnlyIn is a series that has values in only one window.
type OnlyIn struct {
	Metric   string       `json:"metric"`
	Instance *InstanceRef `json:"instance"`
	In       string       `json:"in"` // "A" or "B"
}
