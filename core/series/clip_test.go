package series

import (
	"reflect"
	"testing"

	"pcpscope/core/pcp"
)

func TestBetween(t *testing.T) {
	o := &Observations{
		Times: []pcp.Time{0, 10, 20, 30, 40, 50},
		Series: []Series{
			{1, []Run{{0, 7}, {2, 8}, {4 | Gone, 0}, {5, 9}}},
			{2, []Run{{0, 1}, {1 | Gone, 0}}},
			{3, []Run{{3 | Failed, 5}}},
		},
		Voids: []Void{{15, 0}, {45, -12350}},
	}
	for _, tt := range []struct {
		from, to pcp.Time
		times    []pcp.Time
		series   []Series
		voids    int
	}{
		{0, 50, o.Times, o.Series, 2},
		{10, 39, []pcp.Time{10, 20, 30}, []Series{{1, []Run{{0, 7}, {1, 8}}}, {3, []Run{{2 | Failed, 5}}}}, 1},
		{40, pcp.MaxTime, []pcp.Time{40, 50}, []Series{{1, []Run{{1, 9}}}, {3, []Run{{0 | Failed, 5}}}}, 1},
		{41, 44, []pcp.Time{}, nil, 0},
		{60, 20, []pcp.Time{}, nil, 0},
	} {
		c := o.Between(tt.from, tt.to)
		if !reflect.DeepEqual(c.Times, tt.times) || !reflect.DeepEqual(c.Series, tt.series) || len(c.Voids) != tt.voids {
			t.Errorf("Between(%d, %d) = %v %v, %d voids; want %v %v, %d", tt.from, tt.to, c.Times, c.Series, len(c.Voids), tt.times, tt.series, tt.voids)
		}
	}
}

func TestWithout(t *testing.T) {
	o := &Observations{
		Times: []pcp.Time{0, 10, 20, 30, 40, 50},
		Series: []Series{
			{1, []Run{{0, 7}, {2, 8}, {3, 9}, {4 | Gone, 0}, {5, 9}}},
			{2, []Run{{1, 1}, {2 | Gone, 0}}},
			{3, []Run{{2 | Failed, 5}, {4, 6}}},
		},
	}
	for _, tt := range []struct {
		out    []pcp.Time
		times  []pcp.Time
		series []Series
	}{
		{[]pcp.Time{5, 60}, o.Times, o.Series},
		{[]pcp.Time{0}, []pcp.Time{10, 20, 30, 40, 50}, []Series{{1, []Run{{0, 7}, {1, 8}, {2, 9}, {3 | Gone, 0}, {4, 9}}}, {2, []Run{{0, 1}, {1 | Gone, 0}}}, {3, []Run{{1 | Failed, 5}, {3, 6}}}}},
		{[]pcp.Time{10, 40}, []pcp.Time{0, 20, 30, 50}, []Series{{1, []Run{{0, 7}, {1, 8}, {2, 9}, {3, 9}}}, {3, []Run{{1 | Failed, 5}, {3, 6}}}}},
		{[]pcp.Time{20, 30, 50}, []pcp.Time{0, 10, 40}, []Series{{1, []Run{{0, 7}, {2 | Gone, 0}}}, {2, []Run{{1, 1}, {2 | Gone, 0}}}, {3, []Run{{2, 6}}}}},
		{[]pcp.Time{0, 10, 20, 30, 40, 50}, []pcp.Time{}, nil},
	} {
		if c := o.Without(tt.out); !reflect.DeepEqual(c.Times, tt.times) || !reflect.DeepEqual(c.Series, tt.series) {
			t.Errorf("Without(%v) = %v %v; want %v %v", tt.out, c.Times, c.Series, tt.times, tt.series)
		}
	}
}
