package departures

import (
	"math"
	"slices"
	"testing"
)

// Jobs of half an hour in records of a minute take most of the steps that a median looks
// at, so they are found in means of ten minutes: nightly, on weekdays, and none where
// there is none.
func TestMergedRecurring(t *testing.T) {
	const monday = 4 * day // 1970-01-05
	night := func(from, length int64) func(at int64) bool {
		return func(at int64) bool { return mod(at-1, day) >= from && mod(at-1, day) < from+length }
	}
	for name, c := range map[string]struct {
		days     int
		busy     func(at int64) bool // the minute that ends at a time
		phase    int64
		hits     int
		weekdays bool
	}{
		"half an hour each night": {10, night(2*3600, 1800), 2 * 3600, 10, false},
		"two hours":               {10, night(23*3600, 7200), 23 * 3600, 10, false},
		"on weekdays": {14, func(at int64) bool {
			return mod(floorDiv(at-monday, day), 7) < 5 && night(6*3600+1200, 1800)(at)
		}, 6*3600 + 1200, 10, true},
		"now and then": {14, func(at int64) bool { return mod(floorDiv(at, day), 3) == 0 && night(2*3600, 1800)(at) }, 0, 0, false},
		"never":        {14, func(int64) bool { return false }, 0, 0, false},
	} {
		clock := Clock{Step: 60}
		for i := range c.days * 1440 {
			clock.Local = append(clock.Local, monday+60*int64(i))
		}
		vals := noisy(9, len(clock.Local), 0, func(i int) float64 {
			if c.busy(clock.Local[i]) {
				return 80
			}
			return 20
		})
		means, merged, ok := Merged(vals, clock)
		if !ok || merged.Step != 600 {
			t.Fatalf("%s: steps of %d s, %v", name, merged.Step, ok)
		}
		found := Recurring(means, AroundOf(means, 0), merged, 5)
		if c.hits == 0 {
			if len(found) > 0 {
				t.Errorf("%s: found %+v", name, found)
			}
			continue
		}
		if len(found) != 1 || found[0].Period != day || !slices.Equal(found[0].Phases, []int64{c.phase}) || found[0].Weekdays != c.weekdays || found[0].Hits != c.hits || found[0].Slots < c.hits || found[0].Slots > c.hits+1 {
			t.Errorf("%s: found %+v", name, found)
		}
	}
	if _, _, ok := Merged(make([]float64, 100), Clock{Step: 300, Local: make([]int64, 100)}); ok {
		t.Error("steps of five minutes are merged to ten")
	}
}

// What is used up all day and free again from a time on has a step there, and no peak.
func TestStepsDoNotRecur(t *testing.T) {
	clock := Clock{Step: 60}
	for i := range 20 * 1440 {
		clock.Local = append(clock.Local, 60*int64(i))
	}
	vals := noisy(3, len(clock.Local), 0, func(i int) float64 {
		if i%1440 < 9*60+7 { // within twenty steps that share a median
			return 900
		}
		return 500
	})
	if found := Recurring(vals, AroundOf(vals, 0), clock, 5); len(found) > 0 {
		t.Errorf("found %+v", found)
	}
}

// A job runs at :25 of 24 hours, in records of a minute. What was not recorded is no case, though
// the minute before was; a job that was seen is one, though the minute before was not recorded.
func TestCasesAreWhatWasRecorded(t *testing.T) {
	clock := Clock{Step: 60}
	for i := range 24 * 60 {
		clock.Local = append(clock.Local, 60*int64(i+1)) // step i is minute i
	}
	vals := noisy(5, len(clock.Local), 0, func(i int) float64 {
		if i%60 == 25 && i/60 != 11 { // not at 11:25
			return 80
		}
		return 20
	})
	for i := range vals {
		none := i > 3*60+20 && i < 3*60+30 || // 3:25 is missing
			i >= 6*60+25 && i < 6*60+40 || // 6:24 is the last one
			i > 9*60+10 && i < 9*60+25 || // 9:25 is the first one
			i > 14*60+25 && i < 14*60+40 // 14:25 is the last one
		if none {
			vals[i] = math.NaN()
		}
	}
	found := Recurring(vals, AroundOf(vals, 0), clock, 5)
	if len(found) != 1 || found[0].Period != 3600 || found[0].Hits != 21 || found[0].Slots != 22 {
		t.Errorf("found %+v, want 21 of 22: 24 without two that were not recorded, and 11:25", found)
	}
}

// A job runs at :25 of each of 24 hours. A recording that ends with :24 of the next one, or begins
// with :26 of the one before, has no other case.
func TestCasesAtTheEnds(t *testing.T) {
	for name, minutes := range map[string][2]int{"end": {0, 24*60 + 25}, "start": {-34, 24 * 60}} {
		clock := Clock{Step: 60}
		for m := minutes[0]; m < minutes[1]; m++ {
			clock.Local = append(clock.Local, 60*int64(m+1))
		}
		vals := noisy(5, len(clock.Local), 0, func(i int) float64 {
			if mod(int64(minutes[0]+i), 60) == 25 {
				return 80
			}
			return 20
		})
		found := Recurring(vals, AroundOf(vals, 0), clock, 5)
		if len(found) != 1 || found[0].Period != 3600 || found[0].Hits != 24 || found[0].Slots != 24 {
			t.Errorf("%s: found %+v, want 24 of 24", name, found)
		}
	}
}
