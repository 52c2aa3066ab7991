package cli

import (
	"bytes"
	"strings"
	"testing"
)

// Findings are errors, warnings and notes, on the page and here; scripts may also use the names that
// the API has for them.
func TestLevelsOfFindings(t *testing.T) {
	run := func(args ...string) (string, int) {
		var out, said bytes.Buffer
		status := Run(t.Context(), Streams{Out: &out, Err: &said}, append(args, "../../testdata/live/web01"))
		return out.String(), status
	}
	all, status := run("findings")
	if status != Done || !strings.Contains(all, "\nnote     2026-11-21 ") || strings.Contains(all, "\nknow") {
		t.Errorf("status %d, findings:\n%s", status, all)
	}
	for level, want := range map[string]int{"note": Broken, "know": Broken, "warning": Done, "look": Done} {
		if _, status := run("findings", "--fail-on", level); status != want {
			t.Errorf("--fail-on %s: status %d, want %d", level, status, want)
		}
	}
	var out bytes.Buffer
	Run(t.Context(), Streams{Out: &out, Err: &out}, []string{"findings", "--level", "error", "../insightbench/testdata/broken-71"})
	if text := out.String(); strings.Count(text, "\nerror    2026-11-26 ") != 3 || strings.Contains(text, "warning") {
		t.Errorf("the errors of what broke:\n%s", text)
	}
}
