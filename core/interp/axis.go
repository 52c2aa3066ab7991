package interp

import (
	"slices"
	"sort"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// An axis is a grid in ascending order, cut where no value may be carried from
// one side to the other. Metrics fetched on the same grid share it.
type axis struct {
	grid     series.Grid
	at       []pcp.Time // ascending
	secs     []float64  // the same in seconds after the origin
	stretch  []stretch
	crossing []int // points with a mark between them and the point before
}

// A stretch is a range of grid points between two cuts, with the times of the
// observations that may be used for them.
type stretch struct {
	seg      int      // index of the segment used for these points
	g0, g1   int      // points, as indices of axis.at
	from, to pcp.Time // observations used, both ends included; none if from > to
	point    bool     // the points lie on a mark
	outside  bool     // outside the context, or between two archives
}

// newAxis cuts a grid. Segments are in order of their starts.
func newAxis(segs []Segment, grid series.Grid) *axis {
	at := make([]pcp.Time, max(grid.Count, 0))
	for i := range at {
		at[i] = grid.At(i)
	}
	if grid.Step < 0 {
		slices.Reverse(at)
	}
	return newAxisAt(segs, grid, at)
}

// newAxisAt cuts a list of ascending times; grid has their number.
func newAxisAt(segs []Segment, grid series.Grid, at []pcp.Time) *axis {
	n := len(at)
	x := &axis{grid: grid, at: at, secs: make([]float64, n)}
	if len(segs) == 0 {
		return x
	}
	origin := segs[0].Start
	for i, t := range x.at {
		x.secs[i] = t.Since(origin)
	}
	for g := 0; g < n; {
		seg := owner(segs, x.at[g])
		end := g + 1
		for end < n && owner(segs, x.at[end]) == seg {
			end++
		}
		x.cut(segs, seg, g, end)
		g = end
	}
	for i := 1; i < len(x.stretch); i++ {
		a, b := x.stretch[i-1], x.stretch[i]
		// Leaving a mark that a point lies on crosses nothing.
		leaves := grid.Step < 0 && b.point && b.from == a.to || grid.Step >= 0 && a.point && a.to == b.from
		if !(leaves && a.seg == b.seg) {
			x.crossing = append(x.crossing, b.g0)
		}
	}
	return x
}

// owner returns the segment used at a time: of those that cover it the one that
// starts last, else the last that began before it, else the first.
func owner(segs []Segment, t pcp.Time) int {
	last := sort.Search(len(segs), func(i int) bool { return segs[i].Start > t }) - 1
	if last < 0 {
		return 0
	}
	for i := last; i >= 0; i-- {
		if segs[i].End >= t {
			return i
		}
	}
	return last
}

// cut divides points [g, end), which all belong to one segment, at its marks
// and its end.
func (x *axis) cut(segs []Segment, seg, g, end int) {
	s := &segs[seg]
	origin := segs[0].Start
	marks := s.Marks
	add := func(to int, st stretch) {
		if to > g {
			st.seg, st.g0, st.g1 = seg, g, to
			x.stretch = append(x.stretch, st)
			g = to
		}
	}
	nothing := stretch{from: pcp.MaxTime, to: pcp.MinTime, outside: true}
	if seg == 0 {
		add(g+countBelow(x.secs[g:end], -toleranceSeconds), nothing)
	}
	alive := g
	if last := seg == len(segs)-1; last {
		limit := s.End.Since(origin) + toleranceSeconds
		for alive < end && x.secs[alive] <= limit {
			alive++
		}
	} else {
		alive += before(x.at[g:end], s.End+virtualMark)
	}
	from := pcp.MinTime
	for _, m := range marks {
		if g >= alive {
			break
		}
		add(g+before(x.at[g:alive], m), stretch{from: from, to: m})
		if g < alive && x.at[g] == m {
			add(g+1, stretch{from: m, to: m, point: true})
		}
		from = m
	}
	add(alive, stretch{from: from, to: pcp.MaxTime})
	add(end, nothing)
}

// before returns how many of the ascending times are before t.
func before(times []pcp.Time, t pcp.Time) int {
	lo, hi := 0, len(times)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); times[mid] < t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// upTo returns how many of the ascending times are at or before t.
func upTo(times []pcp.Time, t pcp.Time) int {
	if t == pcp.MaxTime {
		return len(times)
	}
	return before(times, t+1)
}

func countBelow(xs []float64, limit float64) int {
	n := 0
	for n < len(xs) && xs[n] < limit {
		n++
	}
	return n
}
