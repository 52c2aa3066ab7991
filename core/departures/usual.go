package departures

import (
	"cmp"
	"math"
	"slices"

	"pcpscope/core/sorting"
	"pcpscope/core/trend"
)

// MinStretches is how many other stretches it takes to say what is usual.
const MinStretches = 8

// A Departure is a stretch of time in which a series was outside its usual range.
type Departure struct {
	Was       float64 // its mean in the stretch, or its change
	Low, High float64 // 5 and 95 % of its means, or changes, in other stretches of the same length
	Usual     float64 // the median of these
	Beyond    float64 // how far outside the range, in floors; negative below it
	Matters   float64 // difference from which one counts
	Score     float64 // the weight of that: Beyond on a log scale, times the tier
	Changed   bool    // it is the change of a level that is unusual, not its mean
	From, To  float64 // then the level at the start and at the end of the stretch
}

// Range is where the series would be if the stretch were like the others; of a level that
// changed, at the end.
func (d *Departure) Range() (low, high float64) {
	if d.Changed {
		return d.From + d.Low, d.From + d.High
	}
	return d.Low, d.High
}

// FindDeparture compares the mean of a series in one stretch with its means in
// others, which are in order of time; the first before of them precede the stretch,
// and NaN marks missing ones. It returns false if the stretch is like the others,
// or if there are too few of them.
func FindDeparture(was float64, others []float64, before int, k Kind) (Departure, bool) {
	return outside(was, others, before, k, leastBeyond)
}

// outside is FindDeparture for what must be outside the usual range by at least a share of
// its width.
func outside(was float64, others []float64, before int, k Kind, least float64) (Departure, bool) {
	sorted := make([]float64, 0, len(others))
	for _, v := range others {
		if v == v {
			sorted = append(sorted, v)
		}
	}
	if len(sorted) < MinStretches || was != was {
		return Departure{}, false
	}
	slices.Sort(sorted)
	floor := k.floorAt(sorted)
	sorted = ordinary(sorted, others, floor)
	d := Departure{Was: was, Low: trend.Quantile(sorted, 0.05), High: trend.Quantile(sorted, 0.95), Usual: trend.Quantile(sorted, 0.5)}
	margin := max(floor/2, (d.High-d.Low)*least)
	switch {
	case was > d.High+margin:
		d.Beyond = (was - d.High) / floor
	case was < d.Low-margin:
		d.Beyond = (was - d.Low) / floor
	default:
		return d, false
	}
	if k.Drift && drifting(was, others, before, floor) {
		return d, false
	}
	d.Matters = floor
	d.Score = k.Tier * math.Log2(1+math.Abs(d.Beyond))
	return d, true
}

// FindChange compares the change of a level over a stretch of some steps with its changes
// over other steps, which are in order of time, as in FindDeparture. A level that
// goes on changing at its usual pace, or stops changing, is like the others.
func FindChange(from, to float64, steps int, others []float64, before int, k Kind) (Departure, bool) {
	all := make([]float64, len(others))
	for i, v := range others {
		all[i] = v * float64(steps)
	}
	k.Drift, k.Floor = false, k.FloorAt(from, to)
	d, far := outside(to-from, all, before, k, leastChange)
	d.Changed, d.From, d.To = true, from, to
	return d, far && d.Beyond*d.Was > 0
}

// leastBeyond is how far outside its range a mean must be at least, as a share of the
// range: the ends of a wide one are known by a few stretches alone.
const leastBeyond = 0.1

// leastChange is the same of changes: those of memory are often outside their range by a
// little, and none of these is an event.
const leastChange = 2

// drifting reports whether a level lies on the way from the one before it to the
// one after it, or close to either, if they are no further apart than such levels
// usually are.
func drifting(was float64, others []float64, before int, floor float64) bool {
	at := func(i int) float64 {
		if i < 0 || i >= len(others) {
			return math.NaN()
		}
		return others[i]
	}
	a, b := at(before-1), at(before)
	if a != a {
		a = b
	}
	if b != b {
		b = a
	}
	if was < min(a, b)-floor/2 || was > max(a, b)+floor/2 {
		return false
	}
	var ways []float64
	for i := range others {
		if d := math.Abs(at(i+1) - at(i-1)); d == d && i != before && i != before-1 {
			ways = append(ways, d)
		}
	}
	slices.Sort(ways)
	return len(ways) == 0 || math.Abs(b-a) <= trend.Quantile(ways, 0.95)+floor/2
}

// maxDistance is how far from the median a stretch may be and still count as usual, in
// standard deviations estimated from the middle half.
const maxDistance = 5

// mostUnusual is the part of the stretches, one in so many, that may be unusual however often
// they come back.
const mostUnusual = 6

// ordinary removes stretches that are unusual themselves: an hour of backup must
// not make the next one look usual. Many that come back, as office hours do, are a second
// usual level. others are the same stretches in order of time.
func ordinary(sorted, others []float64, floor float64) []float64 {
	const sigma = 1.349 // quartiles of a normal distribution are so many standard deviations apart
	middle, spread := trend.Quantile(sorted, 0.5), max(floor, (trend.Quantile(sorted, 0.75)-trend.Quantile(sorted, 0.25))/sigma)
	from, _ := slices.BinarySearch(sorted, middle-maxDistance*spread)
	to, _ := slices.BinarySearch(sorted, middle+maxDistance*spread)
	if many := len(sorted)-(to-from) > len(sorted)/mostUnusual; to-from < MinStretches || many && comesBack(others, middle, maxDistance*spread) {
		return sorted
	}
	return sorted[from:to]
}

// comesBack reports whether what is further from the middle than a distance is so at several
// times, on the same side, about as far and about as long. others are in order of time;
// missing ones do not tell.
func comesBack(others []float64, middle, distance float64) bool {
	var away [2][]float64 // how far each time was, step by step added up
	var steps [2][]int
	side := -1
	for _, v := range others {
		if v != v {
			continue
		}
		last := side
		switch {
		case v < middle-distance:
			side = 0
		case v >= middle+distance:
			side = 1
		default:
			side = -1
			continue
		}
		if side != last {
			away[side], steps[side] = append(away[side], 0), append(steps[side], 0)
		}
		k := len(steps[side]) - 1
		away[side][k], steps[side][k] = away[side][k]+math.Abs(v-middle), steps[side][k]+1
	}
	for side, list := range steps {
		longest, alike := 0, -1 // the longest itself is alike
		for k, n := range list {
			if n > list[longest] {
				longest = k
			}
		}
		for k, n := range list {
			far, too := away[side][longest]/float64(list[longest]), away[side][k]/float64(n)
			if 2*n >= list[longest] && 2*min(far, too) >= max(far, too) {
				alike++
			}
		}
		if alike > 0 {
			return true
		}
	}
	return false
}

// floorAt returns the floor of a series with these values.
func (k *Kind) floorAt(sorted []float64) float64 {
	if k.Floor > 0 {
		return k.Floor
	}
	return k.FloorAt(sorted[0], sorted[len(sorted)-1])
}

// FloorAt returns the floor of a series whose values lie between low and high: a tenth
// of the larger, and no less than Least, if the kind has none of its own.
func (k *Kind) FloorAt(low, high float64) float64 {
	if k.Floor > 0 {
		return k.Floor
	}
	return max(1, k.Least, math.Abs(low)/10, math.Abs(high)/10)
}

// MaxStretches is the most stretches that a window is compared with.
const MaxStretches = 48

// Stretches divides a record around a window into steps of equal length. A step is
// as long as the window, or, if fewer than eight others of that length would fit,
// as short as it takes for a dozen to fit; within is how many steps the window has.
// before and after are the numbers of steps on either side: the nearest ones, as
// many on each side as there is room for. Both are 0 if nothing but the window was
// recorded.
func Stretches(start, from, to, end int64) (length int64, within, before, after int) {
	window := to - from
	if window <= 0 {
		return 0, 0, 0, 0
	}
	left, right := max(0, from-start), max(0, end-to)
	within = 1
	if left/window+right/window < MinStretches {
		const enough = 12
		within = int(min(1000, window*enough/max(1, left+right)+1))
	}
	length = max(1, window/int64(within))
	before, after = int(min(left/length, MaxStretches)), int(min(right/length, MaxStretches))
	for before+after > MaxStretches {
		if before >= after {
			before--
		} else {
			after--
		}
	}
	return length, within, before, after
}

// A Row is a subject that changed, with the series that shows it best.
type Row[S any] struct {
	Kind
	Departure
	Best S
	All  []S // the others that changed, the furthest first
}

// A Candidate is a series that left its usual range.
type Candidate[S any] struct {
	Kind
	Departure
	Series S
}

// Rows merges the candidates of each subject into a row. Its score is the highest
// of them; its series is, among those nearly as far out as the furthest, the one of
// the lowest rank. Where one says how much of the subject is in use, that is half of
// the score: a disk that is busy a quarter of the time slows nothing down.
func Rows[S any](list []Candidate[S]) []Row[S] {
	bySubject := map[Subject][]Candidate[S]{}
	var order []Subject
	for _, c := range list {
		if bySubject[c.Subject] == nil {
			order = append(order, c.Subject)
		}
		bySubject[c.Subject] = append(bySubject[c.Subject], c)
	}
	rows := make([]Row[S], 0, len(order))
	for _, s := range order {
		all := bySubject[s]
		sorting.Stable(all, func(a, b Candidate[S]) int { return cmp.Compare(b.Score, a.Score) })
		best := 0
		for i := range all {
			if all[i].Score >= all[0].Score/2 && all[i].Rank < all[best].Rank {
				best = i
			}
		}
		score := all[0].Score
		if i := slices.IndexFunc(all, func(c Candidate[S]) bool { return c.Utilisation }); i >= 0 {
			score = (score + all[i].Score) / 2
		}
		row := Row[S]{Kind: all[best].Kind, Departure: all[best].Departure, Best: all[best].Series}
		row.Score = score
		for i := range all {
			if i != best {
				row.All = append(row.All, all[i].Series)
			}
		}
		rows = append(rows, row)
	}
	sorting.Stable(rows, func(a, b Row[S]) int { return cmp.Compare(b.Score, a.Score) })
	return folded(rows)
}

// folded moves the series of layers to the first row of their family that is not a
// layer, if there is one, and drops the rows of these layers.
func folded[S any](rows []Row[S]) []Row[S] {
	heads := map[string]int{}
	for i, r := range rows {
		if _, known := heads[r.Family]; !known && !r.Layer {
			heads[r.Family] = i
		}
	}
	out := rows[:0]
	under := map[Subject][]S{}
	for _, r := range rows {
		if at, known := heads[r.Family]; known && r.Layer {
			s := rows[at].Subject
			under[s] = append(append(under[s], r.Best), r.All...)
		}
	}
	for _, r := range rows {
		if _, known := heads[r.Family]; !known || !r.Layer {
			r.All = append(r.All, under[r.Subject]...)
			out = append(out, r)
		}
	}
	return out
}
