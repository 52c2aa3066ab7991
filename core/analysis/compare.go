package analysis

import (
	"math"
	"slices"
	"sort"
	"strings"

	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// A Sample is the data of one series in a window.
type Sample struct {
	Vals    []float64 // in order of time, without missing values; see Table.Window
	Count   int       // values as they were logged
	Mean    float64   // of a rate weighted by time, of others where the logging interval varies
	Covered float64   // fraction of the window that they cover, 0 to 1
	Chart   []float64 // the same in a few points; NaN if missing
}

// A Shift is how one series differs between two windows.
type Shift struct {
	A, B             Sample
	MedianA, MedianB float64
	Effect           float64 // Cliff's delta: P(b > a) - P(b < a), -1 to 1
	By               float64 // Hodges-Lehmann: the median of all differences b - a
	Z                float64 // standard deviations that the effect is off 0, by the effective number of values
}

// Largest is the shift or the difference of the means, whichever is larger:
// that of bursts is in their mean alone.
func (s *Shift) Largest() float64 {
	return math.Max(math.Abs(s.By), math.Abs(s.B.Mean-s.A.Mean))
}

// maxQuick is how many values of a window are looked at, evenly spaced, to tell
// whether all of them are worth comparing.
const maxQuick = 2000

// Window extracts the values of a column between two times from a table of
// rates or levels, into memory for values, and reduces them to the given number of chart points.
// Where the logging interval varies, Vals are means over equal steps: what was logged
// more often would count for more otherwise.
func (t *Table) Window(column int, span pcp.Span, points int, memory []float64) Sample {
	cut := t.cut(span, points)
	vals := t.Columns[column].Vals[cut.from:cut.to]
	s := Sample{Vals: slices.Grow(memory[:0], len(vals)), Chart: make([]float64, points)}
	counts := make([]int, points)
	covered, sum := 0.0, 0.0
	for i, v := range vals {
		if v != v {
			continue
		}
		covered, sum = covered+cut.seconds[i], sum+v*cut.seconds[i]
		s.add(v, int(cut.point[i]), counts)
	}
	s.finish(counts)
	if (cut.step > 0 || t.rates) && covered > 0 { // a burst makes a logger late, or early, when it shows most
		s.Mean = sum / covered
	}
	if cut.step > 0 && covered > 0 {
		s.even(vals, cut.seconds, cut.step)
	}
	length := span.End.Since(span.Start)
	if length > 0 {
		s.Covered = math.Min(1, covered/length)
	}
	return s
}

// SampleOf makes a sample of values at equal steps.
func SampleOf(vals []float64, points int) Sample {
	s := Sample{Chart: make([]float64, points)}
	counts := make([]int, points)
	for i, v := range vals {
		if v == v {
			s.add(v, i*points/len(vals), counts)
		}
	}
	s.finish(counts)
	s.Covered = float64(len(s.Vals)) / math.Max(1, float64(len(vals)))
	return s
}

func (s *Sample) add(v float64, point int, counts []int) {
	s.Vals = append(s.Vals, v)
	s.Mean += v
	s.Count++
	s.Chart[point] += v
	counts[point]++
}

func (s *Sample) finish(counts []int) {
	s.Mean /= float64(len(s.Vals))
	for k, n := range counts {
		s.Chart[k] /= float64(n) // NaN where there is none
	}
}

// even replaces the values by their means over equal steps. The steps follow each other
// without what is missing.
func (s *Sample) even(vals, seconds []float64, step float64) {
	var means []float64
	filled, within := 0.0, 0.0
	for i, v := range vals {
		if v != v || seconds[i] <= 0 {
			continue
		}
		for left := seconds[i]; left > 0; {
			take := math.Min(left, step-filled)
			within, filled, left = within+v*take, filled+take, left-take
			if filled >= step*(1-1e-9) {
				means = append(means, within/filled)
				within, filled = 0, 0
			}
		}
	}
	if filled >= step/2 || len(means) == 0 && filled > 0 {
		means = append(means, within/filled)
	}
	s.Vals = means
}

// evenStep returns the interval in seconds at which values are compared where the
// intervals between rows vary: half of the time is in intervals up to this one, so
// steps are at most twice as many as values. It is 0 where nearly all intervals are
// about as long.
func evenStep(seconds []float64) float64 {
	const some = 0.1 // of the intervals and of the time
	intervals, total := make([]float64, 0, len(seconds)), 0.0
	for _, w := range seconds {
		if w > 0 {
			intervals, total = append(intervals, w), total+w
		}
	}
	sorting.Floats(intervals, nil)
	step, upTo := 0.0, 0.0
	for _, w := range intervals {
		if upTo += w; upTo >= total/2 {
			step = w
			break
		}
	}
	others, otherTime := 0, 0.0
	for _, w := range intervals {
		if w < step/2 || w > step*2 {
			others, otherTime = others+1, otherTime+w
		}
	}
	if float64(others) <= some*float64(len(intervals)) && otherTime <= some*total {
		return 0
	}
	return step
}

// spread picks evenly spaced ones of too many values.
func spread(vals []float64) []float64 {
	n := len(vals)
	if n <= maxQuick {
		return vals
	}
	out := make([]float64, maxQuick)
	for k := range out {
		out[k] = vals[k*(n-1)/(maxQuick-1)]
	}
	return out
}

// A Comparer compares samples, one pair after the other, in the same memory. The zero value
// is ready to use.
type Comparer struct {
	A, B []float64 // memory for the values of samples

	x, y, other []float64
}

// Compare compares two samples; both must have values. If the effect is smaller
// than least, or the medians and means are not worth more, By is just the
// difference of the medians and Z is 0, since they will not be used. worth is
// asked with a margin, of some of the values at first.
func (c *Comparer) Compare(a, b Sample, least float64, worth func(*Shift) bool) Shift {
	s := Shift{A: a, B: b}
	const margin = 0.1 // that the effect on some of the values may be off that on all
	if max(len(a.Vals), len(b.Vals)) > maxQuick {
		if c.levels(&s, spread(a.Vals), spread(b.Vals)); math.Abs(s.Effect) < least-margin || !worth(&s) {
			return s
		}
	}
	x, y := c.levels(&s, a.Vals, b.Vals)
	if s.Effect != 0 && math.Abs(s.Effect) >= least && worth(&s) {
		s.By = hodgesLehmann(x, y)
		n, m := effective(a.Vals, x), effective(b.Vals, y)
		s.Z = math.Abs(s.Effect) / math.Sqrt((n+m+1)/(3*n*m))
	}
	return s
}

// levels compares values, and returns them sorted.
func (c *Comparer) levels(s *Shift, a, b []float64) (x, y []float64) {
	x, y = append(c.x[:0], a...), append(c.y[:0], b...)
	c.other = sorting.Floats(x, c.other)
	c.other = sorting.Floats(y, c.other)
	c.x, c.y = x, y
	s.MedianA, s.MedianB = middle(x), middle(y)
	s.Effect = cliff(x, y)
	s.By = s.MedianB - s.MedianA
	return x, y
}

// effective is how many independent values the given ones are worth, by the
// first-order autocorrelation of their ranks: sixty loads at 10 s are worth
// three.
func effective(vals, sorted []float64) float64 {
	n := float64(len(vals))
	rank := make([]float64, len(vals))
	sum := 0.0
	for i, v := range vals {
		from, _ := slices.BinarySearch(sorted, v)
		to := from + sort.Search(len(sorted)-from, func(k int) bool { return sorted[from+k] > v })
		rank[i] = float64(from+to-1) / 2
		sum += rank[i]
	}
	mean, along, all := sum/n, 0.0, 0.0
	for i, r := range rank {
		all += (r - mean) * (r - mean)
		if i > 0 {
			along += (r - mean) * (rank[i-1] - mean)
		}
	}
	if !(all > 0) {
		return n
	}
	r := math.Min(0.99, math.Max(0, along/all))
	return math.Max(1, n*(1-r)/(1+r))
}

// middle is the median of sorted values.
func middle(x []float64) float64 {
	n := len(x)
	if n%2 == 0 {
		return (x[n/2-1] + x[n/2]) / 2
	}
	return x[n/2]
}

// cliff is Cliff's delta of sorted values.
func cliff(x, y []float64) float64 {
	below, upTo, sum := 0, 0, 0
	for _, v := range y {
		for below < len(x) && x[below] < v {
			below++
		}
		for upTo < len(x) && x[upTo] <= v {
			upTo++
		}
		sum += below - (len(x) - upTo)
	}
	return float64(sum) / (float64(len(x)) * float64(len(y)))
}

// hodgesLehmann is the median of all differences y - x of sorted values. For
// one y the differences are sorted already, so counting those below a bound
// takes a single pass; the bound is found by bisection.
func hodgesLehmann(x, y []float64) float64 {
	n := len(x) * len(y)
	kth := func(k int) float64 { // the k-th smallest difference, from 0
		low, high := y[0]-x[len(x)-1], y[len(y)-1]-x[0]
		for range 64 {
			mid := low + (high-low)/2
			if mid == low || mid == high {
				break
			}
			switch n := upTo(x, y, mid); {
			case n == k+1:
				return nearest(x, y, mid)
			case n > k:
				high = mid
			default:
				low = mid
			}
		}
		if upTo(x, y, low) > k {
			return low
		}
		return nearest(x, y, high)
	}
	upper := kth(n / 2)
	if n%2 == 1 {
		return upper
	}
	lower := upper // the one before, which is less if so many are
	if less := math.Nextafter(upper, math.Inf(-1)); upTo(x, y, less) == n/2 {
		lower = nearest(x, y, less)
	}
	return (lower + upper) / 2
}

// upTo counts the differences y - x that are at most d.
func upTo(x, y []float64, d float64) int {
	count, i := 0, 0 // x[i:] are those with y - x <= d
	for _, v := range y {
		for i < len(x) && v-x[i] > d {
			i++
		}
		count += len(x) - i
	}
	return count
}

// nearest returns the largest difference that is at most d.
func nearest(x, y []float64, d float64) float64 {
	best, i := math.Inf(-1), 0
	for _, v := range y {
		for i < len(x) && v-x[i] > d {
			i++
		}
		if i < len(x) && v-x[i] > best {
			best = v - x[i]
		}
	}
	return best
}

// Family returns the subject area of a metric.
func Family(metric string) string {
	first, rest, _ := strings.Cut(metric, ".")
	switch first {
	case "kernel":
		return "CPU and tasks"
	case "mem", "swap", "swapdev":
		return "Memory"
	case "disk", "filesys", "xfs", "vfs", "quota", "dmcache", "tape":
		return "Disks and filesystems"
	case "network", "nfs", "nfs3", "nfs4", "nfsclient", "rpc":
		return "Network"
	case "pmcd", "pmda", "pmproxy":
		return "Collector"
	case "proc", "hotproc":
		if strings.HasPrefix(rest, "runq") || rest == "nprocs" {
			return "CPU and tasks"
		}
		return "Processes"
	case "cgroup":
		return "Processes"
	case "hinv":
		return "CPU and tasks"
	}
	return "Other"
}

// Uninteresting reports whether a metric always changes, or means nothing when
// it does.
func Uninteresting(metric string) bool {
	switch metric {
	case "kernel.all.idletime", "kernel.all.lastpid", "kernel.all.boottime", "network.ip.forwarding", "network.ip.defaultttl", "network.ip6.forwarding",
		"pmcd.pid", "pmcd.seqnum", "proc.psinfo.age",
		"hinv.cpu.bogomips", "hinv.cpu.clock": // calibrated at each boot; set by load
		return true
	}
	return strings.HasSuffix(metric, ".uptime")
}
