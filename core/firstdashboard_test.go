package core

import (
	"path/filepath"
	"testing"

	"pcpscope/internal/reference"
)

// Of archives of other kinds there is a dashboard that shows what they hold,
// beside how they were collected, also where it is one metric of a family that
// has dashboards of its own. The metrics are those that pminfo -a lists.
func TestBoardsOfOtherKinds(t *testing.T) {
	dir := reference.Need(t, "corpus", "archives")
	for _, want := range []struct{ archive, board, expr string }{
		{"vldb-disks", "disks", "(rate(disk.dev.total))"},
		{"mysql-1", "tree-mysql", ""},
		{"bind2-9.18+", "tree-bind2", ""},
		{"chartqa1", "tree-sample", ""},
	} {
		files, _ := filepath.Glob(filepath.Join(dir, want.archive+".*"))
		s, o := openAll(t, files...)
		list, err := s.Dashboards(t.Context(), o.Sources[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		first, largest := "", 0
		for _, b := range list {
			if b.Available && b.ID != "collector" && b.Group != "Tool layouts" && b.Panels > largest {
				first, largest = b.ID, b.Panels
			}
		}
		if first != want.board {
			t.Errorf("%s: the largest board is %q with %d panels, want %q", want.archive, first, largest, want.board)
			continue
		}
		d, err := s.Dashboard(t.Context(), o.Sources[0].ID, first)
		if err != nil || len(d.Panels) == 0 || len(d.Panels[0].Series) == 0 {
			t.Fatalf("%s: %+v, %v", want.archive, d, err)
		}
		if want.expr != "" && d.Panels[0].Series[0].All != want.expr && d.Panels[0].Series[0].Expression != want.expr {
			t.Errorf("%s: the first panel shows %+v", want.archive, d.Panels[0].Series[0])
		}
	}
}
