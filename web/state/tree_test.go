package state

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pcpscope/core/api"
)

func paths(rows []Row) []string {
	var list []string
	for _, r := range rows {
		list = append(list, r.Path)
	}
	return list
}

func TestTree(t *testing.T) {
	_, w := opened(t)
	tree := &w.Tree
	if got := paths(tree.Rows); !slices.Equal(got, []string{"disk", "kernel", "mem"}) || tree.Rows[0].Count != 3 {
		t.Fatalf("folded: %v", got)
	}
	tree.Fold("disk", true)
	if got := paths(tree.Rows); !slices.Equal(got, []string{"disk", "disk.all", "disk.dev", "kernel", "mem"}) {
		t.Errorf("disk open: %v", got)
	}
	tree.SetFilter("ACTIVE time")
	if got := paths(tree.Rows); !slices.Equal(got, []string{"disk", "disk.dev", "disk.dev.avactive"}) || tree.Found != 1 {
		t.Errorf("filtered by help: %v", got)
	}
	tree.SetFilter("nothing like this")
	if len(tree.Rows) != 0 || tree.Found != 0 {
		t.Errorf("filtered to nothing: %v", paths(tree.Rows))
	}
	tree.SetFilter("")
	if i := tree.Reveal("kernel.all.load"); i < 0 || tree.Rows[i].Path != "kernel.all.load" || tree.Rows[i].Letter() != "I" || tree.Rows[i].Unit() != "–" {
		t.Errorf("revealed at %d", i)
	}
}

// A dynamic name may be a prefix of another, where a derived metric has one.
func TestTreeWithAMetricThatIsAPrefix(t *testing.T) {
	tree := NewTree([]api.Metric{{Name: "a.b"}, {Name: "a.b.c"}, {Name: "x"}})
	tree.Fold("a", true)
	tree.Fold("a.b", true)
	if got := paths(tree.Rows); !slices.Equal(got, []string{"a", "a.b", "a.b", "a.b.c", "x"}) || tree.Rows[1].Metric == nil || tree.Rows[2].Metric != nil {
		t.Errorf("%v", got)
	}
}

func TestKeysInTree(t *testing.T) {
	b, w := opened(t)
	for len(w.Panels) > 0 {
		w.RemovePanel(w.Panels[0].ID)
	}
	press := func(in string, names ...string) {
		t.Helper()
		for _, n := range names {
			if _, used := b.Press(Key{Name: n, In: in, Typing: in == "tree-filter"}); !used {
				t.Errorf("%s means nothing in %s", n, in)
			}
			b.run()
		}
	}
	if focus, _ := b.Press(Key{Name: "ArrowDown", In: "tree-filter", Typing: true}); focus != "tree" || w.Tree.At != 0 {
		t.Errorf("from the filter down: focus %q, row %d", focus, w.Tree.At)
	}
	press("tree", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight") // disk, disk.all, disk.all.read
	if r := w.Tree.Row(); r == nil || r.Path != "disk.all.read" || w.Selected != "disk.all.read" {
		t.Fatalf("the keyboard is at %+v", r)
	}
	press("tree", "Enter")
	if !w.Showing("disk.all.read") {
		t.Error("Enter does not add")
	}
	press("tree", "Delete")
	if w.Showing("disk.all.read") {
		t.Error("Delete does not remove")
	}
	press("tree", "ArrowLeft", "ArrowLeft")
	if r := w.Tree.Row(); r.Path != "disk.all" || r.Open {
		t.Errorf("back at %+v", r)
	}
}

func TestKeysOnPage(t *testing.T) {
	b, w := opened(t)
	whole := w.Window
	b.Press(Key{Name: "w"})
	if w.Window.Len() != whole.Len()/2 {
		t.Errorf("w zooms to %d s", w.Window.Len()/1e9)
	}
	b.Press(Key{Name: "z"})
	if w.Window != whole {
		t.Error("z does not go back")
	}
	if _, used := b.Press(Key{Name: "w", Typing: true, In: "other"}); used {
		t.Error("typing w into a field zooms")
	}
	if focus, used := b.Press(Key{Name: "/"}); focus != "search" || !used {
		t.Error("/ does not search")
	}
	if focus, used := b.Press(Key{Name: "k", Ctrl: true, Typing: true}); focus != "search" || !used {
		t.Error("ctrl-K does not search")
	}
	b.SearchFor("load")
	b.run()
	if len(b.Search.Hits) != 1 {
		t.Fatalf("hits: %v", b.Search.Hits)
	}
	if focus, _ := b.Press(Key{Name: "Enter", In: "search", Typing: true}); focus != "page" || w.Selected != "kernel.all.load" || b.Search.Open {
		t.Errorf("Enter in the search: focus %q, selected %q", focus, w.Selected)
	}
	b.Help = true
	b.Press(Key{Name: "Escape"})
	if b.Help {
		t.Error("Escape leaves the help open")
	}
	b.run()
	b.Press(Key{Name: "ArrowRight"})
	b.Press(Key{Name: "ArrowRight"})
	if !b.HasCur || b.Cursor != start+310*second {
		t.Errorf("the cursor stands at %d s", (b.Cursor-start)/second)
	}
}

// Ten thousand metrics must cost no more than a moment at each keystroke.
func TestTreeOfTenThousand(t *testing.T) {
	var list []api.Metric
	for i := range 10_000 {
		list = append(list, api.Metric{Name: fmt.Sprintf("a%02d.b%02d.m%05d", i/500, i/50%10, i), Oneline: "some help", Semantics: "counter"})
	}
	tree := NewTree(list)
	begin := time.Now()
	for range 10 {
		tree.SetFilter("m0999")
	}
	if tree.Found != 10 {
		t.Errorf("found %d", tree.Found)
	}
	if d := time.Since(begin) / 10; d > 100*time.Millisecond {
		t.Errorf("one keystroke takes %v", d)
	}
}
