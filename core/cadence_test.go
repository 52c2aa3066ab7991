package core

import (
	"context"
	"slices"
	"testing"

	"pcpscope/core/api"
)

// A metric has as many records as Fetch gives times for it in raw mode, whatever was
// logged; so has an expression.
func TestCadencesCountRecords(t *testing.T) {
	ctx := context.Background()
	for _, a := range []string{"web01", "web01-v2"} {
		s, o := openAll(t, liveFiles(a)...)
		id := o.Sources[0].ID
		all, err := s.Metrics(id, "")
		if err != nil {
			t.Fatal(err)
		}
		names := []string{"rate(disk.dev.total) + hinv.ncpu", "no.such.metric"}
		for _, m := range all {
			names = append(names, m.Name)
		}
		list, err := s.Cadences(ctx, id, names, false)
		if err != nil || len(list) != len(names) {
			t.Fatal(len(list), err)
		}
		for i, name := range names {
			f, err := s.Fetch(ctx, api.Query{Source: id, Metrics: []string{name}, Mode: "raw"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if list[i].Records != len(f.Times) {
				t.Errorf("%s: %s has %d records, want %d, as many as fetch has times", a, name, list[i].Records, len(f.Times))
			}
		}
		for i, m := range all {
			if m.InDom == nil {
				continue
			}
			instances, err := s.Instances(id, *m.InDom)
			if err != nil || list[2+i].Instances != len(instances) {
				t.Errorf("%s: %s has %d instances, want %d; %v", a, m.Name, list[2+i].Instances, len(instances), err)
			}
		}
		// web01 was logged every second: testdata/README.md.
		if c := list[slices.Index(names, "kernel.all.load")]; c.Usual != 1e9 || c.Closest != 1e9 {
			t.Errorf("%s: kernel.all.load was logged every %d ns, at its closest %d, want 1 s", a, c.Usual, c.Closest)
		}
	}
}
