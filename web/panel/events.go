package panel

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
	"pcpscope/web/format"
	"pcpscope/web/metric"
)

// An Occurrence is one event record on the time axis.
type Occurrence struct {
	Time   float64 // seconds after the frame's start
	Flags  string
	Text   string // its parameters
	Missed int
}

// Occurrences are the event records of a series, in order of time.
func (v *View) Occurrences(s *Series) []Occurrence {
	if v.Frame == nil || s.Column >= len(v.Frame.Columns) {
		return nil
	}
	var list []Occurrence
	for _, e := range v.Frame.Columns[s.Column].Events {
		list = append(list, Occurrence{e.Time.Since(v.Frame.Start), e.Flags, eventText(e), e.Missed})
	}
	sorting.Stable(list, func(a, b Occurrence) int { return cmp.Compare(a.Time, b.Time) })
	return list
}

// eventText describes an event record: parameters, by the last part of their metric names.
func eventText(e api.EventRecord) string {
	if e.Flags == "missed" {
		if e.Missed == 0 {
			return "records were lost"
		}
		return format.Plural(e.Missed, "record") + " lost"
	}
	var parts []string
	for _, p := range e.Params {
		name := p.Metric
		if strings.ContainsFunc(name, func(r rune) bool { return r >= 'a' && r <= 'z' }) {
			name = name[strings.LastIndexByte(name, '.')+1:]
		}
		parts = append(parts, name+" "+p.Value)
	}
	text := strings.Join(parts, ", ")
	if e.Flags != "point" {
		text = strings.TrimSuffix(strings.ReplaceAll(e.Flags, ",", " ")+": "+text, ": ")
	}
	if text == "" {
		return "point"
	}
	return text
}

// DescribeEvents returns the frame with the bytes of event records replaced by text, for
// tables.
func DescribeEvents(f *api.Frame) *api.Frame {
	if !slices.ContainsFunc(f.Columns, func(c api.Column) bool { return metric.HasEvents(c.Type) }) {
		return f
	}
	described := *f
	described.Columns = slices.Clone(f.Columns)
	for k := range described.Columns {
		c := &described.Columns[k]
		if !metric.HasEvents(c.Type) {
			continue
		}
		texts := make([][]string, len(c.Strings))
		for _, e := range c.Events {
			if e.At < len(texts) {
				texts[e.At] = append(texts[e.At], eventText(e))
			}
		}
		c.Strings = slices.Clone(c.Strings)
		for i := range c.Strings {
			if c.Strings[i] != nil {
				text := strings.Join(texts[i], "; ")
				if text == "" {
					text = "no event"
				}
				c.Strings[i] = &text
			}
		}
	}
	return &described
}

// countEvents counts the event records of a window. Values logged in the window may hold
// records of other times: these are left out.
func (p *showing) countEvents() {
	window := p.Window
	for i := range p.Series {
		s := &p.Series[i]
		nan := math.NaN()
		s.Stats = Stats{Last: nan, Avg: nan, P95: nan, Min: nan, Max: nan, Whole: true}
		for _, e := range p.Frame.Columns[s.Column].Events {
			if e.Time < window.Start || e.Time > window.End {
				p.LeftOut++
				continue
			}
			s.Stats.Count++
			s.Stats.MaxAt = max(s.Stats.MaxAt, e.Time)
		}
	}
}

// DescribeEvents says how many events each series has.
func (v *View) DescribeEvents() string {
	var parts []string
	for i := range v.Series {
		parts = append(parts, v.Series[i].Label+": "+EventCount(v.Series[i].Stats.Count))
	}
	return strings.Join(parts, "; ")
}

// EventCount counts events.
func EventCount(n int) string {
	if n == 0 {
		return "no event"
	}
	return format.Plural(n, "event")
}

// eventAt is the event nearest to t, within the part of the window that the pointer can
// resolve, as text; "" if none.
func (v *View) eventAt(s *Series, t pcp.Time) string {
	near, best, more := v.Window.Len()/100, -1, 0
	events := v.Frame.Columns[s.Column].Events
	for i := range events {
		switch d := int64(max(events[i].Time-t, t-events[i].Time)); {
		case d < near:
			near, best, more = d, i, 0
		case d == near && best >= 0:
			more++
		}
	}
	if best < 0 {
		return ""
	}
	text := eventText(events[best])
	if more > 0 {
		text += ", and " + strconv.Itoa(more) + " more"
	}
	return text
}
