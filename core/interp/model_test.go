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

// A model answers by the letter of spec/interp.md sections 2, 3 and 7, one point and one
// observation at a time, in nothing but the words of the rules.
type model struct {
	desc  pcp.Desc
	times []float64 // seconds after label
	vals  []uint64
	marks []float64
	end   float64
}

func (m model) at(t float64) (v uint64, ok bool) {
	cut := func(from, to float64, fromOpen bool) bool { // a mark in (from, to] or [from, to)
		return slices.ContainsFunc(m.marks, func(k float64) bool {
			return fromOpen && from < k && k <= to || !fromOpen && from <= k && k < to
		})
	}
	p, n := -1, -1
	for i, ti := range m.times {
		if ti <= t {
			p = i
		}
		if ti >= t && n < 0 {
			n = i
		}
	}
	if p >= 0 && cut(m.times[p], t, true) {
		p = -1
	}
	if n >= 0 && cut(t, m.times[n], false) {
		n = -1
	}
	switch {
	case t < -0.001 || t > m.end+0.001 || p < 0:
		return 0, false
	case m.times[p] == t:
		return m.vals[p], true
	case n < 0:
		return m.vals[p], m.desc.Sem == pcp.Discrete
	case m.desc.Sem == pcp.Counter:
		d, f := m.times[n]-m.times[p], t-m.times[p]
		switch m.desc.Type {
		case pcp.Double:
			a, b := math.Float64frombits(m.vals[p]), math.Float64frombits(m.vals[n])
			return math.Float64bits(a + f*(b-a)/d), true
		case pcp.Uint32:
			a, b := float64(m.vals[p]), float64(m.vals[n])
			if b >= a {
				return uint64(0.5 + a + f*(b-a)/d), true
			}
			return uint64(0.5 + a - f*(a-b)/d), true
		case pcp.Int64:
			a, diff := float64(int64(m.vals[p])), float64(int64(m.vals[n])-int64(m.vals[p]))
			return uint64(int64(0.5 + a + f*diff/d)), true
		}
	case m.desc.Type == pcp.String || t <= (m.times[p]+m.times[n])/2:
		return m.vals[p], true
	}
	return m.vals[n], true
}

// random makes observations of two instances with holes and repeats, and the
// models of both. Times are multiples of a quarter second, so that points,
// marks and observations often coincide.
func random(r *rand.Rand) (*series.Observations, [2]model, Segment) {
	desc := pcp.Desc{InDom: pcp.MakeInDom(29, 1),
		Type: []pcp.Type{pcp.Uint32, pcp.Int64, pcp.Double, pcp.String}[r.IntN(4)],
		Sem:  []pcp.Semantics{pcp.Counter, pcp.Instant, pcp.Discrete}[r.IntN(3)]}
	if desc.Type == pcp.String && desc.Sem == pcp.Counter {
		desc.Sem = pcp.Instant
	}
	var ms [2]model
	var list []obs
	var marks []float64
	now := float64(r.IntN(4))
	level := [2]int{r.IntN(50), r.IntN(50)}
	for range 5 + r.IntN(30) {
		now += float64(1+r.IntN(8)) / 4
		if r.IntN(6) == 0 {
			marks = append(marks, now)
			if r.IntN(2) == 0 {
				continue
			}
		}
		for i := range ms {
			if r.IntN(4) == 0 {
				continue
			}
			if r.IntN(3) == 0 {
				level[i] += r.IntN(40) - 10
			}
			var v any = max(level[i], 0)
			if desc.Type == pcp.String {
				v = fmt.Sprint(level[i])
			} else if desc.Type == pcp.Int64 {
				v = level[i] - 20
			}
			list = append(list, obs{now, int32(i), v})
		}
	}
	o := build(desc, list...)
	for i := range ms {
		ms[i] = model{desc: desc, marks: marks, end: now + 2}
	}
	for _, x := range list {
		m := &ms[x.inst]
		m.times = append(m.times, x.t)
		m.vals = append(m.vals, bitsOf(o, desc.Type, x.v))
	}
	return o, ms, segment(now+2, marks...)
}

func TestEqualsTheModel(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	compared := 0
	for trial := range 3000 {
		o, ms, seg := random(r)
		start, step := float64(r.IntN(40))/4-2, float64(1+r.IntN(16))/8
		if r.IntN(2) == 0 {
			step = -step
			start += 30
		}
		n := 1 + r.IntN(60)
		f := Interpolate(o, seg, steps(start, step, n), Options{Empty: true}, nil)
		had := false // the fetch before returned a value
		for i := range n {
			now := start + step*float64(i)
			before := now - step
			crossed := i > 0 && slices.ContainsFunc(seg.Marks, func(m pcp.Time) bool {
				k := m.Since(label)
				return step > 0 && before < k && k <= now || step < 0 && now <= k && k < before
			})
			hidden := o.Desc.Sem == pcp.Counter && had && crossed
			had = false
			for _, v := range f.Vectors {
				want, ok := ms[v.Inst].at(now)
				ok = ok && !hidden
				had = had || ok
				got, why := v.Vals[i], v.Missing(i)
				compared++
				if ok != (why == series.HasValue) || ok && got != want || !ok && got != 0 {
					t.Fatalf("trial %d, %v %v, instance %d at %v: %d (%v), want %d, %v\ntimes %v\nvalues %v\nmarks %v",
						trial, o.Desc.Type, o.Desc.Sem, v.Inst, now, got, why, want, ok, ms[v.Inst].times, ms[v.Inst].vals, seg.Marks)
				}
			}
		}
	}
	t.Logf("%d values compared", compared)
}

// Splitting an archive in two where no observation is lost changes nothing on
// either side except for the effect of a mark.
func TestSegmentsEqualMark(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for trial := range 500 {
		o, _, seg := random(r)
		if len(o.Times) < 4 {
			continue
		}
		k := 1 + r.IntN(len(o.Times)-2)
		first, second := cutRows(o, 0, k), cutRows(o, k, len(o.Times))
		boundary := first.Times[k-1] + virtualMark
		one := seg
		one.Marks = append(slices.Clone(seg.Marks), boundary)
		slices.Sort(one.Marks)
		two := []Segment{{Start: seg.Start, End: first.Times[k-1]}, {Start: second.Times[0], End: seg.End}}
		for _, m := range seg.Marks {
			if m > boundary {
				two[1].Marks = append(two[1].Marks, m)
			} else {
				two[0].Marks = append(two[0].Marks, m)
			}
		}
		if slices.ContainsFunc(seg.Marks, func(m pcp.Time) bool { return m > first.Times[k-1] && m < second.Times[0] }) {
			continue // that mark would belong to neither
		}
		g := steps(0.3, 0.7, 40)
		a := Interpolate(o, one, g, Options{Empty: true}, nil)
		b := NewFetcher(two, g, Options{Empty: true}).Frame([]*series.Observations{first, second}, nil)
		if x, y := values(a), values(b); x != y {
			t.Fatalf("trial %d: %v %v cut at %v\n one %s\n two %s\n%v marks %v", trial, o.Desc.Type, o.Desc.Sem, boundary-label, x, y, o, seg.Marks)
		}
	}
}

// cutRows returns the observations of rows from to to-1.
func cutRows(o *series.Observations, from, to int) *series.Observations {
	out := &series.Observations{Desc: o.Desc, Times: o.Times[from:to], Blobs: o.Blobs}
	for _, s := range o.Series {
		var runs []series.Run
		for k, r := range s.Runs {
			a, b := int(r.Row&series.RowNum), len(o.Times)
			if k+1 < len(s.Runs) {
				b = int(s.Runs[k+1].Row & series.RowNum)
			}
			a, b = max(a, from), min(b, to)
			if a < b && !(r.Row&series.Gone != 0 && len(runs) == 0) {
				runs = append(runs, series.Run{Row: uint32(a-from) | r.Row&^series.RowNum, Val: r.Val})
			}
		}
		out.Series = append(out.Series, series.Series{Inst: s.Inst, Runs: runs})
	}
	return out
}

// A metric fetched after others, or by its own Fetcher, has the same values.
func TestFetcherKeepsNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	seg := segment(60, 20, 40)
	f := NewFetcher([]Segment{seg}, steps(0, 0.5, 120), Options{Empty: true})
	for range 200 {
		o, _, _ := random(r)
		got := f.Frame([]*series.Observations{o}, nil)
		check(t, "again", values(got), values(Interpolate(o, seg, got.Grid, Options{Empty: true}, nil)))
	}
}

// Raw values are returned as logged, whatever the window.
func TestLoggedIsWhatWasObserved(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for range 300 {
		o, ms, _ := random(r)
		from, to := float64(r.IntN(40))/4, float64(40+r.IntN(160))/4
		raw := Logged([]*series.Observations{o}, at(from), at(to), Options{})
		for _, v := range raw.Vectors {
			var times []float64
			var vals []uint64
			for i, tm := range raw.Times {
				if v.Missing(i) == series.HasValue {
					times, vals = append(times, tm.Since(label)), append(vals, v.Vals[i])
				}
			}
			m := ms[v.Inst]
			a, _ := slices.BinarySearch(m.times, from)
			b, _ := slices.BinarySearch(m.times, to+0.001)
			if !slices.Equal(times, m.times[a:b]) || !slices.Equal(vals, m.vals[a:b]) {
				t.Fatalf("instance %d from %v to %v: %v %v, want %v %v", v.Inst, from, to, times, vals, m.times[a:b], m.vals[a:b])
			}
		}
	}
}

// Of two observations with one stamp the later is the one before what
// follows, the earlier the one after what precedes. See spec/interp.md section 2.
func TestTwoObservationsOfOneTime(t *testing.T) {
	o := &series.Observations{Desc: pcp.Desc{Type: pcp.Uint32, Sem: pcp.Counter, InDom: pcp.NullInDom},
		Times:  []pcp.Time{label, at(10), at(10), at(20)},
		Series: []series.Series{{Inst: pcp.NoInstance, Runs: []series.Run{{Row: 0, Val: 100}, {Row: 1, Val: 200}, {Row: 2, Val: 300}, {Row: 3, Val: 400}}}}}
	check(t, "values", values(Interpolate(o, segment(20), steps(0, 5, 5), Options{}, nil)), "100, 150, 300, 350, 400")
	s := summary1(o, segment(20), SummaryOptions{})[0]
	check(t, "summary", fmt.Sprint(s.Count, s.Sum), "2 300") // no rate without time
}
