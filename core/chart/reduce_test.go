package chart

import (
	"math"
	"slices"
	"testing"

	"pcpscope/core/api"
)

// Six points in three steps: per-point data moves with its point.
func TestReduceKeepsWhatBelongsTogether(t *testing.T) {
	none := math.NaN()
	f := api.Frame{Times: []float64{0, 1, 2, 3, 4, 5}, Columns: []api.Column{{
		Values: []float64{1, 2, 1 << 60, none, none, none},
		Exact:  []uint64{1, 2, 1<<60 + 1, 0, 0, 0},
		Why:    []uint8{0, 0, 0, 6, 6, 6},
		Codes:  []api.CodeAt{{At: 3, Code: -1}, {At: 4, Code: -2}, {At: 5, Code: -3}},
		Events: []api.EventRecord{{At: 0}, {At: 3}, {At: 5}},
	}}}
	Reduce(&f, 3, func(int) bool { return false })
	c := f.Columns[0]
	if want := []float64{1, 3, 5}; !slices.Equal(f.Times, want) {
		t.Errorf("times %v, want %v", f.Times, want)
	}
	if want := []uint64{2, 1<<60 + 1, 0}; !slices.Equal(c.Exact.([]uint64), want) {
		t.Errorf("exact values %v, want %v as beside %v", c.Exact, want, c.Values)
	}
	if want := []uint8{0, 0, 6}; !slices.Equal(c.Why, want) {
		t.Errorf("reasons %v, want %v", c.Why, want)
	}
	for i, want := range []int{1, 2, 2} {
		if c.Codes[i].At != want {
			t.Errorf("the code %d is at point %d, want %d", c.Codes[i].Code, c.Codes[i].At, want)
		}
	}
	for i, want := range []int{0, 1, 2} {
		if c.Events[i].At != want {
			t.Errorf("event %d is at point %d, want %d", i, c.Events[i].At, want)
		}
	}
}

// Points that represent several observations have an envelope already, which a step of them has, too.
func TestReduceKeepsEnvelopes(t *testing.T) {
	none := math.NaN()
	f := api.Frame{Times: []float64{0, 1, 2, 3}, Columns: []api.Column{{
		Values: []float64{4, 5, none, 7}, Low: []float64{1, 2, none, 6}, High: []float64{9, 8, none, 7},
	}}}
	Reduce(&f, 2, func(int) bool { return false })
	c := f.Columns[0]
	if want := []float64{1, 6}; !slices.Equal(c.Low, want) {
		t.Errorf("from %v, want %v", c.Low, want)
	}
	if want := []float64{9, 7}; !slices.Equal(c.High, want) {
		t.Errorf("up to %v, want %v", c.High, want)
	}
}
