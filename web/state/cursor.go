package state

import (
	"math"
	"sort"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/web/format"
)

// A CursorValue is the value of one series at the cursor.
type CursorValue struct {
	Metric, Instance string
	Value, Unit      string
	Why              string // there is no value
}

// ValuesAt lists the values at the grid points nearest to t, of all that the
// panels draw.
func (w *Work) ValuesAt(t pcp.Time) []CursorValue {
	var list []CursorValue
	for _, p := range w.Panels {
		i := p.pointAt(t)
		for k := range p.Series {
			s := &p.Series[k]
			if s.Colour == 0 {
				continue
			}
			v := CursorValue{Metric: s.Metric, Instance: s.Instance, Value: format.Dash, Unit: p.Shown.Unit}
			c := &p.Frame.Columns[s.Column]
			if i >= 0 && i < len(c.Values) {
				v.Value = p.Shown.Text(c.Values[i])
				if math.IsNaN(c.Values[i]) && i < len(c.Why) {
					v.Why = series.Why(c.Why[i]).String()
				}
			}
			list = append(list, v)
		}
	}
	return list
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
