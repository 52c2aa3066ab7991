package app

import (
	"slices"
	"testing"

	"pcpscope/web/tree"
)

// Constant metrics are known and can be hidden. Sparklines are requested once,
// and only for metrics on screen that are not constant.
func TestActivityInTheTree(t *testing.T) {
	b := newBench(t)
	tab := b.open(t, written(t, "disk.dev.active"))
	names := &tab.Tree
	b.FetchVisible()
	b.run()
	names.Fold("disk", true)
	names.Fold("disk.dev", true)
	state := map[string]tree.Row{}
	for _, r := range names.Rows {
		state[r.Path] = r
	}
	if r := state["disk.dev.active"]; r.State != "empty" || !r.Constant {
		t.Errorf("state of disk.dev.active = %q, want empty", r.State)
	}
	if r := state["disk.dev.avactive"]; r.State != "moving" || r.Constant {
		t.Errorf("state of disk.dev.avactive = %q, want moving", r.State)
	}
	if !state["mem"].Constant || state["disk"].Constant {
		t.Error("mem must be constant, as all metrics below it are, and disk must not")
	}
	for range 3 {
		b.FetchVisible()
		b.run()
	}
	if got := b.engine.sparks; !slices.Equal(got, []string{"disk.dev.avactive", "disk.dev.util"}) { // which is built in
		t.Errorf("requested sparklines = %v, want those on screen that are not constant", got)
	}
	if tab.Sparks.Of("disk.dev.avactive") == "" || tab.Sparks.Of("kernel.all.load") != "" {
		t.Error("want the sparkline that was requested, and no other")
	}
	names.SetHideConstant(true)
	var paths []string
	for _, r := range names.Rows {
		paths = append(paths, r.Path)
	}
	if got := paths; !slices.Equal(got, []string{"disk", "disk.all", "disk.dev", "disk.dev.avactive", "disk.dev.util", "event", "kernel"}) || names.Rows[0].Count != 3 {
		t.Errorf("rows without constant metrics = %v", got)
	}
}
