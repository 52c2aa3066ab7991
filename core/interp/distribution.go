package interp

import "math"

// A weighted is a value and how often it was observed in a row.
type weighted struct {
	v float64
	n int
}

// distribute fills in what depends on the values' distribution. Nothing is
// sorted: three quantiles of thousands of series are found faster by
// selection, which leaves the order of points changed.
func (a *accumulator) distribute(s *Summary) {
	if a.opt.Distribution {
		q := quantiles{rest: a.points, n: a.n}
		s.Median, s.P95, s.P99 = q.next(0.5), q.next(0.95), q.next(0.99)
		mean, squares := a.sum/float64(a.n), 0.0
		for _, p := range a.points {
			squares += float64(p.n) * (p.v - mean) * (p.v - mean)
		}
		s.Stddev = math.Sqrt(squares / float64(a.n))
	}
	if a.opt.Bins > 0 {
		s.Bins = bins(a.points, s.Min, s.Max, a.opt.Bins)
	}
}

// quantiles finds ascending quantiles of n values: each search goes on in what
// the one before left above its value.
type quantiles struct {
	rest   []weighted // partly ordered; all that is not smaller than the last quantile
	before int        // values that are not in rest
	n      int
}

// next returns the value below which the part q of the values lies: the one at
// place (n-1)*q in order, in proportion between two.
func (q *quantiles) next(part float64) float64 {
	place := float64(q.n-1) * part
	k := int(place)
	from, to, smaller := choosePlace(q.rest, k-q.before)
	q.rest, q.before = q.rest[from:], q.before+smaller
	v, equal := q.rest[0].v, 0
	for _, p := range q.rest[:to-from] {
		equal += p.n
	}
	higher := q.rest[to-from:]
	if k+1-q.before < equal || len(higher) == 0 {
		return v
	}
	above := higher[0].v
	for _, p := range higher {
		if p.v < above {
			above = p.v
		}
	}
	return v + (place-math.Floor(place))*(above-v)
}

// choosePlace moves points so that those at [from, to) are all equal and have
// the value at place k in order, counted with weights; smaller ones, of the
// weight it returns, stand before them and larger ones after. It takes linear
// time, on average over the pivots it draws.
func choosePlace(points []weighted, k int) (from, to, smaller int) {
	lo, hi := 0, len(points)
	draw := uint32(len(points)) | 1
	for hi-lo > 1 {
		draw ^= draw << 13
		draw ^= draw >> 17
		draw ^= draw << 5
		pivot := points[lo+int(draw%uint32(hi-lo))].v
		lt, gt := lo, hi // [lo,lt) smaller, [lt,i) equal, [gt,hi) larger
		below, equal := 0, 0
		for i := lo; i < gt; {
			switch p := points[i]; {
			case p.v < pivot:
				points[i], points[lt] = points[lt], p
				below += p.n
				lt++
				i++
			case p.v > pivot:
				gt--
				points[i], points[gt] = points[gt], p
			default:
				equal += p.n
				i++
			}
		}
		switch {
		case k < smaller+below:
			hi = lt
		case k < smaller+below+equal:
			return lt, gt, smaller + below
		default:
			lo, smaller = gt, smaller+below+equal
		}
	}
	return lo, hi, smaller
}

// bins counts values in classes of equal width. A value belongs to the first
// class that reaches up to it; the last takes the rest. Spec: interp 14.
func bins(points []weighted, low, high float64, count int) []Bin {
	out := make([]Bin, count)
	for i := range out {
		out[i].UpTo = low + float64(i+1)*(high-low)/float64(count)
	}
	out[count-1].UpTo = high
	for _, p := range points {
		i, last := 0, count-1
		for i < last {
			if mid := (i + last) / 2; p.v <= out[mid].UpTo {
				last = mid
			} else {
				i = mid + 1
			}
		}
		out[i].Count += p.n
	}
	return out
}
