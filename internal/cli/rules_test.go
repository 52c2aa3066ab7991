package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pcpscope/internal/recording"
)

// A rule that cannot be evaluated, as of a slip of the pen, is no rule that was never true: with --fail
// it fails, too, and a file without any other does so anyway. pmieconf's files have rules for all
// systems, most of which any one archive has no metrics of.
func TestRulesThatCannotBeEvaluated(t *testing.T) {
	const never, always, slip, unknown = "n = kernel.all.nusers > 1000;", "a = kernel.all.nusers > 0;", "s = kernel.all.nusers > ;", "u = kernel.all.nusrs > 1000;"
	const conf = "#pmieconf-rules 1\nrule none.such\n\tpredicate = \"none.such > 1\"\n\tenabled = yes\n;\n"
	base := users(t)
	for _, tt := range []struct {
		text         string
		status, fail int
	}{
		{never, Done, Done},
		{always, Done, Broken},
		{slip, Wrong, Wrong},
		{unknown, Wrong, Wrong},
		{never + slip, Done, Wrong},
		{never + unknown, Done, Wrong},
		{always + slip, Done, Broken},
		{conf, Done, Done},
	} {
		rules := filepath.Join(t.TempDir(), "r.pmie")
		if err := os.WriteFile(rules, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, said, status := call(t, "rules", rules, base); status != tt.status {
			t.Errorf("%s: status %d, want %d: %s", tt.text, status, tt.status, said)
		}
		if _, said, status := call(t, "rules", "--fail", rules, base); status != tt.fail {
			t.Errorf("%s, --fail: status %d, want %d: %s", tt.text, status, tt.fail, said)
		}
	}
	rules := filepath.Join(t.TempDir(), "r.pmie")
	if err := os.WriteFile(rules, []byte("l = some_inst kernel.all.load > 1000;"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, said, status := call(t, "rules", "--fail", rules, base, web01); status != Unreadable || !strings.Contains(said, "kernel.all.load") {
		t.Errorf("of two archives, one of which has the metric: status %d, %s", status, said)
	}
}

// A line of the table is one line, and a column one column, also if the text of an action ends its line
// or an instance has a tab in its name.
func TestTextsOfRulesStayInTheTable(t *testing.T) {
	files := recording.Recording{Host: "h", Agents: "../../core/dashboard/testdata/pminfo.txt", Step: 10e9, Values: map[string]map[string]any{
		"filesys.used": {"a\tb": recording.Steady(4, 5.0)},
	}}.Write(t)
	rules := filepath.Join(t.TempDir(), "used.pmie")
	if err := os.WriteFile(rules, []byte("used = filesys.used > 1 byte;\nsays = some_inst (filesys.used > 1 byte) -> print \"full\\n\" \" of\\tall\";\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, said, status := call(t, "rules", rules, strings.TrimSuffix(files[0], filepath.Ext(files[0])))
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != Done || len(lines) != 4 || !strings.HasPrefix(lines[2], `used  a\tb `) || !strings.HasSuffix(lines[3], `  full\n of\tall`) {
		t.Errorf("status %d, %s%s", status, out, said)
	}
}
