package panel

import (
	"cmp"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/chart"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
	"pcpscope/web/format"
	"pcpscope/web/metric"
	"pcpscope/web/timeline"
)

// showing is a view being computed.
type showing struct {
	Settings
	View
	in      Context
	columns map[string]extent // of a table, by metric
}

// Show computes what a panel with these settings shows of a reply. It modifies none of its
// arguments.
func Show(settings Settings, answer Answer, in Context) View {
	p := &showing{Settings: settings, View: View{Answer: answer}, in: in}
	p.show()
	return p.View
}

func (p *showing) show() {
	f := DescribeEvents(p.Frame)
	p.Frame = f
	for i := range f.Columns {
		if i == p.Others || f.Columns[i].Instance != nil && f.Columns[i].Instance.ID == chart.Summed {
			continue // strings are listed below the chart
		}
		c := &f.Columns[i]
		if p.Breakdown == nil && !slices.Contains(p.Metrics, c.Metric) {
			continue // a threshold, or the total
		}
		if c.Strings != nil && !p.ByInstance() {
			p.Texts = append(p.Texts, slices.DeleteFunc(texts(f, c), func(t Text) bool { return t.At > p.Window.End })...)
			continue
		}
		s := Series{Key: c.Metric, Label: p.label(c), Metric: c.Metric, Column: i, LineStyle: p.line(c.Metric)}
		if c.Instance != nil {
			s.Instance, s.Called = c.Instance.Name, cmp.Or(c.Title, c.Instance.Name)
			s.Key = KeyOf(c.Metric, c.Instance.Name)
		}
		if c.Fault != nil {
			s.Fault = c.Fault.Message
		}
		if p.Breakdown != nil {
			s.Kind = c.Operand
		}
		p.Series = append(p.Series, s)
	}
	p.leaveOutUnchosen()
	if p.InnermostOnly && (!p.Whole || p.Slices) {
		p.innermost()
	}
	if p.InnermostOnly && p.Slices {
		p.bySlice()
	}
	if p.InnermostOnly && !p.Whole || p.Breakdown != nil && p.Breakdown.By == "cgroup" {
		p.briefly()
	}
	p.choose()
	if p.Style == "event" {
		p.countEvents()
	}
	sorting.Stable(p.Texts, func(a, b Text) int { return cmp.Compare(a.At, b.At) })
	p.scale()
	if p.Total >= 0 && p.Total < len(f.Columns) && f.Columns[p.Total].Units != p.units {
		p.Total = -1
	}
	p.Levels = p.levels(f)
	if p.Stacked() && p.Style != "topn" { // the legend lists areas from the top down
		slices.Reverse(p.Series)
		sorting.Stable(p.Series, func(a, b Series) int { return cmp.Compare(below(a), below(b)) })
	}
	sorting.Stable(p.Series, func(a, b Series) int { return cmp.Compare(last(a), last(b)) })
	p.colour()
	switch {
	case p.Unreadable != "":
		p.Fault = p.Unreadable
	case len(f.Columns) == 0 && p.Breakdown != nil:
		p.Fault = p.Breakdown.nobody(len(f.Times))
	case len(f.Columns) == 0:
		p.Fault = "No value was logged for " + strings.Join(p.Metrics, ", ") + "."
	case len(p.Series) > 0 && !slices.ContainsFunc(p.Series, func(s Series) bool { return s.Fault == "" }):
		p.Fault = cmp.Or(p.lost(f), p.Series[0].Fault)
	case p.InnermostOnly && p.Slices && len(p.Series) == 0:
		p.Fault = "Nothing was logged for the slices themselves, and the values of their cgroups cannot be summed."
	case p.All > 0 && len(p.Series) == 0:
		p.Fault = "No line of this panel matches the filter “" + p.Filter + "”."
	case p.Style == "event" && !slices.ContainsFunc(p.Series, func(s Series) bool { return s.Stats.Count > 0 }):
		p.Fault = "No event in this window."
	case len(p.Series) > 0 && !p.Tabular() && !slices.ContainsFunc(p.Series, p.hasValues):
		p.Fault = "No value in this window: " + p.reason(f) + "."
	}
}

// hasValues reports whether a series has a value, or a text, in the window.
func (p *showing) hasValues(s Series) bool {
	if s.Stats.Count > 0 {
		return true
	}
	for i, text := range p.Frame.Columns[s.Column].Strings {
		if text != nil && timeline.At(p.Frame, i) <= p.Window.End { // it holds until the next one
			return true
		}
	}
	return false
}

// lost says that all of the window was lost, if that is why metrics have no values: nothing
// tells which instances they would have had. It returns "" otherwise.
func (p *showing) lost(f *api.Frame) string {
	for _, s := range p.Series {
		if fault := f.Columns[s.Column].Fault; fault == nil || fault.Kind != pcp.UnknownInstance {
			return ""
		}
	}
	for _, h := range p.in.Holes {
		if h.Start <= p.Window.Start && h.End >= p.Window.End {
			return "No value in this window: " + Reasons()[h.Why] + "."
		}
	}
	return ""
}

// reason says why there is no value at all.
func (p *showing) reason(f *api.Frame) string {
	why := "nothing was logged"
	if p.Reason > 0 {
		why = Reasons()[p.Reason]
	}
	lost := func(h timeline.Hole) bool { return h.Start < p.Window.End && h.End > p.Window.Start }
	if p.Every == 0 && !p.Once && p.Window.Len() < p.Step && !slices.ContainsFunc(p.in.Holes, lost) && !slices.ContainsFunc(p.in.Gaps, lost) {
		return "it lies between two records, which are " + format.Span(p.Step) + " apart"
	}
	if p.Reason == int(series.DividedByZero) {
		return "what it is divided by is 0 throughout"
	}
	if p.Reason == int(series.NotChosen) {
		return why
	}
	for _, expression := range p.Metrics {
		for _, name := range metric.NamesIn(expression) {
			if m := p.in.Metric(name); m != nil && m.Semantics == "counter" && (!p.in.Rates || p.in.Once != nil && p.in.Once(name)) {
				return name + " was logged once, and a rate needs two values"
			}
		}
	}
	if why != Reasons()[series.OperandMissing] && why != Reasons()[series.NoPrevious] {
		return why
	}
	for _, expression := range p.Metrics {
		if strings.Contains(expression, "movslope(") && strings.Contains(expression, `"1hour"`) {
			return "the slope over the last hour needs values over ten minutes" // a sixth of an hour
		}
	}
	for i := range f.Columns {
		if operand := f.Columns[i].Operand; operand != "" {
			return operand + " has none here"
		}
	}
	return why
}

// leaveOutUnchosen drops instances whose values the expression itself leaves out
// completely, as long as others remain.
func (p *showing) leaveOutUnchosen() {
	unchosen := func(s Series) bool { return p.Known[s.Column].Unchosen }
	if slices.ContainsFunc(p.Series, func(s Series) bool { return !unchosen(s) }) {
		p.Series = slices.DeleteFunc(p.Series, unchosen)
	}
}

// last moves lines hidden by default behind the others.
func last(s Series) int {
	if s.Hidden {
		return 1
	}
	return 0
}

// below moves lines drawn downwards behind the others.
func below(s Series) int {
	if s.Below {
		return 1
	}
	return 0
}
