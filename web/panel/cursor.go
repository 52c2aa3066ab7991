package panel

import (
	"math"
	"slices"
	"sort"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/timeline"
)

// A CursorValue is the value of one series at the cursor.
type CursorValue struct {
	Metric, Instance string
	Title            string // the display name of the instance; "" if it is its own name
	Value, Unit      string
	Number           float64 // the unrounded value, in Unit; NaN for strings and missing values
	Why              string  // there is no value: why
}

// ValuesAt lists the values at the grid points nearest to t, of every series and instance
// of a panel, drawn or not. A string holds until the next one.
func ValuesAt(p *Settings, v *View, t pcp.Time) []CursorValue {
	if v.Frame == nil {
		return nil
	}
	var list []CursorValue
	i := v.pointAt(t)
	for _, s := range slices.Concat(v.Series, v.Left) {
		if s.Key == restKey {
			continue
		}
		value := CursorValue{Metric: s.Metric, Instance: s.Instance, Title: s.Title(), Value: format.Dash, Unit: s.Shown.Unit, Number: math.NaN()}
		if p.Style == "event" {
			value.Unit = ""
			if text := v.eventAt(&s, t); text != "" {
				value.Value = text
			}
			list = append(list, value)
			continue
		}
		c := &v.Frame.Columns[s.Column]
		switch {
		case c.Strings != nil:
			if text := textAt(v.Frame, c, t); text != "" {
				value.Value = text
			}
		case i >= 0:
			values, why := v.load(s.Column)
			if i >= len(values) {
				break
			}
			value.Number, value.Value = values[i]*s.Shown.Factor, s.Shown.For(values[i]).Text(values[i])
			if math.IsNaN(values[i]) && i < len(why) {
				value.Why = Reasons()[why[i]]
			}
		}
		list = append(list, value)
	}
	if p.ByInstance() {
		return list
	}
	for k := range v.Frame.Columns {
		c := &v.Frame.Columns[k]
		if text := textAt(v.Frame, c, t); text != "" {
			value := CursorValue{Metric: c.Metric, Value: text, Number: math.NaN()}
			if c.Instance != nil {
				value.Instance, value.Title = c.Instance.Name, c.Title
			}
			list = append(list, value)
		}
	}
	return list
}

// textAt is the last string of a column at or before t, "" if none.
func textAt(f *api.Frame, c *api.Column, t pcp.Time) string {
	for i := min(len(c.Strings), len(f.Times)) - 1; i >= 0; i-- {
		if c.Strings[i] != nil && timeline.At(f, i) <= t {
			return *c.Strings[i]
		}
	}
	return ""
}

// pointAt is the grid point nearest to t, -1 if there is none within a step.
func (v *View) pointAt(t pcp.Time) int {
	if v.Frame == nil || len(v.Frame.Times) == 0 {
		return -1
	}
	at, times := float64(t-v.Frame.Start)/1e9, v.Frame.Times
	i := sort.SearchFloat64s(times, at)
	if i == len(times) || i > 0 && at-times[i-1] < times[i]-at {
		i--
	}
	if math.Abs(times[i]-at) > math.Max(float64(v.Step)/1e9, 1e-6) {
		return -1
	}
	return i
}
