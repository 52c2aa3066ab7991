package core

import (
	"slices"
	"testing"
)

// The metricsets of PCP's own pmrep configurations rest on the derived metrics
// that PCP defines in its derived/iostat.conf and cpu-util.conf; `pminfo -a`
// lists these for this archive. What has operands without values, of which there
// are no software RAIDs here, is missing all the same.
func TestImportedDerivedMetrics(t *testing.T) {
	s, o := openAll(t, live+"web01.meta", live+"web01.index", live+"web01.0.zst")
	id := o.Sources[0].ID
	if _, err := s.Derive(id, "my.load", "kernel.all.load * 2"); err != nil {
		t.Fatal(err)
	}
	im, err := s.Import(t.Context(), id, "own.conf", "[iostat]\nheader = yes\ndisk.dev.r_await = r_await,,,,8\ndisk.dev.util = %util,,,,8\n"+
		"disk.md.util = %md,,,,8\nmy.load = load,,,,8\nmy.nope = nope,,,,8\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(im.Dashboards) != 1 || len(im.Dashboards[0].Panels) != 1 {
		t.Fatalf("the metricset became %+v", im)
	}
	var shown, missing []string
	for _, l := range im.Dashboards[0].Panels[0].Series {
		shown = append(shown, l.Expression)
	}
	for _, m := range im.Dashboards[0].Missing {
		missing = append(missing, m.Needs...)
	}
	if want := []string{"disk.dev.r_await", "disk.dev.util", "my.load"}; !slices.Equal(shown, want) {
		t.Errorf("columns %q, want %q", shown, want)
	}
	if want := []string{"disk.md.util", "my.nope"}; !slices.Equal(missing, want) {
		t.Errorf("missing %q, want %q", missing, want)
	}
}
