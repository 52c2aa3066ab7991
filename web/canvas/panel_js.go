package canvas

import (
	"math"
	"slices"
	"syscall/js"

	"pcpscope/core/series"
	"pcpscope/web/app"
	"pcpscope/web/format"
	"pcpscope/web/panel"
)

// panel hands the data of a panel over, in the form of its style: see
// static/charts/panel.js, rows.js and table.js.
func (c *Charts) panel(tab *app.Tab, p *app.Panel) {
	spec := object()
	spec.Set("id", p.ID)
	spec.Set("rev", p.Rev)
	spec.Set("title", p.Heading())
	spec.Set("unit", p.Shown.Unit)
	spec.Set("decimals", p.Shown.Decimals)
	spec.Set("style", drawnAs(p, c.app.Layout.Tables))
	spec.Set("stack", p.Stacked())
	spec.Set("mirror", slices.ContainsFunc(p.Series, func(s panel.Series) bool { return s.Below }))
	spec.Set("log", p.Log)
	spec.Set("share", p.Share)
	spec.Set("max", p.Max)
	if p.High > p.Low {
		spec.Set("fixed", []any{p.Low, p.High})
	}
	levels := []any{}
	for _, l := range p.Levels {
		levels = append(levels, map[string]any{"value": l.Value, "label": l.Label})
	}
	spec.Set("levels", levels)
	spec.Set("readTo", readTo(tab, p.Frame.ReadTo))
	words := []any{}
	for _, word := range panel.Reasons() {
		words = append(words, word)
	}
	spec.Set("words", words)
	spec.Set("near", p.Near)
	spec.Set("times", floats(shifted(tab, p.Frame.Start, p.Frame.Times)))
	switch style := drawnAs(p, c.app.Layout.Tables); style {
	case "state":
		c.lanes(tab, spec, p)
	case "event":
		c.marks(tab, spec, p)
	default:
		c.lines(tab, spec, p, style)
	}
	c.Js.Call("panel", spec)
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

func (c *Charts) lines(tab *app.Tab, spec js.Value, p *app.Panel, style string) {
	lines, rows, quiet := []any{}, []any{}, []any{} // quiet: not drawn, but read in the legend
	peak, before := 0.0, c.sentOf(tab, p)
	for i := range p.Series {
		s := &p.Series[i]
		drawn := p.Drawn(s) || style == "table" || style == "rows"
		if !drawn && !s.Hidden {
			continue
		}
		column := &p.Frame.Columns[s.Column]
		line, known := before.line(p, i)
		if known {
			if !drawn {
				quiet = append(quiet, line)
				continue
			}
			peak = max(peak, before.peaks[i])
			lines, rows = append(lines, line), append(rows, s.Label)
			continue
		}
		line.Set("index", i)
		line.Set("label", s.Label)
		line.Set("instance", s.Instance)
		line.Set("called", s.Called)
		line.Set("line", s.Metric)
		line.Set("column", columnName(s))
		line.Set("colour", s.Colour)
		line.Set("stepped", column.Semantics == "discrete")
		line.Set("below", s.Below)
		line.Set("bold", s.Bold)
		line.Set("right", s.Right)
		line.Set("hatched", s.Kind == "in no sample")
		line.Set("decimals", s.Shown.Decimals)
		line.Set("unit", s.Shown.Unit)
		if column.Strings != nil {
			texts := make([]any, len(column.Strings))
			for k, v := range column.Strings {
				if v != nil {
					texts[k] = *v
				}
			}
			line.Set("texts", texts)
			line.Set("values", floats(nil))
			lines = append(lines, line)
			continue
		}
		scaled := make([]float64, len(column.Values))
		for k, v := range column.Values {
			scaled[k] = v * s.Shown.Factor
			if scaled[k] > before.peaks[i] {
				before.peaks[i] = scaled[k]
			}
		}
		peak = max(peak, before.peaks[i])
		line.Set("values", floats(scaled))
		if len(column.Why) > 0 {
			line.Set("why", octets(column.Why))
		}
		if d, ok := p.Observed[s.Key]; ok {
			dots := object()
			values := make([]float64, len(d.Values))
			for k, v := range d.Values {
				values[k] = v * s.Shown.Factor
			}
			dots.Set("times", floats(shifted(tab, d.Start, d.Times)))
			dots.Set("values", floats(values))
			line.Set("dots", dots)
		}
		if !drawn {
			quiet = append(quiet, line)
			continue
		}
		lines = append(lines, line)
		rows = append(rows, s.Label)
	}
	spec.Set("series", lines)
	spec.Set("quiet", quiet)
	if style == "heatmap" {
		if p.Max > 0 {
			peak = math.Max(peak, p.Max)
		}
		spec.Set("rows", rows)
		spec.Set("peak", peak)
	}
}

// columnName heads the column of a series in a table with a row for each
// instance.
func columnName(s *panel.Series) string {
	if s.Name != "" {
		return s.Name
	}
	return s.Metric
}

// marks hands over event records: a row for each line.
func (c *Charts) marks(tab *app.Tab, spec js.Value, p *app.Panel) {
	lines, rows := []any{}, []any{}
	for i := range p.Series {
		s := &p.Series[i]
		if !p.Drawn(s) {
			continue
		}
		list := p.Occurrences(s)
		times, flags, texts := make([]float64, len(list)), make([]any, len(list)), make([]any, len(list))
		for k, o := range list {
			times[k], flags[k], texts[k] = o.Time, o.Flags, o.Text
		}
		line := object()
		line.Set("index", i)
		line.Set("label", s.Label)
		line.Set("colour", s.Colour)
		line.Set("values", floats(nil))
		line.Set("at", floats(shifted(tab, p.Frame.Start, times)))
		line.Set("flags", flags)
		line.Set("texts", texts)
		lines = append(lines, line)
		rows = append(rows, s.Label)
	}
	spec.Set("series", lines)
	spec.Set("rows", rows)
}

// lanes numbers the states of all rows.
func (c *Charts) lanes(tab *app.Tab, spec js.Value, p *app.Panel) {
	times, from := tab.Broken(p.Frame) // a state ends where recording does
	spec.Set("times", floats(shifted(tab, p.Frame.Start, times)))
	lines, rows, states := []any{}, []any{}, []any{}
	number := map[string]int{}
	state := func(text string) float64 {
		n, ok := number[text]
		if !ok {
			n = len(states)
			number[text] = n
			states = append(states, text)
		}
		return float64(n)
	}
	for i := range p.Series {
		s := &p.Series[i]
		if !p.Drawn(s) {
			continue
		}
		column := &p.Frame.Columns[s.Column]
		values, why := make([]float64, len(times)), make([]byte, len(times))
		for i, k := range from {
			values[i] = math.NaN()
			if k < 0 {
				why[i] = byte(series.AcrossMark)
				continue
			}
			if i > 0 && column.Strings != nil { // a text holds until the next
				values[i] = values[i-1]
			}
			if k < len(column.Why) {
				why[i] = column.Why[k]
			}
			switch {
			case k < len(column.Strings) && column.Strings[k] != nil:
				values[i] = state(*column.Strings[k])
			case k < len(column.Values) && !math.IsNaN(column.Values[k]):
				values[i] = state(s.Shown.Text(column.Values[k]))
			}
		}
		line := object()
		line.Set("index", i)
		line.Set("colour", s.Colour)
		line.Set("values", floats(values))
		line.Set("why", octets(why))
		lines = append(lines, line)
		rows = append(rows, s.Label)
	}
	spec.Set("series", lines)
	spec.Set("rows", rows)
	spec.Set("states", states)
	spec.Set("unit", format.Dash)
}
