package analysis

import (
	"math"
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// A signal is one series to be judged.
type signal struct {
	times   []pcp.Time
	broken  []bool
	vals    []float64
	instant bool // a value holds from its row's time on, and is not of the time since the previous row
}

func (t *Table) signal(vals []float64) signal {
	if t == nil {
		return signal{}
	}
	t.worked(oneColumn + 4*len(vals))
	return signal{t.Times, t.Broken, vals, t.Desc.IsLevel()}
}

func (s signal) has() bool {
	for _, v := range s.vals {
		if v == v {
			return true
		}
	}
	return false
}

// covers is the time for which the value of row i stands: since the previous row or, if it
// holds from then on, until the next one.
func (s signal) covers(i int) pcp.Span {
	from, to := i-1, i
	if s.instant {
		from, to = i, i+1
	}
	if from < 0 || to == len(s.times) || s.broken[to] {
		from, to = i, i
	}
	return pcp.Span{Start: s.times[from], End: s.times[to]}
}

// lasted returns how many seconds row i covers.
func (s signal) lasted(i int) float64 {
	at := s.covers(i)
	return at.End.Since(at.Start)
}

// with returns the signal with f applied to its values.
func (s signal) with(f func(i int, v float64) float64) signal {
	out := s
	out.vals = make([]float64, len(s.vals))
	for i, v := range s.vals {
		out.vals[i] = f(i, v)
	}
	return out
}

// where keeps the values at times when a condition holds for another signal.
func (s signal) where(other signal, holds test) signal {
	at := (&Table{Times: other.times}).At(other.vals, s.times)
	return s.with(func(i int, v float64) float64 {
		if !holds.is(at[i]) {
			return math.NaN()
		}
		return v
	})
}

// bridged returns the signal without the breaks of up to that many seconds on both sides of
// which a condition holds. It is for values that are means over as long a time: they cover
// the break, too.
func (s signal) bridged(holds test, seconds float64) signal {
	out := s
	out.broken = slices.Clone(s.broken)
	for i := 1; i < len(s.times); i++ {
		if holds.is(s.vals[i-1]) && holds.is(s.vals[i]) && s.times[i].Since(s.times[i-1]) <= seconds {
			out.broken[i] = false
		}
	}
	return out
}

// count returns how many values fulfil a condition.
func (s signal) count(holds test) int {
	n := 0
	for _, v := range s.vals {
		if v == v && holds.is(v) {
			n++
		}
	}
	return n
}

// highest returns the largest value and its row, -1 if there is none.
func (s signal) highest() (v float64, row int) {
	v, row = math.Inf(-1), -1
	for i, x := range s.vals {
		if x > v {
			v, row = x, i
		}
	}
	return v, row
}

// least is the opposite of highest.
func (s signal) least() (v float64, row int) {
	v, row = math.Inf(1), -1
	for i, x := range s.vals {
		if x < v {
			v, row = x, i
		}
	}
	return v, row
}

// within returns the rows of a span, both ends included.
func (s signal) within(span pcp.Span) signal {
	from, _ := slices.BinarySearch(s.times, span.Start)
	to, found := slices.BinarySearch(s.times, span.End)
	if found {
		to++
	}
	return s.rows(from, to)
}

// span is the time that the value of row i is of: for one that holds, when it was seen.
func (s signal) span(i int) pcp.Span {
	if s.instant {
		return pcp.Span{Start: s.times[i], End: s.times[i]}
	}
	return s.covers(i)
}

// mean is the mean of the values in rows from to to-1, weighted by duration.
func (s signal) mean(from, to int) float64 {
	sum, weight := 0.0, 0.0
	for i := from; i < to; i++ {
		if v, w := s.vals[i], s.lasted(i); v == v && w > 0 {
			sum, weight = sum+v*w, weight+w
		}
	}
	if weight == 0 {
		return math.NaN()
	}
	return sum / weight
}

// over returns the mean between two times.
func (s signal) over(span pcp.Span) float64 {
	from, to := len(s.times), len(s.times)
	for i, t := range s.times {
		if t > span.Start && from == len(s.times) {
			from = i
		}
		if t > span.End {
			to = i
			break
		}
	}
	return s.mean(from, to)
}

// An episode is a stretch of time in which a condition held, including short
// pauses.
type episode struct {
	pcp.Span
	lasted   float64 // seconds for which it held, without the pauses
	mean     float64 // of the values while it held
	beyond   float64 // mean of the value as a multiple of the limit; 1 if that is meaningless
	from, to int     // rows
}

// episodes finds where a condition holds. A pause of up to pause seconds, or of
// two rows, does not end an episode, nor does a row without a value, or a break as
// short as two rows: a logger is restarted while a disk is busy. Rows that cover a gap
// in the recording do not count. Episodes shorter than least seconds are left out.
func (s signal) episodes(holds test, least, pause float64) []episode {
	const fewRows = 2.5
	var list []episode
	usual := 0.0
	for i, v := range s.vals {
		w := s.lasted(i)
		if w == 0 || !(v == v) || !holds.is(v) {
			continue
		}
		if usual == 0 {
			usual = s.interval()
		}
		if w > tooLong*usual && w > tooLong*s.intervalAt(i) { // the mean of a gap says nothing of how long it was so
			continue
		}
		if n := len(list); n > 0 {
			last := &list[n-1]
			paused := s.covers(i).Start.Since(last.End)
			if paused <= pause && !s.interrupted(last.to, i) || paused <= fewRows*s.intervalAt(i) {
				last.End, last.to, last.lasted, last.mean = s.covers(i).End, i+1, last.lasted+w, last.mean+v*w
				continue
			}
		}
		list = append(list, episode{s.covers(i), w, v * w, 1, i, i + 1})
	}
	kept := list[:0]
	for _, e := range list {
		e.mean /= e.lasted
		e.beyond = holds.beyond(e.mean)
		if s.instant {
			if e.to < len(s.vals) && !s.broken[e.to] && holds.is(s.vals[e.to]) { // nothing is known of what came after
				e.to++
			}
			e.End = s.times[e.to-1] // the last record that shows it, though it may be over just before the next one
		}
		if longEnough(e.lasted, least) {
			kept = append(kept, e)
		}
	}
	return kept
}

// joined joins episodes of a level without a row between them at which the condition does
// not hold.
func (s signal) joined(list []episode, holds test) []episode {
	var out []episode
	for _, e := range list {
		n := len(out) - 1
		if n < 0 || slices.ContainsFunc(s.vals[min(out[n].to, e.from):e.from], func(v float64) bool { return v == v && !holds.is(v) }) {
			out = append(out, e)
			continue
		}
		last := &out[n]
		last.mean = (last.mean*last.lasted + e.mean*e.lasted) / (last.lasted + e.lasted)
		last.End, last.to, last.lasted = e.End, e.to, last.lasted+e.lasted
	}
	return out
}

// jitter is the share of a time that it may lack and still count as that long: a logger of
// one record a minute makes one after 59.9995 seconds.
const jitter = 0.01

// longEnough reports whether something lasted as long as a rule says, in seconds.
func longEnough(lasted, least float64) bool { return lasted >= (1-jitter)*least }

// tooLong is how many times the usual interval a row may cover to be judged.
const tooLong = 10

// interval is the median time that rows cover.
func (s signal) interval() float64 {
	steps := make([]pcp.Time, 0, len(s.times))
	for i := 1; i < len(s.times); i++ {
		if !s.broken[i] {
			steps = append(steps, s.times[i]-s.times[i-1])
		}
	}
	if len(steps) == 0 {
		return 0
	}
	return sorting.Select(steps, (len(steps)-1)/2).Since(0)
}

// intervalAt is the median time that the rows around row i cover: a source may have days
// logged every few minutes beside one logged every few seconds.
func (s signal) intervalAt(i int) float64 {
	const around = 10
	return s.rows(max(0, i-around), min(len(s.times), i+around+1)).interval()
}

// rows are some of the signal's rows.
func (s signal) rows(from, to int) signal {
	return signal{s.times[from:to], s.broken[from:to], s.vals[from:to], s.instant}
}

func (s signal) interrupted(from, to int) bool {
	for i := from; i <= to && i < len(s.broken); i++ {
		if s.broken[i] {
			return true
		}
	}
	return false
}

// A test is a condition on values.
type test struct {
	is     func(v float64) bool
	beyond func(mean float64) float64
}

func above(limit float64) test {
	return test{func(v float64) bool { return v > limit }, func(mean float64) float64 { return ratio(mean, limit) }}
}

func below(limit float64) test {
	return test{func(v float64) bool { return v < limit }, func(mean float64) float64 { return ratio(limit, mean) }}
}

// unequal is for states, which have no degree of deviation.
func unequal(usual float64) test {
	return test{func(v float64) bool { return v != usual }, func(float64) float64 { return 1 }}
}

// ratio of two numbers, at most 100; 1 if it is undefined.
func ratio(a, b float64) float64 {
	if r := a / b; r >= 1 {
		return min(r, 100)
	}
	return 1
}

// longest returns the longest of several episodes.
func longest(list []episode) episode {
	var best episode
	for _, e := range list {
		if e.lasted > best.lasted {
			best = e
		}
	}
	return best
}

func total(list []episode) float64 {
	sum := 0.0
	for _, e := range list {
		sum += e.lasted
	}
	return sum
}
