// Package panel is one chart, or one table of texts, with its legend: the
// settings that a dashboard or a user makes of it, and Show, which works out
// from these and from an answer of the engine what there is to see.
package panel

import (
	"slices"
	"strings"

	"pcpscope/core/api"
)

// MaxLines is how many lines a panel draws unless its settings say otherwise:
// beyond it colours cannot be told apart, and the largest are drawn.
const MaxLines = 8

// Settings say what a panel shows, and how. A dashboard makes them, undo goes
// back to them, links and files keep them as JSON. They are values: their
// slices are never changed in place.
type Settings struct {
	Part      string      `json:"part,omitempty"`  // of the dashboard: its ID there; "" for a panel of the user's
	Title     string      `json:"title,omitempty"` // "" for the names of its metrics
	What      string      `json:"what,omitempty"`  // one line: what this is
	Metrics   []string    `json:"metrics,omitempty"`
	Lines     []LineStyle `json:"strokes,omitempty"` // one for each of Metrics, or none
	Unit      string      `json:"unit,omitempty"`    // as people write it; "" where the values' own unit holds
	Style     string      `json:"style,omitempty"`   // as api.DashboardPanel.Style; "" is a line
	Breakdown *Breakdown  `json:"who,omitempty"`     // nil, or the values are shares of processes

	Hidden   Keys   `json:"hidden,omitempty"`   // lines that the user hid
	Revealed Keys   `json:"revealed,omitempty"` // lines hidden at first that the user shows
	Solo     string `json:"solo,omitempty"`     // key of the only line to be drawn
	Filter   string `json:"filter,omitempty"`   // a regular expression that labels of lines match
	Order    string `json:"order,omitempty"`    // of the legend: "" as drawn, "name", "avg", "p95", "max"
	Top      int    `json:"top,omitempty"`      // how many lines; 0 for MaxLines

	Every  float64 `json:"every,omitempty"`  // seconds between points; 0 for what the window has room for
	Reduce string  `json:"reduce,omitempty"` // what a point stands for, as api.Query.Reduce; "" for the usual

	Max    float64 `json:"max,omitempty"` // upper end of the scale; 0 for that of the values
	Low    float64 `json:"low,omitempty"` // of a scale that the user fixed: High > Low
	High   float64 `json:"high,omitempty"`
	Tall   bool    `json:"tall,omitempty"`
	Table  bool    `json:"table,omitempty"`  // shown as a table
	Log    bool    `json:"log,omitempty"`    // a logarithmic scale
	Share  bool    `json:"share,omitempty"`  // each line by its own largest value
	Bits   bool    `json:"bits,omitempty"`   // bytes a second shown as bits
	Whole  bool    `json:"whole,omitempty"`  // what the dashboard leaves out at first is shown, too
	Slices bool    `json:"slices,omitempty"` // of cgroups the slices that they are in are shown
	Dots   bool    `json:"dots,omitempty"`   // the observations themselves, over the lines
	Stack  bool    `json:"stack,omitempty"`  // areas upon each other, in the order of Metrics from below
	PerCPU bool    `json:"perCPU,omitempty"` // time of all CPUs, shown as a share of all of them

	// What only a dashboard sets. It is not saved, but taken from there again.
	Thresholds    []api.Threshold `json:"-"`
	InnermostOnly bool            `json:"-"` // of instances that contain others the innermost are shown, unless Whole
	Decimals      *int            `json:"-"` // of a table that copies a tool's
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
	All    string `json:"all,omitempty"`   // the metric for all instances, where the dashboard leaves some out; once Whole, the other way round
	Below  bool   `json:"below,omitempty"` // drawn downwards
	Bold   bool   `json:"bold,omitempty"`
	Right  bool   `json:"right,omitempty"` // on a scale of its own
	Hidden bool   `json:"quiet,omitempty"` // not drawn at first
}

// Keys name lines of a panel: see Series.Key. They are never changed in place.
type Keys []string

// Has reports whether a key is among them.
func (k Keys) Has(key string) bool { return slices.Contains(k, key) }

// With has the key, too; Without does not have it.
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

// line returns how a metric of the panel is drawn.
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

// Drawn reports whether the chart has a line for a series now.
func (s *Settings) Drawn(line *Series) bool {
	switch {
	case line.Colour == 0:
		return false
	case s.Solo != "":
		return s.Solo == line.Key
	}
	return !s.Hides(line)
}

// Hides reports whether a line is hidden: by the user, or at first and the user has
// not asked for it.
func (s *Settings) Hides(line *Series) bool {
	if line.Hidden {
		return !s.Revealed.Has(line.Key)
	}
	return s.Hidden.Has(line.Key)
}

// ToggleLine hides a line, or shows it.
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

// ToggleSolo draws a line alone, or all again where it is alone already.
func (s *Settings) ToggleSolo(key string) {
	if s.Solo == key {
		s.Solo = ""
		return
	}
	s.Solo, s.Hidden, s.Revealed = key, s.Hidden.Without(key), s.Revealed.Without(key)
}

// Healed takes over what older pages kept: there a hidden line that was hidden
// at first was one that is shown.
func (s Settings) Healed() Settings {
	for _, key := range s.Hidden {
		if s.line(metricOf(key)).Hidden {
			s.Hidden, s.Revealed = s.Hidden.Without(key), s.Revealed.With(key)
		}
	}
	return s
}

// SelectsInstances reports whether the dashboard leaves instances out at first.
func (s *Settings) SelectsInstances() bool {
	return s.InnermostOnly || slices.ContainsFunc(s.Lines, func(l LineStyle) bool { return l.All != "" })
}

// ToggleWhole shows what the dashboard leaves out at first, or leaves it out
// again.
func (s *Settings) ToggleWhole() {
	s.Whole, s.Slices = !s.Whole, false
	s.Metrics, s.Lines = slices.Clone(s.Metrics), slices.Clone(s.Lines)
	for i := range s.Lines {
		if all := s.Lines[i].All; all != "" {
			s.Lines[i].All, s.Metrics[i] = s.Metrics[i], all
		}
	}
}

// Limits are the metrics that thresholds are made of.
func (s *Settings) Limits() []string {
	var list []string
	for _, t := range s.Thresholds {
		if t.Expression != "" {
			list = append(list, t.Expression)
		}
	}
	return list
}
