package core

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"

	"pcpscope/core/api"
)

// A summary that was kept is the one that was made, whatever its receiver did
// with it; the user's own metrics are in it, and closing gives the memory back.
func TestKeptSummary(t *testing.T) {
	files, _ := filepath.Glob("../testdata/live/web01.*")
	s, o := openAll(t, files...)
	id := o.Sources[0].ID
	ask := func() []api.Summary {
		t.Helper()
		list, err := s.Summary(t.Context(), api.SummaryQuery{Source: id, Measured: true}, nil)
		if err != nil || len(list) < 100 {
			t.Fatalf("%d series, %v", len(list), err)
		}
		return list
	}
	src, err := s.source(id)
	if err != nil {
		t.Fatal(err)
	}
	s.Prepare(t.Context())
	if len(src.kept.list) != 0 {
		t.Error("a summary is made ahead for who has not looked at the source")
	}
	if _, err := s.Overview(t.Context(), id, nil); err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	s.Prepare(over)
	if len(src.kept.list) != 0 {
		t.Error("a summary is made ahead though time is over")
	}
	if s.Prepare(t.Context()); len(src.kept.list) != 1 {
		t.Fatalf("%d summaries are kept", len(src.kept.list))
	}
	first := ask()
	want := first[0]
	first[0].Metric, first[0].Count = "gone", -1
	if got := ask(); !reflect.DeepEqual(got[0], want) || &got[0] == &src.kept.list[0].all[0] {
		t.Errorf("asked again: %+v, want %+v", got[0], want)
	}
	series := int64(len(first))
	before, _ := s.Memory()
	src.kept.drop(false)
	if after, _ := s.Memory(); before-after != summaryBytes*series {
		t.Errorf("%d bytes were kept of %d series", before-after, series)
	}
	if fresh := ask(); !reflect.DeepEqual(fresh[1:], first[1:]) {
		t.Error("made anew it is another one")
	}
	if _, err := s.Derive(id, "my.load", "kernel.all.load * 2"); err != nil {
		t.Fatal(err)
	}
	own := 0
	for _, a := range ask() {
		if a.Metric == "my.load" {
			own++
		}
	}
	if own != 3 {
		t.Errorf("%d series of the user's own metric, want one for each average of load", own)
	}
	if err := s.Close(id); err != nil {
		t.Fatal(err)
	}
	if used, _ := s.Memory(); used != 0 {
		t.Errorf("%d bytes are left", used)
	}
}
