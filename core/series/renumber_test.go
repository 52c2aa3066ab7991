package series

import (
	"reflect"
	"testing"

	"pcpscope/core/pcp"
)

// Instance 1 counts as 5 from time 20 on, and 2 as 1; 5 itself ends before. Instance 3 counts
// as 4 throughout. 6 and 7 are one; in the row that both have, 6 counts.
func TestRenumbered(t *testing.T) {
	o := &Observations{
		Times: []pcp.Time{0, 10, 20, 30, 40, 50},
		Series: []Series{
			{1, []Run{{0, 7}, {3, 8}}},
			{2, []Run{{2, 1}, {5 | Gone, 0}}},
			{3, []Run{{1 | Failed, 9}, {3, 9}}},
			{5, []Run{{0, 4}, {1, 5}, {2 | Gone, 0}}},
			{6, []Run{{0, 1}, {2 | Gone, 0}, {3, 1}, {4 | Gone, 0}}},
			{7, []Run{{2, 1}, {4, 2}, {5 | Gone, 0}}},
			{8, []Run{{0, 3}}},
		},
	}
	got := o.Renumbered(func(inst int32) []Spell {
		return map[int32][]Spell{1: {{0, 1}, {20, 5}}, 2: {{0, 1}}, 3: {{0, 4}}, 7: {{0, 6}}}[inst]
	})
	want := []Series{
		{1, []Run{{0, 7}, {2, 1}, {5 | Gone, 0}}},
		{4, []Run{{1 | Failed, 9}, {3, 9}}},
		{5, []Run{{0, 4}, {1, 5}, {2, 7}, {3, 8}}},
		{6, []Run{{0, 1}, {4, 2}, {5 | Gone, 0}}},
		{8, []Run{{0, 3}}},
	}
	if !reflect.DeepEqual(got.Series, want) {
		t.Errorf("got  %v\nwant %v", got.Series, want)
	}
	if same := o.Renumbered(func(int32) []Spell { return nil }); same != o {
		t.Error("nothing is renumbered, but copied")
	}
}
