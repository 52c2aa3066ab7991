package departures

import (
	"cmp"
	"math"
	"slices"
)

// MaxLag is how many steps one series may be before or behind another.
const MaxLag = 6

// MinPairs are needed to relate two series.
const MinPairs = 12

// A Relation is how two series move together.
type Relation struct {
	Rho float64 // Spearman's rank correlation at the best lag, -1 to 1
	Lag int     // steps by which the second follows the first; negative where it leads
}

// Relate finds the lag, of up to MaxLag steps, at which two series on one grid
// are correlated most; NaN is where they have no value. Ranks are taken once,
// of each series as a whole. Of equal correlations the smallest lag counts.
//
// A series that has one value nearly throughout tells nothing of another.
func Relate(a, b []float64) Relation { return RanksOf(a).Relate(RanksOf(b)) }

// Ranks are those of a series that is related to others; nil if it has one
// value nearly throughout.
type Ranks []float64

// Relate is Relate of the series that have these ranks.
func (x Ranks) Relate(y Ranks) Relation {
	best := Relation{}
	if x == nil || y == nil {
		return best
	}
	for k := range 2*MaxLag + 1 {
		lag := (k + 1) / 2
		if k%2 == 0 {
			lag = -lag
		}
		if r := correlation(x, y, lag); math.Abs(r) > math.Abs(best.Rho)+1e-9 {
			best = Relation{r, lag}
		}
	}
	return best
}

// RanksOf ranks values, equal ones sharing theirs; NaN stays.
func RanksOf(vals []float64) Ranks {
	const minVaried = 8 // values beside the most common one
	order := make([]int, 0, len(vals))
	out := make([]float64, len(vals))
	for i, v := range vals {
		out[i] = math.NaN()
		if v == v {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(vals[i], vals[j]) })
	most := 0
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && vals[order[j]] == vals[order[i]] {
			j++
		}
		for k := i; k < j; k++ {
			out[order[k]] = float64(i+j-1) / 2
		}
		most, i = max(most, j-i), j
	}
	if len(order)-most < minVaried {
		return nil
	}
	return out
}

// correlation is Pearson's of x[i] and y[i+lag]; 0 where one is constant or too
// few pairs are there.
func correlation(x, y []float64, lag int) float64 {
	n, sx, sy, sxx, syy, sxy := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	for i := max(0, -lag); i < min(len(x), len(y)-lag); i++ {
		a, b := x[i], y[i+lag]
		if a == a && b == b {
			n, sx, sy, sxx, syy, sxy = n+1, sx+a, sy+b, sxx+a*a, syy+b*b, sxy+a*b
		}
	}
	if n < MinPairs {
		return 0
	}
	vx, vy := sxx-sx*sx/n, syy-sy*sy/n
	if !(vx > 1e-9*sxx) || !(vy > 1e-9*syy) {
		return 0
	}
	return (sxy - sx*sy/n) / math.Sqrt(vx*vy)
}

// Onset is the step at which a series left its usual range for a stretch that
// begins at step from: before it where it had left already, else the first
// behind it from which it stays away for two steps of three. -1 means that it
// never does.
func Onset(vals []float64, from int, d Departure) int {
	away := func(i int) bool {
		if d.Beyond > 0 {
			return vals[i] > d.High+d.Matters/2
		}
		return vals[i] < d.Low-d.Matters/2
	}
	stays := func(i int) bool {
		n := 0
		for k := i; k < min(i+3, len(vals)); k++ {
			if away(k) {
				n++
			}
		}
		return away(i) && n >= min(2, len(vals)-i)
	}
	for from < len(vals) && vals[from] != vals[from] { // nothing is known just then
		from++
	}
	if from < len(vals) && stays(from) {
		for from > 0 && (stays(from-1) || from > 1 && stays(from-2)) {
			from--
		}
		return from
	}
	for i := from; i < len(vals); i++ {
		if stays(i) {
			return i
		}
	}
	return -1
}
