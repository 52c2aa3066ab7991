package state

import (
	"math"
	"slices"
	"testing"

	"pcpscope/core/api"
)

// Who used a resource has a moment for each sample, and none where samples are
// lost: one without values is put there, so that nothing is drawn across.
func TestConsumersStopAtHoles(t *testing.T) {
	f := &fake{gaps: []api.Gap{{Start: start + 100*second, End: start + 200*second, Why: "missing volume"}, {Start: start + 305*second, End: start + 305*second, Why: "mark"}}}
	w := still(f).newWork(f.source())
	frame := &api.Frame{Start: start, Times: []float64{90, 100, 200, 300, 310}, Columns: []api.Column{{Values: []float64{1, 2, 3, 4, 5}}, {Values: []float64{1, 2, 3, math.NaN(), 5}, Why: []uint8{0, 0, 0, 4, 0}}}}
	w.part(frame)
	want := [][2]float64{{90, 1}, {100, 2}, {150, math.NaN()}, {200, 3}, {300, 4}, {305, math.NaN()}, {310, 5}}
	if why := frame.Columns[1].Why; !slices.Equal(why, []uint8{0, 0, 3, 0, 4, 3, 0}) { // 3: across a mark
		t.Errorf("the reasons are %v", why)
	}
	same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
	for i, v := range want {
		if len(frame.Times) != len(want) || frame.Times[i] != v[0] || !same(frame.Columns[0].Values[i], v[1]) {
			t.Fatalf("the frame is %v, %v, want %v", frame.Times, frame.Columns[0].Values, want)
		}
	}
}
