package state

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pattern"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
	"pcpscope/web/format"
)

// fetch asks for the values of a panel. What it shows stays until they come.
// A panel that is not on the screen waits until it is.
func (w *Work) fetch(p *Panel) {
	p.forget()
	a := p.waits()
	if a.stale = p.far; p.far {
		return
	}
	ctx, cancel := context.WithCancel(w.ctx)
	a.cancel, p.Loading = cancel, true
	n, window, metrics := a.asked, w.Window, append(slices.Clone(p.Metrics), p.limits()...)
	perCPU, who := p.PerCPU || p.Unit == "% of all CPUs", p.Who
	var moment *pcp.Time
	if p.Style == "table" {
		m := w.moment()
		moment, a.moment = &m, m
	}
	w.app.work(func() func() {
		if perCPU {
			w.countCPUs()
		}
		var frame *api.Frame
		var step int64
		var near bool
		var err error
		if who != nil {
			frame, step, err = w.consumers(ctx, *who, window)
		} else {
			frame, step, near, err = w.ask(ctx, metrics, window, moment)
		}
		return func() {
			if n != a.asked {
				return // something newer has been asked for
			}
			p.Loading, p.Near = false, near
			if err != nil {
				w.app.failed(err)
				p.Frame, p.Series, p.Left, p.Texts, p.Fault = nil, nil, nil, nil, pcp.AsFault(err).Message
				p.Rev++
				return
			}
			w.take(p, frame, step, window)
		}
	})
}

// named are the names of metrics in an expression.
var named = pattern.New(`[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)+`)

// operands says how often the metrics of an expression were logged and how
// many lines it makes at most. It is slow work.
func (w *Work) operands(expression string) (cadence int64, lines int) {
	lines = 1
	for _, name := range named().FindAllString(expression, -1) {
		m := w.Metric(name)
		if m == nil {
			continue
		}
		if m.InDom != nil {
			lines = max(lines, len(w.instancesOf(*m.InDom)))
		}
		if c := w.cadenceOf(m); c > 0 && (cadence == 0 || c < cadence) {
			cadence = c
		}
	}
	return cadence, lines
}

// take shows an answer in its panel.
func (w *Work) take(p *Panel, f *api.Frame, step int64, window Window) {
	p.Frame, p.Step, p.Fault, p.window = f, step, "", window
	p.Series, p.Left, p.Texts, p.Levels = nil, nil, nil, nil
	p.Rev++
	raw := step == 0 && !slices.ContainsFunc(f.Columns, func(c api.Column) bool { return c.Strings != nil })
	if p.Who != nil || raw {
		w.part(f)
	}
	w.leaveOut(f)
	if slices.ContainsFunc(f.Columns, func(c api.Column) bool { return Eventful(c.Type) }) {
		if p.Style == "" {
			p.Style = "event"
		}
		sayEvents(f)
	}
	for i := range f.Columns {
		c := &f.Columns[i]
		if p.Who == nil && !slices.Contains(p.Metrics, c.Metric) {
			continue // a threshold
		}
		if c.Strings != nil && !p.ByInstance() {
			p.Texts = append(p.Texts, texts(f, c)...)
			continue
		}
		s := Series{Key: c.Metric, Label: p.label(c), Metric: c.Metric, Column: i, Stroke: p.line(c.Metric)}
		if c.Instance != nil {
			s.Instance, s.Called = c.Instance.Name, cmp.Or(c.Title, c.Instance.Name)
			s.Key += "\x00" + c.Instance.Name
		}
		if c.Fault != nil {
			s.Fault = c.Fault.Message
		}
		if p.Who != nil {
			s.Kind = c.Operand
		}
		p.Series = append(p.Series, s)
	}
	p.leaveOutUnchosen()
	if p.Leaves && (!p.Whole || p.Slices) {
		p.innermost()
	}
	if p.Leaves && p.Slices {
		p.bySlice()
	}
	if p.Leaves && !p.Whole || p.Who != nil && p.Who.By == "cgroup" {
		p.briefly()
	}
	p.clamp(f, window)
	p.choose(w, window)
	if p.Style == "event" {
		p.countEvents(window)
	}
	sorting.Stable(p.Texts, func(a, b Text) int { return cmp.Compare(a.At, b.At) })
	w.scale(p)
	p.Levels = p.levels(f)
	if p.Stacked() && p.Style != "topn" { // the legend lists the areas as they lie, from the top
		slices.Reverse(p.Series)
		sorting.Stable(p.Series, func(a, b Series) int { return cmp.Compare(below(a), below(b)) })
	}
	sorting.Stable(p.Series, func(a, b Series) int { return cmp.Compare(last(a), last(b)) })
	p.colour(w)
	if p.Dots {
		w.observe(p)
	}
	switch {
	case len(f.Columns) == 0 && p.Who != nil:
		p.Fault = "No process used any of it in this window."
	case len(f.Columns) == 0:
		p.Fault = "No value was logged for " + strings.Join(p.Metrics, ", ") + "."
	case len(p.Series) > 0 && !slices.ContainsFunc(p.Series, func(s Series) bool { return s.Fault == "" }):
		p.Fault = p.Series[0].Fault
	case p.Leaves && p.Slices && len(p.Series) == 0:
		p.Fault = "Nothing was logged of the slices themselves, and what their cgroups have cannot be added."
	case p.All > 0 && len(p.Series) == 0:
		p.Fault = "No line of this panel matches the filter “" + p.Filter + "”."
	case p.Style == "event" && !slices.ContainsFunc(p.Series, func(s Series) bool { return s.Stats.Count > 0 }):
		p.Fault = "No event in this window."
	case len(p.Series) > 0 && (!p.ByInstance() || p.Lanes()) && !slices.ContainsFunc(p.Series, func(s Series) bool { return s.Stats.Count > 0 }):
		p.Fault = "No value in this window: " + p.reason(w, f) + "."
	}
}

// reason says why there is no value at all.
func (p *Panel) reason(w *Work, f *api.Frame) string {
	why := reason(f)
	if why != Reasons()[series.OperandMissing] && why != Reasons()[series.NoPrevious] {
		return why
	}
	for _, expression := range p.Metrics {
		for _, name := range named().FindAllString(expression, -1) {
			if cadence, known := w.cadence[name]; known && cadence == 0 && w.Source.Loaded >= 1 {
				return name + " was logged once, and a rate needs two values"
			}
		}
	}
	for i := range f.Columns {
		if operand := f.Columns[i].Operand; operand != "" {
			return operand + " has none here"
		}
	}
	return why
}

// leaveOutUnchosen drops instances of which the expression itself leaves out
// every value, as long as others remain.
func (p *Panel) leaveOutUnchosen() {
	unchosen := func(s Series) bool {
		c, left := &p.Frame.Columns[s.Column], false
		for k, v := range c.Values {
			if !math.IsNaN(v) {
				return false
			}
			left = left || k < len(c.Why) && series.Why(c.Why[k]) == series.NotChosen
		}
		return left
	}
	if slices.ContainsFunc(p.Series, func(s Series) bool { return !unchosen(s) }) {
		p.Series = slices.DeleteFunc(p.Series, unchosen)
	}
}

// jitter is how much of a share may come from the logger's timer: 107 % of the
// time is 100 %, and where what is idle is taken from all, -7 % is none.
const jitter = 10

// clamp takes the jitter of clocks out of shares of time. Where far more time
// was counted than passed by the stamps, the clock was set: the whole sample
// is left out, and counted. The metric itself is shown elsewhere as it is.
func (p *Panel) clamp(f *api.Frame, window Window) {
	p.LeftOut = 0
	if p.Max != 100 || !strings.HasPrefix(p.Unit, "%") {
		return
	}
	for k := range f.Times {
		least, most, sum := 0.0, 0.0, 0.0
		for i := range p.Series {
			if c := &f.Columns[p.Series[i].Column]; k < len(c.Values) && !math.IsNaN(c.Values[k]) {
				least, most = min(least, c.Values[k]), max(most, c.Values[k])
				sum += c.Values[k]
			}
		}
		impossible := least < -jitter || most > 100+jitter || p.Style == "utilisation" && sum > 100+jitter
		if least >= 0 && most <= 100 && !impossible {
			continue
		}
		if t := at(f, k); impossible && t >= window.Start && t <= window.End {
			p.LeftOut++
		}
		for i := range p.Series {
			c := &f.Columns[p.Series[i].Column]
			switch {
			case k >= len(c.Values) || math.IsNaN(c.Values[k]):
			case impossible:
				if c.Why == nil {
					c.Why = make([]uint8, len(c.Values))
				}
				c.Values[k], c.Why[k] = math.NaN(), clockSet
			default:
				c.Values[k] = min(max(c.Values[k], 0), 100)
			}
		}
	}
}

// clockSet stands behind the numbers of series.Why: the sample is left out
// because more time was counted than passed.
const clockSet = uint8(series.NotChosen) + 1

// Reasons are the words for why there is no value, by their numbers in a
// frame.
func Reasons() []string {
	var list []string
	for y := series.HasValue; y <= series.NotChosen; y++ {
		list = append(list, y.String())
	}
	return append(list, "left out: more time was counted than passed")
}

// last orders lines that are not drawn at first behind those that are.
func last(s Series) int {
	if s.Quiet {
		return 1
	}
	return 0
}

// below orders lines that are drawn downwards behind the others.
func below(s Series) int {
	if s.Below {
		return 1
	}
	return 0
}

// scale chooses the unit of the panel: one for all lines, another for those
// that have a scale of their own.
func (w *Work) scale(p *Panel) {
	var largest, most [2]float64 // in units, and in bytes or seconds
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
		if m := w.Metric(s.Metric); m != nil {
			utilisation = utilisation || w.Utilisation(m)
		}
		if s.Stats.Count == 0 {
			continue
		}
		v := math.Max(math.Abs(s.Stats.Max), math.Abs(s.Stats.Min))
		if base := v * format.Base(units(s)); base > most[k] {
			most[k], largest[k], first[k] = base, v, s
		}
		whole[k] = whole[k] && s.Stats.Whole
	}
	if p.Frame != nil && first[0] == nil && first[1] == nil {
		p.Shown, p.units = w.showIn(p.Unit, "", false, 0, true), ""
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
		shown[k] = w.showIn(text, units(first[k]), utilisation && k == 0, largest[k], whole[k])
		if k == 1 && shown[k].Unit == "" && !strings.HasPrefix(text, "%") {
			shown[k].Unit = shown[k].Of // the legend says what the other scale is of
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
		shown[0].Factor /= float64(max(w.CPUs, 1))
		shown[0].Of = format.CPUs(w.CPUs)
	}
	p.Shown, p.units = shown[0], units(first[0])
	show := func(s *Series) {
		s.Shown = shown[side(s)]
		if u := units(s); p.Tabular() && p.Style != "topn" && !p.Table {
			s.Shown = w.columnShown(p, s, u)
		} else if of := units(first[side(s)]); u != of {
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

// columnShown leaves a column of a tool's table in the unit that it has there,
// and gives that of another table the unit that suits its largest value.
func (w *Work) columnShown(p *Panel, s *Series, units string) format.Shown {
	if p.Decimals == nil && p.Style == "table" {
		most, whole := 0.0, true
		for _, other := range p.Series {
			if other.Metric == s.Metric && other.Stats.Count > 0 {
				most, whole = math.Max(most, math.Max(math.Abs(other.Stats.Max), math.Abs(other.Stats.Min))), whole && other.Stats.Whole
			}
		}
		if s.Unit == "hours" {
			return hours(units, most)
		}
		return format.Show(units, false, most, whole)
	}
	return w.columnInUnits(p, units)
}

func (w *Work) columnInUnits(p *Panel, units string) format.Shown {
	s := format.Shown{Factor: 1, Unit: format.Short(units), Decimals: 2}
	if p.Decimals != nil {
		s.Decimals = *p.Decimals
	}
	return s
}

// title is what people call the instance of a series; "" where that is its name.
func (s *Series) title() string {
	if s.Called == s.Instance {
		return ""
	}
	return s.Called
}

// label names a series as briefly as its panel allows: as the dashboard does;
// else by the instance where there is one metric, the last part of the
// metric's name where there are several, both where both differ.
func (p *Panel) label(c *api.Column) string {
	if p.Who != nil {
		return c.Metric
	}
	name, instance := p.line(c.Metric).Name, ""
	if c.Instance != nil {
		instance = cmp.Or(c.Title, processName(c.Metric, c.Instance.Name))
	}
	if name == "" && len(p.Metrics) > 1 && len(p.Strokes) == 0 {
		name = Brief(p.Metrics, c.Metric)
	}
	switch {
	case c.Instance == nil && name == "":
		if len(p.Strokes) > 0 && p.Title != "" {
			return strings.ToLower(p.Title[:1]) + p.Title[1:]
		}
		return lastPart(c.Metric)
	case c.Instance == nil:
		return name
	case name == "":
		return instance
	}
	return instance + " " + name
}

// processName is what fits of an instance of the processes: its PID and the
// name of its program, of "010051 /usr/lib64/firefox/firefox -contentproc".
// Other instances have the names they have.
func processName(metric, instance string) string {
	if !strings.Contains(metric, "proc.") {
		return instance
	}
	pid, command, ok := strings.Cut(instance, " ")
	number := strings.TrimLeft(pid, "0")
	if !ok || number == "" || strings.Trim(number, "0123456789") != "" {
		return instance
	}
	if command[:min(1, len(command))] == "/" {
		command, _, _ = strings.Cut(command, " ")
		command = command[strings.LastIndexByte(command, '/')+1:]
	}
	return number + " " + command
}
