package hostile

import (
	"runtime"
	"testing"

	"pcpscope/core"
	"pcpscope/core/api"
)

// An answer about very many instances holds each value once: what it allocates is
// little more than the eight bytes of each.
func TestWideAnswersHoldValuesOnce(t *testing.T) {
	const n, points = 10_000, 200
	e := newEncoder(3)
	named(e, n, func(i int) string { return "x" })
	s := core.NewSession(core.Options{})
	opened, err := s.Open(t.Context(), e.files(), nil)
	if err != nil {
		t.Fatal(err)
	}
	id := opened.Sources[0].ID
	if _, err := s.Loaded(t.Context(), id, nil); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, err := s.Fetch(t.Context(), api.Query{Source: id, Metrics: []string{"a.b"}, Count: points}, nil)
	runtime.ReadMemStats(&after)
	if err != nil || len(f.Columns) != n || len(f.Columns[0].Values) != points {
		t.Fatalf("%d columns, %v", len(f.Columns), err)
	}
	took := float64(after.TotalAlloc-before.TotalAlloc) / (n * points)
	if t.Logf("%.1f bytes for each value", took); took > 16 {
		t.Errorf("%.1f bytes are allocated for each value, want at most 16", took)
	}
}
