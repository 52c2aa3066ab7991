package departures

import (
	"math"
	"slices"

	"pcpscope/core/trend"
)

// A Recurrence is a set of peaks that a series repeats at the same times of the
// clock.
type Recurrence struct {
	Period int64   // seconds, a divisor of a day in most cases
	Phases []int64 // seconds into a period, in order
	Hits   int     // how often it was so,
	Slots  int     // of how many times that were recorded
	Usual  float64 // median around it
	Peak   float64 // median of the peaks
	// Weekdays tells that Hits and Slots are those of Monday to Friday, as there are next
	// to none on other days.
	Weekdays bool

	bin int64 // seconds that its times are exact to
}

// SameTimes reports whether two recurrences have the same times, give or take a
// minute or two.
func (r *Recurrence) SameTimes(o *Recurrence) bool {
	off := 2 * max(r.bin, o.bin)
	return r.Period == o.Period && r.Weekdays == o.Weekdays && slices.EqualFunc(r.Phases, o.Phases, func(a, b int64) bool {
		d := mod(a-b, r.Period)
		return min(d, r.Period-d) <= off
	})
}

// slack is how far from its time a recurring job may be, in bins.
const slack = 2

// Explains reports whether a burst is one of those that come again: at their
// time of the clock, and no more than twice as far from usual.
func (r *Recurrence) Explains(b Burst, clock Clock) bool {
	if math.Abs(b.After-b.Before) > 2*math.Abs(r.Peak-r.Usual) {
		return false
	}
	return slices.ContainsFunc(r.Phases, func(phase int64) bool {
		return mod(clock.within(b.At)-phase+slack*r.bin, r.Period) <= (2*slack+1)*r.bin
	})
}

// periods that are looked for, in minutes.
var periods = []int64{5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720, 1440}

const (
	leastSlots  = 5
	leastHits   = 0.7
	leastChance = -14 // logarithm
	maxPhases   = 6

	day      = 86400 // seconds
	restDays = 2     // Saturdays and Sundays that tell whether a job is one of weekdays
	restHits = 0.2   // on these, at most
)

// A Clock gives the local times of steps.
type Clock struct {
	Step  int64   // seconds
	Local []int64 // seconds of some zone's clock at which each step ended
}

// bin is how exact times are: a minute, or a longer step.
func (c Clock) bin() int64 { return max(60, c.Step) }

// within is the last second of a step: what ended on the full hour is what happened before.
func (c Clock) within(step int) int64 { return c.Local[step] - 1 }

const longer = 600 // seconds of the clock: merged steps

// Merged makes means of ten minutes of the clock, for peaks that last longer; steps that
// are nearly as long stay as they are, and then ok is false.
func Merged(vals []float64, clock Clock) (means []float64, merged Clock, ok bool) {
	if len(vals) < 2 || 4*clock.Step > longer {
		return nil, clock, false
	}
	merged.Step = longer
	for i := 1; i < len(vals); { // a step has what was between the one before it and itself
		at, from := floorDiv(clock.Local[i-1], longer), i
		sum, n := 0.0, 0
		for ; i < len(vals) && floorDiv(clock.Local[i-1], longer) == at; i++ {
			if v := vals[i]; v == v {
				sum, n = sum+v, n+1
			}
		}
		mean := math.NaN()
		if 2*n > i-from { // enough is known of it
			mean = sum / float64(n)
		}
		means, merged.Local = append(means, mean), append(merged.Local, (at+1)*longer)
	}
	return means, merged, true
}

// A peak is a stretch that stands out from the values around it.
type peak struct {
	step  int
	at    int64 // seconds
	value float64
	usual float64
}

// Recurring finds peaks that recur with a fixed period, at the same time of the
// clock: in at least 70 % of the slots, and so often that chance would produce them
// in less than one of a million series. Steps are means, NaN where there is none;
// what is lower than floor is not a peak. Of several periods that fit, the shortest
// is returned. Peaks are at most some 20 steps long: see Merged for longer ones.
func Recurring(vals []float64, around Around, clock Clock, floor float64) []Recurrence {
	peaks, known := peaksOf(vals, around, clock, floor)
	bin := clock.bin()
	var found []Recurrence
	for _, minutes := range periods {
		period := minutes * 60
		if len(peaks) < leastSlots {
			break
		}
		if period < 4*bin {
			continue
		}
		r, rest := fold(peaks, vals, clock, period, bin, known)
		if len(r.Phases) > 0 {
			found, peaks = append(found, r), rest
		}
	}
	return found
}

// peaksOf returns the peaks, and how many steps have a value.
func peaksOf(vals []float64, around Around, clock Clock, floor float64) (peaks []peak, known int) {
	for i := 0; i < len(vals); i++ {
		if vals[i] != vals[i] {
			continue
		}
		known++
		usual, _ := around.at(i)
		if !standsOff(vals, around, i, floor) {
			continue
		}
		p, from := peak{i, clock.within(i), vals[i], usual}, i
		for i+1 < len(vals) && standsOff(vals, around, i+1, floor) {
			i, known = i+1, known+1
			p.value = max(p.value, vals[i])
		}
		if p.above(vals[max(0, from-besides):from]) && p.above(vals[i+1:min(len(vals), i+1+besides)]) {
			peaks = append(peaks, p)
		}
	}
	return peaks, known
}

func standsOff(vals []float64, around Around, step int, floor float64) bool {
	usual, spread := around.at(step)
	return vals[step]-usual >= max(2*floor, 6*spread) // false of NaN
}

const besides = 3 // steps on either side that a peak is above

// above reports whether the lowest of the values beside a peak is nearer to what is
// usual: what is high before, and low from a step on, is none, as memory that is used
// up all day and free again at night.
func (p *peak) above(beside []float64) bool {
	low := math.Inf(1)
	for _, v := range beside {
		if v < low {
			low = v
		}
	}
	return math.IsInf(low, 1) || low < (p.value+p.usual)/2
}

// fold tries one period, and returns the peaks that it does not explain.
func fold(peaks []peak, vals []float64, clock Clock, period, bin int64, known int) (r Recurrence, rest []peak) {
	bins := period / bin
	hits := make([]int, bins)
	last := make([]int64, bins)
	for _, p := range peaks {
		b, cycle := mod(p.at, period)/bin%bins, floorDiv(p.at, period)
		if hits[b] == 0 || last[b] != cycle {
			hits[b], last[b] = hits[b]+1, cycle
		}
	}
	recorded := int(int64(known) * clock.Step / period)
	if recorded < leastSlots {
		return r, peaks
	}
	// A job that takes its time, or records whose seconds change, fall into two
	// bins that are next to each other.
	chance := min(1, 2*float64(len(peaks))/(float64(known)*float64(clock.Step)/float64(bin)))
	took := make([]bool, bins)
	for len(r.Phases) <= maxPhases {
		best, most := -1, 0
		for b := range bins {
			next := (b + 1) % bins
			if n := hits[b] + hits[next]; !took[b] && !took[next] && n > most {
				best, most = int(b), n
			}
		}
		if best < 0 || float64(most) < leastHits*float64(recorded)/2 {
			break
		}
		b, next := int64(best), (int64(best)+1)%bins
		slots, slotsAtRest := slotsAt(vals, peaks, clock, period, b*bin, 2*bin)
		peaked, peakedAtRest := distinct(peaks, period, b*bin, 2*bin)
		weekdays := period == day && slotsAtRest >= restDays && float64(peakedAtRest) <= restHits*float64(slotsAtRest)
		if weekdays {
			slots, peaked = slots-slotsAtRest, peaked-peakedAtRest
		}
		if slots < leastSlots || float64(peaked) < leastHits*float64(slots) || logChance(peaked, slots, chance) > leastChance || len(r.Phases) > 0 && weekdays != r.Weekdays {
			break
		}
		r.Weekdays, r.Hits, r.Slots = weekdays, r.Hits+peaked, r.Slots+slots
		phase := b
		if hits[b] < (hits[b]+hits[next])/5 {
			phase = next
		}
		r.Phases = append(r.Phases, phase*bin)
		took[b], took[next] = true, true
	}
	if len(r.Phases) == 0 || len(r.Phases) > maxPhases {
		return Recurrence{}, peaks
	}
	var values, usual []float64
	for _, p := range peaks {
		if b := mod(p.at, period) / bin % bins; took[b] {
			values, usual = append(values, p.value), append(usual, p.usual)
		} else {
			rest = append(rest, p)
		}
	}
	slices.Sort(r.Phases)
	r.Period, r.Peak, r.Usual, r.bin = period, trend.Median(values), trend.Median(usual), bin
	return r, rest
}

// slotsAt counts the periods of which it is known whether there was a peak in a stretch, and
// if they are days, how many of them are Saturdays and Sundays: there is one, or more steps of
// the stretch have a value than have none. Beside a mark, what was not recorded may have been
// the peak.
func slotsAt(vals []float64, peaks []peak, clock Clock, period, from, length int64) (n, atRest int) {
	c := cycles{period: period, from: from, length: length, last: math.MinInt64}
	if len(vals) == 0 {
		return 0, 0
	}
	// Before the first step and after the last one, nothing is known either.
	lead, step := clock.within(0), clock.Step
	for at := lead - length + mod(length, step); at < lead; at += step {
		c.add(at, -1)
	}
	for i, v := range vals {
		known := -1
		switch {
		case len(peaks) > 0 && peaks[0].step == i:
			known, peaks = len(vals), peaks[1:]
		case v == v:
			known = 1
		}
		c.add(clock.within(i), known)
	}
	for at := clock.within(len(vals)-1) + step; at < clock.within(len(vals)-1)+length; at += step {
		c.add(at, -1)
	}
	c.count()
	return c.n, c.atRest
}

// distinct counts the periods with a peak in a stretch likewise.
func distinct(peaks []peak, period, from, length int64) (n, atRest int) {
	c := cycles{period: period, from: from, length: length, last: math.MinInt64}
	for _, p := range peaks {
		c.add(p.at, 1)
	}
	c.count()
	return c.n, c.atRest
}

// cycles counts the periods of which something is known in a stretch.
type cycles struct {
	period, from, length, last int64
	known                      int // of the last one: steps known, less those that are not
	n, atRest                  int
}

// add takes a step, in order of time.
func (c *cycles) add(at int64, known int) {
	at -= c.from
	if mod(at, c.period) >= c.length {
		return
	}
	if cycle := floorDiv(at, c.period); cycle != c.last {
		c.count()
		c.last, c.known = cycle, 0
	}
	c.known += known
}

// count counts the last period.
func (c *cycles) count() {
	if c.known <= 0 {
		return
	}
	c.n++
	const thursday = 4 // the first of January 1970
	if weekday := mod(floorDiv(c.last*c.period+c.from, day)+thursday, 7); weekday == 0 || weekday == 6 {
		c.atRest++
	}
}

// logChance bounds the probability of at least that many hits (Chernoff).
func logChance(hits, slots int, p float64) float64 {
	q := float64(hits) / float64(slots)
	if q <= p {
		return 0
	}
	d := q * math.Log(q/p)
	if q < 1 {
		d += (1 - q) * math.Log((1-q)/(1-p))
	}
	return -float64(slots) * d
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func mod(a, b int64) int64 { return a - floorDiv(a, b)*b }
