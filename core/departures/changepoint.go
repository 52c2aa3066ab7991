package departures

import (
	"math"
	"slices"
)

// A Change is a moment at which a series went from one level to another.
type Change struct {
	At            int     // the first step of the new level
	Before, After float64 // means of up to levelSteps steps on both sides, see Finder.changes
	Z             float64 // of the ranks, by the effective number of values
	Times         float64 // by how many floors the mean of all of these steps changed, or what is told if that is less than half; negative downwards
}

const (
	pieceSteps = 1500 // values that are ranked together
	leastSteps = 4    // of a level
	levelSteps = 60   // that determine a level
	// RecordZ is how significant a change must be, in standard deviations, if its time was
	// not given but searched for.
	RecordZ = 5
)

// A Finder finds changes in one series after the other, in the same memory. The zero value
// is ready to use.
type Finder struct {
	at    []int // steps of the values
	vals  []float64
	cuts  []int // indices in vals at which a level begins
	stop  func(int) bool
	ended bool

	sorter
	ranks, sums []float64 // buffers
	placed      []int32
}

// Changes finds the moments at which a series changed its level: change points of
// Pettitt's test on ranks (Applied Statistics 28, 1979), by binary segmentation,
// with the variance corrected for first-order autocorrelation. Values are means of
// equal steps, NaN where there is none. Changes smaller than floor do not count. stop
// is called with the number of values processed, and ends the search by returning true.
func (s *Finder) Changes(vals []float64, floor, share float64, stop func(values int) bool) []Change {
	s.at, s.vals, s.cuts, s.stop, s.ended = slices.Grow(s.at[:0], len(vals)), slices.Grow(s.vals[:0], len(vals)), s.cuts[:0], stop, false
	constant := true
	for i, v := range vals {
		if v == v && !math.IsInf(v, 0) {
			s.at, s.vals = append(s.at, i), append(s.vals, v)
			constant = constant && v == s.vals[0]
		}
	}
	n := len(s.vals)
	if n < 2*leastSteps || constant {
		return nil
	}
	if s.stop(16 * n) {
		return nil
	}
	s.take(s.vals)
	if most := min(n, 2*pieceSteps); len(s.ranks) < most {
		s.ranks, s.sums = make([]float64, most), make([]float64, most+1)
	}
	sorted := s.pieces(pieceSteps)
	for from := 0; from < n && !s.ended; from += pieceSteps {
		to := min(n, from+pieceSteps)
		if from > 0 {
			s.cuts = append(s.cuts, from)
		}
		s.divide(sorted[from:to:to], from, to)
	}
	slices.Sort(s.cuts)
	s.confirm()
	return s.changes(floor, share)
}

// A stretch is values that may have change points: their indices in order of
// their values.
type stretch struct {
	order    []int32
	from, to int
}

// divide finds the change points of a stretch, and of the stretches between them.
func (s *Finder) divide(order []int32, from, to int) {
	for todo := []stretch{{order, from, to}}; len(todo) > 0; {
		one := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		n := one.to - one.from
		if s.ended = s.ended || n >= 2*leastSteps && s.stop(16*n); s.ended {
			return
		}
		cuts := s.cutsIn(one)
		s.cuts = append(s.cuts, cuts...)
		if len(cuts) > 0 {
			todo = s.parts(todo, one, cuts)
		}
	}
}

// parts appends the stretches into which cuts, one or two, divide another one: in its
// memory, each in as much of it as it has values.
func (s *Finder) parts(list []stretch, one stretch, cuts []int) []stretch {
	s.placed = append(s.placed[:0], one.order...)
	bounds := [4]int{one.from, cuts[0], one.to, one.to}
	if len(cuts) > 1 {
		bounds[2] = cuts[1]
	}
	var parts [3]stretch
	for k := range parts {
		parts[k] = stretch{one.order[bounds[k]-one.from : bounds[k]-one.from : bounds[k+1]-one.from], bounds[k], bounds[k+1]}
	}
	for _, i := range s.placed {
		k := 0
		for int(i) >= parts[k].to {
			k++
		}
		parts[k].order = append(parts[k].order, i)
	}
	list = append(list, parts[1])
	if len(cuts) > 1 {
		list = append(list, parts[2])
	}
	return append(list, parts[0])
}

// cutsIn returns where a stretch changes its level: once, or for a while.
func (s *Finder) cutsIn(t stretch) []int {
	n := t.to - t.from
	if n < 2*leastSteps {
		return nil
	}
	variance := s.rank(t.order, t.from)
	if variance == 0 {
		return nil
	}
	if at := s.likeliest(n); at > 0 && s.unlikely(at, n, n, variance) >= RecordZ {
		return []int{t.from + at}
	}
	if a, b := s.pulse(n); b > 0 && s.unlikely(a, b, n, variance) >= RecordZ {
		return []int{t.from + a, t.from + b}
	}
	return nil
}

// likeliest returns where a stretch of n values most likely changes its level: after so
// many of them; 0 for nowhere.
func (s *Finder) likeliest(n int) (at int) {
	sum, most := 0.0, 0.0
	for i := range n {
		if i >= leastSteps && n-i >= leastSteps {
			if w := sum * sum / (float64(i) * float64(n-i)); w > most {
				at, most = i, w
			}
		}
		sum += s.ranks[i]
	}
	return at
}

// pulse returns the most likely stretch on a level of its own in the middle of n values:
// one change alone does not show where a series was back soon.
func (s *Finder) pulse(n int) (a, b int) {
	sums := s.sums[:n+1]
	sums[0] = 0
	for i := range n {
		sums[i+1] = sums[i] + s.ranks[i]
	}
	most := 0.0
	for length := leastSteps; length <= n/2; length += (length + 3) / 4 {
		scale := 1 / (float64(length) * float64(n-length))
		for i := leastSteps; i+length <= n-leastSteps; i += (length + 7) / 8 {
			d := sums[i+length] - sums[i]
			if w := d * d * scale; w > most {
				a, b, most = i, i+length, w
			}
		}
	}
	return s.narrowed(a, b, n)
}

// narrowed moves the ends of a stretch, of which some lengths at some places were tried, to
// where it is most likely: what is left of it in the levels around it would hide changes there.
func (s *Finder) narrowed(a, b, n int) (int, int) {
	if b == 0 {
		return a, b
	}
	likely := func(a, b int) float64 {
		d, length := s.sums[b]-s.sums[a], float64(b-a)
		return d * d / (length * (float64(n) - length))
	}
	near, most := (b-a+3)/4, likely(a, b)
	for range 2 { // one end depends on the other
		for i, mid := max(leastSteps, a-near), a; i <= min(b-leastSteps, mid+near); i++ {
			if w := likely(i, b); w > most {
				a, most = i, w
			}
		}
		for i, mid := max(a+leastSteps, b-near), b; i <= min(n-leastSteps, mid+near); i++ {
			if w := likely(a, i); w > most {
				b, most = i, w
			}
		}
	}
	return a, b
}

// rank puts the ranks of a stretch, less their mean, into s.ranks, and returns
// their variance.
func (s *Finder) rank(order []int32, from int) float64 {
	n := len(order)
	middle, squares := float64(n-1)/2, 0.0
	for i := 0; i < n; {
		j, place := i+1, s.places[order[i]]
		for j < n && s.places[order[j]] == place {
			j++
		}
		r := float64(i+j-1)/2 - middle
		for k := i; k < j; k++ {
			s.ranks[int(order[k])-from] = r
		}
		squares += r * r * float64(j-i)
		i = j
	}
	return squares / float64(n)
}

// unlikely is how many standard deviations the ranks from a to b differ from the
// other ones, of n values; b is n where nothing comes after.
func (s *Finder) unlikely(a, b, n int, variance float64) float64 {
	sum := 0.0
	for _, r := range s.ranks[a:b] {
		sum += r
	}
	in, out := sum/float64(b-a), -sum/float64(n-b+a)
	// What is left of each value beside its level goes along with that of the
	// value before it.
	squares, products, last := 0.0, 0.0, 0.0
	for i, r := range s.ranks[:n] {
		if i >= a && i < b {
			r -= in
		} else {
			r -= out
		}
		squares += r * r
		if i > 0 && i != a && i != b {
			products += r * last
		}
		last = r
	}
	rho := 0.0
	if squares > 0 {
		rho = min(0.99, max(0, products/squares))
	}
	k := float64(b - a)
	return math.Abs(sum) / math.Sqrt(k*(float64(n)-k)/float64(n)*variance*(1+rho)/(1-rho))
}

// confirm keeps the cuts that hold against the levels next to them, moved to
// where these say that they are.
func (s *Finder) confirm() {
	kept := s.cuts[:0]
	before := 0
	for k := range s.cuts {
		after := len(s.vals)
		if k+1 < len(s.cuts) {
			after = s.cuts[k+1]
		}
		from, to := max(before, s.cuts[k]-pieceSteps), min(after, s.cuts[k]+pieceSteps)
		if s.ended = s.ended || s.stop(16*(to-from)); s.ended || to-from < 2*leastSteps {
			continue
		}
		variance := s.rank(s.between(from, to), from)
		if at := s.likeliest(to - from); variance > 0 && at > 0 && s.unlikely(at, to-from, to-from, variance) >= RecordZ {
			kept = append(kept, from+at)
			before = from + at
		}
	}
	s.cuts = kept
}

// changes describes the cuts that matter: the mean changes there. Where one step in twenty
// makes most of that, it is told, and counts, without these.
func (s *Finder) changes(floor, share float64) []Change {
	cuts := append(append(make([]int, 0, len(s.cuts)+2), 0), s.cuts...)
	cuts = append(cuts, len(s.vals))
	for k := 1; k < len(cuts)-1; k++ {
		cuts[k] = s.onset(cuts[k-1], cuts[k], cuts[k+1])
	}
	var list []Change
	for k, at := range cuts[1 : len(cuts)-1] {
		old, level := s.vals[max(cuts[k], at-levelSteps):at], s.vals[at:min(cuts[k+2], at+levelSteps)]
		before, after := mean(old), mean(level)
		if math.Abs(after-before) < max(floor, share*max(math.Abs(before), math.Abs(after))) {
			continue
		}
		c := Change{At: s.at[at], Before: s.level(cuts, k, old), After: s.level(cuts, k+1, level), Times: (after - before) / floor}
		if x, y := trimmed(old), trimmed(level); !mostly(y-x, after-before) {
			c.Before, c.After = x, y
		}
		if !mostly(c.After-c.Before, after-before) {
			c.Times = (c.After - c.Before) / floor
		}
		list = append(list, c)
	}
	return list
}

// level is that of the k-th level in some of its steps, at its start or end. Without the outer
// ones it has enough steps if it is long. One that is over within these is as a burst.
func (s *Finder) level(cuts []int, k int, some []float64) float64 {
	from, to := cuts[k], cuts[k+1]
	if to-from > levelSteps || from == 0 || to == len(s.vals) {
		return inner(some)
	}
	before, after := s.vals[max(cuts[k-1], from-levelSteps):from], s.vals[to:min(cuts[k+2], to+levelSteps)]
	return reached(some, mean(before), mean(after))
}

// onset moves a cut to the value from which on the series is nearer to its new
// level than to the old one.
func (s *Finder) onset(from, at, to int) int {
	before, after := mean(s.vals[max(from, at-levelSteps):at]), mean(s.vals[at:min(to, at+levelSteps)])
	turned := func(i int) bool { return math.Abs(s.vals[i]-after) < math.Abs(s.vals[i]-before) }
	for at > from+1 && turned(at-1) {
		at--
	}
	for at+1 < to && !turned(at) {
		at++
	}
	return at
}

// inner is the mean of steps without the first and the last one, within which their level
// may have begun or ended; of few steps, of all.
func inner(vals []float64) float64 {
	if n := len(vals); n > 2 {
		return mean(vals[1 : n-1])
	}
	return mean(vals)
}

// reached is the level of steps between two other levels: their mean without a first or last
// step of which it had a part only.
func reached(vals []float64, before, after float64) float64 {
	n := len(vals)
	if n < 2 {
		return mean(vals)
	}
	from, to := 0, n
	if partial(vals[0], vals[1:max(2, n-1)], before) {
		from++
	}
	if partial(vals[n-1], vals[min(1, n-2):n-1], after) {
		to--
	}
	if from == to { // one step on the way from the level before, and one on that to the next
		return mean(vals)
	}
	return mean(vals[from:to])
}

// partial reports whether a level seems to have had a part only of a step at its edge: it is
// nearer to the level beside it than all steps within. If that is one step, of which it is not
// known how much they vary, less than half of its height is a part.
func partial(edge float64, within []float64, beside float64) bool {
	sign := math.Copysign(1, mean(within)-beside)
	height := func(v float64) float64 { return sign * (v - beside) }
	if len(within) == 1 {
		return height(edge) < height(within[0])/2
	}
	return !slices.ContainsFunc(within, func(v float64) bool { return height(v) <= height(edge) })
}

// mostly reports whether a part is at least half of a difference.
func mostly(part, difference float64) bool { return part/difference >= 0.5 }

// trimmed is the mean of most steps: of 60 without the three highest and lowest.
func trimmed(vals []float64) float64 {
	n := len(vals) / 20
	if n == 0 {
		return mean(vals)
	}
	return mean(slices.Sorted(slices.Values(vals))[n : len(vals)-n])
}

func mean(vals []float64) float64 {
	sum := 0.0
	for _, v := range vals {
		sum += v
	}
	return sum / float64(len(vals))
}
