package interp

import (
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A Summary says what one numeric series did in a window, as pmlogsummary(1)
// does: of a counter its rates, in SummaryUnits, of the others the values.
// Spec: interp 14.
type Summary struct {
	Inst        int32
	Count       int     // observations; of a counter the intervals between them that count
	Stochastic  float64 // mean over the observations, all alike
	TimeAverage float64 // mean over time, each value weighted with how long it lasted
	Sum         float64 // of the values; of a counter its whole growth, in its own units
	Min, Max    float64
	MinAt       pcp.Time // when an extreme was first seen; of a rate the end of its interval
	MaxAt       pcp.Time
	// Covered is the part of the window, 0 to 1, that the observations span.
	// pmlogsummary marks a counter with * where it is at most a tenth.
	Covered float64
	// Insufficient is set for a counter without any interval to take a rate
	// of; everything but Inst is 0 then.
	Insufficient bool

	// Where a distribution was asked for: over the observations, or the rates
	// of a counter. Between two of them a quantile lies in proportion.
	Median, P95, P99 float64
	Stddev           float64
	Bins             []Bin // empty unless asked for
}

// A Bin counts what lies above the bin before and not above UpTo.
type Bin struct {
	UpTo  float64
	Count int
}

// SummaryOptions say what a summary contains beside averages and extremes.
type SummaryOptions struct {
	CounterWrap  bool
	Distribution bool // median, percentiles, standard deviation
	Bins         int  // classes of equal width from Min to Max, at most 10000
}

// SummaryUnits returns the units of a metric's averages and extremes.
func SummaryUnits(d pcp.Desc) pcp.Units {
	if d.Sem == pcp.Counter {
		return d.Units.Rate()
	}
	return d.Units
}

// A Summariser summarises any number of metrics over one window. It is not
// safe for concurrent use.
type Summariser struct {
	segs   []Segment
	window pcp.Span
	opt    SummaryOptions
	cached []recent[*rows] // by segment
	points []weighted      // scratch of the series at hand
}

// NewSummariser prepares for a window, both ends included, over the archives
// of a context in order of their starts.
func NewSummariser(segs []Segment, window pcp.Span, opt SummaryOptions) *Summariser {
	opt.Bins = min(opt.Bins, 10000)
	return &Summariser{segs: segs, window: window, opt: opt, cached: make([]recent[*rows], len(segs))}
}

// Metric summarises every series of a numeric metric that has an observation
// in the window, in order of instances. obs is as for Fetcher.Frame; where
// archives disagree about type or units, the latest descriptor's units count.
func (s *Summariser) Metric(obs []*series.Observations) []Summary {
	desc, known := latest(obs)
	if !known || !desc.Type.Numeric() {
		return nil
	}
	parts := make([]summaryPart, 0, len(obs))
	for i, o := range obs {
		if o == nil || !o.Desc.Type.Numeric() {
			continue
		}
		p := summaryPart{series: o.Series, typ: o.Desc.Type, rows: s.rows(i, o.Times)}
		if o.Desc.Units != desc.Units {
			scale, ok := pcp.ScaleOf(o.Desc.Units, desc.Units)
			if !ok {
				continue
			}
			p.scale = scale
		}
		parts = append(parts, p)
	}
	ids := instances(obs)
	out := make([]Summary, 0, len(ids))
	for _, inst := range ids {
		a := accumulator{desc: desc, opt: s.opt, rate: perSecond(desc.Units), points: s.points[:0],
			wrap: overflow(desc.Type, Options{CounterWrap: s.opt.CounterWrap}), keep: s.opt.Distribution || s.opt.Bins > 0}
		for i := range parts {
			p := &parts[i]
			for p.next < len(p.series) && p.series[p.next].Inst < inst {
				p.next++
			}
			var runs []series.Run
			if p.next < len(p.series) && p.series[p.next].Inst == inst {
				runs = p.series[p.next].Runs
			}
			a.walk(p, runs)
		}
		if a.seen {
			out = append(out, a.finish(inst, s.window))
		}
		s.points = a.points
	}
	return out
}

// summaryPart is what one segment contributes to a metric.
type summaryPart struct {
	*rows
	series []series.Series
	next   int
	typ    pcp.Type
	scale  pcp.Scale
}

// rows is what all series over the same rows share: those of the window, with
// and the marks among them.
type rows struct {
	all    []pcp.Time
	r0, r1 int
	strict bool // no two rows at the same time
	cuts   []cutRow
}

// cutRow is a mark: before which row it lies, and when.
type cutRow struct {
	row int
	at  pcp.Time
}

func (s *Summariser) rows(seg int, times []pcp.Time) *rows {
	return s.cached[seg].get(times, func() *rows { return s.layRows(seg, times) })
}

func (s *Summariser) layRows(seg int, times []pcp.Time) *rows {
	r := &rows{all: times, r0: before(times, s.window.Start), strict: true}
	r.r1 = max(r.r0, upTo(times, s.window.End))
	for i := r.r0 + 1; i < r.r1; i++ {
		if times[i] == times[i-1] {
			r.strict = false
			break
		}
	}
	cut := func(m pcp.Time) {
		if m >= s.window.Start && m <= s.window.End {
			r.cuts = append(r.cuts, cutRow{before(times, m), m})
		}
	}
	for _, m := range s.segs[seg].Marks {
		cut(m)
	}
	if seg < len(s.segs)-1 {
		cut(s.segs[seg].End + virtualMark)
	}
	return r
}

// finish makes a Summary of what was accumulated.
func (a *accumulator) finish(inst int32, window pcp.Span) Summary {
	length := seconds(window.Start, window.End)
	sum := Summary{Inst: inst, Count: a.n, Min: a.min, Max: a.max, MinAt: a.minAt, MaxAt: a.maxAt}
	switch a.desc.Sem {
	case pcp.Counter:
		span := seconds(a.first+a.lost, a.last)
		if span <= 0 || a.n == 0 {
			return Summary{Inst: inst, Insufficient: true}
		}
		sum.Stochastic = a.sum / float64(a.n)
		sum.Sum = a.growth
		sum.TimeAverage = a.growth / (span * a.rate)
		sum.Covered = part01(span, length)
	case pcp.Discrete:
		a.extend(window.End)
		fallthrough
	default:
		span := seconds(a.first+a.lost, a.last)
		sum.Covered = part01(span, length)
		if span == 0 {
			span = 1
		}
		sum.Stochastic = (a.sum + a.extraSum) / float64(a.n+a.extra)
		sum.Sum = a.sum
		sum.TimeAverage = a.area / span
	}
	if a.keep {
		a.distribute(&sum)
	}
	return sum
}

// seconds returns how long it is from a to b, whole seconds and the rest
// converted apart as libpcp's tools do it.
func seconds(a, b pcp.Time) float64 {
	d := int64(b - a)
	return float64(d/1e9) + float64(d%1e9)/1e9
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
