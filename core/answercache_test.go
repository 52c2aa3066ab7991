package core

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"pcpscope/core/api"
)

// A cached summary equals the original, whatever the caller did with its copy;
// it includes the user's own metrics, and closing releases its memory.
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
	if len(src.kept.entries) != 0 {
		t.Error("a summary is made ahead for who has not looked at the source")
	}
	if _, err := s.Overview(t.Context(), id, nil); err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	s.Prepare(over)
	if len(src.kept.entries) != 0 {
		t.Error("a summary is made ahead though time is over")
	}
	if s.Prepare(t.Context()); len(src.kept.entries) != 2 || src.insight.dashboards == nil {
		t.Fatalf("%d answers are kept, and %d dashboards", len(src.kept.entries), len(src.insight.dashboards))
	}
	first := ask()
	want := first[0]
	first[0].Metric, first[0].Count = "gone", -1
	if got := ask(); !reflect.DeepEqual(got[0], want) || &got[0] == &src.kept.entries[1].answer.([]api.Summary)[0] {
		t.Errorf("asked again: %+v, want %+v", got[0], want)
	}
	series := int64(len(first))
	before, _ := s.Memory()
	src.kept.drop(false)
	if after, _ := s.Memory(); before-after < summaryBytes*series || len(src.kept.entries) > 0 {
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

// Work done ahead of time pauses for other queries, is used by a query for the
// same, and is not done twice. Closing the source ends it.
func TestJoin(t *testing.T) {
	files, _ := filepath.Glob("../testdata/live/web01.*")
	s, o := openAll(t, files...)
	id := o.Sources[0].ID
	if _, err := s.Overview(t.Context(), id, nil); err != nil {
		t.Fatal(err)
	}
	src, err := s.source(id)
	if err != nil {
		t.Fatal(err)
	}
	prepared := make(chan struct{})
	begin := func() {
		s.PausePreparing(true)
		prepared = make(chan struct{})
		go func() {
			defer close(prepared)
			s.Prepare(t.Context())
		}()
		for src.kept.job(src.wholeSummary()) == nil { // wait until it has begun
			time.Sleep(time.Millisecond)
		}
	}
	begin()
	if _, err := s.Compare(t.Context(), api.CompareQuery{Source: id}, nil); err != nil { // another query
		t.Fatal(err)
	}
	if len(src.kept.entries) != 1 || src.kept.job(src.wholeSummary()) == nil {
		t.Error("work done ahead of time does not pause")
	}
	list, err := s.Summary(t.Context(), api.SummaryQuery{Source: id, Measured: true}, nil)
	if err != nil || len(src.kept.entries) != 2 || len(list) == 0 || !reflect.DeepEqual(list, src.kept.entries[1].answer) {
		t.Errorf("%d series, %v; %d answers are kept", len(list), err, len(src.kept.entries))
	}
	select {
	case <-prepared:
		t.Error("the rest was not left for later")
	default:
	}
	s.PausePreparing(false)
	<-prepared
	want, err := s.compareHalves(t.Context(), src)
	if err != nil || want.Compared == 0 || len(src.kept.entries) != 3 {
		t.Errorf("%d series compared, %v; %d answers are kept", want.Compared, err, len(src.kept.entries))
	}

	src.forget()
	if _, err := s.Overview(t.Context(), id, nil); err != nil {
		t.Fatal(err)
	}
	begin()
	if err := s.Close(id); err != nil {
		t.Fatal(err)
	}
	<-prepared
	if used, _ := s.Memory(); used != 0 {
		t.Errorf("%d bytes are left", used)
	}
}
