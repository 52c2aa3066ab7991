package analysis

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"unsafe"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// Short-lived processes are estimated from those of them that happened to be
// there when a sample was taken, after Horvitz and Thompson (1952): a process
// that lives for a tenth of the interval is in one sample of ten, and so stands
// for ten like it. That comes to its rate of CPU time for the whole interval;
// half of it is assigned to the interval before the sample, half to the one
// after it. Of a process in several samples only the time after the last one is
// not known: half an interval on average. If only active processes were logged, nothing
// is estimated: one that is in a single sample may have been there all the time.

// A guess is the estimated CPU time of processes like one that was sampled.
type guess struct {
	inst     int32
	at       pcp.Time // a sample that it was in
	seconds  float64  // which may be negative: what was counted already
	variance float64
	sampled  bool // it was in this one sample only
}

// guesses returns those for each sample of a part: what its processes visit about
// the interval before it. They do not add up to more than is not accounted for.
func (p *Processes) guesses(s sampled) [][]guess {
	if have := p.guessed[s.part]; have != nil {
		return have
	}
	out := make([][]guess, len(s.at))
	if p.guessed == nil {
		p.guessed = map[int][][]guess{}
	}
	p.guessed[s.part] = out
	age, known := p.ages(s)
	if !known || !p.data.Everything() || !p.data.Claim(guessBytes*int64(len(s.at))) {
		return out
	}
	const step = 256 // guesses claimed at a time
	full, made := false, 0
	add := func(k int, g guess) {
		if made%step == 0 {
			full = full || !p.data.Claim(step*int64(unsafe.Sizeof(g)))
		}
		if made++; !full {
			out[k] = append(out[k], g)
		}
	}
	p.lives(s, func(l life) {
		length := func(k int) float64 { return s.at[k].Since(s.at[k-1]) }
		at := s.at[l.last]
		if l.first > 0 && !s.cut[l.first] && l.first == l.last {
			old := age(l.inst, l.first)
			if !(old <= length(l.first)+0.1) {
				return
			}
			old = math.Max(old, l.total/p.threads(s, l.inst, at))
			if old = math.Max(old, 0.05); l.total <= 0 {
				return
			}
			rate, missed := l.total/old, 1-math.Min(1, old/length(l.first))
			half := rate * length(l.first) / 2
			add(l.first, guess{l.inst, at, half - l.total, half * half * missed, true})
			if after := l.last + 1; after < len(s.at) && !s.cut[after] {
				half = rate * length(after) / 2
				add(after, guess{l.inst, at, half, half * half * missed, false})
			}
			return
		}
		if after := l.last + 1; after < len(s.at) && !s.cut[after] && l.rate > 0 {
			tail := l.rate * length(after)
			add(after, guess{l.inst, at, tail / 2, tail * tail / 12, false})
		}
	})
	for k, list := range out {
		left, sum := p.spent[s.from+k]-p.listed[s.from+k], 0.0
		for _, g := range list {
			sum += g.seconds
		}
		if !(left > 0) || !(sum > 0) {
			out[k] = nil
			continue
		}
		for i, scale := 0, math.Min(1, left/sum); i < len(list); i++ {
			list[i].seconds, list[i].variance = list[i].seconds*scale, list[i].variance*scale*scale
		}
	}
	return out
}

// A life is a process in adjacent samples.
type life struct {
	inst        int32
	first, last int     // samples
	total       float64 // CPU seconds up to the last one
	rate        float64 // of the last interval, if it is in several
}

// lives calls visit with each process in turn.
func (p *Processes) lives(s sampled, visit func(life)) {
	var all []*series.Observations
	var rows [][]int
	var scales []float64
	for _, name := range cpuTimes {
		if obs := p.data.Observations(name); obs != nil && obs[s.part] != nil {
			o := obs[s.part]
			all, rows, scales = append(all, o), append(rows, rowsAt(o.Times, s.at)), append(scales, secondsOf(o.Desc.Units))
		}
	}
	if len(all) == 0 {
		return
	}
	used := make([]float64, len(s.at)) // by sample; NaN if it is not there
	next := make([]int, len(all))
	for i := range all[0].Series {
		inst := all[0].Series[i].Inst
		from, to := len(s.at), -1
		for m, o := range all {
			for next[m] < len(o.Series) && o.Series[next[m]].Inst < inst {
				next[m]++
			}
			if next[m] == len(o.Series) || o.Series[next[m]].Inst != inst {
				continue
			}
			runs, k := o.Series[next[m]].Runs, 0
			for r, run := range runs {
				row, end := int(run.Row&series.RowNum), math.MaxInt
				if r+1 < len(runs) {
					end = int(runs[r+1].Row & series.RowNum)
				}
				if run.Row&(series.Gone|series.Failed) != 0 {
					continue
				}
				if k == 0 { // samples are in order: a new process begins late
					k, _ = slices.BinarySearch(rows[m], row)
				}
				for k < len(rows[m]) && rows[m][k] < row {
					k++
				}
				v := series.Float(o.Desc.Type, run.Val) * scales[m]
				for ; k < len(rows[m]) && rows[m][k] < end; k++ {
					if m == 0 {
						for ; to >= 0 && to < k; to++ { // it was away
							used[to] = math.NaN()
						}
						from, to, used[k] = min(from, k), k+1, v
					} else if k >= from && k < to {
						used[k] += v
					}
				}
			}
		}
		for k := from; k < to; k++ {
			if used[k] != used[k] {
				continue
			}
			l := life{inst, k, k, used[k], 0}
			for k+1 < to && used[k+1] >= used[k] && !s.cut[k+1] {
				k++
				l.last, l.total, l.rate = k, used[k], (used[k]-used[k-1])/s.at[k].Since(s.at[k-1])
			}
			visit(l)
		}
	}
}

// near is how many records around a sample visit when the host was booted.
const near = 64

// ages returns a function that says how long a process had lived at a sample, in
// seconds. The time since boot is logged in whole seconds: the earliest of the
// times of boot that the records around a sample imply is closest to the truth.
func (p *Processes) ages(s sampled) (age func(inst int32, k int) float64, known bool) {
	started := p.data.Observations("psinfo.start_time")
	up := p.host.table("kernel.all.uptime")
	if started == nil || started[s.part] == nil || up == nil {
		return nil, false
	}
	o, vals, scale := started[s.part], up.Column(""), secondsOf(up.Desc.Units)
	unit := secondsOf(o.Desc.Units)
	boots := make([]pcp.Time, len(s.at)) // of each sample, when needed
	return func(inst int32, k int) float64 {
		v, there := valueAt(o, inst, s.at[k])
		if !there {
			return math.NaN()
		}
		if boots[k] == 0 {
			boots[k] = pcp.MaxTime
			mid := up.row(s.at[k])
			for i := max(0, mid-near); i < min(len(vals), mid+near); i++ {
				boot := up.Times[i] - pcp.Time(vals[i]*scale*1e9)
				usual := up.Times[max(mid, 0)] - pcp.Time(vals[max(mid, 0)]*scale*1e9)
				if d := boot - usual; d < 2e9 && d > -2e9 { // since the same boot, by the same clock
					boots[k] = min(boots[k], boot)
				}
			}
		}
		return s.at[k].Since(boots[k]) - v*unit
	}, true
}

// threads is the most CPUs that a process can have used.
func (p *Processes) threads(s sampled, inst int32, at pcp.Time) float64 {
	n, _ := p.number(s.part, inst, at, "psinfo.threads")
	if !(n >= 1) {
		n = 1
	}
	if p.host.CPUs > 0 {
		n = math.Min(n, p.host.CPUs)
	}
	return n
}

// An Estimate is the CPU time of processes that were not sampled.
type Estimate struct {
	Name    string
	Seconds float64
	Error   float64 // standard error, in seconds
	Sampled int     // number of short-lived processes that were sampled
}

// minSigmas is how many standard errors an estimate must exceed to be reported.
const minSigmas = 1.5

// estimated returns the estimates for samples from to to-1, the largest first;
// by is as in Consumers.
func (p *Processes) estimated(by string, from, to int) []Estimate {
	groups := map[string]*Estimate{}
	p.eachGuess(by, from, to, func(name string, _ int, g *guess) {
		e := groups[name]
		if e == nil {
			e = &Estimate{Name: name}
			groups[name] = e
		}
		e.Seconds += g.seconds
		e.Error += g.variance
		if g.sampled {
			e.Sampled++
		}
	})
	var all []Estimate
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		e := groups[name]
		if e.Error = math.Sqrt(e.Error); e.Seconds > minSigmas*e.Error {
			all = append(all, *e)
		}
	}
	sorting.Stable(all, func(a, b Estimate) int { return cmp.Compare(b.Seconds, a.Seconds) })
	return all
}

// estimates returns the seconds by sample of some of the groups that estimated returned.
func (p *Processes) estimates(list []Estimate, by string, from, to int) [][]float64 {
	values, place := make([][]float64, len(list)), map[string]int{}
	for i, e := range list {
		values[i], place[e.Name] = make([]float64, to-from), i
	}
	p.eachGuess(by, from, to, func(name string, i int, g *guess) {
		if n, wanted := place[name]; wanted {
			values[n][i] += g.seconds
		}
	})
	return values
}

// eachGuess calls visit with the guesses about samples from to to-1 and their group.
func (p *Processes) eachGuess(by string, from, to int, visit func(name string, i int, g *guess)) {
	for _, s := range p.parts {
		if s.from >= to || s.from+len(s.at) <= from {
			continue
		}
		for k, list := range p.guesses(s) {
			if n := s.from + k; n >= from && n < to {
				for i := range list {
					visit(p.group(s, by, list[i].inst, list[i].at), n-from, &list[i])
				}
			}
		}
	}
}

// samplesIn returns the range of samples in a span, its start excluded.
func (p *Processes) samplesIn(span pcp.Span) (from, to int) {
	return rowAfter(p.times, span.Start), rowAfter(p.times, span.End)
}
