package interp

import (
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// An accumulator collects what a summary of one series needs, a stretch of
// equal observations at a time. See spec/interp.md section 14.
type accumulator struct {
	desc pcp.Desc
	opt  SummaryOptions
	rate float64 // of a counter: its own units of time in a second
	wrap float64 // of a counter: what a decrease is taken for; 0 for none
	keep bool    // collect points
	// backward: see series.Observations. Only values whose interval lies in the
	// window count, as of a counter.
	backward bool
	covered  float64 // seconds of these intervals
	points   []weighted

	seen         bool
	cut          bool     // a mark lies after the last observation
	first        pcp.Time // of the first observation
	last         pcp.Time // up to which the series was followed
	lost         pcp.Time // nanoseconds between that were cut out
	level        float64  // the last observation
	n            int
	kept         int     // of these, as the extremes and the distribution count them
	keptSum      float64 // of these; where there is a distribution
	sum          float64 // of values, or rates
	growth       float64 // of a counter
	area         float64 // of the others: values times the seconds that they lasted
	extra        int     // discrete: times that a value was carried to a mark or the end
	extraSum     float64
	min, max     float64
	minAt, maxAt pcp.Time
	latest       float64  // the last value, or rate
	latestAt     pcp.Time // when it was observed
}

// walk takes in one segment: the runs of the series within the window, and
// the marks, in order of time.
func (a *accumulator) walk(p *summaryPart, runs []series.Run) {
	p.each(runs, a.mark, func(from, to int, v float64) { a.steady(p.rows, from, to, v) })
}

// steady takes in rows from to to-1, which all observed v and have no mark
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

// reach takes in one observation of a counter.
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

// intervals takes in equal values, each of the time since the row before.
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
		a.extremes(v, a.n == 0, p.all[r])
		a.keepPoint(v, 1)
		a.n++
		a.sum += v
		a.area += v * d
		a.covered += d
		a.latest, a.latestAt = v, p.all[r]
	}
}

// levels takes in equal observations of a metric that is no counter.
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
	a.cut = false
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

// keepPoint notes a value, or rate, that was observed n times in a row.
func (a *accumulator) keepPoint(v float64, n int) {
	a.kept += n
	if a.keep {
		a.keptSum += v * float64(n)
		a.points = append(a.points, weighted{v, n})
	}
}

// extremes compares one value with those before. The first one keeps the time
// that the first observation set.
func (a *accumulator) extremes(v float64, first bool, at pcp.Time) {
	if first {
		a.min, a.max = v, v
		return
	}
	if v < a.min {
		a.min, a.minAt = v, at
	}
	if v > a.max {
		a.max, a.maxAt = v, at
	}
}

// mark notes that the series was interrupted.
func (a *accumulator) mark(c cutRow) {
	if a.seen && !a.backward && a.desc.Sem == pcp.Discrete {
		a.extend(c.last, c.marks)
	}
	a.cut = true
}

// extend carries a discrete value to the last of so many marks, each of which
// counts, or to the end of the window.
func (a *accumulator) extend(t pcp.Time, marks int) {
	a.extra += marks
	a.extraSum += a.level * float64(marks)
	a.area += a.level * seconds(a.last, t)
	a.last = t
}
