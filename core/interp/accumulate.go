package interp

import (
	"math"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// An accumulator collects what a summary of one series needs, a stretch of
// equal observations at a time. Spec: interp 14.
type accumulator struct {
	desc   pcp.Desc
	opt    SummaryOptions
	rate   float64 // of a counter: its own units of time in a second
	wrap   float64 // of a counter: what a decrease is taken for; 0 for none
	keep   bool    // collect points
	points []weighted

	seen         bool
	cut          bool     // a mark lies after the last observation
	first        pcp.Time // of the first observation
	last         pcp.Time // up to which the series was followed
	lost         pcp.Time // nanoseconds between that were cut out
	level        float64  // the last observation
	n            int
	sum          float64 // of values, or rates
	growth       float64 // of a counter
	area         float64 // of the others: values times the seconds that they lasted
	extra        int     // discrete: times that a value was carried to a mark or the end
	extraSum     float64
	min, max     float64
	minAt, maxAt pcp.Time
}

// walk takes in one segment: the runs of the series within the window, and
// the marks, in order of time.
func (a *accumulator) walk(p *summaryPart, runs []series.Run) {
	cuts := p.cuts
	for k := max(0, runAt(runs, uint32(p.r0))); k < len(runs); k++ {
		run := runs[k]
		r, end := max(int(run.Row&series.RowNum), p.r0), p.r1
		if k+1 < len(runs) {
			end = min(end, int(runs[k+1].Row&series.RowNum))
		}
		if r >= p.r1 {
			break
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
			for len(cuts) > 0 && cuts[0].row <= r {
				a.mark(cuts[0].at)
				cuts = cuts[1:]
			}
			to := end
			if len(cuts) > 0 {
				to = min(end, cuts[0].row)
			}
			a.steady(p.rows, r, to, v)
			r = to
		}
	}
	for _, c := range cuts {
		a.mark(c.at)
	}
}

// steady takes in rows from to to-1, which all observed v and have no mark
// between them.
func (a *accumulator) steady(p *rows, from, to int, v float64) {
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
		a.extremes(0, a.n == 0, p.all[from+1])
		a.n += k
		a.last = p.all[to-1]
		if a.keep {
			a.points = append(a.points, weighted{0, k})
		}
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
		a.extremes(r, a.n == 0, p.all[row])
		a.n++
		if a.keep {
			a.points = append(a.points, weighted{r, 1})
		}
	}
	a.last, a.level = t, v
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
	if a.keep {
		a.points = append(a.points, weighted{v, to - from})
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
func (a *accumulator) mark(t pcp.Time) {
	if a.seen && a.desc.Sem == pcp.Discrete {
		a.extend(t)
	}
	a.cut = true
}

// extend carries a discrete value to a mark or the end of the window.
func (a *accumulator) extend(t pcp.Time) {
	a.extra++
	a.extraSum += a.level
	a.area += a.level * seconds(a.last, t)
	a.last = t
}
