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
