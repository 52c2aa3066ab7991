package hostile

import (
	"slices"
	"testing"

	"pcpscope/core"
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
