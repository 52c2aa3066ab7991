package table

import (
	"math"
	"slices"
	"testing"

	"pcpscope/core/api"
)

// The texts of logged values are exact: the shortest that are read back as the
// same value of their type.
func TestRecordsAreExact(t *testing.T) {
	f := &api.Frame{Times: []float64{0, 1, 2, 3, 4}, Columns: []api.Column{
		{Metric: "whole", Values: []float64{0, -17, math.Copysign(0, -1), 1 << 52, 1e300}},
		{Metric: "half", Values: []float64{float64(float32(0.1)), 2.5, math.NaN(), 16777216, float64(float32(3e-10))}},
		{Metric: "long", Values: []float64{0, 1, 2, 3, 4}, Exact: []uint64{18446744073709551615, 1, 2, 3, 9007199254740993}},
	}}
	got, full := Records(f, []string{"whole", "half", "long"}, func(metric string) bool { return metric == "half" })
	want := []string{
		"0", "0.1", "18446744073709551615",
		"-17", "2.5", "1",
		"-0", "2",
		"4503599627370496", "16777216", "3",
		"1e+300", "3e-10", "9007199254740993",
	}
	if full || !slices.Equal(got.Columns[3].Texts, want) {
		t.Errorf("records are %q, want %q", got.Columns[3].Texts, want)
	}
	if at := got.Columns[0].Numbers; len(at) != len(want) || at[7] != 2 {
		t.Errorf("the times are %v", at)
	}
}
