package core

import (
	"path/filepath"
	"reflect"
	"testing"

	"pcpscope/core/api"
)

// A summary in parts has the series of one that is asked for at once, whatever is
// asked in between; parts that end within a metric's instances, and parts that are
// asked for out of turn, too. What is claimed for it is given back.
func TestSummaryInParts(t *testing.T) {
	files, _ := filepath.Glob("../testdata/live/web01.*")
	s, o := openAll(t, files...)
	id := o.Sources[0].ID
	src, err := s.source(id)
	if err != nil {
		t.Fatal(err)
	}
	for name, q := range map[string]api.SummaryQuery{
		"everything":  {Source: id, Bins: 3}, // with bins it is not kept
		"one metric":  {Source: id, Metrics: []string{"kernel.percpu.cpu.user"}},
		"expressions": {Source: id, Metrics: []string{"kernel.all.load", "sum(kernel.percpu.cpu.user)", "disk.dev.read"}},
	} {
		all, err := s.Summary(t.Context(), q, nil)
		if err != nil || len(all) < 2 {
			t.Fatalf("%s: %d series, %v", name, len(all), err)
		}
		idle, _ := s.Memory()
		few := 7
		if len(all) > 100 {
			few = 97 // still ends within instances, and everything is summarized less often
		}
		for _, limit := range []int{1, few, len(all) - 1, len(all), len(all) + 1} {
			if limit == 1 && len(all) > 100 {
				continue
			}
			var got []api.Summary
			for from, calls := 0, 0; ; calls++ {
				part, next, err := s.SummaryPart(t.Context(), q, from, limit, nil)
				if err != nil || len(part) > limit || calls > len(all)/limit+1 {
					t.Fatalf("%s: %d series at a time from %d: %d of them, %v", name, limit, from, len(part), err)
				}
				if got = append(got, part...); next == 0 {
					break
				}
				if calls%3 == 2 { // another question loses the place
					s.SummaryPart(t.Context(), api.SummaryQuery{Source: id, Bins: 2}, 0, 1, nil)
				}
				from = next
			}
			if !reflect.DeepEqual(got, all) {
				t.Errorf("%s: %d series at a time are %d, and others than the %d asked for at once", name, limit, len(got), len(all))
			}
		}
		src.kept.drop(false)
		if after, _ := s.Memory(); after > idle {
			t.Errorf("%s: %d bytes stay claimed", name, after-idle)
		}
	}
	last, next, err := s.SummaryPart(t.Context(), api.SummaryQuery{Source: id, Bins: 3}, 1<<40, 10, nil)
	if err != nil || len(last) != 0 || next != 0 {
		t.Errorf("after the end: %d series, the next is %d, %v", len(last), next, err)
	}
	for _, bad := range [][2]int{{-1, 1}, {0, 0}} {
		if _, _, err := s.SummaryPart(t.Context(), api.SummaryQuery{Source: id}, bad[0], bad[1], nil); err == nil {
			t.Errorf("%d series from %d are returned", bad[1], bad[0])
		}
	}
}
