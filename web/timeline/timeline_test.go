package timeline

import (
	"math"
	"slices"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/chart"
	"pcpscope/core/pcp"
)

const second = pcp.Time(time.Second)

var start = pcp.MakeTime(1523887285, 0) // 2018-04-16 14:01:25 UTC

// The consumers of a resource have a point for each sample. Where samples are
// missing, a point without values is inserted, so that no line is drawn across.
func TestConsumersStopAtGaps(t *testing.T) {
	source := api.Source{Start: start, End: start + 600*second, Gaps: []api.Gap{{Start: start + 100*second, End: start + 200*second, Why: "missing volume"}, {Start: start + 305*second, End: start + 305*second, Why: "mark"}}}
	frame := &api.Frame{Start: start, Times: []float64{90, 100, 200, 300, 310}, Columns: []api.Column{{Values: []float64{1, 2, 3, 4, 5}}, {Values: []float64{1, 2, 3, math.NaN(), 5}, Why: []uint8{0, 0, 0, 4, 0}}}}
	first := frame.Columns[0].Values
	breaks := append(Holes(&source, Window{source.Start, source.End}), Gaps(&source)...)
	frame = chart.Make(frame, &api.ChartQuery{Consumers: &api.ConsumerQuery{}, Breaks: Chart(breaks...)}, func() {}).Frame
	if !slices.Equal(first, []float64{1, 2, 3, 4, 5}) {
		t.Error("the values of the original frame were changed")
	}
	want := [][2]float64{{90, 1}, {100, 2}, {150, math.NaN()}, {200, 3}, {300, 4}, {305, math.NaN()}, {310, 5}}
	if why := frame.Columns[1].Why; !slices.Equal(why, []uint8{0, 0, 3, 0, 4, 3, 0}) { // 3: across a mark
		t.Errorf("reasons = %v, want a mark (3) at 150 s and 305 s", why)
	}
	same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
	for i, v := range want {
		if len(frame.Times) != len(want) || frame.Times[i] != v[0] || !same(frame.Columns[0].Values[i], v[1]) {
			t.Fatalf("times %v, values %v, want %v", frame.Times, frame.Columns[0].Values, want)
		}
	}
}
