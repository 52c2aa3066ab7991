package core

import (
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
