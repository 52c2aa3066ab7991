package hostile

import (
	"testing"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// Thousands of instances with two records each would need a column of
// thousands of empty values each. That is rejected before it is allocated; if
// there is enough memory, and for a shorter window, it is answered.
func TestLoggedValuesOfInstancesThatMove(t *testing.T) {
	const n = 2000 // instances and records: 4 million values, of which 4,000 are there
	for memory, fits := range map[int64]bool{64 << 20: false, 256 << 20: true} {
		e := newEncoder(3)
		e.metric(0, dom, pcp.Counter, "a.b")
		e.instances(dom, 0, 0, n)
		for i := range n {
			e.result(0, i, set{pmid: id(0), pairs: []pair{{i, i}, {(i + 1) % n, i}}})
		}
		s := core.NewSession(core.Options{Memory: memory})
		opened, err := s.Open(t.Context(), e.files(), nil)
		if err != nil {
			t.Fatal(err)
		}
		q := api.Query{Source: opened.Sources[0].ID, Metrics: []string{"a.b"}, Mode: "raw"}
		f, err := s.Fetch(t.Context(), q, nil)
		if err != nil {
			t.Fatal(err)
		}
		refused := len(f.Columns) == 1 && f.Columns[0].Fault != nil && f.Columns[0].Fault.Kind == pcp.OutOfMemory
		if refused == fits || fits && len(f.Columns) != n {
			t.Errorf("with a budget of %d MiB: %d columns, refused: %v", memory>>20, len(f.Columns), refused)
		}
		if fits {
			continue
		}
		end := int64(opened.Sources[0].Start) + 10e9
		q.End = &api.When{Nanos: &end}
		if f, err = s.Fetch(t.Context(), q, nil); err != nil || len(f.Columns) != 12 {
			t.Errorf("for eleven records: %d columns, %v; want 12", len(f.Columns), err)
		}
	}
}
