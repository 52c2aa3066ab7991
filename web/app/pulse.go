package app

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/metric"
	"pcpscope/web/panel"
	"pcpscope/web/timeline"
)

// Pulse is the overview strip over the whole span: one series, the gaps, the window.
type Pulse struct {
	Name   string // "CPU busy" or a metric
	Of     string // what the unit is a percentage of, or the unit
	Start  pcp.Time
	Times  []float64 // seconds after Start
	Values []float64 // in the unit of Shown, not yet scaled
	High   []float64 // maximum of each step; nil if every point is a single observation
	Shown  format.Shown
	Stats  panel.Stats
	ReadTo *pcp.Time // up to when the source has been read; nil if completely
	Rev    int
	tab    *Tab

	minutes *Pulse  // the same per minute, if the strip's own steps are longer
	best    measure // what says most, if it has values
	asked   int     // requests so far: a late reply to an earlier one is dropped
}

// pulses are the metrics that say most about a host at a glance if its CPU time was not
// logged.
var pulses = []string{"kernel.all.load", "disk.all.total", "mem.util.used", "kernel.all.pswitch", "network.interface.total.bytes", "proc.nprocs", "proc.psinfo.utime", "proc.psinfo.rss"}

// A measure is what the strip can show: a metric or an expression, and its name.
type measure struct{ expression, name string }

// load chooses the series of the strip and fetches it.
func (p *Pulse) load() {
	tab := p.tab
	list := p.measures()
	p.asked++
	n := p.asked
	if len(list) == 0 {
		*p = Pulse{tab: tab, Rev: p.Rev + 1, asked: n}
		return
	}
	whole, holes, complete := tab.Whole(), tab.holes(), tab.Source.Loaded >= 1 && tab.Follow.From == 0
	p.best = list[0]
	tab.app.work(func() func() {
		first := tab.data.counted(list[0])
		shown := first
		name, frame := p.fetch(shown, whole, holes)
		for tries := 0; complete && frame != nil && tries < maxTries && !hasValues(frame); tries++ {
			if list = tab.data.recorded(list[1:]); len(list) == 0 {
				break
			}
			if other, values := p.fetch(list[0], whole, holes); values != nil && hasValues(values) {
				shown, name, frame = list[0], other, values
			}
		}
		if frame == nil {
			return func() {}
		}
		var minutes *api.Frame
		if n := whole.Len() / int64(time.Minute); frame.Step > 60 && frame.ReadTo == nil && n <= maxMinutes && name == busyName {
			q, _, _ := tab.data.plan([]string{shown.expression}, whole, grid{reduce: "mean"}, nil)
			q.Interval, q.Statistics = timeline.When(pcp.Time(time.Minute)), nil
			minutes, _ = tab.data.query(tab.ctx, q)
		}
		return func() {
			if n != p.asked {
				return
			}
			p.best = first
			p.take(name, frame, whole)
			if minutes != nil && len(minutes.Columns) == 1 {
				p.minutes = &Pulse{tab: tab}
				p.minutes.take(name, minutes, whole)
			}
		}
	})
}

const (
	busyName   = "CPU busy"
	maxMinutes = 200_000 // 139 days
	maxTries   = 8       // measures fetched for the strip, until one has values
)

// fetch fetches a measure: of an instance domain with very many instances, the one with
// the highest values. The frame is nil if that failed. It is slow work.
func (p *Pulse) fetch(m measure, whole timeline.Window, holes []timeline.Hole) (name string, f *api.Frame) {
	tab := p.tab
	name = m.name
	var of []string
	if name != busyName {
		if highest := tab.data.highest(m.expression, whole, holes); highest != "" {
			name, of = name+"["+highest+"]", []string{highest}
		}
	}
	f, err := tab.data.ask(tab.ctx, []string{m.expression}, of, whole)
	if err != nil {
		return name, nil
	}
	return name, f
}

func hasValues(f *api.Frame) bool {
	return slices.ContainsFunc(f.Columns, func(c api.Column) bool {
		return slices.ContainsFunc(c.Values, func(v float64) bool { return !math.IsNaN(v) })
	})
}

// recorded leaves out the first measures that cannot have values. It is slow work.
func (f *Fetcher) recorded(list []measure) []measure {
	for i, m := range list {
		names := f.logged([]string{m.expression})
		known := f.cadences(names)
		if !slices.ContainsFunc(names, func(name string) bool {
			if d := f.tab.Metric(name); d != nil && d.Semantics == "counter" {
				return known[name].Records < 2 // which a rate needs
			}
			return known[name].Records < 1
		}) {
			return list[i:]
		}
		if i == 200 {
			break
		}
	}
	return nil
}

// measures are what the strip can show, those that say most first.
func (p *Pulse) measures() (list []measure) {
	tab := p.tab
	if !tab.Rates() {
		return nil
	}
	if x := busyExpression(tab); x != "" {
		list = append(list, measure{x, busyName})
	}
	add := func(name string) {
		if tab.Metric(name) != nil {
			list = append(list, measure{name, name})
		}
	}
	for _, name := range pulses {
		add(name)
	}
	first := firstDashboard(tab.Dashboard.List)
	for _, b := range tab.Dashboard.List {
		if b.ID != first || b.Spark == "" {
			continue
		}
		if b.Group == generatedDashboards {
			name := metricOfRate(b.Spark)
			list = append(list, measure{name, name})
			continue
		}
		value := b.Spark // perhaps a long expression, of which one metric says enough
		if _, after, conditional := strings.Cut(value, "?"); conditional {
			value = after
		}
		for _, name := range namesIn(value) {
			add(name)
		}
	}
	for i := range tab.Metrics {
		if m := &tab.Metrics[i]; metric.Numeric(m) && m.Semantics != "discrete" {
			add(m.Name)
		}
	}
	return list
}

// namesIn are the words of an expression that may be names of metrics.
func namesIn(expression string) []string {
	return strings.FieldsFunc(expression, func(r rune) bool { return r != '.' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// reload loads the series of the strip again if another one has been found to say more:
// of an archive without the usual metrics, what represents its first dashboard.
func (p *Pulse) reload() {
	if list := p.measures(); len(list) > 0 && p.best != list[0] {
		p.load()
	}
}

// metricOfRate is the metric of a rate, or of a share of time in percent, for its name and
// units; the expression itself if it is another.
func metricOfRate(expression string) string {
	if name, ok := strings.CutPrefix(strings.TrimPrefix(expression, "100 * "), "rate("); ok {
		if name, ok = strings.CutSuffix(name, ")"); ok && !strings.ContainsAny(name, "()") {
			return name
		}
	}
	return expression
}

func (pulse *Pulse) take(name string, f *api.Frame, whole timeline.Window) {
	tab := pulse.tab
	f = timeline.LeaveOut(f, tab.holes())
	p := Pulse{tab: tab, Name: name, Start: f.Start, Times: f.Times, ReadTo: f.ReadTo, Rev: pulse.Rev + 1, best: pulse.best, asked: pulse.asked}
	if len(f.Columns) == 0 {
		return
	}
	if name == busyName {
		c := f.Columns[0]
		cpus, of := busyCPUs(tab, c.Metric)
		share := func(v float64) float64 { return min(v/cpus, 1) } // above 1 is clock jitter; NaN stays
		shares := func(values []float64) []float64 {
			list := slices.Clone(values)
			for i, v := range list {
				list[i] = share(v)
			}
			return list
		}
		p.Values, p.High = shares(c.Values), shares(c.High)
		p.Of = of
		p.Stats = panel.StatsOf(f, &c, whole)
		for _, v := range []*float64{&p.Stats.Avg, &p.Stats.P95, &p.Stats.Min, &p.Stats.Max, &p.Stats.Last} {
			*v = share(*v)
		}
		p.Shown = format.Show("", true, 1, false)
		*pulse = p
		return
	}
	c := f.Columns[0]
	for _, other := range f.Columns[1:] { // the instance with the highest values
		if panel.StatsOf(f, &other, whole).Max > panel.StatsOf(f, &c, whole).Max {
			c = other
		}
	}
	if c.Instance != nil && len(f.Columns) > 1 {
		p.Name += "[" + c.Instance.Name + "]"
	}
	p.Values, p.High = c.Values, c.High
	p.Stats = panel.StatsOf(f, &c, whole)
	m := tab.Metric(c.Metric)
	p.Shown = format.Show(c.Units, m != nil && metric.Utilisation(m, tab.Rates()), math.Max(p.Stats.Max, -p.Stats.Min), p.Stats.Whole)
	p.Of = p.Shown.Name()
	*pulse = p
}
