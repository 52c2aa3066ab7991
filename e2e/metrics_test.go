package e2e

import (
	"slices"
	"strings"
	"testing"
)

func TestTreeFilterAndDetails(t *testing.T) {
	p := openPage(t)
	pick(p, "disk.dev.avactive")
	for where, want := range map[string]string{ // pminfo -dfmt -a web01 disk.dev.avactive
		"detail-name": "disk.dev.avactive", "detail-pmid": "60.0.46", "detail-type": "U32, 32-bit unsigned", "detail-semantics": "counter, shown as a rate",
		"detail-units": "millisec, shown as % of time", "detail-indom": "60.1, 1 instance", "detail-oneline": "per-disk count of active time",
	} {
		if got := text(p, where); got != want {
			t.Errorf("%s is %q, want %q", where, got, want)
		}
	}
	if got := text(p, "detail-help"); !strings.Contains(got, "milliseconds for which at least one I/O is in progress") {
		t.Errorf("the help is %q", got)
	}
	if got := text(p, "instances"); !strings.Contains(got, "vda") {
		t.Errorf("the instances are %q", got)
	}
	p.shot("details")
	filter(p, "load average")
	if got := text(p, "tree-note"); !strings.HasPrefix(got, "1 metric of 1,12") {
		t.Errorf("filtering by help text finds %q", got)
	}
	// 1,121: pminfo -a web01 | wc -l. The others are those that the button beside the note counts.
	derived, _ := strings.CutPrefix(text(p, "open-derived"), "Derived ")
	if got, want := text(p, "tree-note"), "1 metric of 1,121 and "+derived+" derived"; got != want {
		t.Errorf("above the tree stands %q, want %q", got, want)
	}
	click(p, id("tab-all-metrics"))
	if got, want := eval[string](p, `document.querySelector('[data-testid="metrics-table"] .vt-title').innerText`), "1,121 metrics and "+derived+" derived"; got != want {
		t.Errorf("the drawer lists %q, want %q", got, want)
	}
	filter(p, "zzzz")
	if got := text(p, "tree-note"); !strings.HasPrefix(got, "No metric") {
		t.Errorf("filtering to nothing says %q", got)
	}
}

// Units determine which metrics share a chart; all charts share one time
// axis.
func TestAddAndRemoveMetrics(t *testing.T) {
	p := openPage(t)
	base := titles(p)
	pick(p, "disk.dev.read_bytes")
	click(p, id("add-to-panel"))
	pick(p, "disk.dev.write_bytes")
	click(p, id("add-to-panel"))
	if got, want := titles(p), append(slices.Clone(base), "disk.dev.read_bytes, disk.dev.write_bytes"); !slices.Equal(got, want) {
		t.Errorf("two metrics of one unit make the panels %v, want %v", got, want)
	}
	pick(p, "kernel.all.nprocs")
	click(p, id("add-to-panel"))
	if got := titles(p); len(got) != len(base)+2 || got[len(got)-1] != "kernel.all.nprocs" {
		t.Errorf("another unit makes the panels %v", got)
	}
	axes := eval[[]string](p, `[...document.querySelectorAll(".u-over")].map((e) => { const r = e.getBoundingClientRect(); return r.left + " " + r.width })`)
	if len(axes) < 4 || len(slices.Compact(slices.Sorted(slices.Values(axes)))) != 1 {
		t.Errorf("the plots do not lie below each other: %v", axes)
	}
	p.shot("metrics")
	click(p, id("add-to-panel"))
	if got := titles(p); slices.Contains(got, "kernel.all.nprocs") {
		t.Errorf("the metric is still in %v", got)
	}
	click(p, id("undo"))
	if got := titles(p); !slices.Contains(got, "kernel.all.nprocs") {
		t.Errorf("undo gives %v", got)
	}
	click(p, `[data-testid="panel"]:last-of-type `+id("panel-menu"))
	click(p, id("panel-remove"))
	if got := titles(p); slices.Contains(got, "kernel.all.nprocs") {
		t.Errorf("the panel is still in %v", got)
	}
	// The remaining series still show their own data.
	checkLoad(p)
}
