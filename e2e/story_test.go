package e2e

import (
	"strings"
	"testing"
)

// What happened in the record is on the strip and in the list of findings;
// either zooms to it, and explains it.
func TestStory(t *testing.T) {
	p := openPage(t)
	p.idle()
	whole := text(p, "window")
	openTab(p, "tab-findings")
	n := eval[int](p, `document.querySelectorAll('[data-testid="lane-incident"]').length`)
	if list := eval[int](p, `document.querySelectorAll('[data-testid="incident"]').length`); n == 0 || n != list {
		t.Fatalf("%d incidents are in the lane, %d in the list", n, list)
	}
	if got := text(p, "incident-text"); !strings.Contains(got, " to ") {
		t.Errorf("an incident says %q", got)
	}
	click(p, id("incident"))
	p.idle()
	if got := text(p, "window"); got == whole {
		t.Errorf("the window is still %q", got)
	}
	if !visible(p, "explain") {
		t.Error("it is not explained")
	}
	p.shot("story")
}
