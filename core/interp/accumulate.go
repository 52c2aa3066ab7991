package interp

import (
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// An accumulator collects the summary of one series, by runs of equal
// observations. See spec/interp.md section 14.
type accumulator struct {
	desc pcp.Desc
	opt  SummaryOptions
	rate float64 // of a counter: its own time units per second
	wrap float64 // of a counter: what to add to a decrease; 0 for none
	keep bool    // collect points
	// backward: see series.Observations. As with counters, only values whose
	// interval is in the window count.
	backward bool
	covered  float64 // seconds of these intervals
	points   []weighted
	memory   *someRows

	seen         bool
	cut          bool     // a mark follows the last observation
	ended        bool     // it has no value, see series.Ended
	first        pcp.Time // of the first observation
	last         pcp.Time // up to which the series has been processed
	lost         pcp.Time // nanoseconds in between that were excluded
	level        float64  // the last observation
	n            int
	kept         int     // number of points, as counted by extremes and distribution
	keptSum      float64 // their sum, if there is a distribution
	sum          float64 // of values, or rates
	growth       float64 // of a counter
	area         float64 // of other metrics: values times seconds
	extra        int     // discrete: how often a value was carried to a mark or the end
	extraSum     float64
	min, max     float64
	minAt, maxAt pcp.Time
	latest       float64  // the last value, or rate
	latestAt     pcp.Time // when it was observed
}

// walk processes one segment: the runs of the series within the window, and the
// marks, in order of time.
func (a *accumulator) walk(p *summaryPart, runs []series.Run) {
	p.each(runs, a.memory, a.mark, func(list []steadyRows) {
		for i := range list {
			a.steady(p.rows, list[i].from, list[i].to, list[i].v)
		}
	})
}

// steady processes rows from to to-1, which all observed v and have no mark
// between them.
func (a *accumulator) steady(p *rows, from, to int, v float64) {
	if a.backward {
		a.intervals(p, from, to, v)
		return
	}
	if a.desc.Sem != pcp.Counter {
		a.levels(p, from, to, v)
		return
	}
	a.reach(p, from, v)
	if !p.strict {
		for r := from + 1; r < to; r++ {
			a.reach(p, r, v)
		}
		return
	}
	if k := to - from - 1; k > 0 && a.level == v { // k intervals without growth
		if m := k - p.soonAmong(from+1, to); m > 0 {
			a.extremes(0, a.kept == 0, p.all[from+1])
			a.latest, a.latestAt = 0, p.all[to-1]
			a.keepPoint(0, m)
		}
		a.n += k
		a.last = p.all[to-1]
	}
}

// reach processes one observation of a counter.
func (a *accumulator) reach(p *rows, row int, v float64) {
	t := p.all[row]
	if !a.seen {
		a.seen, a.cut, a.first, a.last, a.level = true, false, t, t, v
		a.minAt, a.maxAt = p.all[row], p.all[row]
		return
	}
	if t == a.last {
		return
	}
	growth := v - a.level
	if growth < 0 {
		growth += a.wrap
	}
	if a.cut || growth < 0 {
		a.lost += t - a.last
		a.cut = false
	} else {
		r := growth / (a.rate * p.since(a.last, row))
		a.sum += r
		a.growth += growth
		a.n++
		if a.last != p.all[row-1] || !p.soon(row) {
			a.latest, a.latestAt = r, t
			a.extremes(r, a.kept == 0, p.all[row])
			a.keepPoint(r, 1)
		}
	}
	a.last, a.level = t, v
}

// intervals processes equal values, each for the time since the row before.
func (a *accumulator) intervals(p *rows, from, to int, v float64) {
	for r := max(from, p.r0+1); r < to; r++ {
		d := p.step[r-p.r0]
		if d <= 0 {
			continue
		}
		if !a.seen {
			a.seen = true
			a.minAt, a.maxAt = p.all[r-1], p.all[r-1]
		}
		if !p.soon(r) {
			a.latest, a.latestAt = v, p.all[r]
			a.extremes(v, a.kept == 0, p.all[r])
			a.keepPoint(v, 1)
		}
		a.n++
		a.sum += v
		a.area += v * d
		a.covered += d
	}
}

// levels processes equal observations of a metric other than a counter.
func (a *accumulator) levels(p *rows, from, to int, v float64) {
	t, end := p.all[from], p.all[to-1]
	switch {
	case !a.seen:
		a.seen, a.first = true, t
		a.minAt, a.maxAt = p.all[from], p.all[from]
	case a.cut:
		a.lost += t - a.last
	default:
		a.area += a.level * p.since(a.last, from)
	}
	a.cut, a.ended = false, false
	a.extremes(v, a.n == 0, t)
	lasted := 0.0
	if to-from > 1 {
		lasted = seconds(t, end)
	}
	a.area += v * lasted
	a.n += to - from
	a.sum += v * float64(to-from)
	a.last, a.level = end, v
	a.latest, a.latestAt = v, end
	a.keepPoint(v, to-from)
}

// keepPoint records a value or rate that was observed n times in a row.
func (a *accumulator) keepPoint(v float64, n int) {
	a.kept += n
	if a.keep {
		a.keptSum += v * float64(n)
		a.points = append(a.points, weighted{v, n})
	}
}

// extremes compares one value with the extremes so far. The first one keeps the
// time set by the first observation, as in pmlogsummary, although a rate is known only at
// the end of its interval.
func (a *accumulator) extremes(v float64, first bool, at pcp.Time) {
	if first {
		a.min, a.max = v, v
		if a.opt.Measured {
			a.minAt, a.maxAt = at, at
		}
		return
	}
	if v < a.min {
		a.min, a.minAt = v, at
	}
	if v > a.max {
		a.max, a.maxAt = v, at
	}
}

// mark records that the series was interrupted.
func (a *accumulator) mark(c cutRow) {
	if c.reached && (a.backward || a.desc.Sem == pcp.Counter) {
		return
	}
	if a.seen && !a.backward && !a.ended && (a.desc.Sem == pcp.Discrete || c.reached && !a.cut) {
		a.extend(c.last, c.marks)
	}
	a.cut, a.ended = true, a.ended || c.reached
}

// extend carries a discrete value to the last of a number of marks, each of which
// counts, or to the end of the window.
func (a *accumulator) extend(t pcp.Time, marks int) {
	a.extra += marks
	a.extraSum += a.level * float64(marks)
	a.area += a.level * seconds(a.last, t)
	a.last = t
}
