package app

import (
	"slices"
	"testing"

	"pcpscope/web/tree"
)

// What does not move is known, and can be left out; sparklines are asked for
// once, and only for what is on screen and moves.
func TestActivityInTheTree(t *testing.T) {
	b := newBench(t)
	tab := b.open(t, written(t, "disk.dev.active"))
	names := &tab.Tree
	b.Attend()
	b.run()
	names.Fold("disk", true)
	names.Fold("disk.dev", true)
	state := map[string]tree.Row{}
	for _, r := range names.Rows {
		state[r.Path] = r
	}
	if r := state["disk.dev.active"]; r.State != "empty" || !r.Constant {
		t.Errorf("disk.dev.active is %q", r.State)
	}
	if r := state["disk.dev.avactive"]; r.State != "moving" || r.Constant {
		t.Errorf("disk.dev.avactive is %q", r.State)
	}
	if !state["mem"].Constant || state["disk"].Constant {
		t.Error("a prefix is still when all in it is, and only then")
	}
	for range 3 {
		b.Attend()
		b.run()
	}
	if got := b.engine.sparks; !slices.Equal(got, []string{"disk.dev.avactive", "disk.dev.util"}) { // which is built in
		t.Errorf("requested the sparklines of %v", got)
	}
	if tab.Sparks.Of("disk.dev.avactive") == "" || tab.Sparks.Of("kernel.all.load") != "" {
		t.Error("a sparkline is there once it has been answered, and not before")
	}
	names.SetHideConstant(true)
	var paths []string
	for _, r := range names.Rows {
		paths = append(paths, r.Path)
	}
	if got := paths; !slices.Equal(got, []string{"disk", "disk.all", "disk.dev", "disk.dev.avactive", "disk.dev.util", "event", "kernel"}) || names.Rows[0].Count != 3 {
		t.Errorf("without constant metrics: %v", got)
	}
}
