package core

import (
	"math"
	"testing"

	"pcpscope/core/api"
	"pcpscope/internal/recording"
)

// pmlogger logs the number of CPUs once; where it lost its collector for a moment and marked
// that, charts still know how many there are. Without gaps, values are those of libpcp, for
// which a mark ends everything (spec/interp.md section 7).
func TestSettingsLastAcrossMarks(t *testing.T) {
	none := math.NaN()
	s, src := record(t, recording.Recording{Host: "marked", Step: 10e9, Values: map[string]map[string]any{
		"hinv.ncpu":           {"": []float64{2, none, none, none, none, none, none}},
		"kernel.all.cpu.user": {"": []float64{0, 10_000, 20_000, none, 0, 5000, 10_000}}, // the fourth sample is a mark: 100 % of a CPU before it, 50 % after it
	}})
	if _, err := s.Loaded(t.Context(), src.ID, nil); err != nil {
		t.Fatal(err)
	}
	start, step := int64(src.Start), int64(10e9)
	end := start + 6*step
	for _, gaps := range []bool{true, false} {
		q := api.Query{Source: src.ID, Metrics: []string{"100 * rate(kernel.all.cpu.user) / hinv.ncpu"}, Start: &api.When{Nanos: &start}, End: &api.When{Nanos: &end}, Interval: &api.When{Nanos: &step}, Gaps: gaps, Statistics: &api.Range{}}
		f, err := s.Fetch(t.Context(), q, nil)
		if err != nil || len(f.Columns) != 1 || len(f.Columns[0].Values) != 7 {
			t.Fatal(f, err)
		}
		c := f.Columns[0]
		after := none
		if gaps {
			after = 25
		}
		for i, want := range []float64{none, 50, 50, none, none, after, after} {
			if got := c.Values[i]; math.Abs(got-want) > 1e-9 || (got == got) != (want == want) {
				t.Errorf("gaps %v: sample %d has %v, want %v", gaps, i, got, want)
			}
		}
		mean, last := 50.0, 50.0
		if gaps {
			mean, last = (2*50+2*25)/4.0, 25
		}
		if a := c.Statistics; a == nil || math.Abs(a.Average-mean) > 1e-9 || math.Abs(a.Last-last) > 1e-9 {
			t.Errorf("gaps %v: statistics %+v, want a mean of %v, last %v", gaps, a, mean, last)
		}
	}
}

// A host of 4 CPUs is resized to 16 while a mark is written, and the number is logged a while
// later. Until the mark the earlier number holds (spec/interp.md section 3), although the later
// one is nearer for most of the time; after it the later one.
func TestSettingsOfOtherSideOfMark(t *testing.T) {
	none := math.NaN()
	s, src := record(t, recording.Recording{Host: "resized", Step: 10e9, Values: map[string]map[string]any{
		"hinv.ncpu":           {"": []float64{4, none, none, none, none, none, none, none, none, none, 16, none}},
		"kernel.all.cpu.user": {"": []float64{0, 20_000, 40_000, 60_000, 80_000, 100_000, 120_000, none, 0, 80_000, 160_000, 240_000}}, // the eighth sample is a mark: 2 of 4 CPUs before it, 8 of 16 after it
	}})
	if _, err := s.Loaded(t.Context(), src.ID, nil); err != nil {
		t.Fatal(err)
	}
	start, step := int64(src.Start), int64(10e9)
	end := start + 11*step
	for _, gaps := range []bool{true, false} {
		for _, reduce := range []string{"", "max"} {
			q := api.Query{Source: src.ID, Metrics: []string{"100 * rate(kernel.all.cpu.user) / hinv.ncpu"}, Start: &api.When{Nanos: &start}, End: &api.When{Nanos: &end}, Interval: &api.When{Nanos: &step}, Gaps: gaps, Reduce: reduce, Statistics: &api.Range{}}
			f, err := s.Fetch(t.Context(), q, nil)
			if err != nil || len(f.Columns) != 1 || len(f.Columns[0].Values) != 12 {
				t.Fatal(f, err)
			}
			c := f.Columns[0]
			after := none
			if gaps {
				after = 50
			}
			for i, want := range []float64{none, 50, 50, 50, 50, 50, 50, none, none, after, 50, 50} {
				if got := c.Values[i]; math.Abs(got-want) > 1e-9 || (got == got) != (want == want) {
					t.Errorf("gaps %v, reduced to %q: sample %d has %v, want %v", gaps, reduce, i, got, want)
				}
			}
			if a := c.Statistics; a == nil || math.Abs(a.Minimum-50) > 1e-9 || math.Abs(a.Maximum-50) > 1e-9 {
				t.Errorf("gaps %v, reduced to %q: statistics %+v, want 50 throughout", gaps, reduce, a)
			}
		}
	}
}
