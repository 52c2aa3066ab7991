package interp

import (
	"math"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// A Summary summarises one numeric series in a window, like pmlogsummary(1):
// rates of a counter, in SummaryUnits, values of other metrics. Backward
// metrics are treated as the rates that they consist of. See spec/interp.md
// section 14.
type Summary struct {
	Inst        int32
	Count       int     // observations; of a counter the intervals between them that count
	Stochastic  float64 // unweighted mean of the observations
	TimeAverage float64 // mean over time, each value weighted by how long it lasted
	Sum         float64 // of the values; of a counter its total growth, in its own units
	Min, Max    float64
	MinAt       pcp.Time // when an extreme was first seen; of a rate the end of its interval
	MaxAt       pcp.Time
	Last        float64 // the last value; of a counter the last rate
	LastAt      pcp.Time
	// Covered is the fraction of the window, 0 to 1, that the observations
	// span. pmlogsummary marks a counter with * if it is at most a tenth.
	Covered float64
	// Insufficient is set for a counter without any interval to compute a rate
	// from; everything but Inst is 0 then.
	Insufficient bool

	// If a distribution was requested: over the observations, or the rates of a
	// counter. Quantiles are interpolated linearly.
	Median, P95, P99 float64
	Stddev           float64
	Bins             []Bin // empty unless requested
}

// A Bin counts the values above the previous bin's UpTo and not above its own.
type Bin struct {
	UpTo  float64
	Count int
}

// SummaryOptions say what a summary contains besides averages and extremes.
type SummaryOptions struct {
	CounterWrap bool
	// Measured excludes from extremes and distribution rates over less than a
	// hundredth of the usual interval between records: what a 10 ms clock
	// counted in 1 ms is not a measurement. pmlogsummary includes them, and says of
	// an extreme in the first interval that it was at the beginning of that.
	// The time average of values that did not last, such as a single one, is their mean;
	// pmlogsummary says 0.
	Measured     bool
	Distribution bool // median, percentiles, standard deviation
	Bins         int  // classes of equal width from Min to Max, at most 10000
	// Stop, which may be nil, is asked for each series; true ends the work, and
	// the answer is not whole.
	Stop func() bool
}

// SummaryUnits returns the units of a metric's averages and extremes.
func SummaryUnits(d pcp.Desc) pcp.Units {
	if d.Sem == pcp.Counter {
		return d.Units.Rate()
	}
	return d.Units
}

// A Summariser summarises any number of metrics over one window. It is not safe
// for concurrent use.
type Summariser struct {
	segs   []Segment
	window pcp.Span
	opt    SummaryOptions
	cached map[rowsOf]*rows
	points []weighted    // scratch of the current series
	parts  []summaryPart // and of the current metric
	some   someRows
}

// NewSummariser returns a Summariser for a window, both ends included, over the
// archives of a context in order of their starts.
func NewSummariser(segs []Segment, window pcp.Span, opt SummaryOptions) *Summariser {
	opt.Bins = min(opt.Bins, 10000)
	return &Summariser{segs: segs, window: window, opt: opt, cached: map[rowsOf]*rows{}}
}

// Metric summarises every series of a numeric metric that has an observation in
// the window, in order of instances. obs is as for Fetcher.Frame; if archives
// disagree about type or units, the latest descriptor's units are used.
func (s *Summariser) Metric(obs []*series.Observations) []Summary {
	var out []Summary
	s.Each(obs, 0, func(sum *Summary) bool {
		out = append(out, *sum)
		return true
	})
	return out
}

// Each is like Metric, but passes one summary at a time to yield, from the given
// number of an instance on, until that returns false. The summary is valid only
// during the call. It returns the number of the next instance, 0 if all are done.
func (s *Summariser) Each(obs []*series.Observations, from int, yield func(*Summary) bool) (next int) {
	desc, known := latest(obs)
	if !known || !desc.Type.Numeric() {
		return 0
	}
	parts := appendParts(s.parts[:0], obs, desc, s.rows)
	ids := instances(obs)
	var sum Summary
	fresh := accumulator{desc: desc, backward: desc.Sem != pcp.Counter && backward(obs), opt: s.opt, rate: perSecond(desc.Units),
		wrap: overflow(desc.Type, Options{CounterWrap: s.opt.CounterWrap}), keep: s.opt.Distribution || s.opt.Bins > 0, memory: &s.some}
	for i := from; i < len(ids) && next == 0; i++ {
		inst := ids[i]
		if s.opt.Stop != nil && s.opt.Stop() {
			break
		}
		a := fresh
		a.points = s.points[:0]
		for i := range parts {
			a.walk(&parts[i], parts[i].runsOf(inst))
		}
		if a.seen {
			sum = a.finish(inst, s.window)
			if !yield(&sum) && i+1 < len(ids) {
				next = i + 1
			}
		}
		s.points = a.points
	}
	s.parts = parts
	return next
}

// summaryPart is what one segment contributes to a metric.
type summaryPart struct {
	*rows
	series []series.Series
	next   int
	typ    pcp.Type
	scale  pcp.Scale
	scaled bool
}

// appendParts lays out what each segment contributes. If one disagrees about
// the units, its values are converted, or left out if that is impossible.
func appendParts(parts []summaryPart, obs []*series.Observations, desc pcp.Desc, rowsOf func(seg int, times []pcp.Time) *rows) []summaryPart {
	for i, o := range obs {
		if o == nil || !o.Desc.Type.Numeric() {
			continue
		}
		p := summaryPart{series: o.Series, typ: o.Desc.Type, rows: rowsOf(i, o.Times)}
		if o.Desc.Units != desc.Units {
			scale, ok := pcp.ScaleOf(o.Desc.Units, desc.Units)
			if !ok {
				continue
			}
			p.scale, p.scaled = scale, scale != (pcp.Scale{})
		}
		parts = append(parts, p)
	}
	return parts
}

// runsOf returns the runs of an instance; instances must be passed in ascending
// order.
func (p *summaryPart) runsOf(inst int32) []series.Run {
	for p.next < len(p.series) && p.series[p.next].Inst < inst {
		p.next++
	}
	if p.next < len(p.series) && p.series[p.next].Inst == inst {
		return p.series[p.next].Runs
	}
	return nil
}

// steadyRows are rows from from to to-1 that all observed v and have no mark between them.
type steadyRows struct {
	from, to int
	v        float64
}

// someRows is memory for as many as are passed on at once.
type someRows [128]steadyRows

// each visits the rows of a series and the marks, in order of time: mark is
// called with one, some with as many rows as fit into memory. A call for each would take
// longer than most of what is done.
func (p *summaryPart) each(runs []series.Run, memory *someRows, mark func(cutRow), some func([]steadyRows)) {
	cuts, list := p.cuts, memory[:0]
	k := max(0, runAt(runs, uint32(p.r0)))
	for p.reach && k > 0 && runs[k].Row&^series.RowNum != 0 {
		k--
	}
	for ; k < len(runs); k++ {
		run := runs[k]
		r, end := max(int(run.Row&series.RowNum), p.r0), p.r1
		if k+1 < len(runs) {
			end = min(end, int(runs[k+1].Row&series.RowNum))
			if p.reach && end <= p.r0 {
				r = end - 1
			}
		}
		if r >= p.r1 {
			break
		}
		if row := int(run.Row & series.RowNum); run.Row&series.Ended == series.Ended && row < p.r1 {
			some(list)
			list = memory[:0]
			for len(cuts) > 0 && cuts[0].row <= row {
				mark(cuts[0])
				cuts = cuts[1:]
			}
			mark(cutRow{row: row, first: p.all[row], last: p.all[row], reached: true})
			continue
		}
		if r >= end || run.Row&^series.RowNum != 0 {
			continue
		}
		v := series.Float(p.typ, run.Val)
		if p.scaled {
			v = p.scale.Float64(v)
		}
		if math.IsNaN(v) {
			continue
		}
		for r < end {
			if len(cuts) > 0 && cuts[0].row <= r || len(list) == len(memory) {
				some(list)
				list = memory[:0]
			}
			for len(cuts) > 0 && cuts[0].row <= r {
				mark(cuts[0])
				cuts = cuts[1:]
			}
			to := end
			if len(cuts) > 0 {
				to = min(end, cuts[0].row)
			}
			list = append(list, steadyRows{r, to, v})
			r = to
		}
	}
	some(list)
	for _, c := range cuts {
		mark(c)
	}
}

// rows is shared by all series with the same rows: those of the window, and the
// marks among them.
type rows struct {
	all     []pcp.Time
	r0, r1  int
	step    []float64 // seconds since the row before, if that is in the window
	strict  bool      // no two rows at the same time
	reach   bool      // for a series that is not in row r0, the last row before counts too
	cuts    []cutRow
	crowded []int // number of rows of the window up to each one that came too soon for a rate; nil for none
}

// soon reports whether a row came so soon after the previous one that the
// growth of a counter between them is not a rate: a 10 ms clock that ticks
// between two records 1 ms apart would suggest ten busy CPUs. The row still
// counts in sums and averages.
func (r *rows) soon(row int) bool { return r.soonAmong(row, row+1) > 0 }

// soonAmong counts such rows from row from to row to-1.
func (r *rows) soonAmong(from, to int) int {
	if r.crowded == nil || to <= from || from <= r.r0 {
		return 0
	}
	return r.crowded[to-1-r.r0] - r.crowded[from-1-r.r0]
}

// crowdedRows counts those of the rows from from to to-1 that came after less than a
// hundredth of the usual interval (the upper quartile): in some archives every second row
// follows the previous one within milliseconds. What is usual a few rows cannot say: those
// around them count, too.
func crowdedRows(all []pcp.Time, from, to int) []int {
	const near = 20
	times, around := all[from:to], all[max(0, from-near):min(len(all), to+near)]
	if len(times) < 2 || len(around) < 3 {
		return nil
	}
	steps, shortest := make([]pcp.Time, len(around)-1), pcp.MaxTime
	for i := range steps {
		steps[i] = around[i+1] - around[i]
		shortest = min(shortest, steps[i])
	}
	least := sorting.Select(steps, (len(steps)-1)*3/4) / 100
	if shortest >= least {
		return nil
	}
	crowded, n := make([]int, len(times)), 0
	for i := 1; i < len(times); i++ {
		if times[i]-times[i-1] < least {
			n++
		}
		crowded[i] = n
	}
	return crowded
}

// since returns the seconds from a time to a row: usually the row before.
func (r *rows) since(t pcp.Time, row int) float64 {
	if row > r.r0 && t == r.all[row-1] {
		return r.step[row-r.r0]
	}
	return seconds(t, r.all[row])
}

// cutRow is marks without a row between them: the row that follows them, their
// number, and the times of the first and the last. A row at which a value ends is one, too.
type cutRow struct {
	row, marks  int
	first, last pcp.Time
	reached     bool // the value before it lasted until then
}

// rowsOf identifies row times: metrics that are logged together share theirs.
type rowsOf struct {
	segment int
	first   *pcp.Time
	count   int
}

// maxCached bounds the cache of rows (unless there are more than half as many
// segments): in the worst case each metric has row times of its own.
const maxCached = 1 << 10

func (s *Summariser) rows(seg int, times []pcp.Time) *rows {
	if len(times) == 0 {
		return s.layRows(seg, nil)
	}
	key := rowsOf{seg, &times[0], len(times)}
	r := s.cached[key]
	if r == nil {
		r = s.layRows(seg, times)
		if len(s.cached) >= max(maxCached, 2*len(s.segs)) {
			clear(s.cached)
		}
		s.cached[key] = r
	}
	return r
}

func (s *Summariser) layRows(seg int, times []pcp.Time) *rows {
	r := &rows{all: times, r0: before(times, s.window.Start), strict: true}
	r.r1 = max(r.r0, upTo(times, s.window.End))
	r.step = make([]float64, r.r1-r.r0)
	for i := 1; i < len(r.step); i++ {
		r.strict = r.strict && times[r.r0+i] != times[r.r0+i-1]
		r.step[i] = seconds(times[r.r0+i-1], times[r.r0+i])
	}
	r.cuts = cutsOf(s.segs, seg, r, s.window)
	if s.opt.Measured {
		r.crowded = crowdedRows(times, r.r0, r.r1)
	}
	return r
}

// cutsOf lists the marks of a segment within a window, combining those without
// a row between them. Many marks cost no more than the rows do, as each metric
// may have rows of its own.
func cutsOf(segs []Segment, seg int, rows *rows, window pcp.Span) (cuts []cutRow) {
	marks, times := segs[seg].Marks, rows.all
	marks = marks[before(marks, window.Start):]
	marks = marks[:upTo(marks, window.End)]
	if len(marks) <= rows.r1-rows.r0 {
		for _, m := range marks {
			cuts = addCut(cuts, cutRow{row: before(times, m), marks: 1, first: m, last: m})
		}
	} else {
		for r, had := rows.r0, 0; r <= rows.r1; r++ { // those before each row, and after all of them
			n := len(marks)
			if r < rows.r1 {
				n = upTo(marks, times[r])
			}
			if n > had {
				row := before(times, marks[n-1])
				if row > 0 { // of those before the current rows
					had = max(had, upTo(marks, times[row-1]))
				}
				cuts = append(cuts, cutRow{row: row, marks: n - had, first: marks[had], last: marks[n-1]})
			}
			had = n
		}
	}
	if end := segs[seg].End + virtualMark; seg < len(segs)-1 && end >= window.Start && end <= window.End {
		cuts = addCut(cuts, cutRow{row: before(times, end), marks: 1, first: end, last: end})
	}
	return cuts
}

func addCut(cuts []cutRow, c cutRow) []cutRow {
	if n := len(cuts); n > 0 && cuts[n-1].row == c.row {
		cuts[n-1].marks += c.marks
		cuts[n-1].last = c.last
		return cuts
	}
	return append(cuts, c)
}

// finish makes a Summary of what was accumulated.
func (a *accumulator) finish(inst int32, window pcp.Span) Summary {
	length := seconds(window.Start, window.End)
	sum := Summary{Inst: inst, Count: a.n, Min: a.min, Max: a.max, MinAt: a.minAt, MaxAt: a.maxAt, Last: a.latest, LastAt: a.latestAt}
	switch {
	case a.backward:
		if a.kept == 0 || a.covered <= 0 {
			return Summary{Inst: inst, Insufficient: true}
		}
		sum.Stochastic, sum.Sum, sum.TimeAverage = a.sum/float64(a.n), a.sum, a.area/a.covered
		sum.Covered = part01(a.covered, length)
	case a.desc.Sem == pcp.Counter:
		span := seconds(a.first+a.lost, a.last)
		if span <= 0 || a.kept == 0 {
			return Summary{Inst: inst, Insufficient: true}
		}
		sum.Stochastic = a.sum / float64(a.n)
		sum.Sum = a.growth
		sum.TimeAverage = a.growth / (span * a.rate)
		sum.Covered = part01(span, length)
	case a.desc.Sem == pcp.Discrete && !a.ended:
		a.extend(window.End, 1)
		fallthrough
	default:
		span := seconds(a.first+a.lost, a.last)
		sum.Covered = part01(span, length)
		sum.Stochastic = (a.sum + a.extraSum) / float64(a.n+a.extra)
		sum.Sum = a.sum
		switch {
		case span > 0:
			sum.TimeAverage = a.area / span
		case a.opt.Measured:
			sum.TimeAverage = sum.Stochastic
		}
	}
	if a.keep {
		a.distribute(&sum)
	}
	return sum
}

// seconds returns the time from a to b, converting whole seconds and the rest
// separately as libpcp's tools do.
func seconds(a, b pcp.Time) float64 {
	d := uint64(b - a)
	if b < a {
		d = -d
	}
	whole := d / 1e9 // one division, unsigned: WebAssembly has no instruction for quotient and remainder, and none for signed division that Go can use
	length := float64(int64(whole)) + float64(int64(d-whole*1e9))/1e9
	if b < a {
		return -length
	}
	return length
}

func part01(span, length float64) float64 {
	switch {
	case span <= 0:
		return 0
	case span >= length:
		return 1
	}
	return span / length
}
