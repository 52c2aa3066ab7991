package departures

import (
	"math"
	"slices"
	"testing"
)

// Bursts are found where they are, up and down, and none in noise, in a series
// that is busy all the time, or where a level lasts.
func TestBursts(t *testing.T) {
	const minutes = 3 * 1440
	in := func(i int, starts []int, n int) bool {
		return slices.ContainsFunc(starts, func(at int) bool { return i >= at && i < at+n })
	}
	var often []int
	for i := range 90 {
		often = append(often, 7+i*47)
	}
	for name, c := range map[string]struct {
		level func(i int) float64
		at    []int
	}{
		"four minutes":        {func(i int) float64 { return pick(in(i, []int{700, 2000}, 4), 60, 10) }, []int{700, 2000}},
		"down":                {func(i int) float64 { return pick(in(i, []int{700}, 4), 2, 60) }, []int{700}},
		"half an hour":        {func(i int) float64 { return pick(in(i, []int{700}, 25), 60, 10) }, []int{700}},
		"one minute":          {func(i int) float64 { return pick(i == 700, 60, 10) }, nil},
		"hours":               {func(i int) float64 { return pick(in(i, []int{700}, 300), 60, 10) }, nil},
		"less than the floor": {func(i int) float64 { return pick(in(i, []int{700}, 4), 17, 10) }, nil},
		"all day":             {func(i int) float64 { return pick(in(i, often, 3), 60, 10) }, nil},
		"out of many":         {func(i int) float64 { return pick(i == 2004 || i == 2005, 300, pick(in(i, often, 3), 60, 10)) }, []int{2004}},
		"noise":               {flat, nil},
		// The median of the sixty steps around 1220 is that of the level after a step at 1210.
		"before a step":  {func(i int) float64 { return pick(i >= 1210, 60, 10) }, nil},
		"beside a level": {func(i int) float64 { return pick(in(i, []int{1212}, 110), 60, 10) }, nil},
		"after a gap": {func(i int) float64 {
			return pick(i < 1000 || i >= 1100, pick(in(i, []int{3, 1100, 1113}, 4), 60, 10), math.NaN())
		}, []int{1113}},
	} {
		vals := noisy(3, minutes, 0.3, c.level)
		vals[20], vals[702] = math.NaN(), math.NaN()
		var at []int
		for _, b := range Bursts(vals, AroundOf(vals, 0), 2, 3) {
			if at = append(at, b.At); b.End <= b.At || b.End > b.At+26 {
				t.Errorf("%s: from %d to %d", name, b.At, b.End)
			}
		}
		if !slices.Equal(at, c.at) {
			t.Errorf("%s: got %v, want %v", name, at, c.at)
		}
	}
	if got := Bursts(nil, AroundOf(nil, 0), 1, 1); got != nil {
		t.Errorf("nothing: %v", got)
	}
}

// The level of a burst is not lowered by a first or last step of which it had a part, and has
// all others: those that are higher than the steps between, or as high as some.
func TestHeightOfBursts(t *testing.T) {
	for _, c := range []struct {
		burst []float64
		want  float64
	}{
		{[]float64{40, 100, 100, 30}, 100},
		{[]float64{40, 100}, 100},
		{[]float64{100, 40}, 100},
		{[]float64{40, math.NaN(), 100, 30}, 100},
		{[]float64{80, 100}, 90},
		{[]float64{190, 67, 61}, 106},
		{[]float64{190, 40, 40}, 90},
		{[]float64{40, 100, 90}, 95},
		{[]float64{84, 60, 90, 70, 50}, 76},
		{[]float64{60, 100, 100, 100, 60}, 100},
	} {
		vals := noisy(3, 300, 0, func(int) float64 { return 10 })
		copy(vals[150:], c.burst)
		list := Bursts(vals, AroundOf(vals, 0), 2, 1)
		if len(list) != 1 || list[0].After != c.want {
			t.Errorf("%v: %+v, want a burst to %v", c.burst, list, c.want)
		}
	}
}

// A burst at the time of a recurring job is that job, unless it is far higher.
func TestRecurringBursts(t *testing.T) {
	const step = 60
	clock := Clock{Step: step}
	for i := range 20 * 1440 {
		clock.Local = append(clock.Local, int64(i)*step)
	}
	const large = 9*1440 + 120 // of the ninth day
	vals := noisy(5, len(clock.Local), 0, func(i int) float64 {
		switch {
		case i == 5*1440+700 || i == 5*1440+701:
			return 90
		case i >= large && i < large+4:
			return 900
		case i%1440 >= 120 && i%1440 < 124:
			return 100
		}
		return 10
	})
	around := AroundOf(vals, 0)
	jobs := Recurring(vals, around, clock, 1)
	if len(jobs) != 1 || jobs[0].Period != 86400 {
		t.Fatalf("jobs = %+v, want the daily one", jobs)
	}
	var at []int
	for _, b := range Bursts(vals, around, 2, 20) {
		if !jobs[0].Explains(b, clock) {
			at = append(at, b.At)
		}
	}
	if want := []int{5*1440 + 700, large}; !slices.Equal(at, want) {
		t.Errorf("bursts beside the job at %v, want %v", at, want)
	}
}

// Of two series, one with two changes and a burst, two changed.
func TestSeriesOfAnIncident(t *testing.T) {
	at := func(name string, step int) LevelChange[string] {
		return LevelChange[string]{Kind{Subject: Subject{"cpu", name, ""}, Tier: 1}, Change{At: step, Times: 7}, name, step + 5, 0}
	}
	all := Join(Incidents([]LevelChange[string]{at("a", 100), at("b", 101), at("a", 102)}, 4, 12), []LevelChange[string]{at("a", 103)}, 2, 4, 12)
	if len(all) != 1 || all[0].Series != 2 {
		t.Errorf("got %+v, want one incident of 2 series", all)
	}
}

// Bursts join the first incident that they come with; the others make their own.
func TestJoin(t *testing.T) {
	kind := func(name string) Kind { return Kind{Subject: Subject{"cpu", name, ""}, Tier: 1} }
	at := func(name string, step int) LevelChange[string] {
		return LevelChange[string]{kind(name), Change{At: step, Times: 7}, name, step + 5, 0}
	}
	all := Incidents([]LevelChange[string]{at("a", 100), at("b", 103), at("a", 200)}, 4, 12)
	bursts := []LevelChange[string]{at("far", 300), at("late", 107), at("early", 98), at("earlier", 97), at("between", 150), at("again", 199)}
	type incident struct {
		at     int
		series []string
	}
	var got []incident
	for _, in := range Join(all, bursts, 2, 4, 12) {
		one := incident{at: in.At}
		for _, c := range in.Changes {
			one.series = append(one.series, c.Series)
		}
		slices.Sort(one.series)
		got = append(got, one)
	}
	want := []incident{{97, []string{"earlier"}}, {98, []string{"a", "b", "early", "late"}}, {150, []string{"between"}}, {199, []string{"a", "again"}}, {300, []string{"far"}}}
	if !slices.EqualFunc(got, want, func(a, b incident) bool { return a.at == b.at && slices.Equal(a.series, b.series) }) {
		t.Errorf("got %v, want %v", got, want)
	}
}
