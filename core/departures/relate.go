package departures

import (
	"cmp"
	"math"
	"slices"
)

// MaxLag is the largest lag between two series, in steps, that is considered.
const MaxLag = 6

// MinPairs is how many pairs of values it takes to relate two series.
const MinPairs = 12

// A Relation is the correlation of two series.
type Relation struct {
	Rho float64 // Spearman's rank correlation at the best lag, -1 to 1
	Lag int     // steps by which the second follows the first; negative where it leads
}

// Relate finds the lag, of up to MaxLag steps, at which two series on the same grid
// are correlated most; NaN marks missing values. Values are ranked once, over the
// whole series. Of equal correlations the one with the smallest lag is returned.
//
// A series that has the same value nearly throughout is related to nothing.
func Relate(a, b []float64) Relation { return RanksOf(a).Relate(RanksOf(b)) }

// Ranks are the ranks of a series' values; nil if it has the same value nearly
// throughout.
type Ranks []float64

// Relate does what the function Relate does, for series that have been ranked.
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

// RanksOf ranks values. Equal values share the mean of their ranks; NaN stays NaN.
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

// MinRho is the least correlation of series that are reported as moving together.
const MinRho = 0.7

// MovesWith relates two series, and reports whether they move together: their
// correlation is strong, and unlikely to be chance.
func (x Ranks) MovesWith(y Ranks) (Relation, bool) {
	r := x.Relate(y)
	return r, math.Abs(r.Rho) >= MinRho && x.Sure(y, r)
}

// RelatedZ is how far from chance a correlation must be, in standard deviations, as
// hundreds of series are tried at a dozen lags each.
const RelatedZ = 4

// Sure reports whether a relation of two series is unlikely to be chance.
// Neighbouring values resemble each other, so a short window has few independent
// ones.
//
// Two kinds of evidence are combined, as the root of the sum of squares of standard
// deviations. The first is the correlation, judged by the effective number of
// pairs: n / (1 + 2 sum of (1 - k/n) a(k) b(k)), where a and b are the
// autocorrelations of the two series, up to the lag at which one of them vanishes
// or a fifth of the series (Pyper and Peterman, Can. J. Fish. Aquat. Sci. 55,
// 1998). The second is the correlation of the innovations, what a value adds to a
// prediction from the one before it, within two steps of the lag (Haugh, J. Am.
// Stat. Assoc. 71, 1976). The second matters for series that step from one level to
// another: their values are hardly independent, but that both step at the same
// moment is telling.
func (x Ranks) Sure(y Ranks, r Relation) bool {
	n, times := pairs(x, y, r.Lag), 1.0
	for k, next := 1, 1; k <= len(x)/5; k = next { // in longer strides where they change little
		next = k + 1 + k/8
		a, b := correlation(x, x, k), correlation(y, y, k)
		if a <= 0 || b <= 0 {
			break
		}
		times += 2 * float64(next-k) * (1 - float64(k)/float64(len(x))) * a * b
	}
	levels, moments := offZero(r.Rho, n/times), 0.0
	u, v := x.innovations(), y.innovations()
	for lag := r.Lag - 2; lag <= r.Lag+2; lag++ {
		if c := correlation(u, v, lag); c*r.Rho > 0 {
			moments = max(moments, offZero(c, pairs(u, v, lag)))
		}
	}
	return math.Hypot(levels, moments) >= RelatedZ
}

// offZero returns how many standard deviations a rank correlation of n independent
// pairs is away from 0: the variance of its Fisher transform is 1.06 / (n - 3).
func offZero(rho, n float64) float64 {
	if n <= 3 {
		return 0
	}
	return math.Atanh(min(math.Abs(rho), 1-1e-9)) * math.Sqrt((n-3)/1.06)
}

// innovations returns the innovations of a series: each rank less its prediction from the
// one before it.
func (x Ranks) innovations() Ranks {
	along := max(0, correlation(x, x, 1))
	out := make(Ranks, len(x))
	for i := range x {
		out[i] = math.NaN()
		if i > 0 {
			out[i] = x[i] - along*x[i-1]
		}
	}
	return out
}

// pairs counts the indices i at which both x[i] and y[i+lag] have a value.
func pairs(x, y []float64, lag int) float64 {
	n := 0.0
	for i := max(0, -lag); i < min(len(x), len(y)-lag); i++ {
		if a, b := x[i], y[i+lag]; a == a && b == b {
			n++
		}
	}
	return n
}

// correlation is Pearson's correlation of x[i] and y[i+lag]; 0 if one of them is
// constant or there are too few pairs.
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

// Left reports whether a value is out of the usual range, on the side to which the series left it.
func (d Departure) Left(v float64) bool {
	low, high := d.Range()
	if d.Beyond > 0 {
		return v > high+d.Matters/2
	}
	return v < low-d.Matters/2
}

// Onset returns the step at which a series left its usual range, for a stretch that
// begins at step from: an earlier step if it had left the range before, else the
// first step from which it stays outside for two steps of three; -1 if there is
// none.
func Onset(vals []float64, from int, d Departure) int {
	away := func(i int) bool { return d.Left(vals[i]) }
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
