package canvas

import (
	"math"
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/wasm/rpc"
	"pcpscope/web/app"
	"pcpscope/web/format"
	"pcpscope/web/panel"
)

// panel is a panel with its data, in the form required by its style.
func (c *Charts) panel(tab *app.Tab, p *app.Panel) Panel {
	out := Panel{
		ID: p.ID, Rev: p.Rev, Title: p.Heading(), Unit: p.Shown.Unit, Decimals: p.Shown.Decimals, Style: drawnAs(p, c.app.Layout.Tables),
		Stack: p.Stacked(), Mirror: slices.ContainsFunc(p.Series, func(s panel.Series) bool { return s.Below }), Log: p.Log, Share: p.Share,
		Max: p.Max, Reduced: p.Reduced(), ReadTo: readTo(tab, p.Frame.ReadTo), Words: panel.Reasons(), Near: p.Near,
		Times: rpc.Floats(shifted(p.Frame.Times, seconds(tab, p.Frame.Start))),
	}
	if p.Total >= 0 && !p.Tabular() {
		_, out.Total = p.Band(p.Total)
	}
	if p.High > p.Low {
		out.Fixed = &Ends{Low: p.Low, High: p.High}
	}
	for _, l := range p.Levels {
		out.Levels = append(out.Levels, Level{Value: l.Value, Label: l.Label})
	}
	switch out.Style {
	case "state":
		lanes(tab, p, &out)
	case "event":
		events(tab, p, &out)
	default:
		lines(tab, p, &out)
	}
	return out
}

// drawnAs is the style in which the canvases draw a panel.
func drawnAs(p *app.Panel, tables bool) string {
	switch {
	case p.Style == "table" || p.Style == "rows":
		return p.Style
	case p.Table || tables:
		return "rows"
	}
	return p.Style
}

// lines are the lines of a chart, and those not drawn but listed in the legend.
func lines(tab *app.Tab, p *app.Panel, out *Panel) {
	table, peak := out.Style == "table" || out.Style == "rows", 0.0
	for i := range p.Series {
		s := &p.Series[i]
		drawn := p.Drawn(s) || table
		if !drawn && !s.Hidden {
			continue
		}
		column := &p.Frame.Columns[s.Column]
		line := lineOf(i, s)
		line.Stepped = column.Semantics == "discrete"
		line.Values, line.Why = p.Column(s.Column)
		line.Low, line.High = p.Band(s.Column)
		if column.Strings != nil {
			line.Values, line.Texts = rpc.Floats(nil), column.Strings
			out.Lines = append(out.Lines, line)
			continue
		}
		line.Factor = s.Shown.Factor
		if d, ok := p.Observed[s.Key]; ok {
			line.Dots = &Dots{Times: shifted(d.Times, seconds(tab, d.Start)), Values: make([]float64, len(d.Values))}
			for k, v := range d.Values {
				line.Dots.Values[k] = v * s.Shown.Factor
			}
		}
		if !drawn {
			out.LegendOnly = append(out.LegendOnly, line)
			continue
		}
		if out.Style == "heatmap" {
			if v := p.Known[s.Column].Peak * s.Shown.Factor; v > peak {
				peak = v
			}
			out.Rows = append(out.Rows, s.Label)
		}
		out.Lines = append(out.Lines, line)
	}
	out.Peak = max(peak, p.Max)
}

// lineOf is a line without its values.
func lineOf(i int, s *panel.Series) Line {
	return Line{
		Index: i, Label: s.Label, Instance: s.Instance, Called: s.Called, Metric: s.Metric, Column: columnName(s), Colour: s.Colour,
		Below: s.Below, Bold: s.Bold, Right: s.Right, Hatched: s.Estimated(), Decimals: s.Shown.Decimals, Unit: s.Shown.Unit, Factor: 1, Last: s.Stats.Last * s.Shown.Factor,
	}
}

// columnName is the header of a series' column in a table with one row per instance.
func columnName(s *panel.Series) string {
	if s.Name != "" {
		return s.Name
	}
	return s.Metric
}

// events are event records, with one row per line.
func events(tab *app.Tab, p *app.Panel, out *Panel) {
	for i := range p.Series {
		s := &p.Series[i]
		if !p.Drawn(s) {
			continue
		}
		list := p.Occurrences(s)
		marks := &Marks{At: make([]float64, len(list)), Flags: make([]string, len(list)), Texts: make([]string, len(list))}
		for k, o := range list {
			marks.At[k], marks.Flags[k], marks.Texts[k] = o.Time+seconds(tab, p.Frame.Start), o.Flags, o.Text
		}
		line := lineOf(i, s)
		line.Marks = marks
		out.Lines = append(out.Lines, line)
		out.Rows = append(out.Rows, s.Label)
	}
}

// lanes are states: values are indices that apply to all rows.
func lanes(tab *app.Tab, p *app.Panel, out *Panel) {
	times, from := tab.WithBreaks(p.Frame) // a state ends where recording does
	out.Times = rpc.Floats(shifted(times, seconds(tab, p.Frame.Start)))
	out.Unit = format.Dash
	state := func(text string) float64 { return float64(p.State(text)) }
	for i := range p.Series {
		s := &p.Series[i]
		if !p.Drawn(s) {
			continue
		}
		column := &p.Frame.Columns[s.Column]
		logged, reasons := p.Load(s.Column)
		values, why := make([]float64, len(times)), make([]byte, len(times))
		for i, k := range from {
			values[i] = math.NaN()
			if k < 0 {
				why[i] = byte(series.AcrossMark)
				continue
			}
			if k < len(reasons) {
				why[i] = reasons[k]
			}
			if i > 0 && column.Strings != nil && series.Why(why[i]) != series.InstanceAbsent { // a string holds until the next one, or its instance is gone
				values[i] = values[i-1]
			}
			switch {
			case k < len(column.Strings) && column.Strings[k] != nil:
				values[i] = state(*column.Strings[k])
			case k < len(logged) && !math.IsNaN(logged[k]):
				values[i] = state(s.Shown.Text(logged[k]))
			}
		}
		line := lineOf(i, s)
		line.Last = math.NaN()
		switch {
		case column.Strings == nil && !math.IsNaN(s.Stats.Last):
			line.Last = state(s.Shown.Text(s.Stats.Last))
		case column.Strings != nil:
			for k, v := range values {
				if at := p.Frame.Start + pcp.Time(math.Round(times[k]*1e9)); at <= p.Window.End {
					line.Last = v
				}
			}
		}
		line.Values, line.Why = rpc.Floats(values), rpc.Bytes(why)
		out.Lines = append(out.Lines, line)
		out.Rows = append(out.Rows, s.Label)
	}
	out.States = p.States()
}
