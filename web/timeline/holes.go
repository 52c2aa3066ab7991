package timeline

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// A Hole is a stretch of which data were lost.
type Hole struct {
	Start, End pcp.Time
	Why        series.Why
	Label      string
}

// Holes lists what was lost of a source within a window: missing volumes and
// damage. Problems that cost the same stretch as a missing volume are not listed
// twice.
func Holes(s *api.Source, whole Window) []Hole {
	var list []Hole
	for _, g := range s.Gaps {
		if g.Why == "missing volume" {
			list = append(list, Hole{g.Start, g.End, series.VolumeMissing, "a volume is missing"})
		}
	}
	for _, p := range s.Problems {
		if p.Lost == nil {
			continue
		}
		h := Hole{max(p.Lost.Start, whole.Start), min(p.Lost.End, whole.End), series.DataDamaged, "damaged"}
		if !slices.ContainsFunc(list, func(o Hole) bool { return o.Start <= h.Start && h.End <= o.End }) {
			list = append(list, h)
		}
	}
	return list
}

// Gaps are the stretches in which nothing was logged, marks among them.
func Gaps(s *api.Source) []Hole {
	var list []Hole
	for _, g := range s.Gaps {
		list = append(list, Hole{Start: g.Start, End: g.End})
	}
	return list
}

// Lost is how much of the span could not be read, in nanoseconds. Marks and
// the time between archives are nobody's loss.
func Lost(holes []Hole) int64 {
	holes = slices.Clone(holes)
	sorting.Stable(holes, func(a, b Hole) int { return cmp.Compare(a.Start, b.Start) })
	var lost, end pcp.Time
	end = pcp.MinTime
	for _, h := range holes {
		if h.End > max(end, h.Start) {
			lost += h.End - max(end, h.Start)
			end = h.End
		}
	}
	return int64(lost)
}

// Broken returns the times of a frame, and between two of them, where there is a
// hole or a gap, a moment more; and of each the row in the frame, -1 where it has
// none.
func Broken(f *api.Frame, holes, gaps []Hole) (times []float64, rows []int) {
	times = slices.Clone(f.Times)
	for i := range f.Times {
		rows = append(rows, i)
	}
	for _, hole := range slices.Concat(holes, gaps) {
		middle := (hole.Start + (hole.End-hole.Start)/2).Since(f.Start)
		i := sort.Search(len(times), func(i int) bool { return times[i] > middle })
		if i == 0 || i == len(times) || times[i-1] > hole.Start.Since(f.Start) || times[i] < hole.End.Since(f.Start) {
			continue
		}
		times, rows = slices.Insert(times, i, middle), slices.Insert(rows, i, -1)
	}
	return times, rows
}

// Part returns the frame with a moment more, without values, where there is a
// hole and the frame, which has a moment for each sample or record, has none: no
// line crosses it then.
func Part(f *api.Frame, holes, gaps []Hole) *api.Frame {
	times, rows := Broken(f, holes, gaps)
	if len(times) == len(f.Times) {
		return f
	}
	f = copied(f)
	f.Times = times
	for k := range f.Columns {
		c := &f.Columns[k]
		own(c)
		for i, row := range rows {
			if row >= 0 {
				continue
			}
			if i <= len(c.Values) {
				c.Values = slices.Insert(c.Values, i, math.NaN())
			}
			if i <= len(c.Why) && len(c.Why) > 0 {
				c.Why = slices.Insert(c.Why, i, uint8(series.AcrossMark))
			}
		}
	}
	return f
}

// LeaveOut returns the frame without what was interpolated across lost data: no
// line crosses a hole.
func LeaveOut(f *api.Frame, holes []Hole) *api.Frame {
	whole := f
	for _, hole := range holes {
		from := sort.Search(len(f.Times), func(i int) bool { return At(f, i) > hole.Start })
		to := sort.Search(len(f.Times), func(i int) bool { return At(f, i) >= hole.End })
		if from >= to {
			continue
		}
		if f == whole {
			f = copied(f)
			for k := range f.Columns {
				own(&f.Columns[k])
			}
		}
		for k := range f.Columns {
			c := &f.Columns[k]
			if len(c.Values) != len(f.Times) {
				continue
			}
			if c.Why == nil {
				c.Why = make([]uint8, len(c.Values))
			}
			for i := from; i < to; i++ {
				if !math.IsNaN(c.Values[i]) {
					c.Values[i], c.Why[i] = math.NaN(), uint8(hole.Why)
				}
			}
		}
	}
	return f
}

// copied is a frame whose columns may be changed, though not their values.
func copied(f *api.Frame) *api.Frame {
	c := *f
	c.Columns = slices.Clone(f.Columns)
	return &c
}

// own gives a column values of its own: others may still look at the answer.
func own(c *api.Column) {
	c.Values, c.Why = slices.Clone(c.Values), slices.Clone(c.Why)
}
