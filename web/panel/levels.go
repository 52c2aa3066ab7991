package panel

import (
	"math"
	"slices"

	"pcpscope/core/api"
	"pcpscope/web/format"
)

// A Limit is a line across the chart.
type Limit struct {
	Value float64 // in the displayed unit
	Label string
}

// onScreen is the factor from the panel's unit, in which thresholds are given, to the
// displayed one: latencies in ms may be drawn in s.
func (p *showing) onScreen() float64 {
	if p.Unit != "ms" {
		return 1
	}
	return 1e-3 / format.Base(p.units) * p.Shown.Factor
}

// levels positions the threshold lines.
func (p *showing) levels(f *api.Frame) []Limit {
	var list []Limit
	for _, t := range p.Thresholds {
		if t.Expression == "" {
			list = append(list, Limit{t.Value * p.onScreen(), t.Label})
			continue
		}
		i := slices.IndexFunc(f.Columns, func(c api.Column) bool { return c.Metric == t.Expression })
		if i < 0 || math.IsNaN(p.Known[i].End) {
			continue
		}
		v := p.Known[i].End
		l := Limit{v * p.Shown.Factor * format.Base(f.Columns[i].Units) / format.Base(p.units), t.Label}
		if l.Label == "CPUs" {
			l.Label = format.Plural(int(v), "CPU")
		}
		if known := &p.Known[i]; known.Min < v*0.95 || known.P95 > v*1.05 { // another kernel has a little more memory, and a damaged record any number
			l.Label += " at the end"
		}
		list = append(list, l)
	}
	return list
}
