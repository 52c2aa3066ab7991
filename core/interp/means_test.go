package interp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// same reports whether two values are, up to rounding, or are both missing.
func same(a, b float64) bool { return a != a && b != b || near(a, b) }

// Means alone, in memory that is used again and again, are those of what also has extremes
// and counts, whose path is another one: over segments, rows that crowd, marks, counters
// that go back and values that stay.
func TestMeansOnly(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 300 {
		sem := []pcp.Semantics{pcp.Counter, pcp.Instant, pcp.Discrete}[n%3]
		var segs []Segment
		var obs []*series.Observations
		last, often := 0.0, []int{50, 2, 1 << 20}[n/3%3]
		for range 1 + r.IntN(3) {
			seg := Segment{Start: at(last)}
			var ts, vs []float64
			v := 0.0
			for range 2 + r.IntN(300) {
				if last += []float64{10, 10, 10, 10, 9.5, 11, 0.001, 60}[r.IntN(8)]; r.IntN(often) == 0 {
					seg.Marks = append(seg.Marks, at(last))
					last++
				}
				switch r.IntN(20) {
				case 0:
					v = 0
				case 1, 2, 3, 4, 5:
				default:
					v += float64(r.IntN(1000))
				}
				ts, vs = append(ts, last), append(vs, v)
			}
			seg.End = at(last)
			o := single(pcp.Double, sem, ts, boxed(vs)...)
			runs := o.Series[0].Runs
			third := len(runs) / 3
			gone := series.Run{Row: runs[third].Row | series.Gone}
			o.Series = append(o.Series, series.Series{Inst: 1, Runs: append(slices.Clone(runs[:third]), gone)}, series.Series{Inst: 2, Runs: slices.Clone(runs[third:])})
			for k := range o.Series[2].Runs {
				o.Series[2].Runs[k].Val = math.Float64bits(float64(1e6 + 10*k + r.IntN(15)))
			}
			segs, obs = append(segs, seg), append(obs, o)
			last += 30
		}
		grid := series.Grid{Start: at(last * r.Float64() / 2), Step: int64(5e9 + r.Float64()*60e9), Count: 2 + r.IntN(100)}
		var all []Reduced // each by a Reducer of its own
		for i := range obs[0].Series {
			var one []*series.Observations
			for _, o := range obs {
				alone := *o
				alone.Series = o.Series[i : i+1]
				one = append(one, &alone)
			}
			all = append(all, NewReducer(segs, grid, at(last), Mean, Options{}).Counted().Metric(one)...)
		}
		plain := NewReducer(segs, grid, at(last), Mean, Options{}).Metric(obs)
		for i := range all {
			if len(plain) != len(all) || !slices.EqualFunc(plain[i].Values, all[i].Values, same) || !slices.EqualFunc(plain[i].Low, all[i].Low, same) || !slices.EqualFunc(plain[i].High, all[i].High, same) {
				t.Fatalf("case %d: series %d is not the same without counts", n, i)
			}
		}
		a, b := NewReducer(segs, grid, at(last), P95, Options{}).Metric(obs), NewReducer(segs, grid, at(last), P95, Options{}).Counted().Metric(obs)
		for i := range a {
			if !slices.EqualFunc(a[i].Values, b[i].Values, same) {
				t.Fatalf("case %d: percentiles of series %d are not the same without counts", n, i)
			}
		}
		memory := new(Memory)
		quick := NewReducer(segs, grid, at(last), Mean, Options{}).MeansOnly().Lasting().Reusing(memory)
		for range 2 {
			means := quick.Metric(obs)
			if len(means) != len(all) {
				t.Fatalf("case %d: %d series, want %d", n, len(means), len(all))
			}
			for i := range means {
				for k := range means[i].Values {
					a, b := means[i].Values[k], all[i].Values[k]
					if !same(a, b) || !near(means[i].Lasted[k], all[i].Lasted[k]) {
						t.Fatalf("case %d: step %d of series %d is %g over %g s, want %g over %g s", n, k, i, a, means[i].Lasted[k], b, all[i].Lasted[k])
					}
				}
			}
			memory.Free(means...)
		}
	}
}

// A value of an expression ends with the row that has none: 10 lasts from 0 to 10 s, 20 from
// 30 to 40 s, which is 15 in the mean, while of the same as logged 10 lasts for 30 s: 12.5.
func TestValuesThatEnd(t *testing.T) {
	for _, sem := range []pcp.Semantics{pcp.Instant, pcp.Discrete} {
		o := build(pcp.Desc{Type: pcp.Double, Sem: sem, InDom: pcp.MakeInDom(29, 1)},
			obs{0, 1, 10.0}, obs{0, 2, 1.0}, obs{10, 2, 1.0}, obs{20, 2, 1.0}, obs{30, 1, 20.0}, obs{30, 2, 1.0}, obs{40, 1, 20.0}, obs{40, 2, 1.0})
		for _, x := range []struct {
			ending        bool
			mean, covered float64
			steps         []float64
		}{
			{false, 12.5, 1, []float64{10, 10, 10, 10, 20}},
			{true, 15, 0.5, []float64{10, 10, math.NaN(), 20, 20}},
		} {
			ends(o, x.ending)
			if got := summary1(o, segment(40), SummaryOptions{})[0]; got.TimeAverage != x.mean || got.Covered != x.covered {
				t.Errorf("ending %v: the mean is %v over %v of the time, want %v over %v", x.ending, got.TimeAverage, got.Covered, x.mean, x.covered)
			}
			got := NewReducer([]Segment{segment(40)}, series.Grid{Start: at(0), Step: 10e9, Count: 5}, at(40), Mean, Options{}).Metric([]*series.Observations{o})[0].Values
			if !slices.EqualFunc(got, x.steps, same) {
				t.Errorf("ending %v: the steps are %v, want %v", x.ending, got, x.steps)
			}
		}
		// It has ended before the window does.
		o = build(o.Desc, obs{0, 1, 10.0}, obs{0, 2, 1.0}, obs{10, 1, 30.0}, obs{10, 2, 1.0}, obs{30, 2, 1.0}, obs{40, 2, 1.0})
		ends(o, true)
		if got := summary1(o, segment(40), SummaryOptions{})[0].TimeAverage; got != (10*10+30*20)/30.0 {
			t.Errorf("ending at 30 s: the mean is %v, want 23.33", got)
		}
	}
}

// ends makes expressions without a value of what is gone, or the opposite.
func ends(o *series.Observations, really bool) {
	for _, s := range o.Series {
		for i := range s.Runs {
			if r := &s.Runs[i]; r.Row&series.Gone != 0 {
				r.Row &^= series.Failed
				if really {
					r.Row |= series.Ended
				}
			}
		}
	}
}
