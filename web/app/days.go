package app

import (
	"math"
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/format"
	"pcpscope/web/metric"
	"pcpscope/web/session"
)

// Days are the days of a source at a glance: a measure by day and hour, the usual band of
// each hour of the week, and unusual days.
type Days struct {
	Open         bool     // on every dashboard, not only the default one
	Measure      Measure  // the one shown
	Result       api.Days // its Days are empty until known
	Shown        format.Shown
	Unusual      []api.UnusualDay // in any of the usual measures
	UnusualKnown bool             // Unusual is known
	Picked       int              // the day overlaid on others; -1 for none
	Highest      bool             // cells show the highest value of the hour, not the mean
	Fault        string
	Rev          int

	tab    *Tab
	day    pcp.Time // to be picked once the days are known; 0 for none
	of     string   // the last request
	asking bool
	known  bool // Unusual has been requested
}

// A Measure is a quantity that days can be compared by.
type Measure struct {
	Name       string // the display name
	Expression string // a metric or an expression
	Instance   string
	Aggregate  string // over instances, as in api.DaysQuery
	Share      bool   // values are sums over all CPUs, to be divided by their number
}

const longEnough = 36 * time.Hour

// Available reports whether the source has days to compare.
func (d *Days) Available() bool {
	tab := d.tab
	return tab != nil && tab.Source.Kind == "archive" && tab.Rates() && tab.Whole().Len() > int64(longEnough) && tab.Source.Loaded >= 1
}

// Visible reports whether the days are above the panels: on the default dashboard, and
// wherever they were requested.
func (d *Days) Visible() bool {
	tab := d.tab
	return d.Available() && (d.Open || tab.Dashboard.Shown != nil && tab.Dashboard.Shown.ID == "overview")
}

// Measures are the measures to choose from: the most informative ones of a host, and the
// selected metric.
func (d *Days) Measures() []Measure {
	tab := d.tab
	var list []Measure
	if x := busyExpression(tab); x != "" && tab.Rates() {
		list = append(list, Measure{Name: busyName, Expression: x, Share: true})
	}
	add := func(m Measure, needs ...string) {
		for _, name := range needs {
			if tab.Metric(name) == nil {
				return
			}
		}
		list = append(list, m)
	}
	add(Measure{Name: "Load, 1 minute", Expression: "kernel.all.load", Instance: "1 minute"}, "kernel.all.load")
	add(Measure{Name: "Available memory", Expression: "mem.util.available"}, "mem.util.available")
	add(Measure{Name: "Busiest disk", Expression: "disk.dev.avactive", Aggregate: "max"}, "disk.dev.avactive")
	add(Measure{Name: "Read from disks", Expression: "disk.all.read_bytes"}, "disk.all.read_bytes")
	add(Measure{Name: "Written to disks", Expression: "disk.all.write_bytes"}, "disk.all.write_bytes")
	add(Measure{Name: "TCP retransmissions", Expression: "network.tcp.retranssegs"}, "network.tcp.retranssegs")
	add(Measure{Name: "Processes", Expression: "kernel.all.nprocs"}, "kernel.all.nprocs")
	extra := []string{d.Measure.Expression, tab.Selected}
	for _, name := range extra {
		known := name == ""
		for _, m := range list {
			known = known || m.Expression == name
		}
		if m := tab.Metric(name); !known && m != nil && metric.Numeric(m) {
			list = append(list, Measure{Name: name, Expression: name})
		}
	}
	if len(list) == 0 {
		for i := range tab.Metrics {
			if m := &tab.Metrics[i]; metric.Numeric(m) && m.Semantics != "discrete" && len(list) < 8 {
				list = append(list, Measure{Name: m.Name, Expression: m.Name})
			}
		}
	}
	return list
}

// Choose shows another measure, by name.
func (d *Days) Choose(name string) {
	for _, m := range d.Measures() {
		if m.Name == name {
			d.show(m)
		}
	}
}

// ShowMetric shows the days of a metric or expression, on any dashboard.
func (d *Days) ShowMetric(expression string) {
	d.Open = true
	for _, m := range d.Measures() {
		if m.Expression == expression {
			d.show(m)
			return
		}
	}
	d.show(Measure{Name: expression, Expression: expression})
}

func (d *Days) show(m Measure) {
	d.Measure, d.Picked = m, -1
	d.Rev++
}

// Toggle shows the days on every dashboard, or only on the default one.
func (d *Days) Toggle() { d.Open = !d.Open }

// SetHighest colours cells by the highest value of the hour, or by the mean.
func (d *Days) SetHighest(on bool) {
	d.Highest = on
	d.Rev++
}

// RefreshDays fetches the days while they are visible. It is called before each drawing,
// under the lock.
func (a *App) RefreshDays() {
	tab := a.current
	if tab == nil || tab.Findings.Overview == nil || !tab.Days.Visible() || tab.Days.asking {
		return
	}
	d := &tab.Days
	if d.Measure.Expression == "" {
		list := d.Measures()
		if len(list) == 0 {
			return
		}
		d.Measure = list[0]
	}
	zone := tab.Times.zoneName()
	of := strings.Join([]string{d.Measure.Expression, d.Measure.Instance, d.Measure.Aggregate, zone}, "\x00")
	if of != d.of {
		d.of = of
		d.ask(zone)
	} else if !d.known {
		d.askUnusual(zone)
	}
}

func (d *Days) ask(zone string) {
	tab, m := d.tab, d.Measure
	d.asking = true
	q := api.DaysQuery{Source: tab.Source.ID, Metric: m.Expression, Instance: m.Instance, Aggregate: m.Aggregate, Zone: zone}
	tab.app.work(func() func() {
		if m.Share {
			m.Expression = tab.data.counted(measure{m.Expression, busyName}).expression
			q.Metric = m.Expression
		}
		r, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Days, q, nil)
		return func() {
			d.asking, d.Fault = false, ""
			if err != nil {
				tab.app.failed(err)
				d.Fault, d.Result = pcp.AsFault(err).Message, api.Days{}
			} else {
				d.take(m, r)
			}
			d.Rev++
		}
	})
}

func (d *Days) take(m Measure, r api.Days) {
	tab := d.tab
	d.Result = r
	if d.day != 0 {
		d.Picked, d.day = d.dayAt(d.day), 0
	}
	if d.Picked >= len(r.Days) || d.Picked < 0 {
		d.Picked = d.first()
	}
	largest := 0.0
	for _, v := range r.Average {
		if !math.IsNaN(v) {
			largest = max(largest, math.Abs(v))
		}
	}
	described := tab.Metric(m.Expression)
	share := m.Share || described != nil && metric.Utilisation(described, true)
	d.Shown = format.Show(r.Units, share, largest, false)
	if m.Share {
		cpus, of := busyCPUs(tab, m.Expression)
		d.Shown.Factor, d.Shown.Of = d.Shown.Factor/cpus, of
	}
}

// first is the day to start with: the most unusual one in this measure, else the last one
// with data.
func (d *Days) first() int {
	r := &d.Result
	if len(r.Unusual) > 0 {
		if i := d.dayAt(r.Unusual[0].Start); i >= 0 {
			return i
		}
	}
	for i := len(r.Days) - 1; i >= 0; i-- {
		for h := range 24 {
			if k := 24*i + h; k < len(r.Average) && !math.IsNaN(r.Average[k]) {
				return i
			}
		}
	}
	return -1
}

func (d *Days) dayAt(t pcp.Time) int {
	for i, day := range d.Result.Days {
		if t >= day.Start && t < day.End {
			return i
		}
	}
	return -1
}

func (d *Days) askUnusual(zone string) {
	tab := d.tab
	d.known, d.asking = true, true
	tab.app.work(func() func() {
		list, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.UnusualDays, api.UnusualQuery{Source: tab.Source.ID, Zone: zone}, nil)
		return func() {
			if d.asking = false; err == nil {
				d.Unusual, d.UnusualKnown = list, true
			}
			d.Rev++
		}
	})
}

// Go shows an hour of a day; with hour -1, the whole day.
func (d *Days) Go(day, hour int) {
	tab := d.tab
	if day < 0 || day >= len(d.Result.Days) {
		return
	}
	at := d.Result.Days[day]
	d.Picked = day
	d.Rev++
	start, end := at.Start, at.End
	if hour >= 0 {
		start = d.hour(at, hour)
		end = start + 3600e9
	}
	if start < tab.Whole().End && end > tab.Whole().Start {
		tab.Zoom(start, end)
	}
}

// hour is the time at which an hour of a day starts; days on which the clock changes have
// a different number of hours.
func (d *Days) hour(day api.Day, hour int) pcp.Time {
	clock := d.tab.Clock
	t := day.Start + pcp.Time(hour)*3600e9
	return t - pcp.Time(clock.At(t)-clock.At(day.Start))*1e9
}

// ShowUnusual shows the time range that made a day unusual, and the measure.
func (d *Days) ShowUnusual(u api.UnusualDay) {
	if i := d.dayAt(u.Start); i >= 0 {
		d.Picked = i
		d.Rev++
	}
	start, end := u.Start, u.End
	if len(u.Reasons) > 0 {
		start, end = u.Reasons[0].Start, u.Reasons[0].End
	}
	d.tab.Findings.ShowSpan(start, end)
}

// keep returns what to save of the days view; nil if nothing was chosen.
func (d *Days) keep() *session.Days {
	list := d.Measures()
	k := session.Days{Open: d.Open, Highest: d.Highest}
	if d.Measure.Expression != "" && (len(list) == 0 || d.Measure != list[0]) {
		k.Measure, k.Instance = d.Measure.Expression, d.Measure.Instance
	}
	if d.Picked >= 0 && d.Picked < len(d.Result.Days) && d.Picked != d.first() {
		k.Day = d.Result.Days[d.Picked].Start
	}
	if k == (session.Days{}) {
		return nil
	}
	return &k
}

// restore restores a saved days view.
func (d *Days) restore(k *session.Days) {
	if k == nil {
		return
	}
	d.Open, d.Highest, d.day = k.Open, k.Highest, k.Day
	if k.Measure != "" {
		measure := Measure{Name: session.Clip(k.Measure), Expression: session.Clip(k.Measure), Instance: session.Clip(k.Instance)}
		for _, m := range d.Measures() {
			if m.Expression == k.Measure && m.Instance == k.Instance {
				measure = m
			}
		}
		d.Measure = measure
	}
	d.Rev++
}
