package panel

import (
	"math"
	"testing"

	"pcpscope/core/api"
	"pcpscope/web/format"
	"pcpscope/web/timeline"
)

// The text description of a chart, for screen readers.
func TestWords(t *testing.T) {
	zone, _ := format.OffsetOf("EST5EDT")
	window := timeline.Window{Start: start, End: start + 600*second}
	clock := format.NewClock("EST5EDT", zone, window.Start, window.End)
	const n = 61 // ten minutes, every ten seconds
	line := func(f func(i int) float64) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = f(i)
		}
		return values
	}
	nan := math.NaN()
	for _, tt := range []struct {
		name   string
		values []float64
		want   string
	}{
		{"flat", line(func(int) float64 { return 7 }), "steady at 7.0 %"},
		{"rise", line(func(i int) float64 {
			if i < 24 {
				return 12
			}
			return 94
		}), "rises from 12.0 % to 94.0 % at 10:05:25 and stays for 6 min"},
		{"plateau", line(func(i int) float64 {
			if i >= 12 && i < 31 {
				return 90
			}
			return 10
		}), "rises from 10.0 % to 90.0 % at 10:03:25 and stays for 3 min, then falls to 10.0 %"},
		{"fall", line(func(i int) float64 {
			if i < 30 {
				return 80
			}
			return 20
		}), "falls from 80.0 % to 20.0 % at 10:06:25"},
		{"spike", line(func(i int) float64 {
			if i == 6 {
				return 50
			}
			return 2
		}), "mostly about 2.0 %, at most 50.0 % at 10:02:25"},
		{"dip", line(func(i int) float64 {
			switch {
			case i < 12:
				return 97.7
			case i < 16:
				return 10
			}
			return 97.5
		}), "mostly about 97.5 %, at least 10.0 % at 10:03:25"},
		{"too small to tell", line(func(i int) float64 { return 0.01 * float64(1+i%2) }), "steady at <0.1 %"},
		{"nothing", line(func(int) float64 { return nan }), "no value in this window"},
	} {
		f := &api.Frame{Start: start, Columns: []api.Column{{Metric: "x", Values: tt.values}}}
		for i := range n {
			f.Times = append(f.Times, float64(10*i))
		}
		v := &View{Answer: Answer{Frame: f, Window: window, Load: func(int) ([]float64, []uint8) { return tt.values, nil }}, Shown: format.Shown{Unit: "%", Factor: 1, Decimals: 1}}
		if got := v.shape(&Series{}, clock); got != tt.want {
			t.Errorf("%s: description = %q, want %q", tt.name, got, tt.want)
		}
	}
}
