package departures

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func never(int) bool { return false }

// noisy is noise of the given autocorrelation around levels.
func noisy(seed uint64, n int, rho float64, level func(i int) float64) []float64 {
	rng, last := rand.New(rand.NewPCG(seed, 1)), 0.0
	vals := make([]float64, n)
	for i := range vals {
		last = rho*last + math.Sqrt(1-rho*rho)*rng.NormFloat64()
		vals[i] = level(i) + last
	}
	return vals
}

func flat(int) float64 { return 10 }

// Noise has no changes, however one value goes along with the one before it: less
// than one in twenty hours of a series at 10 s.
func TestChangesOfNoise(t *testing.T) {
	for _, rho := range []float64{0, 0.5, 0.9} {
		found := 0
		for seed := range uint64(40) {
			found += len(new(Finder).Changes(noisy(seed, 1440, rho, flat), 0.1, 0, never))
		}
		if t.Logf("rho %g: %d changes in 160 hours", rho, found); found > 8 {
			t.Errorf("rho %g: %d changes in 160 hours", rho, found)
		}
	}
}

// Steps are found where they are, up and down, in pieces and at their borders,
// and between values that are missing.
func TestChanges(t *testing.T) {
	for name, c := range map[string]struct {
		n     int
		at    []int
		level func(i int) float64
	}{
		"a step":              {1200, []int{700}, func(i int) float64 { return pick(i >= 700, 20, 10) }},
		"there and back":      {1200, []int{500, 620}, func(i int) float64 { return pick(i >= 500 && i < 620, 18, 10) }},
		"a short pulse":       {1400, []int{800, 815}, func(i int) float64 { return pick(i >= 800 && i < 815, 30, 10) }},
		"where pieces meet":   {4000, []int{1500, 3100}, func(i int) float64 { return pick(i >= 1500 && i < 3100, 20, 10) }},
		"one within another":  {1440, []int{603, 663, 693}, func(i int) float64 { return pick(i >= 603 && i < 693, pick(i >= 663, 82, 27), 7) }},
		"less than the floor": {1200, nil, func(i int) float64 { return pick(i >= 700, 11, 10) }},
	} {
		vals := noisy(3, c.n, 0.3, c.level)
		vals[20], vals[21] = math.NaN(), math.Inf(1)
		var at []int
		for _, x := range new(Finder).Changes(vals, 2, 0, never) {
			at = append(at, x.At)
		}
		if !slices.EqualFunc(at, c.at, func(a, b int) bool { return max(a-b, b-a) <= 1 }) {
			t.Errorf("%s: %v, want %v", name, at, c.at)
		}
	}
	for name, vals := range map[string][]float64{"nothing": nil, "one": {1}, "all missing": repeated(nan, 100), "all the same": repeated(3, 5000)} {
		if list := new(Finder).Changes(vals, 1, 0, never); len(list) > 0 {
			t.Errorf("%s: %+v", name, list)
		}
	}
	calls := 0
	new(Finder).Changes(noisy(1, 6000, 0, flat), 0.1, 0, func(int) bool { calls++; return calls > 2 })
	if calls > 5 {
		t.Errorf("goes on for %d steps when told to stop", calls-3)
	}
}

// What is said of a short level is the mean of its steps, but for a first or last one of which
// it had a part: nearer to the level beside it than all others.
func TestLevelsOfChanges(t *testing.T) {
	for _, c := range []struct {
		level []float64
		want  float64
	}{
		{[]float64{150, 40, 42, 38, 40, 40, 44, 36, 40, 50, 40, 40}, 50},
		{[]float64{25, 40, 42, 38, 40, 40, 44, 36, 40, 40, 40, 30}, 40},
		{[]float64{25, 40, 42, 38, 40, 40, 44, 36, 40, 50, 40, 63}, 43},
	} {
		vals := noisy(3, 400, 0, flat)
		copy(vals[200:], c.level)
		list := new(Finder).Changes(vals, 2, 0, never)
		if len(list) != 2 || list[0].At != 200 || list[1].At != 200+len(c.level) || list[0].After != c.want || list[1].Before != c.want {
			t.Errorf("%v: %+v, want a level of %v", c.level, list, c.want)
		}
	}
}

// A level is not what a few of its steps have, and a change counts as much as is said of it.
func TestLevelsOfMostSteps(t *testing.T) {
	for name, c := range map[string]struct {
		odd          func(i int) float64 // above the level
		after, times float64
	}{
		"one step":           {func(i int) float64 { return pick(i == 700, 6000, 0) }, 20, 5},
		"three steps":        {func(i int) float64 { return pick(i == 700 || i == 730 || i == 731, 2000, 0) }, 20, 5},
		"one step, not much": {func(i int) float64 { return pick(i == 730, 60, 0) }, 21, 5.5},
		"one in five":        {func(i int) float64 { return pick(i >= 700 && i%5 == 0, 100, 0) }, 40, 15},
	} {
		vals := noisy(3, 1200, 0, func(i int) float64 { return pick(i >= 700, 20, 10) + c.odd(i) })
		list := new(Finder).Changes(vals, 2, 0, never)
		if len(list) != 1 || max(list[0].At-700, 700-list[0].At) > 1 || math.Abs(list[0].Before-10) > 0.5 || math.Abs(list[0].After-c.after) > 2 || math.Abs(list[0].Times-c.times) > 1 {
			t.Errorf("%s: %+v, want one to %v, %v floors", name, list, c.after, c.times)
		}
	}
}

// Two steps between a high and a low level, each nearer to the one beside it, are what they are.
func TestLevelOfTwoSteps(t *testing.T) {
	if got := reached([]float64{9, 1}, 10, 0); got != 5 {
		t.Errorf("got %v, want 5", got)
	}
}

func pick(c bool, a, b float64) float64 {
	if c {
		return a
	}
	return b
}

// What changes together is one incident, reported with its end.
func TestIncidents(t *testing.T) {
	disk, cpu := Kind{Subject: Subject{"disk", "Disk", "sda"}, Tier: 1}, Kind{Subject: Subject{"cpu", "CPU", ""}, Tier: 1}
	other := Kind{Subject: Subject{"disk", "Disk", "sdb"}, Tier: 1}
	list := []LevelChange[string]{
		{cpu, Change{At: 103, Times: 7}, "user", 200, 0},
		{disk, Change{At: 100, Times: 31}, "busy", 202, 0},
		{disk, Change{At: 101, Times: 3}, "queue", 202, 0},
		{disk, Change{At: 202, Times: -31}, "busy", -1, 0},
		{cpu, Change{At: 200, Times: -7}, "user", -1, 0},
		{other, Change{At: 300, Times: 63}, "busy", -1, 0},
	}
	all := WithoutEndings(Incidents(list, 4, 12), 4, 0.6)
	if len(all) != 2 {
		t.Fatalf("%+v", all)
	}
	// log2(1+31) = 5, a third of whose square counts, and log2(1+7) = 3
	if in := all[0]; in.At != 100 || in.Until != 202 || in.Series != 3 || math.Abs(in.Score-(25.0/3+3)) > 1e-9 || in.First.Series != "busy" || len(in.Changes) != 2 || in.Changes[0].Series != "busy" {
		t.Errorf("%+v", in)
	}
	if in := all[1]; in.At != 300 || in.Until != -1 || in.Score != 12 {
		t.Errorf("%+v", in)
	}
}

// One strong change is worth as much as several weaker ones: log2(1+floors) up to 3, and from
// there a third of its square.
func TestScoreOfStrongChanges(t *testing.T) {
	for _, c := range []struct {
		floors []float64
		want   float64
	}{
		{[]float64{1, 3}, 3},
		{[]float64{7, -7}, 6},
		{[]float64{63}, 12},
		{[]float64{1, -63}, 13},
	} {
		var list []LevelChange[string]
		for i, floors := range c.floors {
			list = append(list, LevelChange[string]{Kind{Subject: Subject{"disk", "Disk", string(rune('a' + i))}, Tier: 1}, Change{At: 100, Times: floors}, "busy", -1, 0})
		}
		if all := Incidents(list, 4, 12); len(all) != 1 || math.Abs(all[0].Score-c.want) > 1e-9 {
			t.Errorf("%v: %+v, want a score of %v", c.floors, all, c.want)
		}
	}
}

func TestEnds(t *testing.T) {
	list := []Change{{At: 10, Before: 0, After: 10}, {At: 20, Before: 10, After: 8}, {At: 30, Before: 8, After: 1}, {At: 40, Before: 1, After: 9}}
	if ends := Ends(list); !slices.Equal(ends, []int{30, -1, 40, -1}) {
		t.Errorf("%v", ends)
	}
	// Within a surge there is another one, and both end at 30. The fall from 65 is not undone.
	list = []Change{{At: 10, Before: 5, After: 29}, {At: 20, Before: 29, After: 65}, {At: 30, Before: 65, After: 5}, {At: 40, Before: 5, After: 29}}
	if ends := Ends(list); !slices.Equal(ends, []int{30, 30, -1, -1}) {
		t.Errorf("a surge within another one: %v", ends)
	}
}

// Jobs recur by the clock; chance, and peaks at any time, are none.
func TestRecurring(t *testing.T) {
	const step = 60
	clock := Clock{Step: step}
	for i := range 3 * 1440 {
		clock.Local = append(clock.Local, int64(i)*step+10) // ten seconds past each minute
	}
	minute := func(i int) int { return i % 1440 }
	for name, c := range map[string]struct {
		level  func(i int) float64
		period int64
		phases []int64
	}{
		"twice an hour":     {func(i int) float64 { return pick(i%30 == 25, 400, 10) }, 1800, []int64{25 * 60}},
		"every hour":        {func(i int) float64 { return pick(i%60 == 17 || i%60 == 18, 400, 10) }, 3600, []int64{17 * 60}},
		"every 7 minutes":   {func(i int) float64 { return pick(i%7 == 3, 400, 10) }, 420, []int64{180}},
		"every six hours":   {func(i int) float64 { return pick(minute(i)%360 == 65, 400, 10) }, 21600, []int64{65 * 60}},
		"nothing":           {flat, 0, nil},
		"an hour of twelve": {func(i int) float64 { return pick(i%720 < 60 && i < 720, 400, 10) }, 0, nil},
	} {
		vals := noisy(5, len(clock.Local), 0, c.level)
		found := Recurring(vals, AroundOf(vals, 0), clock, 5)
		if c.period == 0 {
			if len(found) > 0 {
				t.Errorf("%s: %+v", name, found)
			}
			continue
		}
		if len(found) != 1 || found[0].Period != c.period || !slices.Equal(found[0].Phases, c.phases) || found[0].Peak < 350 || found[0].Usual > 15 {
			t.Errorf("%s: %+v", name, found)
		}
	}
	rng := rand.New(rand.NewPCG(9, 9))
	at := map[int]bool{}
	for range 300 {
		at[rng.IntN(len(clock.Local))] = true
	}
	vals := noisy(5, len(clock.Local), 0, func(i int) float64 { return pick(at[i], 400, 10) })
	if found := Recurring(vals, AroundOf(vals, 0), clock, 5); len(found) > 0 {
		t.Errorf("at random: %+v", found)
	}
	if found := Recurring(nil, AroundOf(nil, 0), Clock{Step: 1}, 1); found != nil {
		t.Errorf("nothing: %+v", found)
	}
}

// The levels of a change that lasts for twenty steps are its own, though ranks have it
// end a few steps late where it ends slowly.
func TestLevelsAreTheirOwn(t *testing.T) {
	vals := noisy(7, 400, 0.05, func(i int) float64 {
		switch {
		case i > 220 && i <= 225: // slowly, but nearer to the level after it
			return float64(50 - 5*(i-220))
		case i > 200 && i < 221:
			return 100
		}
		return 10
	})
	var f Finder
	list := f.Changes(vals, 2, 0.1, func(int) bool { return false })
	if len(list) != 2 || math.Abs(list[0].Before-10) > 0.5 || math.Abs(list[0].After-100) > 1 || math.Abs(list[1].Before-100) > 1 || math.Abs(list[1].After-10) > 3 {
		t.Errorf("got %+v, want from 10 to 100 and back", list)
	}
}
