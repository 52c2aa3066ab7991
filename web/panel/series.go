package panel

import (
	"cmp"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/metric"
)

// A Series is one line: a metric, or one of its instances.
type Series struct {
	Key      string // the metric, followed by NUL and the instance
	Label    string
	Metric   string
	Instance string
	Called   string // the display name of the instance
	Column   int    // index in the frame
	Colour   int    // 1 to 10; 0: not drawn
	Stats    Stats
	Fault    string
	LineStyle
	Kind  string       // of a sum: "others", "estimated", "in no sample"
	Shown format.Shown // differs from the panel's if the line has its own scale
}

// Estimated reports whether a line is not measured: hatched in a stack.
func (s *Series) Estimated() bool { return s.Kind == "in no sample" || s.Kind == "estimated" }

// KeyOf is the key of a metric's instance; "" for a metric without.
func KeyOf(metric, instance string) string {
	if instance == "" {
		return metric
	}
	return metric + "\x00" + instance
}

// metricOf returns the metric of a key.
func metricOf(key string) string {
	metric, _, _ := strings.Cut(key, "\x00")
	return metric
}

// Title is the display name of a series' instance; "" if it is its own name.
func (s *Series) Title() string {
	if s.Called == s.Instance {
		return ""
	}
	return s.Called
}

// ShownIn is the unit of a series: the panel's, unless it has its own scale.
func (s *Series) ShownIn(v *View) format.Shown {
	if s.Shown.Factor != 0 {
		return s.Shown
	}
	return v.Shown
}

// A Text is one non-numeric value of a metric.
type Text struct {
	At    pcp.Time
	Who   string
	Value string
}

// Observations are the logged values of one line.
type Observations struct {
	Start  pcp.Time
	Times  []float64 // seconds after Start
	Values []float64 // in the unit of the frame
}

// label labels a series as briefly as its panel allows: as the dashboard does; otherwise
// by instance if there is one metric, by the last part of the metric's name if there are
// several, by both if both differ.
func (s *Settings) label(c *api.Column) string {
	if s.Breakdown != nil {
		return c.Metric
	}
	name, instance := s.line(c.Metric).Name, ""
	if c.Instance != nil {
		instance = cmp.Or(c.Title, processName(c.Metric, c.Instance.Name))
	}
	if name == "" && len(s.Metrics) > 1 && len(s.Lines) == 0 {
		name = metric.Brief(s.Metrics, c.Metric)
	}
	switch {
	case c.Instance == nil && name == "":
		if len(s.Lines) > 0 && s.Title != "" {
			return strings.ToLower(s.Title[:1]) + s.Title[1:]
		}
		return metric.LastPart(c.Metric)
	case c.Instance == nil:
		return name
	case name == "":
		return instance
	}
	return instance + " " + name
}

// processName shortens the instance name of a process to PID and program: from "010051
// /usr/lib64/firefox/firefox -contentproc". Other instances keep their names.
func processName(metric, instance string) string {
	if !strings.Contains(metric, "proc.") {
		return instance
	}
	pid, command, ok := strings.Cut(instance, " ")
	number := strings.TrimLeft(pid, "0")
	if !ok || number == "" || strings.Trim(number, "0123456789") != "" {
		return instance
	}
	if command[:min(1, len(command))] == "/" {
		command, _, _ = strings.Cut(command, " ")
		command = command[strings.LastIndexByte(command, '/')+1:]
	}
	return number + " " + command
}
