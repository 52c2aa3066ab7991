package state

import (
	"math"
	"slices"
	"sort"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
)

// A CursorValue is the value of one series at the cursor.
type CursorValue struct {
	Metric, Instance string
	Title            string // what people call the instance; "" where that is its name
	Value, Unit      string
	Number           float64 // Value unrounded, in Unit; NaN for a text and where there is none
	Why              string  // there is no value
}

// ValuesAt lists the values at the grid points nearest to t, of every series
// and instance of the panels, drawn or not. A text holds until the next.
func (w *Work) ValuesAt(t pcp.Time) []CursorValue {
	var list []CursorValue
	for _, p := range w.Panels {
		i := p.pointAt(t)
		for _, s := range slices.Concat(p.Series, p.Left) {
			if s.Key == restKey {
				continue
			}
			v := CursorValue{Metric: s.Metric, Instance: s.Instance, Title: s.title(), Value: format.Dash, Unit: s.Shown.Unit, Number: math.NaN()}
			if p.Style == "event" {
				v.Unit = ""
				if text := p.eventAt(&s, t); text != "" {
					v.Value = text
				}
				list = append(list, v)
				continue
			}
			c := &p.Frame.Columns[s.Column]
			switch {
			case c.Strings != nil:
				if text := textAt(p.Frame, c, t); text != "" {
					v.Value = text
				}
			case i >= 0 && i < len(c.Values):
				v.Number, v.Value = c.Values[i]*s.Shown.Factor, s.Shown.Text(c.Values[i])
				if math.IsNaN(c.Values[i]) && i < len(c.Why) {
					v.Why = Reasons()[c.Why[i]]
				}
			}
			list = append(list, v)
		}
		if p.Frame == nil || p.ByInstance() {
			continue
		}
		for k := range p.Frame.Columns {
			c := &p.Frame.Columns[k]
			if text := textAt(p.Frame, c, t); text != "" {
				v := CursorValue{Metric: c.Metric, Value: text, Number: math.NaN()}
				if c.Instance != nil {
					v.Instance, v.Title = c.Instance.Name, c.Title
				}
				list = append(list, v)
			}
		}
	}
	return list
}

// textAt is the last text of a column at or before t, "" for none.
func textAt(f *api.Frame, c *api.Column, t pcp.Time) string {
	for i := min(len(c.Strings), len(f.Times)) - 1; i >= 0; i-- {
		if c.Strings[i] != nil && at(f, i) <= t {
			return *c.Strings[i]
		}
	}
	return ""
}

// pointAt is the grid point nearest to t, -1 where there is none within a
// step.
func (p *Panel) pointAt(t pcp.Time) int {
	if p.Frame == nil || len(p.Frame.Times) == 0 {
		return -1
	}
	at, times := float64(t-p.Frame.Start)/1e9, p.Frame.Times
	i := sort.SearchFloat64s(times, at)
	if i == len(times) || i > 0 && at-times[i-1] < times[i]-at {
		i--
	}
	if math.Abs(times[i]-at) > math.Max(float64(p.Step)/1e9, 1e-6) {
		return -1
	}
	return i
}
