package core

import (
	"path/filepath"
	"testing"

	"pcpscope/core/api"
	"pcpscope/internal/reference"
)

// Two records of the same time may have values of different instances, as that
// of pmcd.pmlogger.port at the start of this archive: pmdumplog(1) prints 4331 for
// 1351650, then 4330 for the two others, and five minutes later 4331 again.
func TestRecordsOfTheSameTime(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(reference.Need(t, "corpus"), "archives/pcp-zeroconf.*"))
	s, o := openAll(t, files...)
	f, err := s.Fetch(t.Context(), api.Query{Source: o.Sources[0].ID, Metrics: []string{"pmcd.pmlogger.port"}, Mode: "raw"}, nil)
	if err != nil || len(f.Columns) != 3 || len(f.Times) != 2 {
		t.Fatalf("%d columns of %d times (%v), want 3 of 2", len(f.Columns), len(f.Times), err)
	}
	for i, want := range []struct {
		inst   int32
		values []float64
	}{{0, []float64{4330}}, {779576, []float64{4330}}, {1351650, []float64{4331, 4331}}} {
		var got []float64
		for _, v := range f.Columns[i].Values {
			if v == v {
				got = append(got, v)
			}
		}
		if c := f.Columns[i]; c.Instance.ID != want.inst || len(got) != len(want.values) || got[0] != want.values[0] {
			t.Errorf("instance %d was logged as %v, want %d as %v", c.Instance.ID, got, want.inst, want.values)
		}
	}
}
