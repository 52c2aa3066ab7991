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
}

// SameTimes reports whether two recurrences have the same times, give or take a
// minute or two.
func (r *Recurrence) SameTimes(o *Recurrence) bool {
	const off = 120
	return r.Period == o.Period && slices.EqualFunc(r.Phases, o.Phases, func(a, b int64) bool {
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
	bin := max(60, clock.Step)
	return slices.ContainsFunc(r.Phases, func(phase int64) bool {
		return mod(clock.Local[b.At]-phase+slack*bin, r.Period) <= (2*slack+1)*bin
	})
}

// periods that are looked for, in minutes.
var periods = []int64{5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720, 1440}

const (
	leastSlots  = 5
	leastHits   = 0.7
	leastChance = -14 // logarithm
	maxPhases   = 6
)

// A Clock gives the local times of steps.
type Clock struct {
	Step  int64   // seconds
	Local []int64 // seconds of some zone's clock at which each step ended
}

// A peak is a stretch that stands out from the values around it.
type peak struct {
	at    int64 // seconds
	value float64
	usual float64
}

// Recurring finds peaks that recur with a fixed period, at the same time of the
// clock: in at least 70 % of the slots, and so often that chance would produce them
// in less than one of a million series. Steps are means, NaN where there is none;
// what is lower than floor is not a peak. Of several periods that fit, the shortest
// is returned.
func Recurring(vals []float64, around Around, clock Clock, floor float64) []Recurrence {
	peaks, known := peaksOf(vals, around, clock, floor)
	bin := max(60, clock.Step)
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
	last := -2
	for i, v := range vals {
		if v != v {
			continue
		}
		known++
		usual, spread := around.at(i)
		if v-usual < max(2*floor, 6*spread) {
			continue
		}
		if last == i-1 && len(peaks) > 0 {
			peaks[len(peaks)-1].value = max(peaks[len(peaks)-1].value, v)
		} else {
			peaks = append(peaks, peak{clock.Local[i], v, usual})
		}
		last = i
	}
	return peaks, known
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
	cycles := int(int64(known) * clock.Step / period)
	if cycles < leastSlots {
		return r, peaks
	}
	// A job that takes its time, or records whose seconds change, fall into two
	// bins that are next to each other.
	chance := min(1, 2*float64(len(peaks))/(float64(known)*float64(clock.Step)/float64(bin)))
	took := make([]bool, bins)
	var slots []int
	for len(r.Phases) <= maxPhases {
		best, most := -1, 0
		for b := range bins {
			next := (b + 1) % bins
			if n := hits[b] + hits[next]; !took[b] && !took[next] && n > most {
				best, most = int(b), n
			}
		}
		if best < 0 || float64(most) < leastHits*float64(cycles)/2 {
			break
		}
		b, next := int64(best), (int64(best)+1)%bins
		if n := slotsAt(vals, clock, period, b*bin, 2*bin); n > 0 {
			h := distinct(peaks, period, b*bin, 2*bin)
			if n < leastSlots || float64(h) < leastHits*float64(n) || logChance(h, n, chance) > leastChance {
				break
			}
			slots = append(slots, n)
			r.Hits, r.Slots = r.Hits+h, r.Slots+n
		} else {
			break
		}
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
	r.Period, r.Peak, r.Usual = period, trend.Median(values), trend.Median(usual)
	return r, rest
}

// slotsAt counts the periods of which a stretch is known.
func slotsAt(vals []float64, clock Clock, period, from, length int64) (n int) {
	last := int64(math.MinInt64)
	for i, v := range vals {
		if v != v {
			continue
		}
		at := clock.Local[i]
		if cycle := floorDiv(at-from, period); mod(at-from, period) < length && cycle != last {
			n, last = n+1, cycle
		}
	}
	return n
}

// distinct counts the periods with a peak in a stretch.
func distinct(peaks []peak, period, from, length int64) (n int) {
	last := int64(math.MinInt64)
	for _, p := range peaks {
		if cycle := floorDiv(p.at-from, period); mod(p.at-from, period) < length && cycle != last {
			n, last = n+1, cycle
		}
	}
	return n
}

// logChance bounds the probability of at least so many hits (Chernoff).
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
