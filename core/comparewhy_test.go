package core

import (
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/internal/recording"
)

// A fifth of window B differs, by much: the mean does, the effect is too small. It says so, and of
// what: by hand, 60 of the 299 intervals of B have 90 %, the others 5 %.
func TestNoChangeSaysWhatDiffers(t *testing.T) {
	values := logged{}.cpus(4, 10, 420, 5, 60, 90, 120, 5)
	s, src := record(t, recording.Recording{Host: "host", Step: 10e9, Values: values})
	at := func(k int64) *api.When { n := int64(recording.Start) + k*10e9; return &api.When{Nanos: &n} }
	got, err := s.Compare(t.Context(), api.CompareQuery{Source: src.ID, AStart: at(0), AEnd: at(299), BStart: at(300), BEnd: at(599)}, nil)
	if err != nil || len(got.Changes) != 0 || !strings.HasPrefix(got.Why, "No change above the thresholds: ") || !strings.Contains(got.Why, "on average by more than the floors, with an effect below 0.3. Most of all: kernel.all.cpu.user, 5 % to 22.1 %") {
		t.Errorf("%d changes, %q, %v", len(got.Changes), got.Why, err)
	}
}

// CPU time of a command is in percent of one CPU: of 299 intervals of B, 60 have 90 %, the
// others 5 %, 22.06 % on average.
func TestNoChangeSaysWhatACommandUsed(t *testing.T) {
	const name = "001234 /usr/bin/worker"
	values := logged{}.cpus(4, 10, 600, 30).and("proc.psinfo.utime", name, counted(10, 420, 50, 60, 900, 120, 50)).
		and("proc.psinfo.stime", name, stretches(600, 0)).and("proc.psinfo.pid", name, stretches(600, 1234))
	s, src := record(t, recording.Recording{Host: "host", Step: 10e9, Values: values})
	at := func(k int64) *api.When { n := int64(recording.Start) + k*10e9; return &api.When{Nanos: &n} }
	got, err := s.Compare(t.Context(), api.CompareQuery{Source: src.ID, AStart: at(0), AEnd: at(299), BStart: at(300), BEnd: at(599), Processes: true}, nil)
	if err != nil || len(got.Changes) != 0 || !strings.Contains(got.Why, "Most of all: worker, 5 % of one CPU to 22.1 % of one CPU.") {
		t.Errorf("%d changes, %q, %v", len(got.Changes), got.Why, err)
	}
}
