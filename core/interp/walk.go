package interp

import (
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// rule is the interpolation rule of a metric. See spec/interp.md section 3.
type rule uint8

const (
	inProportion rule = iota // counters: linear interpolation
	nearest                  // numbers of other semantics
	earlier                  // strings and blobs: always the observation before
	never                    // nothing: a counter that is not a number, a type without values
)

func ruleOf(d pcp.Desc) rule {
	switch {
	case d.Type < 0 || d.Type == pcp.AggregateStatic || d.Type > pcp.HighresEvent:
		return never
	case d.Sem == pcp.Counter && d.Type.Numeric():
		return inProportion
	case d.Sem == pcp.Counter:
		return never
	case d.Type.Numeric():
		return nearest
	}
	return earlier
}

// A walker holds what all series of one metric in one segment share.
type walker struct {
	axis  *axis
	times []pcp.Time
	rule  rule
	typ   pcp.Type
	wrap  bool
	holds bool // DISCRETE: the last value lasts to the next cut
	// otherSegments[0] and [1]: the series has observations in an earlier or a
	// later segment
	otherSegments [2]bool
	outlasted     []pcp.Time // of the segment
	origin        pcp.Time

	vals    []uint64     // one for each point of the axis
	why     []series.Why // likewise; only written where there is no value
	missing int          // points written to why
}

// series fills the points of one part from one series, in one pass over its
// runs and the points together.
func (w *walker) series(p *part, runs []series.Run) {
	cur := p.g0
	if w.rule == never {
		w.lack(cur, p.g1, series.NotConvertible)
		return
	}
	// The observation before cur: its row and value.
	last, val := -1, uint64(0)
	for k := p.find(runs); k < len(runs) && cur < p.g1; k++ {
		run := runs[k]
		a, b := max(int(run.Row&series.RowNum), p.r0), p.r1
		if k+1 < len(runs) {
			b = min(b, int(runs[k+1].Row&series.RowNum))
		}
		if a >= p.r1 {
			break
		}
		if a >= b || run.Row&^series.RowNum != 0 {
			continue
		}
		from := p.from(a)
		if from > cur {
			if last < 0 {
				w.lead(p, runs, a, from)
			} else {
				w.blend(cur, from, last, a, val, run.Val)
			}
		}
		if end := p.after(b - 1); end > from {
			w.steady(p, from, end, a, b, run.Val)
			from = end
		}
		cur, last, val = max(cur, from), b-1, run.Val
	}
	switch {
	case cur >= p.g1:
	case last < 0:
		w.lead(p, runs, p.r1, p.g1)
	case w.holds:
		fill(w.vals[cur:p.g1], val)
	default:
		w.tail(p, runs, last, cur)
	}
}

// blend fills points strictly between observations at rows i and j.
func (w *walker) blend(g0, g1, i, j int, v, next uint64) {
	dst := w.vals[g0:g1]
	switch w.rule {
	case inProportion:
		tp, tn := w.times[i].Since(w.origin), w.times[j].Since(w.origin)
		between(dst, w.axis.secs[g0:g1], w.typ, w.wrap, v, next, tp, tn)
	case nearest:
		if k := before(w.outlasted, w.times[j]) - 1; k >= 0 && w.outlasted[k] > w.times[i] {
			n := before(w.axis.at[g0:g1], w.outlasted[k])
			fill(dst[:n], v)
			fill(dst[n:], next)
			return
		}
		tp, tn := w.times[i].Since(w.origin), w.times[j].Since(w.origin)
		choose(dst, w.axis.secs[g0:g1], v, next, tp, tn)
	case earlier:
		fill(dst, v)
	}
}

// steady fills points from row a to row b-1, which all observed v.
func (w *walker) steady(p *part, g0, g1, a, b int, v uint64) {
	if w.rule == inProportion {
		if mid := inside(w.typ, v); mid != v {
			fill(w.vals[g0:g1], mid)
			for r := max(a, p.lo); r < min(b, p.hi); r++ { // points on an observation keep it
				if q := p.table[r-p.lo]; q.after > q.from {
					w.vals[q.from] = v
				}
			}
			return
		}
	}
	fill(w.vals[g0:g1], v)
}

// lead gives the reasons for the points up to g1, before row a, the first of
// the part with an observation of the series.
func (w *walker) lead(p *part, runs []series.Run, a, g1 int) {
	why := w.outer(p, runs)
	if a < p.r1 && why == series.AfterLast { // there is one later, so this is not the end
		why = series.AcrossMark
	}
	seen := g1
	if p.r0 < a && !p.point {
		seen = min(p.from(p.r0), g1) // the metric was logged from here on, without this instance
	}
	w.lack(p.g0, seen, why)
	w.lack(seen, g1, w.absent(runs, uint32(p.r0)))
}

// tail gives the reasons for the points from g0 on, after the last row of the
// part with an observation of the series.
func (w *walker) tail(p *part, runs []series.Run, last, g0 int) {
	why := series.AfterLast
	if w.later(p, runs) {
		why = series.AcrossMark
	}
	seen := p.g1
	if last+1 < p.r1 {
		seen = max(g0, p.from(last+1))
	}
	w.lack(g0, seen, why)
	w.lack(seen, p.g1, w.absent(runs, uint32(last+1)))
}

// outer is the reason for points of a part without a preceding observation.
func (w *walker) outer(p *part, runs []series.Run) series.Why {
	if !w.otherSegments[0] && (len(runs) == 0 || int(runs[0].Row&series.RowNum) >= p.r0) {
		return series.BeforeFirst
	}
	if w.later(p, runs) || w.holds && !p.outside {
		return series.AcrossMark
	}
	return series.AfterLast
}

// later reports whether the series has an observation after the part.
func (w *walker) later(p *part, runs []series.Run) bool {
	if w.otherSegments[1] {
		return true
	}
	if len(runs) == 0 {
		return false
	}
	end := len(w.times)
	if r := runs[len(runs)-1].Row; r&^series.RowNum != 0 {
		end = int(r & series.RowNum)
	}
	return end > p.r1
}

// absent says why the rows from row on hold no value of the series: the
// instance is missing, or its value cannot be used.
func (w *walker) absent(runs []series.Run, row uint32) series.Why {
	if k := runAt(runs, row); k >= 0 && runs[k].Row&series.Failed != 0 {
		return series.NotConvertible
	}
	return series.InstanceAbsent
}

// lack marks points as missing a value.
func (w *walker) lack(g0, g1 int, why series.Why) {
	if g1 <= g0 {
		return
	}
	fillWhy(w.why[g0:g1], why)
	w.missing += g1 - g0
}
