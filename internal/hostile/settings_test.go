package hostile

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"pcpscope/core"
	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// long are the texts of PCP's tools, of about so many bytes, with each of their
// parts repeated.
var long = []struct {
	name, kind string
	text       func(bytes int) string
}{
	{"metricsets", "import", func(n int) string { return numbered(n, "", "[s%d]\na.b = x,,,,8\n") }},
	{"a metricset again", "import", func(n int) string { return numbered(n, "", "[s]\na.b = x%d,,,,8\n") }},
	{"metrics of a metricset", "import", func(n int) string { return numbered(n, "[s]\n", "a.b%d = x,,,,8\n") }},
	{"options of metrics", "import", func(n int) string {
		return numbered(n/2, "[s]\n", "a.b%d = x,,,,8\n") + numbered(n/2, "", "a.b%d.label = y\n")
	}},
	{"lines that go on", "import", func(n int) string { return numbered(n, "[s]\na.b = x", "\n %d") }},
	{"lines before metricsets", "import", func(n int) string { return numbered(n, "", "a%d\n") }},
	{"charts", "import", func(n int) string {
		return numbered(n, "#kmchart\nversion 1\n", "chart title \"t%d\" style plot\n\tplot metric a.b\n")
	}},
	{"curves of a chart", "import", func(n int) string {
		return numbered(n, "#kmchart\nversion 1\nchart style plot\n", "\tplot metric a.b%d\n")
	}},
	{"words of a view", "import", func(n int) string { return numbered(n, "#kmchart\n", "w%d ") }},
	{"lines of a view", "import", func(n int) string { return numbered(n, "#kmchart\n", "w%d\n") }},
	{"formulas", "import", func(n int) string { return numbered(n, "[s]\n", "x%[1]d = a\nx%[1]d.formula = a.b * %[1]d\n") }},
	{"a formula of many terms", "import", func(n int) string { return numbered(n, "[s]\nx = a\nx.formula = a.b", " + %d") }},
	{"a formula that goes on", "import", func(n int) string { return numbered(n, "[s]\nx = a\nx.formula = a.b", " +\n %d") }},
	{"a deep formula", "import", func(n int) string {
		return "[s]\nx = a\nx.formula = " + strings.Repeat("(", n/2) + "a.b" + strings.Repeat(")", n/2) + "\n"
	}},
	{"definitions", "define", func(n int) string { return numbered(n, "", "d.x%d = a.b\n") }},
	{"a definition of many terms", "define", func(n int) string { return numbered(n, "d.x = a.b", " + %d") }},
	{"a deep definition", "define", func(n int) string {
		return "d.x = " + strings.Repeat("(", n/2) + "a.b" + strings.Repeat(")", n/2) + "\n"
	}},
	{"mistakes of definitions", "define", func(n int) string { return numbered(n, "", "x%d\n") }},
	{"rules", "rules", func(n int) string { return numbered(n, "", strings.Repeat(" ", 120)+"r%d = a.b > 1;\n") }},
	{"mistakes of rules", "rules", func(n int) string { return numbered(n, "", strings.Repeat(" ", 120)+"r%d = a.b >;\n") }},
	{"metrics that are missing", "rules", func(n int) string { return numbered(n, "", strings.Repeat(" ", 120)+"r%d = no.such > 1;\n") }},
	{"macros", "rules", func(n int) string { return numbered(n, "", "m%d = \"a.b\";") + "r = $m1 > 1;" }},
	{"actions", "rules", func(n int) string { return numbered(n, "r = a.b > 1 -> print", " \"%d\"") + ";" }},
	{"instances of a rule", "rules", func(n int) string { return numbered(n, "r = a.b", " #'%d'") + " > 1;" }},
	{"rules of pmieconf", "rules", func(n int) string {
		return numbered(n, "#pmieconf-rules 1\n", strings.Repeat(" ", 200)+"rule r%d predicate = \"a.b > 1\";\n")
	}},
	{"variables of pmieconf", "rules", func(n int) string {
		return numbered(n/2, "#pmieconf-rules 1\n", strings.Repeat(" ", 60)+"string global.v%d default = \"1\";\n") + numbered(n/2, "", strings.Repeat(" ", 60)+"rule r%d predicate = \"a.b > $v1$\";\n")
	}},
}

// numbered is a text of so many bytes: a beginning, and what follows it with a
// number in each.
func numbered(bytes int, begin, each string) string {
	var b strings.Builder
	b.WriteString(begin)
	for i := 0; b.Len() < bytes; i++ {
		fmt.Fprintf(&b, each, i)
	}
	return b.String()
}

// TestLawOfCostOfSettings is the law of cost for the texts of PCP's tools; and
// what the page is told of them is short, however long they are.
func TestLawOfCostOfSettings(t *testing.T) {
	if testing.Short() {
		t.Skip("measures CPU time, under the race detector")
	}
	sizes := []int{30_000, 240_000}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 30))
	for _, l := range long {
		best := make([][]cost, len(sizes))
		for try := range 5 {
			for i, n := range sizes {
				best[i] = better(best[i], settingsRead(t, l.name, l.kind, l.text(n)))
			}
			stage, i, times, allowed := slowest(sizes, best)
			if stage < 0 {
				t.Log(l.name, summary(sizes, best))
				break
			}
			if try == 4 {
				t.Errorf("%s: %s of %d bytes takes %v, of %d %v: %.1f times as long, want at most %.1f times", l.name, best[i][stage].stage, sizes[i], best[i][stage].time, sizes[i+1], best[i+1][stage].time, times, allowed)
			}
		}
	}
}

func settingsRead(t *testing.T, name, kind, text string) (list []cost) {
	t.Helper()
	s := core.NewSession(core.Options{})
	opened, err := s.Open(t.Context(), small(0).files(), nil)
	if err != nil {
		t.Fatal(err)
	}
	id := opened.Sources[0].ID
	if _, err := s.Loaded(t.Context(), id, nil); err != nil {
		t.Fatal(err)
	}
	before := CPUTime()
	lap := func(stage string) {
		list = append(list, cost{stage, CPUTime() - before})
		before = CPUTime()
	}
	switch kind {
	case "import":
		im, fault := s.Import(t.Context(), id, "x", text)
		series := 0
		for _, d := range im.Dashboards {
			for _, p := range d.Panels {
				series += len(p.Series)
			}
			if len(d.Panels) > 40 || len(d.Missing) > 2000 {
				t.Errorf("%s: %d panels, %d missing", name, len(d.Panels), len(d.Missing))
			}
		}
		if series > 1000 || len(im.Left) > 201 {
			t.Errorf("%s: %d series, %d left out", name, series, len(im.Left))
		}
		err = fault
		lap("import")
	case "define":
		for range 2 {
			d, fault := s.Define(id, text, "x")
			if err = fault; len(d.Faults) > 101 {
				t.Errorf("%s: %d faults", name, len(d.Faults))
			}
			lap("define")
		}
	case "rules":
		var out api.RuleResults
		if out, err = s.RunRules(t.Context(), api.RulesQuery{Source: id, Text: text, File: "x"}, nil); len(out.Rules) > 2001 {
			t.Errorf("%s: %d rules", name, len(out.Rules))
		}
		lap("rules")
	}
	if err != nil && pcp.AsFault(err).Kind == pcp.Internal {
		t.Errorf("%s: %v", name, err)
	}
	return list
}

// Of the texts that are opened together no more are read than people write.
func TestSettingsTogether(t *testing.T) {
	files := small(0).files()
	one := numbered(200_000, "", "d.x%d = a.b\n")
	for i := range 20 {
		files = append(files, file(fmt.Sprintf("my%d.conf", i), []byte(one)))
	}
	files = append(files, file("large.conf", []byte(numbered(300_000, "", "d.x%d = a.b\n"))))
	opened, err := core.NewSession(core.Options{}).Open(t.Context(), files, nil)
	if err != nil {
		t.Fatal(err)
	}
	bytes := 0
	for _, s := range opened.Settings {
		bytes += len(s.Text)
	}
	if bytes > 1<<20 || len(opened.Settings) != 5 || len(opened.Rejected) != 16 {
		t.Errorf("%d files of %d bytes are read, %d rejected", len(opened.Settings), bytes, len(opened.Rejected))
	}
}
