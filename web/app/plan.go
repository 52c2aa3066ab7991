package app

import (
	"context"
	"math"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/metric"
	"pcpscope/web/panel"
	"pcpscope/web/timeline"
)

// maxObserved is the maximum number of observations drawn in a chart.
const maxObserved = 3000

// observe requests the logged values of a panel's lines, drawn as dots over them. If there
// are too many for a chart, none are drawn.
func (fetcher *Fetcher) observe(p *Panel) {
	window, metrics := fetcher.tab.Window, slices.Clone(p.Metrics)
	var instances []string
	for i := range p.Series {
		if s := &p.Series[i]; s.Instance != "" && !slices.Contains(instances, s.Instance) {
			instances = append(instances, s.Instance)
		}
	}
	if p.Breakdown != nil {
		return
	}
	fetcher.tab.app.work(func() func() {
		f, err := fetcher.query(context.Background(), api.Query{Metrics: metrics, Instances: instances, Mode: "raw", Convert: "rate", Start: timeline.When(window.Start), End: timeline.When(window.End)})
		return func() {
			if err != nil {
				p.change(func(s *panel.Settings) { s.Dots = false })
				fetcher.tab.app.refuse(p.Heading(), err)
				return
			}
			p.Observed = map[string]panel.Observations{}
			if len(f.Times) > maxObserved {
				return
			}
			for _, c := range f.Columns {
				instance := ""
				if c.Instance != nil {
					instance = c.Instance.Name
				}
				if len(c.Values) == len(f.Times) {
					p.Observed[panel.KeyOf(c.Metric, instance)] = panel.Observations{Start: f.Start, Times: f.Times, Values: c.Values}
				}
			}
			p.Rev++
		}
	})
}

// Limits of what one panel requests.
const (
	maxPoints = 4000    // per series
	maxValues = 600_000 // per panel
)

// refresh requests the values of all panels again.
func (f *Fetcher) refresh() {
	for _, p := range f.tab.OnScreen() {
		f.fetch(p)
	}
}

// A grid is the user's choice of a chart's points.
type grid struct {
	step   int64  // nanoseconds; 0 for as many points as there is room for
	reduce string // as api.Query.Reduce
}

// gridOf is the grid chosen for a panel.
func gridOf(s *panel.Settings) grid { return grid{int64(s.Every * 1e9), s.Reduction()} }

// plan makes the query for metrics over a window. For a single-time table (moment is not
// nil) whose values over the window would be too many, it queries only around that time,
// and near is true. It is slow work.
func (f *Fetcher) plan(metrics []string, window timeline.Window, chosen grid, moment *pcp.Time) (q api.Query, step int64, near bool) {
	tab := f.tab
	q = api.Query{Metrics: metrics, Convert: "rate"}
	closest := int64(0) // smallest interval between observations
	lines, usual, text, gaps, apart := 0, int64(0), false, false, tab.Source.Loaded >= 1 && moment == nil
	single := true                           // nothing was logged twice
	events, settings := false, moment == nil // settings: all of them change now and then
	known := f.cadences(f.logged(metrics))
	for _, name := range metrics {
		m := tab.Metric(name)
		if m == nil {
			n := 1
			for _, operand := range tab.operands(name) {
				c := known[operand]
				n, usual, closest = max(n, c.Instances), least(usual, int64(c.Usual)), least(closest, int64(c.Closest))
				single = single && c.Records <= 1
			}
			lines, gaps, apart, settings = lines+n, true, false, false
			continue
		}
		events = events || metric.HasEvents(m.Type)
		text = text || m.Type == "STRING" || events
		gaps = gaps || m.Expression != "" // where PCP would divide by zero, a line would jump
		apart = apart && m.Expression == "" && m.Semantics == "instant"
		c := known[name]
		lines += max(1, c.Instances)
		usual, closest, single = least(usual, int64(c.Usual)), least(closest, int64(c.Closest)), single && c.Records <= 1
		settings = settings && m.Semantics == "discrete" && m.Expression == ""
		if settings {
			usual = least(usual, int64(c.Least))
		}
	}
	switch {
	case !tab.Rates():
		q.Convert, q.Start, q.Count, step = "none", timeline.When(tab.Source.Start), 1, 1e9
		q.Interval = timeline.When(pcp.Time(step))
	case text && moment == nil, apart && usual == 0: // no line could be drawn between such sparse values
		start, end := window.Start, window.End
		if text && !events { // a state at the edge of the window was logged before it, and lasts until after it
			around := 2 * f.interval(metrics)
			start, end = max(tab.Source.Start, start-around), min(tab.Source.End, end+around)
		}
		q.Mode, q.Convert, q.Start, q.End = "raw", "none", timeline.When(start), timeline.When(end)
	case moment != nil && single && chosen.step == 0:
		// Single values are seldom at a point of a grid: the last ones of one long step.
		from := window.Start - 1 // a step does not include the time at which it begins
		to := max(*moment, window.Start)
		step, near = max(1, int64(to-from)/maxPoints), true
		q.Start, q.Count, q.Interval, q.Reduce, q.Samples = timeline.When(from), 2, timeline.When(to-from), "last", true
	default:
		points := min(maxPoints, max(200, maxValues/max(lines, 1)))
		if usual == 0 { // seen once or never: nothing to interpolate
			points = min(points, 300)
		}
		if fine := max(1, window.Len()/300); settings && usual > 6*fine {
			usual = fine // a value from before the window holds until the next one: few points would not tell for how long
		}
		if moment != nil && usual > 0 && lines*int(min(maxPoints, int64(window.Len())/usual)) > maxValues {
			step, near = usual, true
			window = timeline.Window{Start: *moment - pcp.Time(3*usual), End: *moment}
		} else if step = timeline.Step(window.Len(), usual, points); chosen.step > 0 {
			step = max(chosen.step, window.Len()/maxPoints)
		}
		origin := tab.Source.Start
		if chosen.step == 0 && moment == nil && window.Len() < 2*step {
			if at, found := f.lastRecord(metrics, window); found {
				origin = at - pcp.Time(step)*((at-origin+pcp.Time(step)-1)/pcp.Time(step)) // not after the start, whose records would be left out
			}
		}
		start, end := timeline.Grid(window, origin, step)
		q.Start, q.End, q.Interval = timeline.When(start), timeline.When(end), timeline.When(pcp.Time(step))
		if moment == nil {
			q.Statistics = &api.Range{Start: timeline.When(window.Start), End: timeline.When(window.End)}
			q.Reduce, q.Samples = chosen.reduce, chosen.step == 0 && (usual == 0 || step <= closest+closest/2)
			if settings && q.Reduce == "mean" { // a value is drawn from when it was logged until the next one
				q.Reduce, q.Samples = "last", false
			}
		}
	}
	q.Gaps = gaps
	return q, step, near
}

// lastRecord is the time of the last record in a window. In one too short, a grid from the
// start of the source on need not have a point between two records: a logger that was restarted
// records at other seconds of the minute. A rate, which one record alone does not have, would
// then be missing.
func (f *Fetcher) lastRecord(metrics []string, window timeline.Window) (pcp.Time, bool) {
	names := f.logged(metrics)
	if len(names) == 0 {
		return 0, false
	}
	records, err := f.query(f.tab.ctx, api.Query{Metrics: names[:1], Mode: "raw", Convert: "none", Start: timeline.When(window.Start), End: timeline.When(window.End)})
	if err != nil || len(records.Times) == 0 {
		return 0, false
	}
	return timeline.At(records, len(records.Times)-1), true
}

// interval is the longest at which any of metrics was logged; 0 if that is unknown.
func (f *Fetcher) interval(metrics []string) (longest pcp.Time) {
	f.tab.app.Loop.Lock()
	defer f.tab.app.Loop.UnlockOnly()
	for _, name := range metrics {
		longest = max(longest, pcp.Time(f.cadence[name].Usual))
	}
	return longest
}

// logged lists metrics, and those in expressions.
func (f *Fetcher) logged(metrics []string) (names []string) {
	for _, name := range metrics {
		if f.tab.Metric(name) != nil {
			names = append(names, name)
		} else {
			names = append(names, f.tab.operands(name)...)
		}
	}
	return names
}

// once reports whether none of metrics was logged at intervals. It is slow work.
func (f *Fetcher) once(metrics []string) bool {
	for _, c := range f.cadences(f.logged(metrics)) {
		if c.Usual > 0 {
			return false
		}
	}
	return true
}

// least is the smaller of two intervals, where 0 means none.
func least(a, b int64) int64 {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// ask fetches metrics over a window, each point from all observations of its step; of some
// instances, or all if the list is empty. It is slow work.
func (f *Fetcher) ask(ctx context.Context, metrics, instances []string, window timeline.Window) (*api.Frame, error) {
	q, _, _ := f.plan(metrics, window, grid{reduce: "mean"}, nil)
	q.Instances = instances
	return f.query(ctx, q)
}

// describe does so for all instances, but leaves the values in the engine's reply: the
// engine removes the holes and computes each column's statistics over the window. If there
// are too many columns, only the largest are included.
func (f *Fetcher) describe(ctx context.Context, metrics []string, window timeline.Window, holes []timeline.Hole) (*rpc.Charted, error) {
	tab := f.tab
	q, _, _ := f.plan(metrics, window, grid{reduce: "mean"}, nil)
	q.Source, q.Partial = tab.Source.ID, q.Partial || f.partial
	made, err := rpc.Invoke(ctx, tab.app.Engine, rpc.Chart, api.ChartQuery{Query: q, Start: window.Start, End: window.End, Holes: timeline.Chart(holes...)}, nil)
	return &made, err
}

// manyInstances is the number of instances from which on the values of all are not fetched
// for the sake of one.
const manyInstances = 200

// highest is the instance of a metric with the highest values in a window; "" if there are
// few to look at. It is slow work.
func (f *Fetcher) highest(name string, window timeline.Window, holes []timeline.Hole) string {
	tab := f.tab
	m := tab.Metric(name)
	if m == nil || m.InDom == nil || f.cadences([]string{name})[name].Instances < manyInstances {
		return ""
	}
	made, err := f.describe(tab.ctx, []string{name}, window, holes)
	if err != nil {
		return ""
	}
	instance, peak := "", math.Inf(-1)
	for i, c := range made.Frame.Columns {
		if v := made.Lines[i].Stats().Max; c.Instance != nil && v > peak {
			instance, peak = c.Instance.Name, v
		}
	}
	return instance
}

// moment is the time shown by single-time tables: the cursor, or the end of the window.
func (f *Fetcher) moment() pcp.Time {
	if a := f.tab.app; a.Cursor.On && a.Cursor.At >= f.tab.Window.Start && a.Cursor.At <= f.tab.Window.End {
		return a.Cursor.At
	}
	return f.tab.Window.End
}

// RefreshTables updates single-time tables when the cursor has moved. It is called when the
// drawer is attended to.
func (a *App) RefreshTables() {
	tab := a.current
	if tab == nil {
		return
	}
	for _, p := range tab.OnScreen() {
		if d := p.moment - tab.data.moment(); p.Near && !p.away && !p.Loading && int64(max(d, -d)) >= p.Step/2 {
			tab.data.fetch(p)
		}
	}
}

// cadences returns how often metrics or expressions were logged, and how many instances
// they have, by name; it requests those that are not known, all at once. It is slow work.
func (f *Fetcher) cadences(names []string) map[string]api.Cadence {
	tab := f.tab
	found := map[string]api.Cadence{}
	if !tab.Rates() {
		return found
	}
	var unknown []string
	tab.app.Loop.Lock()
	known := f.cadence
	for _, name := range names {
		if c, ok := known[name]; ok {
			found[name] = c
		} else if !slices.Contains(unknown, name) {
			unknown = append(unknown, name)
		}
	}
	partial := f.partial
	tab.app.Loop.UnlockOnly()
	if len(unknown) > 0 {
		list, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Cadences, rpc.CadencesRequest{Source: tab.Source.ID, Metrics: unknown, Partial: partial}, nil)
		if err != nil {
			return found
		}
		tab.app.Loop.Lock()
		for i, c := range list {
			found[unknown[i]] = c
			if c.Records > 0 {
				known[unknown[i]] = c
			}
		}
		tab.app.Loop.UnlockOnly()
	}
	for name, c := range found {
		m := tab.Metric(name)
		switch {
		case tab.Follow.From > 0:
			c.Usual, c.Closest = int(followEvery), int(followEvery)
		case m != nil && (m.Type == "STRING" || m.InDom != nil && c.Instances == 0):
			c.Usual, c.Closest = 0, 0
		}
		found[name] = c
	}
	return found
}

// observed returns the same for the metric shown in the details, which may have no
// rates. If the request failed, there are no records. It is slow work.
func (f *Fetcher) observed(m *api.Metric) (often api.Cadence) {
	list, err := rpc.Invoke(f.tab.ctx, f.tab.app.Engine, rpc.Cadences, rpc.CadencesRequest{Source: f.tab.Source.ID, Metrics: []string{m.Name}, Partial: f.partial}, nil)
	if err != nil || m.InDom != nil && list[0].Instances == 0 {
		return often
	}
	return list[0]
}

// operands lists the metrics of an expression.
func (tab *Tab) operands(expression string) []string {
	var names []string
	for _, name := range metric.NamesIn(expression) {
		if tab.Metric(name) != nil {
			names = append(names, name)
		}
	}
	return names
}

// query fetches values of the source. If not all of it has been read, what is available is
// returned at once. It is slow work.
func (f *Fetcher) query(ctx context.Context, q api.Query) (*api.Frame, error) {
	q.Source, q.Partial = f.tab.Source.ID, q.Partial || f.partial
	return rpc.Invoke(ctx, f.tab.app.Engine, rpc.Fetch, q, nil)
}
