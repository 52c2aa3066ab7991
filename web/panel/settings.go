// Package panel is a chart or table with its legend: its settings, made by a dashboard or
// a user, and Show, which computes from settings and a reply of the engine what is
// displayed.
package panel

import (
	"slices"
	"strings"

	"pcpscope/core/api"
)

// MaxLines is how many lines a panel draws unless its settings say otherwise: colours of
// more lines cannot be distinguished, so the largest are drawn.
const MaxLines = 8

// Settings say what a panel shows, and how. Dashboards create them, undo restores them,
// links and files store them as JSON. They are values: their slices are never modified in
// place.
type Settings struct {
	Part      string      `json:"part,omitempty"`  // ID in the dashboard; "" for a panel made by the user
	Title     string      `json:"title,omitempty"` // "" for the names of its metrics
	What      string      `json:"what,omitempty"`  // one line describing the panel
	Metrics   []string    `json:"metrics,omitempty"`
	Lines     []LineStyle `json:"strokes,omitempty"` // one for each of Metrics, or none
	Unit      string      `json:"unit,omitempty"`    // as displayed; "" for the unit of the values
	Style     string      `json:"style,omitempty"`   // as api.DashboardPanel.Style; "" is a line
	Breakdown *Breakdown  `json:"who,omitempty"`     // the values are attributed to processes; nil if not

	Hidden   Keys   `json:"hidden,omitempty"`   // lines that the user hid
	Revealed Keys   `json:"revealed,omitempty"` // lines hidden by default that the user shows
	Solo     string `json:"solo,omitempty"`     // key of the only line to be drawn
	Filter   string `json:"filter,omitempty"`   // a regular expression for labels of lines
	Order    string `json:"order,omitempty"`    // of the legend: "" for drawing order, "name", "avg", "p95", "max"
	Top      int    `json:"top,omitempty"`      // number of lines; 0 for MaxLines

	Every  float64 `json:"every,omitempty"`  // seconds between points; 0 for as many as there is room for
	Reduce string  `json:"reduce,omitempty"` // reduction of each point, as api.Query.Reduce; "" for the default

	Max    float64 `json:"max,omitempty"` // upper end of the scale; 0 to fit the values
	Low    float64 `json:"low,omitempty"` // ends of the scale set by the user, if High > Low
	High   float64 `json:"high,omitempty"`
	Tall   bool    `json:"tall,omitempty"`
	Table  bool    `json:"table,omitempty"`  // shown as a table
	Log    bool    `json:"log,omitempty"`    // logarithmic scale
	Share  bool    `json:"share,omitempty"`  // each line scaled to its own maximum
	Bits   bool    `json:"bits,omitempty"`   // show bytes per second as bits
	Whole  bool    `json:"whole,omitempty"`  // also show what the dashboard leaves out by default
	Slices bool    `json:"slices,omitempty"` // show slices instead of cgroups
	Dots   bool    `json:"dots,omitempty"`   // draw the observations over the lines
	Stack  bool    `json:"stack,omitempty"`  // stacked areas, in the order of Metrics from the bottom
	PerCPU bool    `json:"perCPU,omitempty"` // CPU time of all CPUs, shown as a percentage of their total

	// Set only by dashboards, so not saved but taken from there again.
	Thresholds    []api.Threshold `json:"-"`
	InnermostOnly bool            `json:"-"` // of nested instances only the innermost are shown, unless Whole
	Decimals      *int            `json:"-"` // of a tool-style table
	Usual         string          `json:"-"`
	Next          string          `json:"-"`
	Commands      []string        `json:"-"`
}

// A LineStyle says how one of a panel's metrics is drawn.
type LineStyle struct {
	Name   string `json:"name,omitempty"`
	Role   string `json:"role,omitempty"`
	Unit   string `json:"unit,omitempty"`
	Units  string `json:"units,omitempty"`
	All    string `json:"all,omitempty"`   // the expression for all instances, if the dashboard leaves some out; once Whole, the other one
	Below  bool   `json:"below,omitempty"` // drawn downwards
	Bold   bool   `json:"bold,omitempty"`
	Right  bool   `json:"right,omitempty"` // with its own scale
	Hidden bool   `json:"quiet,omitempty"` // hidden by default
}

// Keys are keys of lines: see Series.Key. They are never modified in place.
type Keys []string

// Has reports whether they contain a key.
func (k Keys) Has(key string) bool { return slices.Contains(k, key) }

// With returns them with the key, Without without it.
func (k Keys) With(key string) Keys {
	if k.Has(key) {
		return k
	}
	list := append(slices.Clone(k), key)
	slices.Sort(list)
	return list
}

func (k Keys) Without(key string) Keys {
	return slices.DeleteFunc(slices.Clone(k), func(other string) bool { return other == key })
}

// line is how a metric of the panel is drawn.
func (s *Settings) line(metric string) LineStyle {
	if i := slices.Index(s.Metrics, metric); i >= 0 && i < len(s.Lines) {
		return s.Lines[i]
	}
	return LineStyle{}
}

// Heading is the panel's title.
func (s *Settings) Heading() string {
	if s.Title != "" {
		return s.Title
	}
	return strings.Join(s.Metrics, ", ")
}

// Drawn reports whether the chart currently has a line for a series.
func (s *Settings) Drawn(line *Series) bool {
	switch {
	case line.Colour == 0:
		return false
	case s.Solo != "":
		return s.Solo == line.Key
	}
	return !s.Hides(line)
}

// Hides reports whether a line is hidden: by the user, or by default unless the user shows
// it.
func (s *Settings) Hides(line *Series) bool {
	if line.Hidden {
		return !s.Revealed.Has(line.Key)
	}
	return s.Hidden.Has(line.Key)
}

// ToggleLine hides or shows a line.
func (s *Settings) ToggleLine(key string) {
	list := &s.Hidden
	if s.line(metricOf(key)).Hidden {
		list = &s.Revealed
	}
	if list.Has(key) {
		*list = list.Without(key)
	} else {
		*list = list.With(key)
	}
	s.Solo = ""
}

// ToggleSolo draws only this line, or all again if it is the only one already.
func (s *Settings) ToggleSolo(key string) {
	if s.Solo == key {
		s.Solo = ""
		return
	}
	s.Solo, s.Hidden, s.Revealed = key, s.Hidden.Without(key), s.Revealed.Without(key)
}

// Migrated converts settings saved by older versions, in which hiding a line hidden by
// default meant showing it.
func (s Settings) Migrated() Settings {
	for _, key := range s.Hidden {
		if s.line(metricOf(key)).Hidden {
			s.Hidden, s.Revealed = s.Hidden.Without(key), s.Revealed.With(key)
		}
	}
	return s
}

// SelectsInstances reports whether the dashboard leaves instances out by default.
func (s *Settings) SelectsInstances() bool {
	return s.InnermostOnly || slices.ContainsFunc(s.Lines, func(l LineStyle) bool { return l.All != "" })
}

// ToggleWhole shows or hides what the dashboard leaves out by default.
func (s *Settings) ToggleWhole() {
	s.Whole, s.Slices = !s.Whole, false
	s.Metrics, s.Lines = slices.Clone(s.Metrics), slices.Clone(s.Lines)
	for i := range s.Lines {
		if all := s.Lines[i].All; all != "" {
			s.Lines[i].All, s.Metrics[i] = s.Metrics[i], all
		}
	}
}

// Limits are the metrics that provide thresholds.
func (s *Settings) Limits() []string {
	var list []string
	for _, t := range s.Thresholds {
		if t.Expression != "" {
			list = append(list, t.Expression)
		}
	}
	return list
}
