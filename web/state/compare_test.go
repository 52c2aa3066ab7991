package state

import (
	"strings"
	"testing"

	"pcpscope/core/api"
)

// What changed can be sorted; the change that is shown above the list stays,
// and what is alike stays as it was ranked. By hand: shifts of 1/2, 3/4, 2/3
// and 0 of the larger median.
func TestSortCompared(t *testing.T) {
	_, w := opened(t)
	change := func(metric, family string, a, b, shift float64) api.Change {
		return api.Change{Metric: metric, Family: family, MedianA: a, MedianB: b, Shift: shift}
	}
	w.Compare = Compare{Off: map[string]bool{"Collector": true}, Result: &api.Comparison{Changes: []api.Change{
		change("disk.a", "Disks and filesystems", 10, 20, 10), change("mem.b", "Memory", -4, 1, 3), change("pmcd.c", "Collector", 1, 9, 8), change("disk.d", "Disks and filesystems", 1, 3, 2), change("kernel.e", "CPU and tasks", 0, 0, 1),
	}}}
	w.sift()
	order := func() string {
		var list []string
		for _, ch := range w.Compare.Shown {
			list = append(list, ch.Metric)
		}
		return strings.Join(list, " ")
	}
	w.Compare.Pick(2)
	for _, tt := range [][2]string{{"shift", "mem.b disk.d disk.a kernel.e"}, {"family", "kernel.e mem.b disk.a disk.d"}, {"nonsense", "kernel.e mem.b disk.a disk.d"}, {"", "disk.a mem.b disk.d kernel.e"}} {
		w.SortCompared(tt[0])
		if got := order(); got != tt[1] {
			t.Errorf("by %q: %s, want %s", tt[0], got, tt[1])
		}
		if got := w.Compare.Picked().Metric; got != "disk.d" {
			t.Errorf("by %q: %s is shown", tt[0], got)
		}
	}
}
