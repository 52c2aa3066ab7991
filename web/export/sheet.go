// Package export writes what the page shows for other programs and people: values
// as CSV and JSON, a report, the command lines of PCP's tools that print the same.
package export

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/metric"
	"pcpscope/web/panel"
	"pcpscope/web/timeline"
)

// A Panel is a panel with what it shows.
type Panel struct {
	*panel.Settings
	*panel.View
}

// A Sheet is the panels of a source that are to be written, and for when.
type Sheet struct {
	Source *api.Source
	Clock  format.Clock
	Window timeline.Window
	Panels []Panel

	OtherZone bool                          // Clock is not the archive's own
	Metric    func(name string) *api.Metric // nil where the source has none
}

// A column of an export: one series of a panel in the window.
type exported struct {
	series *panel.Series
	column *api.Column
	all    []float64 // its values
	stands string    // of what they are
	frame  *api.Frame
	shown  format.Shown
	of     *Panel
}

func (w *Sheet) columns() []exported {
	var list []exported
	for k := range w.Panels {
		p := &w.Panels[k]
		if p.Frame == nil {
			continue
		}
		for i := range p.Series {
			s := &p.Series[i]
			c := &p.Frame.Columns[s.Column]
			if c.Fault != nil || c.Strings != nil || p.Load == nil {
				continue
			}
			if values, _ := p.Load(s.Column); len(values) == len(p.Frame.Times) {
				e := exported{s, c, values, "", p.Frame, s.ShownIn(p.View), p}
				low, high := p.band(s.Column)
				if high == nil {
					list = append(list, e)
					continue
				}
				for _, part := range []struct {
					values []float64
					stands string
				}{{values, p.Stands()}, {low, "lowest"}, {high, "highest"}} {
					e.all, e.stands = part.values, part.stands
					list = append(list, e)
				}
			}
		}
	}
	return list
}

// band is the lowest and the highest value that each point of a column stands
// for; nil where every point tells all there is, and where the points are samples.
func (p *Panel) band(column int) (low, high []float64) {
	if p.Band == nil || p.Reduced() == "sample" {
		return nil, nil
	}
	if low, high = p.Band(column); len(high) != len(p.Frame.Times) {
		return nil, nil
	}
	return low, high
}

// times are the moments of the columns within the window, in order, each once.
func (w *Sheet) times(columns []exported) []pcp.Time {
	var list []pcp.Time
	seen := map[*api.Frame]bool{}
	for _, c := range columns {
		if seen[c.frame] {
			continue
		}
		seen[c.frame] = true
		var own []pcp.Time
		for i := range c.frame.Times {
			if t := timeline.At(c.frame, i); w.Window.Contains(t) {
				own = append(own, t)
			}
		}
		list = merge(list, own)
	}
	return list
}

func merge(a, b []pcp.Time) []pcp.Time {
	out := make([]pcp.Time, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case len(a) == 0 || b[0] < a[0]:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return out
}

// values walks over a column along the given times; NaN where it has none.
func (c exported) values(times []pcp.Time) []float64 {
	out := make([]float64, len(times))
	k := 0
	for i, t := range times {
		out[i] = math.NaN()
		for k < len(c.frame.Times) && timeline.At(c.frame, k) < t {
			k++
		}
		if k < len(c.frame.Times) && timeline.At(c.frame, k) == t {
			out[i] = c.all[k] * c.shown.Factor
		}
	}
	return out
}

// name is the metric with its instance, or the panel and the line where an
// expression is drawn.
func (c exported) name() string {
	if !metric.IsName(c.series.Metric) {
		return c.of.Heading() + ": " + c.series.Label
	}
	if c.series.Instance != "" {
		return c.series.Metric + "[" + c.series.Instance + "]"
	}
	return c.series.Metric
}

// unit is the unit of the values as they are drawn.
func (c exported) unit() string {
	if c.shown.Of != "" {
		return c.shown.Of
	}
	return c.shown.Unit
}

// CSV writes panels as a table: a line for each moment, in the host's time
// with its distance from UTC, a column for each series with its unit; empty
// where there is no value. Where points stand for several observations there are
// three for each series, and their heads say of what. RFC 4180.
func (w *Sheet) CSV() string {
	columns := w.columns()
	times := w.times(columns)
	var b strings.Builder
	b.WriteString("time")
	table := make([][]float64, len(columns))
	for i, c := range columns {
		table[i] = c.values(times)
		head := c.name()
		if u := c.unit(); u != "" {
			head += " (" + u + ")"
		}
		if c.stands != "" {
			head += ", " + c.stands
		}
		b.WriteString("," + format.CSVCell(head))
	}
	b.WriteString("\r\n")
	for k, t := range times {
		b.WriteString(w.stamp(t))
		for i := range columns {
			b.WriteByte(',')
			if v := table[i][k]; !math.IsNaN(v) {
				b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
			}
		}
		b.WriteString("\r\n")
	}
	return b.String()
}

// stamp writes a time on the host's clock as RFC 3339 has it.
func (w *Sheet) stamp(t pcp.Time) string {
	return t.Std().In(time.FixedZone("", w.Clock.At(t))).Format("2006-01-02T15:04:05.999999999Z07:00")
}

// JSON writes panels with what is known of each series.
func (w *Sheet) JSON() string {
	type series struct {
		Metric    string     `json:"metric"`
		Instance  string     `json:"instance,omitempty"`
		Title     string     `json:"title,omitempty"` // what people call the instance
		Units     string     `json:"units"`           // of values, as they are drawn
		Semantics string     `json:"semantics"`
		Stands    string     `json:"stands,omitempty"` // what values are of several observations: "mean of each 15 min", "lowest", "highest"
		Values    []*float64 `json:"values"`
	}
	columns := w.columns()
	times := w.times(columns)
	out := struct {
		Source string   `json:"source"`
		Host   string   `json:"host,omitempty"`
		Zone   string   `json:"zone"`
		Times  []string `json:"times"`
		Series []series `json:"series"`
	}{w.Source.Name, w.Source.Host, w.Clock.Name, []string{}, []series{}}
	for _, t := range times {
		out.Times = append(out.Times, w.stamp(t))
	}
	for _, c := range columns {
		s := series{Metric: c.series.Metric, Instance: c.series.Instance, Title: c.series.Title(), Units: c.unit(), Semantics: c.column.Semantics, Stands: c.stands}
		for _, v := range c.values(times) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				s.Values = append(s.Values, nil)
			} else {
				s.Values = append(s.Values, &v)
			}
		}
		out.Series = append(out.Series, s)
	}
	text, _ := json.MarshalIndent(out, "", " ")
	return string(text) + "\n"
}
