package analysis

import (
	"fmt"
	"math"
	"slices"

	"pcpscope/core/pcp"
)

// shifts looks for disks that read or write many times as much as before, or as
// little, for long. Requests stand for bytes where these were not logged.
func (h *Host) shifts(v *verdict) {
	found := false
	for _, k := range []struct{ what, bytes, requests string }{{"Reads", "disk.dev.read_bytes", "disk.dev.read"}, {"Writes", "disk.dev.write_bytes", "disk.dev.write"}, {"Requests", "", "disk.dev.total"}} {
		if k.bytes == "" && found {
			break // of both, which were judged
		}
		metric, unit, least, scale := k.bytes, "byte / sec", h.Rules.ShiftLeast*(1<<20), 1.0
		if t := h.rate(metric); t == nil {
			metric, unit, least = k.requests, "count / sec", h.Rules.ShiftRequests
		} else if to, known := pcp.ScaleOf(h.table(metric).Desc.Units, pcp.Units{Space: 1}); known {
			scale = to.Float64(1)
		} else {
			continue
		}
		t := h.rate(metric).Keep(RealDisk)
		if t == nil {
			continue
		}
		found = true
		for _, c := range t.Columns {
			s := t.signal(c.Vals).with(func(_ int, x float64) float64 { return x * scale })
			levels := s.levels(h.Rules, least)
			if len(levels) < 2 {
				continue
			}
			first, last := levels[0], levels[len(levels)-1]
			text := fmt.Sprintf("%s of %s %s from %s", k.what, c.Name, way(first, levels[1]), Quantity(first.mid, unit))
			for i, l := range levels[1:] {
				if i > 0 {
					text += ", then " + way(levels[i], l)
				}
				text += " to " + Quantity(l.mid, unit)
				if i < len(levels)-2 {
					text += " for " + FormatDuration(l.End.Since(l.Start))
				}
			}
			text += " and stayed there for " + FormatDuration(last.End.Since(last.Start))
			span := pcp.Span{Start: levels[1].Start, End: last.End}
			if len(levels) > 2 && max(first.mid, last.mid) < h.Rules.Shift*min(first.mid, last.mid) { // it is as before
				span.End = last.Start
			}
			v.find(know, span, fmt.Sprintf("a disk that reads or writes %s times as much as before, or as little, for %s", Number(h.Rules.Shift), FormatDuration(h.Rules.ShiftLasting)),
				text, metric+"["+c.Name+"]")
		}
	}
}

func way(before, after rateLevel) string {
	if after.mid < before.mid {
		return "fell"
	}
	return "rose"
}

// A rateLevel is a time in which a rate keeps to its median.
type rateLevel struct {
	pcp.Span
	from, to       int     // of the rows with a value
	low, mid, high float64 // percentiles 10, 50 and 90
}

const (
	fewRows   = 20 // are too few to tell a level from chance
	maxShifts = 4  // more are how a disk is used, such as for a job every day
)

// levels splits a rate where it changes many times, at least one of both levels
// being above a floor, least. Each level lasts; the medians of neighbours differ
// many times, and hardly any value of one is among those of the other, so that
// no burst counts. A rate that does not change is one level.
func (s signal) levels(r Rules, least float64) []rateLevel {
	var rows []int
	sums := []float64{0} // of magnitudes, so that a single burst has little weight
	highest := 0.0
	for i, v := range s.vals {
		if v == v {
			rows, sums = append(rows, i), append(sums, sums[len(rows)]+math.Log1p(v/(least/r.Shift)))
			highest = max(highest, v)
		}
	}
	if len(rows) < 2*fewRows || highest < least {
		return nil
	}
	best := split(sums)
	if near := s.changes(sums, r); len(near) <= 4*maxShifts {
		if !slices.Contains(near, best) {
			near = append(near, best)
			slices.Sort(near)
		}
		if list := s.distinct(rows, near, r, least); len(list) <= maxShifts+1 {
			return list
		}
	}
	return s.distinct(rows, []int{best}, r, least)
}

// split is where values, of which the sums are given, differ most from those
// before: behind the first, if they are all alike.
func split(sums []float64) (at int) {
	n, best := len(sums)-1, -1.0
	for i := 1; i < n; i++ {
		if d := sums[i] - sums[n]*float64(i)/float64(n); d*d/float64(i)/float64(n-i) > best {
			at, best = i, d*d/float64(i)/float64(n-i)
		}
	}
	return at
}

// changes are where the values of the time that a level lasts differ much from
// those of as long before, and nowhere near more.
func (s signal) changes(sums []float64, r Rules) (list []int) {
	n, width := len(sums)-1, fewRows
	if step := s.interval(); step > 0 {
		width = max(width, int(min(math.Ceil(r.ShiftLasting/step), float64(n))))
	}
	differ := func(i int) float64 {
		if i < width || i > n-width {
			return 0
		}
		return math.Abs(sums[i+width]-2*sums[i]+sums[i-width]) / float64(width)
	}
	for i := width; i <= n-width; i++ {
		d := differ(i)
		if d < math.Log(r.Shift)/2 {
			continue
		}
		most := true
		for k := 1; k <= width/2 && most; k++ {
			most = differ(i-k) < d && differ(i+k) <= d
		}
		if most {
			list = append(list, i)
		}
	}
	return list
}

// distinct returns the levels between changes, without those changes that are
// not large enough or too close to others: the smallest of these first.
func (s signal) distinct(rows, changes []int, r Rules, least float64) []rateLevel {
	between := func(from, to int) rateLevel {
		vals := make([]float64, 0, to-from)
		for _, i := range rows[from:to] {
			vals = append(vals, s.vals[i])
		}
		slices.Sort(vals)
		last := len(vals) - 1
		return rateLevel{pcp.Span{Start: s.span(rows[from]).Start, End: s.times[rows[to-1]]}, from, to, vals[last/10], vals[last/2], vals[last*9/10]}
	}
	var list []rateLevel
	from := 0
	for _, at := range append(slices.Clone(changes), len(rows)) {
		list = append(list, between(from, at))
		from = at
	}
	lasts := func(i int) bool {
		least := r.ShiftLasting
		if i > 0 && i < len(list)-1 && (list[i].mid > list[i-1].mid) == (list[i].mid > list[i+1].mid) {
			least *= 2 // it goes back: in less time a job is done
		}
		return list[i].to-list[i].from >= fewRows && longEnough(list[i].End.Since(list[i].Start), least)
	}
	for {
		worst, smallest := 0, math.Inf(1)
		for i := 1; i < len(list); i++ {
			a, b := list[i-1], list[i]
			if a.mid > b.mid {
				a, b = b, a
			}
			if b.mid > max(least, r.Shift*a.mid) && b.low > a.high && lasts(i-1) && lasts(i) {
				continue
			}
			if by := math.Log1p(b.mid/(least/r.Shift)) - math.Log1p(a.mid/(least/r.Shift)); by < smallest {
				worst, smallest = i, by
			}
		}
		if worst == 0 {
			return list
		}
		list[worst-1] = between(list[worst-1].from, list[worst].to)
		list = slices.Delete(list, worst, worst+1)
	}
}
