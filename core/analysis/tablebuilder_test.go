package analysis

import (
	"math"
	"slices"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// What is infinite is no measurement: an agent divided by zero. It is not the highest load.
func TestInfiniteValues(t *testing.T) {
	desc := pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.MakeInDom(60, 2)}
	o := &series.Observations{Desc: desc, Times: []pcp.Time{0, 60e9, 120e9}, Series: []series.Series{{Inst: 1}}}
	for i, v := range []float64{1.5, math.Inf(1), 2} {
		o.Series[0].Runs = append(o.Series[0].Runs, series.Run{Row: uint32(i), Val: math.Float64bits(v)})
	}
	t1 := new(TableBuilder).Table([]Part{{o, nil}}, func(int32) string { return "1 minute" })
	if v := t1.Column("1 minute"); v[0] != 1.5 || !math.IsNaN(v[1]) || v[2] != 2 {
		t.Errorf("got %v", v)
	}
	if got := Decimals(math.Inf(1), 2) + " " + Decimals(math.Inf(-1), 0); got != "∞ −∞" {
		t.Errorf("infinity is %q", got)
	}
}

// Metrics with the same rows share what is derived from these: their times,
// where rates can be computed, and the part in a window. Another mark or
// another row makes another layout.
func TestLayer(t *testing.T) {
	times := []pcp.Time{0, 10e9, 20e9, 30e9, 40e9}
	part := func(marks []pcp.Time, times []pcp.Time, vals ...float64) Part {
		o := &series.Observations{Desc: counter(count), Times: times, Series: []series.Series{{Inst: pcp.NoInstance}}}
		for i, v := range vals {
			o.Series[0].Runs = append(o.Series[0].Runs, series.Run{Row: uint32(i), Val: math.Float64bits(v)})
		}
		return Part{o, marks}
	}
	none := func(int32) string { return "" }
	var l TableBuilder
	marks := []pcp.Time{25e9}
	for _, tt := range []struct {
		part   Part
		shared bool
		want   []float64 // a second
	}{
		{part(marks, times, 0, 10, 30, 60, 100), false, []float64{math.NaN(), 1, 2, math.NaN(), 4}},
		{part(marks, times, 0, 20, 60, 120, 200), true, []float64{math.NaN(), 2, 4, math.NaN(), 8}},
		{part(nil, times, 0, 10, 30, 60, 100), false, []float64{math.NaN(), 1, 2, 3, 4}},
		{part(nil, times[:4], 0, 10, 30, 60), false, []float64{math.NaN(), 1, 2, 3}},
		{part(marks, times, 0, 10, 20, 30, 40), true, []float64{math.NaN(), 1, 1, math.NaN(), 1}},
	} {
		before := len(l.known)
		got := l.Table([]Part{tt.part}, none).ToRate(nil)
		if shared := len(l.known) == before; shared != tt.shared {
			t.Errorf("%v: its layout was known: %v", tt.want, shared)
		}
		if !slices.EqualFunc(got.Column(""), tt.want, func(a, b float64) bool { return a == b || a != a && b != b }) {
			t.Errorf("got %v, want %v", got.Column(""), tt.want)
		}
		if !slices.Equal(got.Times, tt.part.Obs.Times) {
			t.Errorf("rows at %v, want %v", got.Times, tt.part.Obs.Times)
		}
	}
}

// A window holds all its values, and no missing one.
func TestWindowOfMany(t *testing.T) {
	table := &Table{}
	var vals []float64
	for i := range 1002 {
		table.Times, table.Broken = append(table.Times, pcp.Time(i)*1e9), append(table.Broken, i == 0)
		vals = append(vals, float64(i-1))
	}
	vals[1] = math.NaN()
	table.Columns = []Column{{Vals: vals}}
	s := table.Window(0, pcp.Span{Start: 1e9, End: 1001e9}, 1, nil) // a gap, then 1 to 1000
	if len(s.Vals) != 1000 || s.Vals[0] != 1 || s.Vals[999] != 1000 || s.Mean != 500.5 || s.Chart[0] != 500.5 {
		t.Errorf("%d values, %g to %g, mean %g, drawn %g", len(s.Vals), s.Vals[0], s.Vals[len(s.Vals)-1], s.Mean, s.Chart[0])
	}
	if s.Covered != 1 {
		t.Errorf("covered %g", s.Covered)
	}
}

// The rate at the start of a window is of the time before it. Of a level it counts: 5 lasts
// from there on.
func TestWindowFromARecordOn(t *testing.T) {
	for _, x := range []struct {
		sem  pcp.Semantics
		vals []float64
		want []float64 // as from 20 s on
	}{
		{pcp.Counter, []float64{0, 100, 1000, 1010, 1030}, []float64{1, 2}},
		{pcp.Instant, []float64{1, 1, 5, 6, 7}, []float64{5, 6, 7}},
	} {
		o := &series.Observations{Desc: pcp.Desc{Type: pcp.Double, InDom: pcp.NullInDom, Sem: x.sem}, Series: []series.Series{{Inst: pcp.NoInstance}}}
		for i, v := range x.vals {
			o.Times = append(o.Times, pcp.Time(i)*10e9)
			o.Series[0].Runs = append(o.Series[0].Runs, series.Run{Row: uint32(i), Val: math.Float64bits(v)})
		}
		table := NewTable([]Part{{Obs: o}}, func(int32) string { return "" })
		for range 2 { // the second time it is known how the window lies
			if got := table.Rate(nil).Window(0, pcp.Span{Start: 20e9, End: 40e9}, 1, nil); !slices.Equal(got.Vals, x.want) {
				t.Errorf("%s: the values are %v, want %v", x.sem, got.Vals, x.want)
			}
		}
	}
}

// The mean of a rate is what was counted by the time that it took, as pmlogsummary(1) has it, also
// where intervals vary by less than makes values uneven: 1000 in 6 s are 167/s, although the mean
// of 100, 100, 400 and 200 is 200. Of a level it is the mean of the records.
func TestWindowMeanOverTime(t *testing.T) {
	for _, x := range []struct {
		sem  pcp.Semantics
		vals []float64
		want float64
	}{
		{pcp.Counter, []float64{0, 200, 400, 800, 1000}, 1000.0 / 6},
		{pcp.Instant, []float64{2, 2, 2, 7, 7}, 4},
	} {
		o := &series.Observations{Desc: pcp.Desc{Type: pcp.Double, InDom: pcp.NullInDom, Sem: x.sem}, Series: []series.Series{{Inst: pcp.NoInstance}}}
		for i, at := range []pcp.Time{0, 2, 4, 5, 6} {
			o.Times = append(o.Times, at*1e9)
			o.Series[0].Runs = append(o.Series[0].Runs, series.Run{Row: uint32(i), Val: math.Float64bits(x.vals[i])})
		}
		table := NewTable([]Part{{Obs: o}}, func(int32) string { return "" })
		if got := table.Rate(nil).Window(0, pcp.Span{Start: 0, End: 6e9}, 1, nil).Mean; math.Abs(got-x.want) > 1e-9 {
			t.Errorf("%s: %g on average, want %g", x.sem, got, x.want)
		}
	}
}
