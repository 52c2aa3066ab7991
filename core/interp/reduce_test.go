package interp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// stretched is the input of a reduction: a value, the time range it holds for,
// and whether the end belongs to it (a rate) or the start.
type stretched struct {
	from, to float64
	v        float64
	rate     bool
}

// stretchedOf is by the letter of Reduced what the Reducer does with runs: a
// value holds until the next observation or a mark, where it ends with its own
// moment (but a discrete one lasts to the mark or the end); a rate holds over
// its interval, unless a mark lies in it or the counter went back.
func stretchedOf(sem pcp.Semantics, ts, vs, marks []float64) (list []stretched) {
	for i, t := range ts {
		cut := math.Inf(1)
		for _, m := range slices.Backward(marks) {
			if m > t {
				cut = m
			}
		}
		switch {
		case sem == pcp.Counter:
			if i+1 < len(ts) && ts[i+1] <= cut && vs[i+1] >= vs[i] {
				list = append(list, stretched{t, ts[i+1], (vs[i+1] - vs[i]) / (ts[i+1] - t), true})
			}
			continue
		case i+1 < len(ts) && ts[i+1] <= cut:
			list = append(list, stretched{t, ts[i+1], vs[i], false})
		case sem == pcp.Discrete:
			list = append(list, stretched{t, cut, vs[i], false})
		}
		list = append(list, stretched{t, t, vs[i], false})
	}
	return list
}

func boxed(vs []float64) (list []any) {
	for _, v := range vs {
		list = append(list, v)
	}
	return list
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

func TestReduce(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 3000 {
		sem := []pcp.Semantics{pcp.Counter, pcp.Instant, pcp.Discrete}[n%3]
		var ts, vs, marks []float64
		last := 0.0
		for k := range 2 + r.IntN(30) {
			if last += float64(1 + r.IntN(4)); k > 0 && r.IntN(8) == 0 {
				marks = append(marks, last)
				last++
			}
			ts = append(ts, last)
			v := float64(r.IntN(5))
			if sem == pcp.Counter && r.IntN(12) > 0 && len(vs) > 0 {
				v += vs[len(vs)-1]
			}
			vs = append(vs, v)
		}
		seg := Segment{Start: at(0), End: at(last), Marks: nil}
		for _, m := range marks {
			seg.Marks = append(seg.Marks, at(m))
		}
		o := single(pcp.Double, sem, ts, boxed(vs)...)
		start, step := float64(r.IntN(5)), float64(1+r.IntN(9))
		count := 1 + r.IntN(8)
		end := min(start+step*float64(count-1), start+float64(r.IntN(40)))
		grid := series.Grid{Start: at(start), Step: int64(step * 1e9), Count: count}
		reduce := func(how Reduction) Reduced {
			list := NewReducer([]Segment{seg}, grid, at(end), how, Options{}).Metric([]*series.Observations{o})
			if len(list) == 0 {
				return Reduced{}
			}
			return list[0]
		}
		only := NewReducer([]Segment{seg}, grid, at(end), Mean, Options{}).MeansOnly().Metric([]*series.Observations{o})
		mean, high, low, final := reduce(Mean), reduce(Max), reduce(Min), reduce(Last)
		for i := range count {
			a, b := start+step*float64(i-1), min(start+step*float64(i), end)
			if i == 0 {
				a, b = start, start
			}
			area, lasted, points, moments := 0.0, 0.0, 0.0, 0
			lo, hi, final1, at1 := math.Inf(1), math.Inf(-1), math.NaN(), math.Inf(-1)
			for _, x := range stretchedOf(sem, ts, vs, marks) {
				from, to := max(x.from, a), min(x.to, b)
				inside := from < to
				if i == 0 {
					inside = x.rate && x.from < a && a <= x.to || !x.rate && x.from <= a && a < x.to
				}
				moment := x.from == x.to && (x.from > a && x.from <= b || i == 0 && x.from == a && a <= end)
				if !inside && !moment {
					continue
				}
				if i > 0 && inside {
					area += x.v * (to - from)
					lasted += to - from
				} else {
					points, moments = points+x.v, moments+1
				}
				lo, hi = min(lo, x.v), max(hi, x.v)
				if x.from >= at1 {
					at1, final1 = x.from, x.v
				}
			}
			want := points / float64(moments)
			if lasted > 0 {
				want = area / lasted
			}
			got, top, bottom, held := math.NaN(), math.NaN(), math.NaN(), math.NaN()
			alone := math.NaN()
			if len(only) > 0 {
				alone = only[0].Values[i]
			}
			if math.IsNaN(want) != math.IsNaN(alone) || math.Abs(alone-want) > 1e-9 {
				t.Fatalf("case %d, %v, step %d (%g, %g]: mean alone %g, want %g\n%v %v marks %v", n, sem, i, a, b, alone, want, ts, vs, marks)
			}
			if mean.Values != nil {
				got, top, bottom, held = mean.Values[i], high.Values[i], low.Values[i], final.Values[i]
			}
			if math.IsNaN(want) {
				if !math.IsNaN(got) {
					t.Fatalf("case %d, %v, step %d (%g, %g]: %g where nothing was\n%v %v marks %v", n, sem, i, a, b, got, ts, vs, marks)
				}
				continue
			}
			if math.Abs(got-want) > 1e-9 || top != hi || bottom != lo || held != final1 || mean.High[i] != hi || mean.Low[i] != lo {
				t.Fatalf("case %d, %v, step %d (%g, %g]: mean %g, low %g, high %g, last %g; want %g %g %g %g\n%v %v marks %v end %g", n, sem, i, a, b, got, bottom, top, held, want, lo, hi, final1, ts, vs, marks, end)
			}
		}
	}
}

// Reductions of a whole series agree with the summary, whose values are pmlogsummary's
// (spec/interp.md section 16.15): the maximum of all steps, and the time average of
// steps of equal length.
func TestReduceAndSummary(t *testing.T) {
	for _, o := range []*series.Observations{paperC, paperI} {
		whole := summary1(o, noMarks, SummaryOptions{})[0]
		first, last := o.Times[0], o.Times[len(o.Times)-1]
		for _, steps := range []int{1, 2, 3, 7, 50} {
			grid := series.Grid{Start: first, Step: (int64(last-first) + int64(steps) - 1) / int64(steps), Count: steps + 1}
			d := NewReducer([]Segment{noMarks}, grid, last, Mean, Options{}).Metric([]*series.Observations{o})[0]
			sum, lasted := 0.0, 0.0
			for i := 1; i <= steps; i++ {
				length := min(grid.At(i), last).Since(grid.At(i - 1))
				sum, lasted = sum+d.Values[i]*length, lasted+length
			}
			if !near(sum/lasted, whole.TimeAverage) || slices.Max(d.High[1:]) != whole.Max || slices.Min(d.Low[1:]) != whole.Min {
				t.Errorf("%v in %d steps: mean %g, %g to %g; the summary has %g, %g to %g", o.Desc.Sem, steps, sum/lasted, slices.Min(d.Low), slices.Max(d.High), whole.TimeAverage, whole.Min, whole.Max)
			}
		}
	}
}

func TestReducePercentile(t *testing.T) {
	var ts, vs []float64
	for i := range 201 {
		ts, vs = append(ts, float64(i)), append(vs, float64(i%100))
	}
	grid := series.Grid{Start: at(0), Step: 100e9, Count: 3}
	d := NewReducer([]Segment{segment(200)}, grid, at(200), P95, Options{}).Metric([]*series.Observations{single(pcp.Double, pcp.Instant, ts, boxed(vs)...)})[0]
	// Each step has the values 0 to 99 once: place 94.05 in order.
	check(t, "p95", fmt.Sprintf("%.2f %.2f", d.Values[1], d.Values[2]), "94.05 94.05")
}

func TestCrowded(t *testing.T) {
	o := single(pcp.Uint32, pcp.Instant, []float64{0, 10, 20, 30}, 1, 2, 3, 4)
	for _, tt := range []struct {
		step float64
		want bool
	}{{5, false}, {10, false}, {15, true}, {60, true}} {
		grid := series.Grid{Start: at(0), Step: int64(tt.step * 1e9), Count: 5}
		if got := NewReducer([]Segment{noMarks}, grid, at(99), Mean, Options{}).Crowded([]*series.Observations{o}); got != tt.want {
			t.Errorf("steps of %g s: %v", tt.step, got)
		}
	}
}

// 20170301 of corpus/history has most metrics twice a minute, 1.2 ms apart.
// pmlogsummary reports a maximum of 36.862 of its 8 CPUs in user mode,
// because a 10 ms clock ticked between two such records. The data here are
// similar: ten CPUs for 1 ms are not a peak, neither of the summary nor of a
// step, but count in the mean.
func TestRecordsOfTheSameTime(t *testing.T) {
	var ts []float64
	var vs []any
	used := 0.0
	for i := range 20 {
		ts, vs = append(ts, float64(60*i)), append(vs, used)
		if i == 7 {
			used += 10
		}
		ts, vs = append(ts, float64(60*i)+0.001), append(vs, used)
		used += 600
	}
	o := single(pcp.Double, pcp.Counter, ts, vs...)
	seg := segment(60*19 + 0.001)
	all := summary1(o, seg, SummaryOptions{Distribution: true})[0]
	check(t, "all", fmt.Sprintf("%.0f %.0f %.3f %.2f", all.Min, all.Max, all.TimeAverage, all.Median), "0 10000 10.009 10.00")
	measured := summary1(o, seg, SummaryOptions{Distribution: true, Measured: true})[0]
	check(t, "measured", fmt.Sprintf("%.3f %.3f %.3f %.3f %.3f %d", measured.Min, measured.Max, measured.TimeAverage, measured.Median, measured.Last, measured.Count), "10.000 10.000 10.009 10.000 10.000 39")
	// 600 CPU seconds in the first minute, 300 in the second: the highest rate was known at the end of the first.
	falling := single(pcp.Double, pcp.Counter, []float64{0, 0.001, 60, 60.001, 120, 120.001}, 0, 0, 600, 600, 900, 900)
	highest := summary1(falling, segment(120.001), SummaryOptions{Measured: true})[0]
	check(t, "highest", fmt.Sprintf("%.3f %v", highest.Max, highest.MaxAt == at(60)), "10.000 true")
	grid := series.Grid{Start: at(0), Step: 600e9, Count: 3}
	for _, how := range []Reduction{Mean, P95} {
		d := NewReducer([]Segment{seg}, grid, seg.End, how, Options{}).Metric([]*series.Observations{o})[0]
		check(t, "steps", fmt.Sprintf("%.3f %.3f %.3f %.3f", d.Low[1], d.High[1], d.Low[2], d.High[2]), "10.000 10.000 10.000 10.000")
		if how == Mean {
			check(t, "mean", fmt.Sprintf("%.4f", d.Values[1]), "10.0167") // 6010 in 600 s, of which 1 ms follows the row that came 1 ms after another
		}
	}
}
