package core

import (
	"math"
	"testing"

	"pcpscope/core/api"
	"pcpscope/internal/recording"
)

// A change that began before the stretch that explain looks at has no known beginning: CPUs
// are busy from the 1,600th of 1,720 records on, and what is asked about are twenty records.
func TestSinceBeforeWhatIsLookedAt(t *testing.T) {
	values := logged{}.cpus(4, 10, 1600, 5, 120, 60)
	s, src := record(t, recording.Recording{Host: "host", Step: 10e9, Values: values})
	for _, tt := range []struct {
		from  int64 // record
		known bool
	}{{1610, true}, {1690, false}} {
		start, end := int64(recording.Start)+tt.from*10e9, int64(recording.Start)+(tt.from+20)*10e9
		x, err := s.Explain(t.Context(), api.ExplainQuery{Source: src.ID, Start: &api.When{Nanos: &start}, End: &api.When{Nanos: &end}}, nil)
		if err != nil || len(x.Rows) == 0 {
			t.Fatalf("%q, %v", x.Text, err)
		}
		since := x.Rows[0].Since
		if (since != nil) != tt.known || tt.known && (since.Since(recording.Start) < 15990 || since.Since(recording.Start) > 16000) {
			t.Errorf("from record %d on: since %v", tt.from, since)
		}
	}
}

// Where records come each minute, then each second, then each minute, since is the time of a
// record: two CPUs are busy from one of them on, so the next one is the first that shows it.
func TestSinceOfMixedIntervals(t *testing.T) {
	const n = 7200
	for _, tt := range []struct{ busy, first int }{{3600, 3601}, {3700, 3701}, {4200, 4260}, {4260, 4320}} { // seconds
		user, procs, cpu := make([]float64, n), make([]float64, n), 0.0
		for i := range n {
			if cpu += 100; i > tt.busy && i <= tt.busy+600 {
				cpu += 2000
			}
			if user[i], procs[i] = cpu, 200; i%60 > 0 && (i < 3600 || i > 4200) {
				user[i] = math.NaN()
			}
		}
		one := func(v []float64) map[string]any { return map[string]any{"": v} }
		s, src := record(t, recording.Recording{Host: "host", Step: 1e9, Values: map[string]map[string]any{
			"hinv.ncpu": one([]float64{4}), "kernel.all.cpu.user": one(user), "kernel.all.nprocs": one(procs),
		}})
		start, end := int64(recording.Start)+int64(tt.busy)*1e9, int64(recording.Start)+int64(tt.busy+600)*1e9
		x, err := s.Explain(t.Context(), api.ExplainQuery{Source: src.ID, Start: &api.When{Nanos: &start}, End: &api.When{Nanos: &end}}, nil)
		if err != nil || len(x.Rows) == 0 || x.Rows[0].Since == nil {
			t.Fatalf("%q, %v", x.Text, err)
		}
		if since := x.Rows[0].Since.Since(recording.Start); since != float64(tt.first) {
			t.Errorf("busy from %d s on: since %g s", tt.busy, since)
		}
	}
}
