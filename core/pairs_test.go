package core

import (
	"math"
	"testing"

	"pcpscope/core/api"
	"pcpscope/internal/recording"
)

// Where a logger writes two records a moment apart, the rates of an expression are those
// of its metric: from the second record of a pair to the first one of the next. The
// growth between the two is no rate, but part of the mean.
func TestRatesBetweenPairsOfRecords(t *testing.T) {
	const step, period, pairs = 0.1, 200, 21 // a pair every 20 s
	values := recording.Steady(period*(pairs-1)+2, math.NaN())
	v := 1000.0
	for j := range pairs {
		values[period*j] = v
		v += 3
		values[period*j+1] = v
		v += 40 + 10*float64(j%7)
	}
	s, src := record(t, recording.Recording{Host: "pairs", Step: step * 1e9, Values: map[string]map[string]any{
		"disk.all.read": {"": values}, "mem.util.used": {"": recording.Steady(len(values), 1.0)}, // a record without any value would be a mark
	}})
	if _, err := s.Loaded(t.Context(), src.ID, nil); err != nil {
		t.Fatal(err)
	}
	const between = (period - 1) * step
	mean := (values[len(values)-1] - values[0]) / (period*(pairs-1)*step + step)
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	for _, name := range []string{"disk.all.read", "rate(disk.all.read)", "rate(disk.all.read) + 0 * rate(disk.all.read)"} {
		sums, err := s.Summary(t.Context(), api.SummaryQuery{Source: src.ID, Metrics: []string{name}, Measured: true}, nil)
		if err != nil || len(sums) != 1 {
			t.Fatal(name, sums, err)
		}
		if a := sums[0]; !near(a.Minimum, 40/between) || !near(a.Maximum, 100/between) || !near(a.Median, 70/between) || !near(a.TimeAverage, mean) {
			t.Errorf("the summary of %s has %v to %v, median %v, mean %v", name, a.Minimum, a.Maximum, a.Median, a.TimeAverage)
		}
		f, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{name}, Convert: "rate", Pixels: 4, Statistics: &api.Range{}}, nil)
		if err != nil || len(f.Columns) != 1 || f.Columns[0].Statistics == nil {
			t.Fatal(name, f, err)
		}
		c := f.Columns[0]
		if a := c.Statistics; !near(a.Maximum, 100/between) || !near(a.Average, mean) || !near(a.Last, 90/between) {
			t.Errorf("the legend of %s has at most %v, mean %v, last %v", name, a.Maximum, a.Average, a.Last)
		}
		high := 0.0
		for _, v := range c.High {
			if v > high { // not NaN
				high = v
			}
		}
		if !near(high, 100/between) {
			t.Errorf("the band of %s reaches %v", name, high)
		}
	}
}
