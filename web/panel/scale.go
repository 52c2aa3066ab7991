package panel

import (
	"math"
	"strings"

	"pcpscope/web/format"
	"pcpscope/web/metric"
)

// showIn chooses the display unit for values up to a magnitude.
func (p *showing) showIn(text, units string, utilisation bool, largest float64, whole bool) format.Shown {
	if strings.HasPrefix(text, "%") {
		s := format.Shown{Factor: 1, Unit: "%", Of: text, Decimals: 1}
		if text == "% of all CPUs" && p.in.CPUs > 0 && !p.in.Resized {
			s.Of = format.CPUs(p.in.CPUs)
		}
		if utilisation { // the engine gives utilisation as a fraction of 1
			s.Factor = 100
		}
		return s
	}
	s := format.Show(units, utilisation, largest, whole)
	switch {
	case text == "":
	case s.Unit == "" || s.Unit == "count" || s.Unit == "count/s" && strings.HasSuffix(text, "/s"):
		s.Unit, s.Of = "", text
	case text == "hours" && format.Base(units) > 0:
		s = hours(units, largest)
	default: // seconds or bytes per item: the panel says of what
		s.Unit = strings.TrimSuffix(s.Unit, "/count")
	}
	return s
}

// hours shows times in hours, whatever their length.
func hours(units string, largest float64) format.Shown {
	s := format.Shown{Factor: format.Base(units) / 3600, Unit: "h"}
	s.Decimals = format.Decimals(largest*s.Factor, false)
	return s
}

// scale chooses the display unit of the panel: one for all lines, another for those with
// their own scale.
func (p *showing) scale() {
	var largest, inBase [2]float64 // in units, and in bytes or seconds
	whole, first := [2]bool{true, true}, [2]*Series{}
	utilisation := false
	side := func(s *Series) int {
		if s.Right {
			return 1
		}
		return 0
	}
	units := func(s *Series) string { return p.Frame.Columns[s.Column].Units }
	for i := range p.Series {
		s := &p.Series[i]
		k := side(s)
		if first[k] == nil {
			first[k] = s
		}
		if m := p.in.Metric(s.Metric); m != nil {
			utilisation = utilisation || metric.Utilisation(m, p.in.Rates)
		}
		if s.Stats.Count == 0 {
			continue
		}
		v := math.Max(math.Abs(s.Stats.Max), math.Abs(s.Stats.Min))
		if base := v * format.Base(units(s)); base > inBase[k] {
			inBase[k], largest[k], first[k] = base, v, s
		}
		whole[k] = whole[k] && s.Stats.Whole
	}
	if first[0] == nil && first[1] == nil {
		p.Shown, p.units = p.showIn(p.Unit, "", false, 0, true), ""
		return
	}
	shown := [2]format.Shown{}
	for k := range shown {
		if first[k] == nil {
			continue
		}
		text := p.Unit
		if k == 1 {
			text = first[k].Unit
		}
		shown[k] = p.showIn(text, units(first[k]), utilisation && k == 0, largest[k], whole[k])
		if k == 1 && shown[k].Unit == "" && !strings.HasPrefix(text, "%") {
			shown[k].Unit = shown[k].Of // the legend says what the other scale is a percentage of
		}
		if p.Decimals != nil {
			shown[k].Decimals = *p.Decimals
		}
		if p.Bits {
			shown[k] = format.Bits(shown[k], units(first[k]), largest[k])
		}
	}
	if first[0] == nil {
		shown[0], first[0] = shown[1], first[1]
	}
	if p.PerCPU {
		shown[0].Factor /= float64(max(p.in.CPUs, 1))
		shown[0].Of = format.CPUs(p.in.CPUs)
	}
	p.Shown, p.units = shown[0], units(first[0])
	show := func(s *Series) {
		k := side(s)
		if first[k] == nil { // only hidden lines have their own scale
			first[k] = s
			shown[k] = p.showIn(s.Unit, units(s), false, math.Max(math.Abs(s.Stats.Max), math.Abs(s.Stats.Min)), s.Stats.Whole)
		}
		s.Shown = shown[k]
		if u := units(s); p.Tabular() && p.Style != "topn" && !p.Table {
			s.Shown = p.columnShown(s, u)
		} else if of := units(first[k]); u != of {
			s.Shown.Factor *= format.Base(u) / format.Base(of)
		}
	}
	for i := range p.Series {
		show(&p.Series[i])
	}
	for i := range p.Left {
		show(&p.Left[i])
	}
}

// columnShown keeps the unit of a tool-style table's column; other tables get the unit
// that suits the column's largest value.
func (p *showing) columnShown(s *Series, units string) format.Shown {
	if p.Decimals != nil || p.Style != "table" {
		return p.columnInUnits(units)
	}
	if p.columns == nil {
		p.columns = map[string]extent{}
		for i := range p.Series {
			p.columns[p.Series[i].Metric] = p.columns[p.Series[i].Metric].with(&p.Series[i].Stats)
		}
	}
	column := p.columns[s.Metric]
	if s.Unit == "hours" {
		return hours(units, column.largest)
	}
	return format.Show(units, false, column.largest, !column.fractions)
}

// An extent is the range of a column's values.
type extent struct {
	largest   float64 // magnitude
	fractions bool    // not all are integers
}

// with returns the extent extended by one more series.
func (e extent) with(s *Stats) extent {
	if s.Count > 0 {
		e.largest, e.fractions = max(e.largest, math.Abs(s.Max), math.Abs(s.Min)), e.fractions || !s.Whole
	}
	return e
}

func (p *showing) columnInUnits(units string) format.Shown {
	s := format.Shown{Factor: 1, Unit: format.Short(units), Decimals: 2}
	if p.Decimals != nil {
		s.Decimals = *p.Decimals
	}
	return s
}
