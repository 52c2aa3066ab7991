package e2e

import "testing"

// Errors are counted apart from warnings, and marked as such: of a recording in which two
// processes were killed by the OOM killer, a file system became read-only, a mirror lost a device
// and a small file system was full.
func TestErrorsAreCounted(t *testing.T) {
	p := open(t, "/")
	p.idle()
	p.drop("body", "internal/insightbench/testdata/broken-71/recording.0.zst", "internal/insightbench/testdata/broken-71/recording.meta.zst", "internal/insightbench/testdata/broken-71/recording.index")
	p.idle()
	if got := text(p, "finding-counts"); got != "3 errors, 1 warning, 3 notes" {
		t.Errorf("the findings are counted as %q", got)
	}
	if got := text(p, "finding-count"); got != "4" {
		t.Errorf("%q findings deserve attention", got)
	}
}
