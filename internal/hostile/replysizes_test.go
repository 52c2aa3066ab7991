package hostile

import (
	"slices"
	"strings"
	"testing"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// Lists that are sent to the page as a whole have a maximum length, whatever the source
// contains: the page draws them in one go.
func TestListsAreBounded(t *testing.T) {
	boards := func(name string, n int) int {
		kinds := Kinds()
		k := kinds[slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })]
		s := core.NewSession(core.Options{})
		opened, err := s.Open(t.Context(), k.Make(n), nil)
		if err != nil || len(opened.Sources) != 1 {
			t.Fatalf("%s: %+v, %v", name, opened, err)
		}
		src, err := s.Loaded(t.Context(), opened.Sources[0].ID, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(src.Gaps) > 1000 || len(src.Problems) > 1001 { // and how many more there are
			t.Errorf("%s: %d gaps and %d problems are listed", name, len(src.Gaps), len(src.Problems))
		}
		list, err := s.Dashboards(t.Context(), src.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range list[:min(200, len(list))] {
			if d, err := s.Dashboard(t.Context(), src.ID, b.ID); err != nil || len(d.Panels) > 100 {
				t.Errorf("%s: the dashboard %s has %d panels, %v", name, b.ID, len(d.Panels), err)
			}
		}
		return len(list)
	}
	for _, name := range []string{"marks", "names at the top", "names in folders", "metadata whose lengths disagree", "damaged records between good ones", "volumes with holes between them"} {
		if n := boards(name, 3000); n > 200 {
			t.Errorf("%s: there are %d dashboards", name, n)
		}
	}
	boards("volumes without metadata", 8000) // each has a problem of its own
}

// Texts that many share are repeated in a list, so they are cut short or left out,
// and that is told.
func TestSharedTextsAreBounded(t *testing.T) {
	opened := func(name string, n int) (*core.Session, api.Source) {
		kinds := Kinds()
		k := kinds[slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })]
		s := core.NewSession(core.Options{})
		o, err := s.Open(t.Context(), k.Make(n), nil)
		if err != nil || len(o.Sources) != 1 {
			t.Fatalf("%s: %+v, %v", name, o, err)
		}
		src, err := s.Loaded(t.Context(), o.Sources[0].ID, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s, src
	}
	reported := func(s *core.Session, message string) bool {
		return slices.ContainsFunc(s.Sources()[0].Problems, func(f pcp.Fault) bool { return strings.Contains(f.Message, message) })
	}
	s, src := opened("labels that all metrics share", 8000) // 64 MB in all
	list, err := s.Metrics(src.ID, "")
	bytes := 0
	for _, m := range list {
		bytes += len(m.Labels)
	}
	if err != nil || len(list) < 8000 || bytes > 33<<20 || !reported(s, "metrics are listed without theirs") {
		t.Errorf("%d metrics have %d bytes of labels, %v, %v", len(list), bytes, err, s.Sources()[0].Problems)
	}
	s, src = opened("instances that share a long name", 1000)
	instances, err := s.Instances(src.ID, "60.1")
	if err != nil || len(instances) != 1000 || len(instances[0].Name) != 4096 || !reported(s, "Names of instances are longer than 4,096 bytes") {
		t.Errorf("%d instances, %v, %v", len(instances), err, s.Sources()[0].Problems)
	}
}
