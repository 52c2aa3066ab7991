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

func TestUsualTimeBetweenObservations(t *testing.T) {
	// As kernel.all.load was logged in 20180416.10.00: every 10 s, twice in quick succession.
	var gaps []float64
	for range 20 {
		gaps = append(gaps, 0.015, 9.985)
	}
	if got := Usual(gaps); got != int64(10*second) {
		t.Errorf("usual interval = %v s, want 10 s", float64(got)/1e9)
	}
	// The same on eight days, each with nineteen hours in which nothing was logged.
	var days []float64
	for range 7 {
		days = append(append(days, gaps...), 19*3600)
	}
	if got := Usual(append(days, gaps...)); got != int64(10*second) {
		t.Errorf("usual interval with gaps = %v s, want 10 s", float64(got)/1e9)
	}
	if got := Usual(nil); got != 0 {
		t.Errorf("usual interval of nothing = %v, want 0", got)
	}
	if got := Usual([]float64{0.25, 0.25, 7}); got != int64(7*second) && got != 250e6 {
		t.Errorf("usual interval of 0.25 s, 0.25 s and 7 s = %v, want one of these", got)
	}
}

// A metric logged once at each start of a logger was not logged "every day".
func TestTimesBetweenObservationsEndAtMarks(t *testing.T) {
	for _, x := range []struct{ times, marks, want []float64 }{
		{[]float64{0, 10, 20, 86400, 86410}, []float64{20.001}, []float64{10, 10, 10}},
		{[]float64{5, 86405, 172805}, []float64{0, 5, 86400, 100000, 172000, 180000}, nil},
		{[]float64{0, 10, 20}, nil, []float64{10, 10}},
	} {
		if got := Between(&api.Frame{Times: x.times, Marks: x.marks}); !slices.Equal(got, x.want) {
			t.Errorf("intervals of %v with marks at %v = %v, want %v", x.times, x.marks, got, x.want)
		}
	}
}

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
