package analysis

import (
	"math"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// On steps shorter than, as long as and longer than the interval between samples,
// a process that is always there has its CPU time in each, and that of commands whose
// processes end before they are sampled is estimated to within a tenth on average.
func TestUseByCommand(t *testing.T) {
	const seeds, rows = 60, 61
	for _, step := range []int64{5, 10, 60} {
		got, want := map[string]float64{}, map[string]float64{}
		for seed := range uint64(seeds) {
			host, truth := workshop(seed, rows)
			p := NewHost(host).Processes()
			grid := series.Grid{Start: start, Step: step * 1e9, Count: int((rows-1)*10/step) + 1}
			list := p.TopCommandUse(grid, 10, func(int) bool { return false })
			listed := map[string]float64{}
			for _, u := range list {
				for _, v := range u.Values[1:] {
					listed[u.Command] += v
				}
			}
			p.AddEstimates(grid, list)
			for _, u := range list {
				sum := 0.0
				for i, v := range u.Values[1:] {
					if sum += v; u.Command == "server" && math.Abs(v-50) > 1e-6 || u.Lasted[i+1] != float64(step) {
						t.Fatalf("step %d of %d s: %s used %g %% of %g s", i+1, step, u.Command, v, u.Lasted[i+1])
					}
				}
				got[u.Command] += sum * float64(step) / 100
				if sum < listed[u.Command]-1e-6 {
					t.Errorf("%s: the estimate takes %g away", u.Command, listed[u.Command]-sum)
				}
			}
			for name, seconds := range truth {
				want[name] += seconds
			}
		}
		for name, seconds := range want {
			if math.Abs(got[name]-seconds) > 0.1*seconds {
				t.Errorf("steps of %d s: %s used %.1f s, which are told to be %.1f", step, name, seconds, got[name])
			}
		}
	}
}

// Where samples are several steps apart, what was used between two counts evenly for
// these; nothing counts for steps in no interval. Samples that are late by less than
// a step are not spread over two.
func TestApportion(t *testing.T) {
	for _, c := range []struct {
		from, to float64 // in steps
		want     [5]float64
	}{
		{0, 1, [5]float64{0, 1, 0, 0, 0}},
		{0.2, 1.1, [5]float64{0, 0, 1, 0, 0}},
		{0.1, 0.8, [5]float64{0, 1, 0, 0, 0}},
		{1, 4, [5]float64{0, 0, 1. / 3, 1. / 3, 1. / 3}},
		{-1, 1, [5]float64{0, 0.5, 0, 0, 0}},
		{3, 5, [5]float64{0, 0, 0, 0, 0.5}},
	} {
		vals := make([]float64, 5)
		grid := series.Grid{Start: start, Step: 10e9, Count: 5}
		at := func(steps float64) pcp.Time { return start + pcp.Time(steps*10e9) }
		apportion(grid, at(c.from), at(c.to), 1, vals)
		for i, v := range vals {
			if math.Abs(v-c.want[i]) > 1e-9 {
				t.Errorf("from %g to %g: got %v, want %v", c.from, c.to, vals, c.want)
				break
			}
		}
	}
}
