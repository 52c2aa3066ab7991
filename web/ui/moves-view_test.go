package ui

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/web/app"
	"pcpscope/web/panel"
)

// The menu has the first lines of a panel, and each of them by its name.
func TestEveryLineHasMovers(t *testing.T) {
	p := &app.Panel{}
	add := func(label, instance, kind string, stats panel.Stats) {
		p.Series = append(p.Series, panel.Series{Key: panel.KeyOf("disk.dev.total", instance), Label: label, Metric: "disk.dev.total", Instance: instance, Kind: kind, Stats: stats})
	}
	changing := panel.Stats{Count: 9, Min: 1, Max: 2}
	add("others", "", "others", changing)
	add("steady", "steady", "", panel.Stats{Count: 9, Min: 1, Max: 1})
	for i := range 300 {
		name := fmt.Sprintf("sd%d", i)
		add(name, name, "", changing)
	}
	if list, all := moversOf(p, ""); len(list) != 12 || all != 300 || list[0].Label != "sd0" {
		t.Errorf("without a filter: %d of %d, %v", len(list), all, list)
	}
	for i := range 300 {
		name := fmt.Sprintf("sd%d", i)
		for _, typed := range []string{name, " " + strings.ToUpper(name), "disk.dev.total[" + name + "]"} {
			if list, _ := moversOf(p, typed); len(list) == 0 || list[0].Key != "disk.dev.total\x00"+name {
				t.Fatalf("%q finds %v", typed, list)
			}
		}
	}
	if list, all := moversOf(p, "steady"); len(list) != 0 || all != 300 {
		t.Errorf("a line that does not change: %v, %d", list, all)
	}
}

// Of stacks by process, those of CPU time by command have lines to ask about.
func TestCommandsHaveMovers(t *testing.T) {
	for _, c := range []struct {
		what, by string
		want     int
	}{{"cpu", "command", 1}, {"memory", "command", 0}, {"cpu", "user", 0}} {
		p := &app.Panel{}
		p.Breakdown = &panel.Breakdown{What: c.what, By: c.by, Top: 7}
		p.Series = []panel.Series{{Key: "cc1plus", Label: "cc1plus", Metric: "cc1plus", Stats: panel.Stats{Count: 9, Max: 2}}, {Label: "others", Kind: "others", Stats: panel.Stats{Count: 9, Max: 2}}}
		if list, all := moversOf(p, ""); all != c.want || len(list) != c.want {
			t.Errorf("%s by %s: %v", c.what, c.by, list)
		}
	}
}

// The small charts have one time axis: the values of a step are above each other, from
// one edge to the other, whatever their range and where some are missing.
func TestSmallChartsHaveOneAxis(t *testing.T) {
	nan := math.NaN()
	r := &api.Moves{Resolution: 10, Series: api.Mover{Values: []float64{1, 2, 3, 4, 5}},
		Rows: []api.Mover{{Values: []float64{1e9, 0, 5e8, 1, 1e9}}, {Values: []float64{nan, -1, nan, 7, 7}}}}
	want := []float64{0, 60, 120, 180, 240} // of 240
	for _, x := range append([]api.Mover{r.Series}, r.Rows...) {
		at := map[float64]bool{}
		for _, point := range strings.FieldsFunc(moverRow(r, &x).Path, func(c rune) bool { return c == 'M' || c == 'L' }) {
			var px float64
			if _, err := fmt.Sscan(point, &px); err != nil {
				t.Fatalf("%q: %v", point, err)
			}
			at[px] = true
		}
		for i, v := range x.Values {
			if at[want[i]] != (v == v) {
				t.Errorf("of %v the path %q has no point at %v, or one without a value", x.Values, moverRow(r, &x).Path, want[i])
			}
		}
	}
}
