package state

import (
	"context"
	"math"
	"slices"
	"sort"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// Bounds of what one panel asks for.
const (
	mostPoints = 4000    // per series
	mostValues = 600_000 // per panel
)

// refresh asks anew for what all panels show.
func (w *Work) refresh() {
	for _, p := range w.OnScreen() {
		w.fetch(p)
	}
}

// forget gives up on what is under way for a panel.
func (p *Panel) forget() {
	a := p.waits()
	a.asked++
	if a.cancel != nil {
		a.cancel()
		a.cancel = nil
	}
}

// ask fetches metrics over a window; where they are for a table of one moment,
// which is not nil then, and the values of the window would be too many, those
// about that moment, and near is true. It is slow work.
func (w *Work) ask(ctx context.Context, metrics []string, window Window, moment *pcp.Time) (f *api.Frame, step int64, near bool, err error) {
	at := func(t pcp.Time) *api.When { n := int64(t); return &api.When{Nanos: &n} }
	q := api.Query{Source: w.Source.ID, Metrics: metrics, Convert: "rate"}
	lines, cadence, text, gaps, apart := 0, int64(0), false, false, w.Source.Loaded >= 1 && moment == nil
	for _, name := range metrics {
		m := w.Metric(name)
		if m == nil {
			c, n := w.operands(name)
			lines, gaps, apart = lines+n, true, false
			if c > 0 && (cadence == 0 || c < cadence) {
				cadence = c
			}
			continue
		}
		text = text || m.Type == "STRING" || Eventful(m.Type)
		gaps = gaps || m.Expression != "" // where PCP divides by zero, a line would jump
		apart = apart && m.Expression == "" && m.Semantics == "instant"
		n := 1
		if m.InDom != nil {
			n = max(1, len(w.instancesOf(*m.InDom)))
		}
		lines += n
		if c := w.cadenceOf(m); c > 0 && (cadence == 0 || c < cadence) {
			cadence = c
		}
	}
	switch {
	case !w.rates():
		q.Convert, q.Start, q.Count, step = "none", at(w.Source.Start), 1, 1e9
		q.Interval = at(pcp.Time(step))
	case text && moment == nil, apart && cadence == 0: // no line could be drawn between values that stand apart
		q.Mode, q.Convert, q.Start, q.End = "raw", "none", at(window.Start), at(window.End)
	default:
		points := min(mostPoints, max(200, mostValues/max(lines, 1)))
		if cadence == 0 { // seen once or never: there is nothing between
			points = min(points, 300)
		}
		if moment != nil && cadence > 0 && lines*int(min(mostPoints, int64(window.Len())/cadence)) > mostValues {
			step, near = cadence, true
			window = Window{*moment - pcp.Time(3*cadence), *moment}
		} else {
			step = stepFor(window.Len(), cadence, points)
		}
		start, end := w.gridOf(window, step)
		q.Start, q.End, q.Interval = at(start), at(end), at(pcp.Time(step))
	}
	q.Gaps = gaps
	f, err = w.app.Engine.Fetch(ctx, q, nil)
	return f, step, near, err
}

// moment is what tables of one moment are of: the cursor, or the end of the
// window.
func (w *Work) moment() pcp.Time {
	if a := w.app; a.HasCur && a.Cursor >= w.Window.Start && a.Cursor <= w.Window.End {
		return a.Cursor
	}
	return w.Window.End
}

// AttendTables sees to it that tables which have the values of one moment only
// have those of the cursor. It is called when the drawer is attended to.
func (a *App) AttendTables() {
	w := a.current
	if w == nil {
		return
	}
	for _, p := range w.OnScreen() {
		if d := p.waits().moment - w.moment(); p.Near && !p.far && !p.Loading && int64(max(d, -d)) >= p.Step/2 {
			w.fetch(p)
		}
	}
}

// cadenceOf is the usual time between observations of a metric, 0 where it is
// not known. It is slow work, done once.
func (w *Work) cadenceOf(m *api.Metric) int64 {
	if w.Watch.From > 0 {
		return int64(watchEvery)
	}
	w.app.Loop.Lock()
	c, ok := w.cadence[m.Name]
	w.app.Loop.UnlockOnly()
	if ok || !w.rates() || m.Type == "STRING" {
		return c
	}
	c, _ = w.observed(m)
	w.app.Loop.Lock()
	w.cadence[m.Name] = c
	w.app.Loop.UnlockOnly()
	return c
}

// observed asks how often a metric was logged: the median time between its
// observations in nanoseconds, and how many there are. One instance stands
// for all.
func (w *Work) observed(m *api.Metric) (cadence int64, count int) {
	q := api.Query{Source: w.Source.ID, Metrics: []string{m.Name}, Mode: "raw"}
	if m.InDom != nil {
		longest := api.Instance{}
		for _, i := range w.instancesOf(*m.InDom) {
			if longest.Name == "" || i.Last-i.First > longest.Last-longest.First {
				longest = i
			}
		}
		if longest.Name == "" {
			return 0, 0
		}
		q.Instances = []string{longest.Name}
	}
	f, err := w.app.Engine.Fetch(w.ctx, q, nil)
	if err != nil || len(f.Times) == 0 {
		return 0, 0
	}
	if f.ReadTo != nil { // what lies behind is seldom looked at
		n := sort.Search(len(f.Times), func(i int) bool { return at(f, i) > *f.ReadTo })
		if f.Times = f.Times[:n]; n == 0 {
			return 0, 0
		}
	}
	return usual(between(f)), len(f.Times)
}

// between returns the times between observations, in seconds, but for those in
// which the logger was started anew.
func between(f *api.Frame) []float64 {
	gaps, marks := make([]float64, 0, len(f.Times)), f.Marks
	for i := 1; i < len(f.Times); i++ {
		ended := false
		for len(marks) > 0 && marks[0] <= f.Times[i] {
			ended, marks = ended || marks[0] >= f.Times[i-1], marks[1:]
		}
		if d := f.Times[i] - f.Times[i-1]; d > 0 && !ended {
			gaps = append(gaps, d)
		}
	}
	return gaps
}

// usual is the median of the times between observations, in nanoseconds. A
// metric that two groups of a logger's configuration have is logged twice
// within moments, and then for a while not: where a good part of the times is
// far longer than the median, these are the usual ones. Holes, in which
// nothing was logged, are longer too, but few.
func usual(gaps []float64) int64 {
	slices.Sort(gaps)
	for len(gaps) > 0 {
		median := gaps[len(gaps)/2]
		longer := gaps[sort.SearchFloat64s(gaps, 4*median):]
		if len(longer) < (len(gaps)+4)/5 {
			return round(median * 1e9)
		}
		gaps = longer
	}
	return 0
}

// round takes the jitter of the logger's timer out of a cadence: "every 10 s",
// not "every 10.0003 s".
func round(nanos float64) int64 {
	for _, s := range steps {
		if math.Abs(nanos/float64(s)-1) < 0.03 {
			return int64(s)
		}
	}
	return int64(nanos)
}

// leaveOut takes out of a frame what was interpolated across lost data: no
// line crosses a hole.
func (w *Work) leaveOut(f *api.Frame) {
	for _, hole := range w.Holes() {
		from := sort.Search(len(f.Times), func(i int) bool { return at(f, i) > hole.Start })
		to := sort.Search(len(f.Times), func(i int) bool { return at(f, i) >= hole.End })
		if from >= to {
			continue
		}
		for k := range f.Columns {
			c := &f.Columns[k]
			if len(c.Values) != len(f.Times) {
				continue
			}
			if c.Why == nil {
				c.Why = make([]uint8, len(c.Values))
			}
			for i := from; i < to; i++ {
				if !math.IsNaN(c.Values[i]) {
					c.Values[i], c.Why[i] = math.NaN(), uint8(hole.Why)
				}
			}
		}
	}
}

func at(f *api.Frame, i int) pcp.Time { return f.Start + pcp.Time(math.Round(f.Times[i]*1e9)) }

// Brief leaves out of a metric's name what all the metrics have in common at
// its start.
func Brief(metrics []string, name string) string {
	parts := strings.Split(name, ".")
	n := 0
	for ; n < len(parts)-1; n++ {
		prefix := strings.Join(parts[:n+1], ".") + "."
		if slices.ContainsFunc(metrics, func(m string) bool { return !strings.HasPrefix(m, prefix) }) {
			break
		}
	}
	return strings.TrimSuffix(strings.Join(parts[n:], "."), ".total")
}

// lastPart is what stands after the last dot of a metric's name; an expression
// has no such part.
func lastPart(metric string) string {
	if strings.ContainsAny(metric, "()[]+-*/<>=!&|?: ,\"") {
		return metric
	}
	return metric[strings.LastIndexByte(metric, '.')+1:]
}

// texts lists the values of a column of texts, each once until it changes.
func texts(f *api.Frame, c *api.Column) []Text {
	who := lastPart(c.Metric)
	if c.Instance != nil {
		who = c.Instance.Name
	}
	var list []Text
	for i, v := range c.Strings {
		if v == nil || i >= len(f.Times) || len(list) > 0 && list[len(list)-1].Value == *v {
			continue
		}
		list = append(list, Text{f.Start + pcp.Time(math.Round(f.Times[i]*1e9)), who, *v})
	}
	return list
}

// reason is the most frequent word on why there is no value.
func reason(f *api.Frame) string {
	counts := map[uint8]int{}
	for _, c := range f.Columns {
		for _, y := range c.Why {
			if y != 0 {
				counts[y]++
			}
		}
	}
	best, n := uint8(0), 0
	for y, c := range counts {
		if c > n || c == n && y < best {
			best, n = y, c
		}
	}
	if n == 0 {
		return "nothing was logged"
	}
	return Reasons()[best]
}
