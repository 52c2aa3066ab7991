// Package chart computes what a chart shows in addition to its lines, and reduces
// answers to what can be drawn. It runs in the engine, where the values are, so
// that values leave it only to be drawn.
package chart

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// ClockSet follows the numbers of series.Why: the sample is left out because
// more time was counted than had passed.
const ClockSet = uint8(series.NotChosen) + 1

// Result is a frame as a chart shows it, with facts about its columns.
type Result struct {
	Frame   *api.Frame
	Lines   []api.ChartLine // by column
	Others  int             // the column that sums up all lines but the largest; -1 if none
	LeftOut int             // impossible samples of the window
	Cut     int             // columns left out because there were too many
	Reason  uint8           // the most frequent reason for missing values; 0 if none is missing
	Total   int             // the column of ChartQuery.Total; -1 if none
}

// Make converts a frame into what a chart shows of it. It calls turn again and
// again meanwhile, so that others can work as well.
func Make(f *api.Frame, q *api.ChartQuery, turn func()) Result {
	m := maker{f: f, q: q, turn: turn, made: Result{Frame: f, Others: -1, Total: -1}}
	if q.Until != nil {
		end(f, *q.Until)
	}
	if len(q.Breaks) > 0 && !slices.ContainsFunc(f.Columns, func(c api.Column) bool { return c.Strings != nil }) {
		m.part()
	}
	leaveOut(f, q.Holes, m.worked)
	m.lines = m.all()
	m.total()
	m.leaveOutUnchosen()
	if q.Groups != "" {
		m.innermost()
	}
	if q.Groups == "slices" {
		m.bySlice()
	}
	if q.Share != "" {
		m.clamp()
	}
	m.describe()
	if q.Rest != nil {
		m.rest()
	}
	m.cut()
	m.made.Reason = reason(f, q.Start, q.End)
	return m.made
}

// end moves the last point to the end of the source if it lies beyond: it represents what
// lies before it, and beyond the end nobody would see it.
func end(f *api.Frame, until pcp.Time) {
	if n := len(f.Times); n > 1 && at(f, n-1) > until && at(f, n-2) < until {
		f.Times = slices.Clone(f.Times)
		f.Times[n-1] = until.Since(f.Start)
	}
}

// maxColumns is the most lines that a chart gets. Nobody looks at more, and a
// page that was sent 20,000 would freeze.
const maxColumns = 3000

// cut keeps the largest lines if there are too many, and all sums.
func (m *maker) cut() {
	f := m.f
	if m.made.Cut = len(f.Columns) - maxColumns; m.made.Cut <= 0 {
		m.made.Cut = 0
		return
	}
	apart := func(i int) bool {
		c := &f.Columns[i]
		return i == m.made.Others || c.Instance == nil || c.Instance.ID == Summed
	}
	list := make([]int, len(f.Columns))
	for i := range list {
		list[i] = i
	}
	Rank(list, func(i int) float64 {
		if apart(i) {
			return math.Inf(1)
		}
		return Weight(&m.made.Lines[i], false)
	})
	list = list[:maxColumns]
	slices.Sort(list)
	columns, lines, others, total := make([]api.Column, len(list)), make([]api.ChartLine, len(list)), -1, -1
	for to, from := range list {
		columns[to], lines[to] = f.Columns[from], m.made.Lines[from]
		if from == m.made.Others {
			others = to
		}
		if from == m.made.Total {
			total = to
		}
	}
	f.Columns, m.made.Lines, m.made.Others, m.made.Total = columns, lines, others, total
}

type maker struct {
	f     *api.Frame
	q     *api.ChartQuery
	lines []int // columns, in order
	made  Result
	turn  func() // see worked
	work  int    // values since the last turn
}

// worked counts values, and takes a turn whenever there have been enough of them.
func (m *maker) worked(values int) {
	const often = 1 << 16
	if m.work += values + 64; m.work >= often {
		m.work = 0
		m.turn()
	}
}

// all lists the columns that are lines.
func (m *maker) all() []int {
	var list []int
	for i := range m.f.Columns {
		c := &m.f.Columns[i]
		if m.q.Consumers == nil && (slices.Contains(m.q.Limits, c.Metric) || c.Metric == m.q.Total) || c.Strings != nil && !m.q.Texts {
			continue
		}
		list = append(list, i)
	}
	return list
}

// total finds the column with the maximum of the sum of all lines. If its steps
// say no more than its points, the lines show it themselves.
func (m *maker) total() {
	if m.q.Total == "" {
		return
	}
	m.made.Total = slices.IndexFunc(m.f.Columns, func(c api.Column) bool { return c.Metric == m.q.Total && c.Instance == nil && c.High != nil })
	if i := m.made.Total; i >= 0 && m.q.Share != "" {
		c := &m.f.Columns[i]
		own(c)
		for k, v := range c.High {
			c.High[k] = percent(v)
		}
	}
}

// WithBreaks returns the times of a frame, with another one inserted for each break
// between two of them; and for each time its row in the frame, -1 for inserted
// ones.
func WithBreaks(f *api.Frame, breaks []api.MissingRange) (times []float64, rows []int) {
	times = slices.Clone(f.Times)
	for i := range f.Times {
		rows = append(rows, i)
	}
	for _, hole := range breaks {
		middle := (hole.Start + (hole.End-hole.Start)/2).Since(f.Start)
		i := sort.Search(len(times), func(i int) bool { return times[i] > middle })
		if i == 0 || i == len(times) || times[i-1] > hole.Start.Since(f.Start) || times[i] < hole.End.Since(f.Start) {
			continue
		}
		times, rows = slices.Insert(times, i, middle), slices.Insert(rows, i, -1)
	}
	return times, rows
}

// part inserts a time without values at each break that falls between the
// frame's times, so that no line crosses it.
func (m *maker) part() {
	times, rows := WithBreaks(m.f, m.q.Breaks)
	m.f.Times = times
	for k := range m.f.Columns {
		c := &m.f.Columns[k]
		m.worked(4 * len(rows))
		own(c)
		for i, row := range rows {
			if row >= 0 {
				continue
			}
			for _, values := range []*[]float64{&c.Values, &c.Low, &c.High} {
				if i <= len(*values) && *values != nil {
					*values = slices.Insert(*values, i, math.NaN())
				}
			}
			if i <= len(c.Why) && len(c.Why) > 0 {
				c.Why = slices.Insert(c.Why, i, uint8(series.AcrossMark))
			}
		}
	}
}

func at(f *api.Frame, i int) pcp.Time { return f.Start + pcp.Time(math.Round(f.Times[i]*1e9)) }

// own gives a column its own copy of the values, as they may be shared.
func own(c *api.Column) {
	c.Values, c.Low, c.High, c.Why = slices.Clone(c.Values), slices.Clone(c.Low), slices.Clone(c.High), slices.Clone(c.Why)
}

// lose removes a value from a column.
func lose(c *api.Column, i int, why uint8) {
	if c.Why == nil {
		c.Why = make([]uint8, len(c.Values))
	}
	c.Values[i], c.Why[i] = math.NaN(), why
	if c.High != nil {
		c.Low[i], c.High[i] = math.NaN(), math.NaN()
	}
}

// LeaveOut removes values that were interpolated across lost data: no line
// crosses a hole.
func LeaveOut(f *api.Frame, holes []api.MissingRange) { leaveOut(f, holes, func(int) {}) }

func leaveOut(f *api.Frame, holes []api.MissingRange, worked func(values int)) {
	for _, hole := range holes {
		from := sort.Search(len(f.Times), func(i int) bool { return at(f, i) > hole.Start })
		to := sort.Search(len(f.Times), func(i int) bool { return at(f, i) >= hole.End })
		for k := range f.Columns {
			c := &f.Columns[k]
			if len(c.Values) != len(f.Times) {
				continue
			}
			worked(to - from)
			owned := false
			for i := from; i < to; i++ {
				if !math.IsNaN(c.Values[i]) {
					if !owned {
						own(c)
						owned = true
					}
					lose(c, i, uint8(hole.Why))
				}
			}
		}
	}
}

// leaveOutUnchosen drops lines whose expression excludes every value, as long
// as others remain.
func (m *maker) leaveOutUnchosen() {
	unchosen := func(i int) bool { return Unchosen(&m.f.Columns[i]) }
	if slices.ContainsFunc(m.lines, func(i int) bool { return !unchosen(i) }) {
		m.lines = slices.DeleteFunc(m.lines, unchosen)
	}
}

// Unchosen reports whether the expression of a column excludes every value.
func Unchosen(c *api.Column) bool {
	left := false
	for k, v := range c.Values {
		if !math.IsNaN(v) {
			return false
		}
		left = left || k < len(c.Why) && series.Why(c.Why[k]) == series.NotChosen
	}
	return left
}

// jitter is how much of a percentage may be due to the logger's timer: 107 % of
// the time means 100 %, and where idle time is subtracted, -7 % means 0.
const jitter = 10

// clamp removes timer jitter from shares of time. If far more time was counted
// than passed according to the timestamps, the clock was set: the whole sample
// is left out, and counted. Other views of the metric show it unchanged.
func (m *maker) clamp() {
	f, owned := m.f, false
	lines := slices.DeleteFunc(slices.Clone(m.lines), func(i int) bool { return !m.shares(&f.Columns[i]) })
	together := f.Reduced != "max" && f.Reduced != "p95" // else each line has its value from another moment of the step
	for k := range f.Times {
		lowest, highest, sum, outside := 0.0, 0.0, 0.0, false
		m.worked(4 * len(lines))
		for _, i := range lines {
			if c := &f.Columns[i]; k < len(c.Values) && !math.IsNaN(c.Values[k]) {
				lowest, highest = min(lowest, c.Values[k]), max(highest, c.Values[k])
				sum += c.Values[k]
				outside = outside || c.High != nil && (c.Low[k] < 0 || c.High[k] > 100)
			}
		}
		impossible := lowest < -jitter || highest > 100+jitter || together && m.q.Share == "utilisation" && sum > 100+jitter
		if lowest >= 0 && highest <= 100 && !outside && !impossible {
			continue
		}
		if t := at(f, k); impossible && t >= m.q.Start && t <= m.q.End {
			m.made.LeftOut++
		}
		if !owned {
			for _, i := range lines {
				own(&f.Columns[i])
			}
			owned = true
		}
		for _, i := range lines {
			c := &f.Columns[i]
			switch {
			case k >= len(c.Values) || math.IsNaN(c.Values[k]):
			case impossible:
				lose(c, k, ClockSet)
			default:
				c.Values[k] = percent(c.Values[k])
				if c.High != nil {
					c.Low[k], c.High[k] = percent(c.Low[k]), percent(c.High[k])
				}
			}
		}
	}
}

// shares reports whether the values of a column are shares of time.
func (m *maker) shares(c *api.Column) bool {
	return m.q.Share != "" && !slices.Contains(m.q.Apart, c.Metric)
}

// percent is a share of time clamped to 0 to 100.
func percent(v float64) float64 { return min(max(v, 0), 100) }

// describe computes the facts about each column that are needed without its
// values.
func (m *maker) describe() {
	m.made.Lines = make([]api.ChartLine, len(m.f.Columns))
	for i := range m.f.Columns {
		m.worked(4 * len(m.f.Columns[i].Values))
		m.made.Lines[i] = m.line(&m.f.Columns[i])
	}
}

func (m *maker) line(c *api.Column) api.ChartLine {
	nan := math.NaN()
	s, sum := columnStats(m.f, c, m.q.Start, m.q.End, m.shares(c))
	if m.shares(c) {
		withoutLeftOut(m.f, c, m.q.Start, m.q.End, &s)
	}
	l := api.ChartLine{Last: s.Last, Avg: s.Avg, P95: s.P95, Min: s.Min, Max: s.Max, MaxAt: s.MaxAt, Count: s.Count, Whole: s.Whole,
		Sum: sum, End: nan, Peak: nan, Empty: true, Unchosen: Unchosen(c)}
	for _, v := range c.Values {
		if !math.IsNaN(v) {
			l.Empty, l.End = false, v
			if !(v <= l.Peak) {
				l.Peak = v
			}
		}
	}
	for _, v := range c.High {
		if v > l.Peak {
			l.Peak = v
		}
	}
	return l
}

// rest appends the sum of all lines but the largest.
func (m *maker) rest() {
	q, top := m.q.Rest, m.q.Rest.Top
	wide := slices.ContainsFunc(m.lines, func(i int) bool { return m.f.Columns[i].Instance != nil })
	if len(m.lines) > top { // without columns that have no value in the window
		valued := slices.DeleteFunc(slices.Clone(m.lines), func(i int) bool { return m.made.Lines[i].Empty && m.f.Columns[i].Fault == nil })
		if len(valued) > 0 {
			m.lines = valued
		}
	}
	if !wide && !q.Single || len(m.lines) <= top {
		return
	}
	ranked := slices.Clone(m.lines)
	Rank(ranked, func(i int) float64 { return m.made.Lines[i].Avg }) // where no point lies in the window
	Rank(ranked, func(i int) float64 { return Weight(&m.made.Lines[i], true) })
	keep := map[int]bool{}
	for _, i := range ranked[:top] {
		keep[i] = true
	}
	sum := make([]float64, len(m.f.Times))
	for k := range sum {
		sum[k] = math.NaN()
	}
	like := api.Column{}
	for _, i := range m.lines {
		if m.worked(len(m.f.Columns[i].Values)); keep[i] {
			continue
		}
		like = m.f.Columns[i]
		for k, v := range like.Values {
			if !math.IsNaN(v) {
				if math.IsNaN(sum[k]) {
					sum[k] = 0
				}
				sum[k] += v
			}
		}
	}
	m.made.Others = len(m.f.Columns)
	m.f.Columns = append(m.f.Columns, api.Column{Metric: like.Metric, Units: like.Units, Type: like.Type, Semantics: like.Semantics, Values: sum})
	m.made.Lines = append(m.made.Lines, m.line(&m.f.Columns[m.made.Others]))
}

// Weight is what lines are ranked by: their sum if that is meaningful, else
// their maximum.
func Weight(l *api.ChartLine, sums bool) float64 {
	switch {
	case l.Count == 0:
		return math.Inf(-1)
	case sums:
		return l.Sum
	}
	return l.Max
}

// Rank sorts lines, largest first; equal ones keep their order.
func Rank(list []int, weight func(int) float64) {
	sorting.Stable(list, func(a, b int) int { return cmp.Compare(weight(b), weight(a)) })
}

// reason is the most frequent reason for missing values in the window: a grid begins
// before it and ends after it, where there may be none for other reasons.
func reason(f *api.Frame, from, to pcp.Time) uint8 {
	first := sort.Search(len(f.Times), func(i int) bool { return at(f, i) >= from })
	end := sort.Search(len(f.Times), func(i int) bool { return at(f, i) >= to }) // the last point may have been moved there
	if first >= end {
		first, end = 0, len(f.Times)
	}
	var counts [256]int
	for i := range f.Columns {
		why := f.Columns[i].Why
		for _, y := range why[min(first, len(why)):min(end, len(why))] {
			counts[y]++
		}
	}
	best := 0
	vague := func(y int) bool { return y == int(series.OperandMissing) || y == int(series.NoPrevious) }
	for y := 1; y < len(counts); y++ {
		if counts[y] > 0 && (best == 0 || counts[y] > counts[best] || counts[y] == counts[best] && vague(best)) {
			best = y
		}
	}
	return uint8(best)
}
