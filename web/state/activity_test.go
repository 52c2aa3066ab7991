package state

import (
	"slices"
	"testing"

	"pcpscope/core/api"
)

// What does not move is known, and can be left out; sparklines are asked for
// once, and only for what is on screen and moves.
func TestActivityInTheTree(t *testing.T) {
	b, w := opened(t)
	tree := &w.Tree
	b.Attend()
	b.run()
	tree.Fold("disk", true)
	tree.Fold("disk.dev", true)
	state := map[string]Row{}
	for _, r := range tree.Rows {
		state[r.Path] = r
	}
	if r := state["disk.dev.aveq"]; r.State != "empty" || !r.Still {
		t.Errorf("disk.dev.aveq is %q", r.State)
	}
	if r := state["disk.dev.avactive"]; r.State != "moving" || r.Still {
		t.Errorf("disk.dev.avactive is %q", r.State)
	}
	if !state["mem"].Still || state["disk"].Still {
		t.Error("a prefix is still when all in it is, and only then")
	}
	for range 3 {
		b.Attend()
		b.run()
	}
	if got := b.engine.sparks; !slices.Equal(got, []string{"disk.dev.avactive"}) {
		t.Errorf("asked for the sparklines of %v", got)
	}
	if w.Spark("disk.dev.avactive") == "" || w.Spark("kernel.all.load") != "" {
		t.Error("a sparkline is there once it has been answered, and not before")
	}
	tree.SetHideStill(true)
	if got := paths(tree.Rows); !slices.Equal(got, []string{"disk", "disk.all", "disk.dev", "disk.dev.avactive", "kernel"}) || tree.Rows[0].Count != 2 {
		t.Errorf("without what is still: %v", got)
	}
}

// To reveal a metric shows it, and not a hundred others with it.
func TestRevealShowsNoMoreThanAsked(t *testing.T) {
	tree := NewTree([]api.Metric{{Name: "a.b.one"}, {Name: "a.b.three"}, {Name: "a.b.two"}, {Name: "a.c"}, {Name: "x"}})
	at := tree.Reveal("a.b.three")
	if got := paths(tree.Rows); !slices.Equal(got, []string{"a", "a.b", "a.b.three", "a.b", "a", "x"}) || at != 2 {
		t.Fatalf("%v, at %d", got, at)
	}
	if r := tree.Rows[3]; r.More != 2 || r.Branch() {
		t.Errorf("%d more in a.b", r.More)
	}
	if r := tree.Rows[4]; r.More != 1 {
		t.Errorf("%d more in a", r.More)
	}
	tree.Fold("a.b", true)
	if got := paths(tree.Rows); !slices.Equal(got, []string{"a", "a.b", "a.b.one", "a.b.three", "a.b.two", "a", "x"}) {
		t.Errorf("unfolded: %v", got)
	}
	tree.Fold("a", false)
	if got := paths(tree.Rows); !slices.Equal(got, []string{"a", "x"}) {
		t.Errorf("folded: %v", got)
	}
}
