package interp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

func window(from, to float64) pcp.Span { return pcp.Span{Start: at(from), End: at(to)} }

func summary1(o *series.Observations, seg Segment, opt SummaryOptions) []Summary {
	return NewSummariser([]Segment{seg}, pcp.Span{Start: seg.Start, End: seg.End}, opt).Metric([]*series.Observations{o})
}

// Expected values: spec/interp.md section 16.15, printed by pmlogsummary -bmMy and -s.
func TestSummary(t *testing.T) {
	nines := func(sem pcp.Semantics, vs ...any) *series.Observations {
		return build(pcp.Desc{Type: pcp.Uint64, Sem: sem, InDom: pcp.MakeInDom(29, 1)},
			obs{0, 1, vs[0]}, obs{0, 2, vs[4]}, obs{10, 1, vs[1]}, obs{20, 1, vs[2]}, obs{20, 2, vs[5]}, obs{30, 1, vs[3]})
	}
	for _, tt := range []struct {
		name string
		obs  *series.Observations
		end  float64
		want string // stochastic average, time average, min, max, count, sum for each instance
	}{
		{"x.c", paperC, 99, "7.500 7.500 0.000 30.000 8 600.000"},
		{"x.i", paperI, 99, "860.000 861.250 400.000 1200.000 9 7740.000"},
		{"x.d", paperD, 99, "859.000 860.112 400.000 1200.000 9 7740.000"},
		{"16.9 counter", nines(pcp.Counter, 100, 110, 120, 130, 1000, 1200), 60, "1.000 1.000 1.000 1.000 3 30.000, 10.000 10.000 10.000 10.000 1 200.000"},
		{"16.9 instant", nines(pcp.Instant, 1, 2, 3, 4, 11, 13), 60, "2.500 2.000 1.000 4.000 4 10.000, 12.000 11.000 11.000 13.000 2 24.000"},
		{"16.9 discrete", nines(pcp.Discrete, 1, 2, 3, 4, 11, 13), 60, "2.800 3.000 1.000 4.000 4 10.000, 12.333 12.333 11.000 13.000 2 24.000"},
	} {
		var got []string
		for _, s := range summary1(tt.obs, segment(tt.end), SummaryOptions{}) {
			got = append(got, fmt.Sprintf("%.3f %.3f %.3f %.3f %d %.3f", s.Stochastic, s.TimeAverage, s.Min, s.Max, s.Count, s.Sum))
		}
		check(t, tt.name, strings.Join(got, ", "), tt.want)
	}
	// Values that did not last: pmlogsummary's time average of them is 0.
	apart := segment(60)
	apart.Marks = []pcp.Time{at(20)}
	for _, tt := range []struct {
		obs  *series.Observations
		want float64
	}{
		{single(pcp.Double, pcp.Instant, []float64{10}, 42.0), 42},
		{single(pcp.Double, pcp.Instant, []float64{10, 30}, 40.0, 46.0), 43}, // a mark between them
	} {
		for measured, want := range map[bool]float64{false: 0, true: tt.want} {
			if got := summary1(tt.obs, apart, SummaryOptions{Measured: measured})[0].TimeAverage; got != want {
				t.Errorf("the average of what did not last is %v, want %v", got, want)
			}
		}
	}
	for _, tt := range []struct {
		obs  *series.Observations
		want string
	}{
		{paperC, "[{7.5 5} {15 2} {22.5 0} {30 1}]"},
		{paperI, "[{600 2} {800 1} {1000 3} {1200 3}]"},
	} {
		check(t, "bins", fmt.Sprint(summary1(tt.obs, noMarks, SummaryOptions{Bins: 4})[0].Bins), tt.want)
	}
	once := single(pcp.Uint32, pcp.Counter, []float64{10}, 5)
	check(t, "one observation", fmt.Sprintf("%+v", summary1(once, noMarks, SummaryOptions{})[0].Insufficient), "true")
	none := NewSummariser([]Segment{noMarks}, window(91, 99), SummaryOptions{}).Metric([]*series.Observations{paperC})
	check(t, "nothing in the window", fmt.Sprint(none), "[]")
	part := NewSummariser([]Segment{noMarks}, window(20, 40), SummaryOptions{}).Metric([]*series.Observations{paperC})[0]
	check(t, "a part of it", fmt.Sprint(part.Count, part.Sum, part.Max, part.MaxAt == at(20), part.MinAt == at(40), part.Covered), "2 300 30 true true 1")
}

// plain does with single observations, by the letter of spec/interp.md section 14, what
// the Summariser does with runs.
func plain(sem pcp.Semantics, ts, vs, marks []float64, end float64) (n int, stoch, timeAvg, sum float64) {
	var t0, tl, vl, sv, tv, sv2 float64
	m, have, n2 := false, false, 0
	k := 0
	mark := func(limit float64) {
		for ; k < len(marks) && marks[k] < limit; k++ {
			if have && sem == pcp.Discrete {
				sv2 += vl
				tv += vl * (marks[k] - tl)
				tl = marks[k]
				n2++
			}
			m = true
		}
	}
	for i, t := range ts {
		mark(t)
		v := vs[i]
		switch {
		case !have:
			t0, have = t, true
			if sem != pcp.Counter {
				n, sv = 1, v
			}
		case sem == pcp.Counter:
			if m || v < vl {
				t0 += t - tl
			} else {
				n++
				sv += (v - vl) / (t - tl)
				tv += v - vl
			}
		default:
			n++
			sv += v
			if m {
				t0 += t - tl
			} else {
				tv += vl * (t - tl)
			}
		}
		m, tl, vl = false, t, v
	}
	mark(math.Inf(1))
	if sem == pcp.Discrete {
		sv2 += vl
		tv += vl * (end - tl)
		tl = end
		n2++
	}
	if sem == pcp.Counter {
		return n, sv / float64(n), tv / (tl - t0), tv
	}
	return n, (sv + sv2) / float64(n+n2), tv / (tl - t0), sv
}

func TestSummaryOfRunsEqualsThatOfObservations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for trial := range 500 {
		sem := []pcp.Semantics{pcp.Counter, pcp.Instant, pcp.Discrete}[trial%3]
		var ts, vs, marks []float64
		var list []any
		v, now := 100, 0.0
		for range 40 {
			now += float64(1 + r.IntN(4))
			switch r.IntN(8) {
			case 0:
				marks = append(marks, now)
				continue
			case 1, 2:
				v += r.IntN(50) - 10
			}
			ts, vs, list = append(ts, now), append(vs, float64(v)), append(list, v)
		}
		o := single(pcp.Int64, sem, ts, list...)
		s := summary1(o, segment(now+3, marks...), SummaryOptions{Distribution: true})[0]
		n, stoch, avg, sum := plain(sem, ts, vs, marks, now+3)
		got, want := []float64{float64(s.Count), s.Stochastic, s.TimeAverage, s.Sum}, []float64{float64(n), stoch, avg, sum}
		for i := range got {
			if math.Abs(got[i]-want[i]) > 1e-9*math.Abs(want[i]) {
				t.Fatalf("trial %d, %v: count, stochastic, time, sum = %v, want %v\n%v %v marks %v", trial, sem, got, want, ts, vs, marks)
			}
		}
		if sem != pcp.Counter {
			slices.Sort(vs)
			place := func(q float64) float64 {
				p := q * float64(len(vs)-1)
				k := int(p)
				if k+1 == len(vs) {
					return vs[k]
				}
				return vs[k] + (p-float64(k))*(vs[k+1]-vs[k])
			}
			for _, x := range []struct{ got, want float64 }{{s.Median, place(.5)}, {s.P95, place(.95)}, {s.P99, place(.99)}} {
				if math.Abs(x.got-x.want) > 1e-9*math.Abs(x.want) {
					t.Fatalf("trial %d: quantile %v, want %v", trial, x.got, x.want)
				}
			}
		}
	}
}

func TestDistribution(t *testing.T) {
	// 2 4 4 4 5 5 7 9: mean 5, standard deviation 2, the textbook's example.
	o := single(pcp.Double, pcp.Instant, []float64{1, 2, 3, 4, 5, 6, 7, 8}, 9, 2, 4, 5, 4, 5, 4, 7)
	s := summary1(o, noMarks, SummaryOptions{Distribution: true})[0]
	check(t, "median, stddev", fmt.Sprint(s.Median, s.Stddev), "4.5 2")
}

func BenchmarkSummary(b *testing.B) {
	for _, opt := range []SummaryOptions{{}, {Distribution: true}} {
		for _, sem := range []pcp.Semantics{pcp.Counter, pcp.Instant} {
			b.Run(fmt.Sprintf("%v/distribution=%v", sem, opt.Distribution), func(b *testing.B) {
				o, seg := processes(sem)
				for b.Loop() {
					summary1(o, seg, opt)
				}
			})
		}
	}
}
