package analysis

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"pcpscope/core/pcp"
)

// A Sample is the data of one series in a window.
type Sample struct {
	Vals    []float64 // in order of time, without missing values; evenly spaced ones if there are more than maxValues
	Count   int       // of all values
	Covered float64   // fraction of the window that they cover, 0 to 1
	Chart   []float64 // the same in a few points; NaN if missing
}

// A Shift is how one series differs between two windows.
type Shift struct {
	A, B             Sample
	MedianA, MedianB float64
	Effect           float64 // Cliff's delta: P(b > a) - P(b < a), -1 to 1
	By               float64 // Hodges-Lehmann: the median of all differences b - a
}

// maxValues is the most values of a window that are compared; if there are
// more, evenly spaced ones are used.
const maxValues = 200

// Window extracts the values of a column between two times from a table of
// rates or levels, and reduces them to the given number of chart points.
func (t *Table) Window(column int, span pcp.Span, points int) Sample {
	cut := t.cut(span, points)
	vals := t.Columns[column].Vals[cut.from:cut.to]
	s := Sample{Chart: make([]float64, points)}
	sums, counts := make([]float64, points), make([]int, points)
	covered := 0.0
	for i, v := range vals {
		if v != v {
			continue
		}
		s.Count++
		covered += cut.seconds[i]
		k := cut.point[i]
		sums[k], counts[k] = sums[k]+v, counts[k]+1
	}
	s.Vals = spread(vals, s.Count)
	length := span.End.Since(span.Start)
	for k := range s.Chart {
		s.Chart[k] = math.NaN()
		if counts[k] > 0 && length > 0 {
			s.Chart[k] = sums[k] / float64(counts[k])
		}
	}
	if length > 0 {
		s.Covered = math.Min(1, covered/length)
	}
	return s
}

// spread picks evenly spaced ones of those n values that are no NaN, if there are too many.
func spread(vals []float64, n int) []float64 {
	want := func(k int) int { return k }
	out := make([]float64, 0, min(n, maxValues))
	if n > maxValues {
		want = func(k int) int { return k * (n - 1) / (maxValues - 1) }
	}
	nth := 0
	for _, v := range vals {
		if v != v {
			continue
		}
		if len(out) < cap(out) && nth == want(len(out)) {
			out = append(out, v)
		}
		nth++
	}
	return out
}

// Differ compares two samples; both must have values. If the effect is smaller
// than least, By is just the difference of the medians, since it will not be
// used.
func Differ(a, b Sample, least float64) Shift {
	s := Shift{A: a, B: b}
	x, y := slices.Sorted(slices.Values(a.Vals)), slices.Sorted(slices.Values(b.Vals))
	s.MedianA, s.MedianB = middle(x), middle(y)
	s.Effect = cliff(x, y)
	s.By = s.MedianB - s.MedianA
	if s.Effect != 0 && math.Abs(s.Effect) >= least {
		s.By = hodgesLehmann(x, y)
	}
	return s
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
	return float64(sum) / float64(len(x)*len(y))
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
			if upTo(x, y, mid) > k {
				high = mid
			} else {
				low = mid
			}
		}
		if upTo(x, y, low) > k {
			return low
		}
		return nearest(x, y, high)
	}
	if n%2 == 1 {
		return kth(n / 2)
	}
	return (kth(n/2-1) + kth(n/2)) / 2
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

// Together reports whether two shifts moved together: whether their values in
// both windows, point by point, are close to a line. Between two jumps from one
// level to another that is always so; that suffices for kin, metrics of the
// same family, while others must also move together within a window.
func Together(a, b *Shift, kin bool) bool {
	var all, within line
	for _, w := range [][2][]float64{{a.A.Chart, b.A.Chart}, {a.B.Chart, b.B.Chart}} {
		var one line
		for i := range min(len(w[0]), len(w[1])) {
			one.add(w[0][i], w[1][i])
		}
		all.join(one, 0, 0)
		if one.n > 0 {
			within.join(one, one.x/one.n, one.y/one.n)
		}
	}
	return all.straight() && (kin || within.straight())
}

// line accumulates the sums of a linear regression.
type line struct{ n, x, y, xx, yy, xy float64 }

func (l *line) add(x, y float64) {
	if x == x && y == y {
		l.n, l.x, l.y, l.xx, l.yy, l.xy = l.n+1, l.x+x, l.y+y, l.xx+x*x, l.yy+y*y, l.xy+x*y
	}
}

// join adds the points of another line, shifted by the given mean.
func (l *line) join(o line, mx, my float64) {
	l.n, l.x, l.y = l.n+o.n, l.x+o.x-o.n*mx, l.y+o.y-o.n*my
	l.xx, l.yy, l.xy = l.xx+o.xx-2*mx*o.x+o.n*mx*mx, l.yy+o.yy-2*my*o.y+o.n*my*my, l.xy+o.xy-mx*o.y-my*o.x+o.n*mx*my
}

// straight reports whether the points are close to a line that is not flat.
func (l line) straight() bool {
	const least = 0.95 // correlation
	vx, vy := l.xx-l.x*l.x/l.n, l.yy-l.y*l.y/l.n
	if l.n < 8 || !(vx > 1e-9*l.xx) || !(vy > 1e-9*l.yy) {
		return false
	}
	return math.Abs(l.xy-l.x*l.y/l.n)/math.Sqrt(vx*vy) >= least
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
	case "kernel.all.uptime", "kernel.all.idletime", "kernel.all.lastpid", "kernel.all.boottime", "network.ip.forwarding", "network.ip.defaultttl", "network.ip6.forwarding",
		"pmcd.pid", "pmcd.seqnum", "proc.psinfo.age":
		return true
	}
	return false
}

// telling are the metrics that say most about a change, best first: of several
// that moved together the first of these represents all.
var telling = []string{
	"disk.dev.aveq", "disk.dev.avactive", "kernel.all.cpu.wait.total", "kernel.all.cpu.user", "kernel.all.cpu.sys", "kernel.all.cpu.idle", "kernel.all.load", "kernel.all.running", "kernel.all.blocked",
	"mem.util.available", "mem.util.free", "mem.util.cached", "mem.util.writeback", "mem.util.dirty", "mem.util.anonpages", "mem.util.slabReclaimable", "swap.pagesout", "disk.dev.write_bytes", "disk.dev.read_bytes",
	"network.interface.in.bytes", "network.interface.out.bytes", "network.tcp.retranssegs", "kernel.all.pswitch", "kernel.all.intr", "filesys.full",
}

// InformativeRank ranks a metric: the lower, the more telling.
func InformativeRank(metric string) int {
	if i := slices.Index(telling, metric); i >= 0 {
		return i
	}
	rank := len(telling)
	if strings.Contains(metric, ".percpu.") || strings.Contains(metric, ".pernode.") || strings.Contains(metric, ".partitions.") {
		rank += 2
	}
	if strings.HasPrefix(metric, "mem.vmstat.") || strings.HasPrefix(metric, "mem.zoneinfo.") || strings.HasPrefix(metric, "mem.slabinfo.") || strings.HasPrefix(metric, "mem.numa.") {
		rank++
	}
	return rank
}

// Rank orders shifts: the largest effects first, and among equal ones the most
// telling.
func Rank(a, b *Shift, metricA, metricB string) int {
	round := func(v float64) float64 { return math.Round(20*math.Abs(v)) / 20 }
	relative := func(s *Shift) float64 {
		return math.Abs(s.By) / math.Max(math.Max(math.Abs(s.MedianA), math.Abs(s.MedianB)), 1e-300)
	}
	return cmp.Or(cmp.Compare(round(b.Effect), round(a.Effect)), cmp.Compare(InformativeRank(metricA), InformativeRank(metricB)), cmp.Compare(relative(b), relative(a)), cmp.Compare(metricA, metricB))
}
