package tree

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

// listed has a few metrics, in the order of their names.
var listed = []api.Metric{
	{Name: "disk.all.read", Semantics: "counter", Units: "count", Oneline: "total read operations"},
	{Name: "disk.dev.avactive", Semantics: "counter", Units: "millisec", Oneline: "per-disk count of active time"},
	{Name: "disk.dev.aveq", Semantics: "counter", Units: "millisec"},
	{Name: "kernel.all.load", Semantics: "instant", Oneline: "1, 5 and 15 minute load average"},
	{Name: "kernel.uname.release", Type: "STRING", Semantics: "discrete"},
	{Name: "mem.physmem", Semantics: "discrete", Units: "Kbyte"},
}

func TestTree(t *testing.T) {
	tree := New(listed)
	if got := paths(tree.Rows); !slices.Equal(got, []string{"disk", "kernel", "mem"}) || tree.Rows[0].Count != 3 {
		t.Fatalf("rows when folded = %v", got)
	}
	tree.Fold("disk", true)
	if got := paths(tree.Rows); !slices.Equal(got, []string{"disk", "disk.all", "disk.dev", "kernel", "mem"}) {
		t.Errorf("rows with disk unfolded = %v", got)
	}
	tree.SetFilter("ACTIVE time")
	if got := paths(tree.Rows); !slices.Equal(got, []string{"disk", "disk.dev", "disk.dev.avactive"}) || tree.Found != 1 {
		t.Errorf("rows filtered by help text = %v", got)
	}
	tree.SetFilter("nothing like this")
	if len(tree.Rows) != 0 || tree.Found != 0 {
		t.Errorf("rows without a match = %v, want none", paths(tree.Rows))
	}
	tree.SetFilter("")
	if i := tree.Reveal("kernel.all.load"); i < 0 || tree.Rows[i].Path != "kernel.all.load" || tree.Rows[i].Letter() != "I" || tree.Rows[i].Unit() != "–" {
		t.Errorf("Reveal(kernel.all.load) = row %d, want the metric's own row", i)
	}
}

// The name of a derived metric may be a prefix of another metric's.
func TestTreeWithAMetricThatIsAPrefix(t *testing.T) {
	tree := New([]api.Metric{{Name: "a.b"}, {Name: "a.b.c"}, {Name: "x"}})
	tree.Fold("a", true)
	tree.Fold("a.b", true)
	if got := paths(tree.Rows); !slices.Equal(got, []string{"a", "a.b", "a.b", "a.b.c", "x"}) || tree.Rows[1].Metric == nil || tree.Rows[2].Metric != nil {
		t.Errorf("rows = %v, want a.b as a metric and as a prefix", got)
	}
}

// Filtering ten thousand metrics must not delay a keystroke.
func TestTreeOfTenThousand(t *testing.T) {
	var list []api.Metric
	for i := range 10_000 {
		list = append(list, api.Metric{Name: fmt.Sprintf("a%02d.b%02d.m%05d", i/500, i/50%10, i), Oneline: "some help", Semantics: "counter"})
	}
	tree := New(list)
	best := time.Hour // of ten: a busy machine interrupts some of them
	for range 10 {
		begin := time.Now()
		tree.SetFilter("m0999")
		best = min(best, time.Since(begin))
	}
	if tree.Found != 10 {
		t.Errorf("found %d metrics, want 10", tree.Found)
	}
	if best > 100*time.Millisecond {
		t.Errorf("a keystroke in the filter takes %v, want 100 ms or less", best)
	}
}

// Revealing a metric does not show its hundred siblings.
func TestRevealShowsOnlyThatMetric(t *testing.T) {
	tree := New([]api.Metric{{Name: "a.b.one"}, {Name: "a.b.three"}, {Name: "a.b.two"}, {Name: "a.c"}, {Name: "x"}})
	at := tree.Reveal("a.b.three")
	if got := paths(tree.Rows); !slices.Equal(got, []string{"a", "a.b", "a.b.three", "a.b", "a", "x"}) || at != 2 {
		t.Fatalf("rows after Reveal = %v, row %d; want only a.b.three of its siblings, at 2", got, at)
	}
	if r := tree.Rows[3]; r.More != 2 || r.Branch() {
		t.Errorf("%d more in a.b, want 2", r.More)
	}
	if r := tree.Rows[4]; r.More != 1 {
		t.Errorf("%d more in a, want 1", r.More)
	}
	tree.Fold("a.b", true)
	if got := paths(tree.Rows); !slices.Equal(got, []string{"a", "a.b", "a.b.one", "a.b.three", "a.b.two", "a", "x"}) {
		t.Errorf("rows with a.b unfolded = %v", got)
	}
	tree.Fold("a", false)
	if got := paths(tree.Rows); !slices.Equal(got, []string{"a", "x"}) {
		t.Errorf("rows with a folded = %v", got)
	}
}
