package interp

import "math"

// A weighted is a value and how often it was observed in a row.
type weighted struct {
	v float64
	n int
}

// distribute fills in what depends on the values' distribution. Nothing is
// sorted: for thousands of series, three quantiles are found faster by
// selection, which reorders points. Nine of ten series never change and have
// one point.
func (a *accumulator) distribute(s *Summary) {
	if a.kept == 0 {
		return
	}
	if a.opt.Distribution {
		mean, squares := a.keptSum/float64(a.kept), 0.0
		for i := range a.points {
			p := &a.points[i]
			squares += float64(p.n) * (p.v - mean) * (p.v - mean)
		}
		s.Stddev = math.Sqrt(squares / float64(a.kept))
		if len(a.points) == 1 {
			v := a.points[0].v
			s.Median, s.P95, s.P99 = v, v, v
		} else {
			q := quantiles{rest: a.points, n: a.kept}
			s.Median, s.P95, s.P99 = q.next(0.5), q.next(0.95), q.next(0.99)
		}
	}
	if a.opt.Bins > 0 {
		s.Bins = bins(a.points, s.Min, s.Max, a.opt.Bins)
	}
}

// quantiles finds ascending quantiles of n values: each search continues in the
// values above the previous quantile.
type quantiles struct {
	rest   []weighted // partly ordered; values not smaller than the last quantile
	before int        // number of values not in rest
	n      int
}

// next returns the quantile q: the value at index (n-1)*q in sorted order,
// interpolated linearly between two.
func (q *quantiles) next(part float64) float64 {
	place := float64(q.n-1) * part
	k := int(place)
	from, to, smaller := choosePlace(q.rest, k-q.before, q.n-q.before)
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
	for i := range higher {
		if x := higher[i].v; x < above {
			above = x
		}
	}
	if above == v {
		return v
	}
	return v + (place-math.Floor(place))*(above-v)
}

// choosePlace partitions points, whose weights add up to weight, so that those
// at [from, to) are all equal and have the value of rank k. None before them is
// larger, and none after them smaller; smaller is the weight of those before.
// It takes linear time on average over the random pivots.
func choosePlace(points []weighted, k, weight int) (from, to, smaller int) {
	lo, hi := 0, len(points)
	draw := draws(len(points)) | 1
	for hi-lo > 1 {
		if hi-lo > 8*sampled {
			at, below := halve(points[lo:hi], draw.pivot(points[lo:hi], k-smaller, weight))
			if k < smaller+below {
				hi, weight = lo+at, below
			} else {
				lo, smaller, weight = lo+at, smaller+below, weight-below
			}
			continue
		}
		pivot := points[lo+draw.below(hi-lo)].v
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
			hi, weight = lt, below
		case k < smaller+below+equal:
			return lt, gt, smaller + below
		default:
			lo, smaller, weight = gt, smaller+below+equal, weight-below-equal
		}
	}
	return lo, hi, smaller
}

// halve partitions points so that none before at is larger than pivot, which is
// the value of one, and none after it smaller. Neither side is empty.
func halve(points []weighted, pivot float64) (at, below int) {
	i, j := 0, len(points)-1
	for {
		for points[i].v < pivot {
			below += points[i].n
			i++
		}
		for points[j].v > pivot {
			j--
		}
		if i >= j {
			break
		}
		points[i], points[j] = points[j], points[i]
		below += points[i].n
		i++
		j--
	}
	if i == 0 { // the one at 0 is the pivot, all others are larger
		return 1, points[0].n
	}
	return i, below
}

// draws is random enough to choose pivots.
type draws uint32

func (d *draws) below(n int) int {
	*d ^= *d << 13
	*d ^= *d >> 17
	*d ^= *d << 5
	return int(uint32(*d) % uint32(n))
}

// sampled is how many points are sampled for a good pivot.
const sampled = 31

// pivot draws a value near rank k of the points, whose weights add up to
// weight: usually slightly beyond it as seen from the nearer end, so that few
// points are left on its side. It is never so extreme that a misleading sample
// could leave nearly all of them.
func (d *draws) pivot(points []weighted, k, weight int) float64 {
	var sample [sampled]weighted
	drawn := 0
	for i := range sample {
		p := points[d.below(len(points))]
		drawn += p.n
		at := i
		for ; at > 0 && sample[at-1].v > p.v; at-- {
			sample[at] = sample[at-1]
		}
		sample[at] = p
	}
	const margin = 3 // about the error of such a sample
	part := float64(k) / float64(weight)
	place, at := part*float64(drawn), 0
	for passed := float64(sample[0].n); passed <= place && at < sampled-1; passed += float64(sample[at].n) {
		at++
	}
	if part < 0.5 {
		at += margin
	} else {
		at -= margin
	}
	return sample[max(margin, min(sampled-1-margin, at))].v
}

// bins counts values in classes of equal width. A value belongs to the first
// class whose upper bound is not below it; the last class takes the rest. See
// spec/interp.md section 14.
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
