package state

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
	"pcpscope/web/format"
)

// Look is how a panel shows its values, beside what Panel itself says. The
// slices are never changed in place.
type Look struct {
	Part       string   // of the dashboard: its ID there; "" for a panel of the user's
	Style      string   // as api.DashboardPanel.Style; "" is a line
	Table      bool     // shown as a table
	Unit       string   // as people write it; "" where the values' own unit holds
	Strokes    []Stroke // one for each of Metrics, or none
	Thresholds []api.Threshold
	Max        float64 // upper end of the scale; 0 for that of the values
	Low, High  float64 // of a scale that the user fixed: High > Low
	Share      bool    // each line by its own largest value
	Bits       bool    // bytes a second shown as bits
	Dots       bool    // the observations themselves, over the lines
	Top        int     // how many lines; 0 for MostLines
	Filter     string  // a regular expression that labels of lines match
	Order      string  // of the legend: "" as drawn, "name", "avg", "p95", "max"
	Leaves     bool    // of instances that contain others the innermost are shown, unless Whole
	Slices     bool    // of cgroups the slices that they are in are shown
	Whole      bool    // what the dashboard leaves out at first is shown, too
	Decimals   *int    // of a table that copies a tool's
	Usual      string
	Next       string
	Commands   []string
	Who        *Who // the values are shares of processes
}

// A Stroke says how one of a panel's metrics is drawn.
type Stroke struct {
	Name, Role  string
	Unit, Units string
	All         string // the metric for all instances, where the dashboard leaves some out; once Whole, the other way round
	Below       bool   // drawn downwards
	Bold        bool
	Right       bool // on a scale of its own
	Quiet       bool // not drawn at first
}

// line returns how a metric of the panel is drawn.
func (p *Panel) line(metric string) Stroke {
	if i := slices.Index(p.Metrics, metric); i >= 0 && i < len(p.Strokes) {
		return p.Strokes[i]
	}
	return Stroke{}
}

// Stacked says whether the lines are areas upon each other.
func (p *Panel) Stacked() bool {
	switch p.Style {
	case "stack", "utilisation", "mirror":
		return true
	case "topn":
		return p.additive()
	}
	return p.Stack
}

// Tabular says whether the panel is a table.
func (p *Panel) Tabular() bool { return p.Table || p.Style == "table" || p.Style == "rows" }

// Lanes and Heat are the styles that draw one row for each instance.
func (p *Panel) Lanes() bool { return p.Style == "state" && !p.Table }
func (p *Panel) Heat() bool  { return p.Style == "heatmap" && !p.Table }

// ByInstance says whether there is a row for each instance, of which there
// may be many.
func (p *Panel) ByInstance() bool {
	return p.Style == "heatmap" || p.Style == "state" || p.Style == "event" || p.Tabular()
}

// additive says whether a sum of the lines means something.
func (p *Panel) additive() bool {
	switch {
	case p.Who != nil || p.Unit == "" || strings.HasPrefix(p.Unit, "% of one CPU"):
		return true
	case strings.HasPrefix(p.Unit, "%") || strings.Contains(p.Unit, "°") || strings.HasSuffix(p.Unit, "Hz"):
		return false
	}
	return true
}

// most is how many lines are drawn.
func (p *Panel) most() int {
	switch {
	case p.ByInstance() || p.Who != nil || p.Stacked() && p.Style != "topn" && !p.wide():
		return math.MaxInt
	case p.Top > 0:
		return p.Top
	}
	return MostLines
}

// wide says whether there are lines for instances.
func (p *Panel) wide() bool {
	return slices.ContainsFunc(p.Series, func(s Series) bool { return s.Instance != "" })
}

// SumsUp says whether a line stands for all those that are not drawn.
func (p *Panel) SumsUp() bool {
	return slices.ContainsFunc(p.Series, func(s Series) bool { return s.Kind == "others" })
}

// matches says whether a label passes the filter; a text that is no regular
// expression is looked for as it is.
func (p *Panel) matches() func(label string) bool {
	if p.Filter == "" {
		return func(string) bool { return true }
	}
	re, err := regexp.Compile("(?i)" + p.Filter)
	if err != nil {
		re = regexp.MustCompile("(?i)" + regexp.QuoteMeta(p.Filter))
	}
	return re.MatchString
}

// Rest is a line that sums up those that are not drawn by themselves.
const restKey = "\x00rest"

// choose picks the lines that are drawn: where there are too many the
// largest, and as one the rest of them, where a sum means something.
func (p *Panel) choose(w *Work, window Window) {
	if len(p.Series) > p.most() { // what has no value in the window is no line
		if lines := p.valued(window); len(lines) > 0 {
			p.Series = lines
		}
	}
	var candidates []int
	match, alone := p.matches(), p.alone(w.Only)
	for i := range p.Series {
		if alone && p.Series[i].Instance != w.Only && p.Series[i].Instance != "" {
			continue
		}
		if match(p.Series[i].Label) {
			candidates = append(candidates, i)
		}
	}
	p.Matching, p.Alone = len(candidates), alone
	most := p.most()
	if len(candidates) > most {
		p.rank(candidates, window)
		candidates = candidates[:most]
		if p.Style != "topn" {
			slices.Sort(candidates)
		}
	} else if p.Style == "topn" && p.Who == nil {
		p.rank(candidates, window)
	}
	drawn := make([]Series, 0, len(candidates)+1)
	for _, i := range candidates {
		drawn = append(drawn, p.Series[i])
	}
	if p.Stacked() && p.additive() && p.Filter == "" && !alone && len(p.Series) > len(candidates) {
		if rest := p.rest(candidates); p.Style == "topn" { // on top, as the legend lists them
			drawn = slices.Insert(drawn, 0, rest)
		} else {
			drawn = append(drawn, rest)
		}
	}
	p.All = len(p.Series)
	chosen := make([]bool, len(p.Series))
	for _, i := range candidates {
		chosen[i] = true
	}
	for i, s := range p.Series {
		if !chosen[i] {
			p.Left = append(p.Left, s)
		}
	}
	p.Series = drawn
	for i := range p.Series {
		s := &p.Series[i]
		s.Stats = statsOf(p.Frame.Start, p.Frame.Times, p.Frame.Columns[s.Column].Values, window)
	}
}

// valued lists the series that have a value in the window, or a fault instead.
func (p *Panel) valued(window Window) []Series {
	from, to := float64(window.Start-p.Frame.Start)/1e9, float64(window.End-p.Frame.Start)/1e9
	var list []Series
	for _, s := range p.Series {
		for k, v := range p.Frame.Columns[s.Column].Values {
			if s.Fault != "" || !math.IsNaN(v) && p.Frame.Times[k] >= from && p.Frame.Times[k] <= to {
				list = append(list, s)
				break
			}
		}
	}
	return list
}

// rank sorts candidates, the largest first: by sum where a sum means
// something, else by maximum.
func (p *Panel) rank(candidates []int, window Window) {
	from, to := float64(window.Start-p.Frame.Start)/1e9, float64(window.End-p.Frame.Start)/1e9
	weight := make(map[int]float64, len(candidates))
	sums := p.additive()
	for _, i := range candidates {
		total := math.Inf(-1)
		for k, v := range p.Frame.Columns[p.Series[i].Column].Values {
			if math.IsNaN(v) || p.Frame.Times[k] < from || p.Frame.Times[k] > to {
				continue
			}
			switch {
			case math.IsInf(total, -1):
				total = v
			case sums:
				total += v
			default:
				total = max(total, v)
			}
		}
		weight[i] = total
	}
	sorting.Stable(candidates, func(a, b int) int {
		switch x, y := weight[a], weight[b]; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
}

// rest appends to the frame the sum of all lines but those chosen.
func (p *Panel) rest(chosen []int) Series {
	keep := map[int]bool{}
	for _, i := range chosen {
		keep[i] = true
	}
	n := len(p.Frame.Times)
	sum := make([]float64, n)
	for k := range sum {
		sum[k] = math.NaN()
	}
	like := api.Column{}
	for i := range p.Series {
		if keep[i] {
			continue
		}
		c := p.Frame.Columns[p.Series[i].Column]
		like = c
		for k, v := range c.Values {
			if !math.IsNaN(v) {
				if math.IsNaN(sum[k]) {
					sum[k] = 0
				}
				sum[k] += v
			}
		}
	}
	p.Frame.Columns = append(p.Frame.Columns, api.Column{Metric: like.Metric, Units: like.Units, Type: like.Type, Semantics: like.Semantics, Values: sum})
	return Series{Key: restKey, Label: "all others", Metric: like.Metric, Column: len(p.Frame.Columns) - 1, Kind: "others"}
}

// showIn chooses the unit of values whose largest magnitude is given.
func (w *Work) showIn(text, units string, utilisation bool, largest float64, whole bool) format.Shown {
	if strings.HasPrefix(text, "%") {
		s := format.Shown{Factor: 1, Unit: "%", Of: text, Decimals: 1}
		if text == "% of all CPUs" && w.CPUs > 0 {
			s.Of = format.CPUs(w.CPUs)
		}
		if utilisation { // a share as the engine gives it: of 1
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
	default: // time or data for each: the panel says of what
		s.Unit = strings.TrimSuffix(s.Unit, "/count")
	}
	return s
}

// hours shows times in hours, however long they are.
func hours(units string, largest float64) format.Shown {
	s := format.Shown{Factor: format.Base(units) / 3600, Unit: "h"}
	s.Decimals = format.Decimals(largest*s.Factor, false)
	return s
}

// limits are the metrics that thresholds are made of.
func (p *Panel) limits() []string {
	var list []string
	for _, t := range p.Thresholds {
		if t.Expression != "" {
			list = append(list, t.Expression)
		}
	}
	return list
}

// A Limit is a line across the chart.
type Limit struct {
	Value float64 // as on screen
	Label string
}

// onScreen makes values in the panel's unit, in which thresholds are given,
// those of the unit that is shown: latencies in ms may be drawn in s.
func (p *Panel) onScreen() float64 {
	if p.Unit != "ms" {
		return 1
	}
	return 1e-3 / format.Base(p.units) * p.Shown.Factor
}

// levels works out where thresholds lie.
func (p *Panel) levels(f *api.Frame) []Limit {
	var list []Limit
	for _, t := range p.Thresholds {
		if t.Expression == "" {
			list = append(list, Limit{t.Value * p.onScreen(), t.Label})
			continue
		}
		for _, c := range f.Columns {
			if c.Metric != t.Expression {
				continue
			}
			for _, v := range slices.Backward(c.Values) {
				if !math.IsNaN(v) {
					l := Limit{v * p.Shown.Factor * format.Base(c.Units) / format.Base(p.units), t.Label}
					if l.Label == "CPUs" {
						l.Label = format.Plural(int(v), "CPU")
					}
					list = append(list, l)
					break
				}
			}
			break
		}
	}
	return list
}

// Observations are what was logged of one line.
type Observations struct {
	Start  pcp.Time
	Times  []float64 // seconds after Start
	Values []float64 // in the unit of the frame
}
