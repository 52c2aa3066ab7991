package core

import (
	"math"
	"slices"
	"testing"

	"pcpscope/core/api"
	"pcpscope/internal/recording"
)

// An instance that was not logged for a while has no values then in statistics of an
// expression, as it has none by itself: neither what is interpolated nor the last value
// before counts once for each record of other instances.
func TestInstancesComeAndGo(t *testing.T) {
	// 10, 10, 90, then nothing for 100 s, then 10, 10. 90 lasts 110 s:
	// (2*10*10 + 110*90 + 10*10) / 140.
	sometimes := slices.Concat([]float64{10, 10, 90}, recording.Steady(10, math.NaN()), []float64{10, 10})
	s, src := record(t, recording.Recording{Host: "comes", Step: 10e9, Values: map[string]map[string]any{
		"disk.dev.inflight": {"sda": recording.Steady(15, 5.0), "sdb": sometimes},
		"hinv.ncpu":         {"": recording.Steady(15, 2.0)},
	}})
	for _, name := range []string{"disk.dev.inflight", "disk.dev.inflight * 1", "1 * hinv.ncpu * disk.dev.inflight / 2"} {
		f, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{name}, Interval: moment(10e9), Statistics: &api.Range{}}, nil)
		if err != nil || len(f.Columns) != 2 || f.Columns[1].Statistics == nil {
			t.Fatalf("%s: %+v (%v)", name, f, err)
		}
		if st := f.Columns[0].Statistics; st.Count != 15 || st.Average != 5 {
			t.Errorf("%s of sda: %+v", name, st)
		}
		if st, want := f.Columns[1].Statistics, 10200.0/140; st.Count != 5 || math.Abs(st.Average-want) > 1e-9 || st.Median != 10 {
			t.Errorf("%s of sdb: %+v, want 5 values, on average %v", name, st, want)
		}
	}
}

// Where an expression has no value, the one before does not last: 10, 10, 90, then 100 s
// with nothing in flight, then 10, 10. 90 lasts 10 s: (2*10*10 + 10*90 +
// 10*10) / 40 s.
func TestExpressionWithoutValueForAWhile(t *testing.T) {
	s, src := record(t, recording.Recording{Host: "idle", Step: 10e9, Values: map[string]map[string]any{
		"disk.dev.inflight": {"sda": slices.Concat([]float64{10, 10, 90}, recording.Steady(10, 0.0), []float64{10, 10})},
	}})
	f, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{"disk.dev.inflight == 0 ? novalue() : disk.dev.inflight"}, Interval: moment(10e9), Statistics: &api.Range{}}, nil)
	if err != nil || len(f.Columns) != 1 || f.Columns[0].Statistics == nil {
		t.Fatal(f, err)
	}
	if st := f.Columns[0].Statistics; st.Count != 5 || st.Average != 30 {
		t.Errorf("%+v, want 5 values, on average 30", st)
	}
}
