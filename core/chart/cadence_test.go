package chart

import (
	"slices"
	"testing"
)

func TestUsualTimeBetweenObservations(t *testing.T) {
	// As kernel.all.load was logged in 20180416.10.00: every 10 s, twice in quick succession.
	var gaps []float64
	for range 20 {
		gaps = append(gaps, 0.015, 9.985)
	}
	if got := UsualGap(gaps); got != 10e9 {
		t.Errorf("usual interval = %v s, want 10 s", float64(got)/1e9)
	}
	// The same on eight days, each with nineteen hours in which nothing was logged.
	var days []float64
	for range 7 {
		days = append(append(days, gaps...), 19*3600)
	}
	if got := UsualGap(append(days, gaps...)); got != 10e9 {
		t.Errorf("usual interval with gaps = %v s, want 10 s", float64(got)/1e9)
	}
	// As disk.all.read was logged in corpus/archives/20180416 (pmdumplog): every 10 s by two
	// groups, the second of which came up to 0.4 s after the first.
	if got := UsualGap([]float64{0.305, 9.647, 0.394, 9.570, 0.016, 9.980, 0.43, 9.57, 0.43, 9.57}); got != 10e9 {
		t.Errorf("usual interval of two groups = %v s, want 10 s", float64(got)/1e9)
	}
	// kernel.all.cpu.user in babylon.percpu_v2, pmdumplog: 3 s by a timer that is late.
	if got := UsualGap([]float64{3.000151999, 3.002, 2.999, 3.000152}); got != 3e9 {
		t.Errorf("usual interval of 3 s and some = %v s, want 3 s", float64(got)/1e9)
	}
	if got := UsualGap([]float64{0.255991, 0.255991}); got != 255991e3 { // near no round number
		t.Errorf("usual interval = %v ns, want 255.991 ms", got)
	}
	// A pause of the logger among five times; from pmdumplog of bad/20230506.20.02-01.
	if got := UsualGap([]float64{63.921, 6.120, 9.945, 9.999, 10.002}); got != 10e9 {
		t.Errorf("with one pause: %d, want 10 s", got)
	}
	if got := UsualGap(nil); got != 0 {
		t.Errorf("usual interval of nothing = %v, want 0", got)
	}
	if got := UsualGap([]float64{0.25, 0.25, 7}); got != 7.5e9 && got != 250e6 {
		t.Errorf("usual interval of 0.25 s, 0.25 s and 7 s = %v, want 0.25 s, or all of them together", got)
	}
}

// A metric logged once at each start of a logger was not logged "every day".
func TestTimesBetweenObservationsEndAtMarks(t *testing.T) {
	for _, x := range []struct{ times, marks, want []float64 }{
		{[]float64{0, 10, 20, 86400, 86410}, []float64{20.001}, []float64{10, 10, 10}},
		{[]float64{5, 86405, 172805}, []float64{0, 5, 86400, 100000, 172000, 180000}, nil},
		{[]float64{0, 10, 20}, nil, []float64{10, 10}},
	} {
		if got := Between(x.times, x.marks); !slices.Equal(got, x.want) {
			t.Errorf("intervals of %v with marks at %v = %v, want %v", x.times, x.marks, got, x.want)
		}
	}
}
