// Package export writes what the page shows for other programs and people: values
// as CSV and JSON, pictures, and the command lines of PCP's tools that print the
// same numbers.
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

// A Panel is a panel with its values.
type Panel struct {
	*panel.Settings
	*panel.View
}

// A Sheet is a set of panels of a source, and the window to write.
type Sheet struct {
	Source *api.Source
	Clock  format.Clock
	Window timeline.Window
	Panels []Panel

	OtherZone bool                          // Clock is not in the archive's own zone
	Metric    func(name string) *api.Metric // nil where the source has none
}

// A column of an export: one series of a panel in the window.
type exported struct {
	series *panel.Series
	column *api.Column
	all    []float64 // its values
	stands string    // what a value is of its observations, such as the mean
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
				}{{values, p.PointText()}, {low, "lowest"}, {high, "highest"}} {
					e.all, e.stands = part.values, part.stands
					list = append(list, e)
				}
			}
		}
	}
	return list
}

// band is the minimum and maximum behind each point of a column; nil where every
// point is a single observation or a sample.
func (p *Panel) band(column int) (low, high []float64) {
	if p.Band == nil || p.Reduced() == "sample" {
		return nil, nil
	}
	if low, high = p.Band(column); len(high) != len(p.Frame.Times) {
		return nil, nil
	}
	return low, high
}

// times are the distinct times of the columns within the window, ascending.
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

// values samples a column at the given times; NaN where it has no value. Exact has the digits of
// integers that a double rounds, and "" for other values; it is nil if there are none.
func (c exported) values(times []pcp.Time) (values []float64, exact []string) {
	values = make([]float64, len(times))
	k := 0
	for i, t := range times {
		values[i] = math.NaN()
		for k < len(c.frame.Times) && timeline.At(c.frame, k) < t {
			k++
		}
		if k == len(c.frame.Times) || timeline.At(c.frame, k) != t {
			continue
		}
		values[i] = c.all[k] * c.shown.Factor
		if digits := c.digits(k, values[i]); digits != "" {
			if exact == nil {
				exact = make([]string, len(times))
			}
			exact[i] = digits
		}
	}
	return values, exact
}

// digits writes a value out of the logged integer, if that is what it is and a double may have
// rounded it; otherwise it returns "".
func (c exported) digits(k int, v float64) string {
	if !(math.Abs(v) >= 1<<53) {
		return ""
	}
	switch list := c.column.Exact.(type) {
	case []int64:
		if k < len(list) && float64(list[k]) == v {
			return strconv.FormatInt(list[k], 10)
		}
	case []uint64:
		if k < len(list) && float64(list[k]) == v {
			return strconv.FormatUint(list[k], 10)
		}
	}
	return ""
}

// name is the metric and instance, or panel and line if an expression is
// drawn.
func (c exported) name() string {
	if !metric.IsName(c.series.Metric) {
		return c.of.Heading() + ": " + c.series.Label
	}
	if c.series.Instance != "" {
		return c.series.Metric + "[" + c.series.Instance + "]"
	}
	return c.series.Metric
}

// unit is the unit in which the values are drawn.
func (c exported) unit() string {
	if c.shown.Of != "" {
		return c.shown.Of
	}
	return c.shown.Unit
}

// CSV writes panels as a table (RFC 4180): a line for each time, in the host's
// local time with its UTC offset, and a column for each series with its unit;
// empty where there is no value. If points stand for several observations, each
// series has three columns, whose headers say what they are.
func (w *Sheet) CSV() string {
	columns := w.columns()
	times := w.times(columns)
	var b strings.Builder
	b.WriteString("time")
	table, digits := make([][]float64, len(columns)), make([][]string, len(columns))
	for i, c := range columns {
		table[i], digits[i] = c.values(times)
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
			switch v := table[i][k]; {
			case digits[i] != nil && digits[i][k] != "":
				b.WriteString(digits[i][k])
			case !math.IsNaN(v):
				b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
			}
		}
		b.WriteString("\r\n")
	}
	return b.String()
}

// stamp writes a local time of the host as in RFC 3339.
func (w *Sheet) stamp(t pcp.Time) string {
	return t.Std().In(time.FixedZone("", w.Clock.At(t))).Format("2006-01-02T15:04:05.999999999Z07:00")
}

// JSON writes panels with the metadata of each series.
func (w *Sheet) JSON() string {
	type series struct {
		Metric    string `json:"metric"`
		Instance  string `json:"instance,omitempty"`
		Title     string `json:"title,omitempty"` // the instance's human-readable name
		Units     string `json:"units"`           // of the values as drawn
		Semantics string `json:"semantics"`
		PointText string `json:"stands,omitempty"` // how values summarise several observations: "mean of each 15 min", "lowest", "highest"
		Values    []any  `json:"values"`           // numbers, and null where there is none
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
		s := series{Metric: c.series.Metric, Instance: c.series.Instance, Title: c.series.Title(), Units: c.unit(), Semantics: c.column.Semantics, PointText: c.stands}
		values, digits := c.values(times)
		for i, v := range values {
			switch {
			case digits != nil && digits[i] != "":
				s.Values = append(s.Values, json.Number(digits[i]))
			case math.IsNaN(v) || math.IsInf(v, 0):
				s.Values = append(s.Values, nil)
			default:
				s.Values = append(s.Values, v)
			}
		}
		out.Series = append(out.Series, s)
	}
	text, _ := json.MarshalIndent(out, "", " ")
	return string(text) + "\n"
}
