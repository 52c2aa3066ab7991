package timeline

import (
	"cmp"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/chart"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
)

// A Hole is a time range whose data was lost.
type Hole struct {
	Start, End pcp.Time
	Why        series.Why
	Label      string
}

// Holes lists what was lost of a source within a window: missing volumes and damage.
// Problems that cost the same time range as a missing volume are not listed twice.
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

// Gaps are the time ranges in which nothing was logged, including marks.
func Gaps(s *api.Source) []Hole {
	var list []Hole
	for _, g := range s.Gaps {
		list = append(list, Hole{Start: g.Start, End: g.End})
	}
	return list
}

// Lost is how much of the span could not be read, in nanoseconds. Marks and
// the time between archives were never recorded.
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

// Chart converts holes to the form that the engine takes.
func Chart(holes ...Hole) []api.MissingRange {
	list := make([]api.MissingRange, 0, len(holes))
	for _, h := range holes {
		list = append(list, api.MissingRange{Start: h.Start, End: h.End, Why: int(h.Why)})
	}
	return list
}

// WithBreaks returns the times of a frame, with an extra one in each hole or gap
// between two of them, and for each its row in the frame, -1 for the extra ones.
func WithBreaks(f *api.Frame, holes, gaps []Hole) (times []float64, rows []int) {
	return chart.WithBreaks(f, Chart(slices.Concat(holes, gaps)...))
}

// LeaveOut returns the frame without what was interpolated across lost data: no
// line crosses a hole.
func LeaveOut(f *api.Frame, holes []Hole) *api.Frame {
	if len(holes) == 0 {
		return f
	}
	own := *f // the reply is shared
	own.Columns = slices.Clone(f.Columns)
	for k := range own.Columns {
		c := &own.Columns[k]
		c.Values, c.Low, c.High, c.Why = slices.Clone(c.Values), slices.Clone(c.Low), slices.Clone(c.High), slices.Clone(c.Why)
	}
	chart.LeaveOut(&own, Chart(holes...))
	return &own
}
