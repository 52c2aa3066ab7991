package core

import (
	"math"
	"slices"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
)

func TestMeet(t *testing.T) {
	for _, x := range []struct {
		what         string
		times, marks []pcp.Time
		others       [][]pcp.Time
		want         []pcp.Time
	}{
		{"a moment before and after", []pcp.Time{0, 100, 200, 300}, nil, [][]pcp.Time{{1, 99, 199, 299}, {3, 98, 198, 298}}, []pcp.Time{3, 100, 200, 298}},
		{"further away", []pcp.Time{0, 100, 200, 300}, nil, [][]pcp.Time{{11, 289}}, []pcp.Time{0, 100, 200, 300}},
		{"around them", []pcp.Time{0, 100, 200, 300}, nil, [][]pcp.Time{{-1, 301}, {}}, []pcp.Time{0, 100, 200, 300}},
		{"on both sides of a mark", []pcp.Time{0, 100, 200, 300, 400, 500}, []pcp.Time{250}, [][]pcp.Time{{1, 199, 301, 501}}, []pcp.Time{1, 100, 199, 301, 400, 500}},
		{"too few to tell an interval", []pcp.Time{0, 100, 200}, []pcp.Time{150}, [][]pcp.Time{{1, 99, 199}}, []pcp.Time{0, 100, 200}},
	} {
		got := slices.Clone(x.times)
		if meet(got, x.marks, x.others); !slices.Equal(got, x.want) {
			t.Errorf("%s: %v, want %v", x.what, got, x.want)
		}
	}
}

// Of metrics that are recorded a moment one after the other, an expression has a value for
// each of their intervals, including the last one. a grows by 1, 2 and 4 a second, b by 1.
func TestExpressionOfTwoGroups(t *testing.T) {
	a, b := recording.Steady(301, math.NaN()), recording.Steady(301, math.NaN())
	a[0], a[100], a[200], a[300] = 1000, 1100, 1300, 1700
	b[1], b[99], b[199], b[299] = 1, 99, 199, 299
	s, src := record(t, recording.Recording{Host: "groups", Step: 1e9, Values: map[string]map[string]any{
		"disk.all.read": {"": a}, "disk.all.write": {"": b}, "mem.util.used": {"": recording.Steady(301, 1.0)}, // a record without any value would be a mark
	}})
	if _, err := s.Loaded(t.Context(), src.ID, nil); err != nil {
		t.Fatal(err)
	}
	f, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{"rate(disk.all.read) + rate(disk.all.write)"}, Pixels: 10, Gaps: true, Statistics: &api.Range{}}, nil)
	if err != nil || len(f.Columns) != 1 || f.Columns[0].Statistics == nil {
		t.Fatal(f, err)
	}
	if got := f.Columns[0].Statistics; got.Count != 3 || got.Minimum != 2 || got.Maximum != 5 || got.Last != 5 || got.LastAt != src.Start+299e9 {
		t.Errorf("the statistics are %+v, want 2, 3 and 5, the last after 299 s", *got)
	}
}
