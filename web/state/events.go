package state

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
	"pcpscope/web/format"
)

// Eventful says whether values of a type hold event records.
func Eventful(typ string) bool { return typ == "EVENT" || typ == "HIGHRES_EVENT" }

// Marks says whether the panel shows event records: a lane for each instance,
// with a mark where something happened.
func (p *Panel) Marks() bool { return p.Style == "event" && !p.Table }

// An Occurrence is one event record on the time axis.
type Occurrence struct {
	Time   float64 // seconds after the frame's start
	Flags  string
	Text   string // its parameters
	Missed int
}

// Occurrences are the event records of a series, in order of time.
func (p *Panel) Occurrences(s *Series) []Occurrence {
	if p.Frame == nil || s.Column >= len(p.Frame.Columns) {
		return nil
	}
	var list []Occurrence
	for _, e := range p.Frame.Columns[s.Column].Events {
		list = append(list, Occurrence{e.Time.Since(p.Frame.Start), e.Flags, eventText(e), e.Missed})
	}
	sorting.Stable(list, func(a, b Occurrence) int { return cmp.Compare(a.Time, b.Time) })
	return list
}

// eventText is what an event record says: parameters by the last part of
// their metrics' names.
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

// sayEvents puts words in place of the bytes of event records, for tables.
func sayEvents(f *api.Frame) {
	for k := range f.Columns {
		c := &f.Columns[k]
		if !Eventful(c.Type) {
			continue
		}
		said := make([][]string, len(c.Strings))
		for _, e := range c.Events {
			if e.At < len(said) {
				said[e.At] = append(said[e.At], eventText(e))
			}
		}
		for i := range c.Strings {
			if c.Strings[i] != nil {
				text := strings.Join(said[i], "; ")
				if text == "" {
					text = "no event"
				}
				c.Strings[i] = &text
			}
		}
	}
}

// countEvents sums up the event records of a window in place of values. Values
// of the window may hold records of another time: these are left out.
func (p *Panel) countEvents(window Window) {
	p.LeftOut = 0
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

// EventWords tells how many events there are, of which series.
func (p *Panel) EventWords() string {
	var told []string
	for i := range p.Series {
		told = append(told, p.Series[i].Label+": "+EventCount(p.Series[i].Stats.Count))
	}
	return strings.Join(told, "; ")
}

// EventCount counts events.
func EventCount(n int) string {
	if n == 0 {
		return "no event"
	}
	return format.Plural(n, "event")
}

// eventAt is the event nearest to t within a part of the window that can be
// pointed at, in words; "" for none.
func (p *Panel) eventAt(s *Series, t pcp.Time) string {
	near, best, more := p.window.Len()/100, -1, 0
	events := p.Frame.Columns[s.Column].Events
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
