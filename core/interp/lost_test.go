package interp

import (
	"slices"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Which steps of a grid of a minute miss what was observed: by hand.
func TestLost(t *testing.T) {
	grid := series.Grid{Start: at(0), Step: 60e9, Count: 5}
	for _, x := range []struct {
		what  string
		times []float64
		marks []float64
		lost  []bool
	}{
		{"every minute, a little late: no point is before the first", []float64{0.5, 60.4, 120.9, 180.2, 240.7}, nil, []bool{false, true, false, false, false}},
		{"every minute, a little early", []float64{0, 59.6, 119.9, 179.5, 239.2, 299}, nil, nil},
		{"two within moments", []float64{0, 0.01, 60.4, 60.41, 120.5, 120.51}, nil, nil},
		{"out of step with the grid", []float64{30, 90, 150}, nil, []bool{false, true, true, true, false}},
		{"one more in between", []float64{0, 60, 97, 120, 180}, nil, []bool{false, false, true, false, false}},
		{"one by itself between two starts of the logger", []float64{0, 60, 97, 120, 180}, []float64{80, 110}, []bool{false, false, true, false, false}},
		{"the last before the logger ended, near a point", []float64{0, 60, 119.5, 180}, []float64{119.6}, []bool{false, false, true, false, false}},
		{"the first after it began, near a point", []float64{0, 60, 120.5, 180}, []float64{119}, []bool{false, false, false, true, false}},
	} {
		seg := Segment{Start: at(0), End: at(300)}
		for _, m := range x.marks {
			seg.Marks = append(seg.Marks, at(m))
		}
		o := single(pcp.Double, pcp.Instant, x.times, boxed(x.times)...)
		if got := NewReducer([]Segment{seg}, grid, at(240), Mean, Options{}).Lost([]*series.Observations{o}); !slices.Equal(got, x.lost) {
			t.Errorf("%s: %v, want %v", x.what, got, x.lost)
		}
	}
}

func TestWithin(t *testing.T) {
	grid := series.Grid{Start: at(0), Step: 10e9, Count: 10}
	for _, x := range []struct {
		what   string
		times  []float64
		within []int // steps, each the 10 s up to its point
	}{
		{"as dense as the grid, but for one record", []float64{0, 10, 20, 39.9, 50, 60, 70, 80, 90}, nil},
		{"two steps apart, on its points", []float64{0, 20, 40}, []int{1, 2, 3, 4}},
		{"two steps apart, beside its points", []float64{3, 23, 43}, []int{2, 4}},
		{"around the grid", []float64{-100, 200}, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"beside the grid", []float64{-300, -200, 200, 300}, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"one", []float64{45}, nil},
	} {
		var got []int
		o := single(pcp.Uint32, pcp.Counter, x.times, boxed(x.times)...)
		for i, within := range NewReducer([]Segment{{Start: at(-300), End: at(300)}}, grid, at(90), Mean, Options{}).Within([]*series.Observations{o}) {
			if within {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, x.within) {
			t.Errorf("%s: %v, want %v", x.what, got, x.within)
		}
	}
}
