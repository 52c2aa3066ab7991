package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// writeRules replaces the rules, by typing.
func writeRules(p *page, text string) {
	p.t.Helper()
	p.must(p.Do(chromedp.Click(chromedp.CSS(id("rules-text")))))
	eval[bool](p, `(document.activeElement.select(), true)`)
	press(p, text)
}

func laneTimes(p *page, rule string) []string {
	p.t.Helper()
	return eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll('[data-rule="%s"] [data-testid="lane-true"]')].map((e) => e.dataset.start.slice(11, 19) + " " + e.dataset.end.slice(11, 19))`, rule))
}

// When these rules were true, as pmie -V -a (6.0.3) prints it for web01, every 10 s
// from 03:49:02: from the first evaluation that is true until the first that is not.
var busyTimes = []string{"03:49:32 03:49:42", "03:49:52 03:51:12", "03:51:52 03:52:02"}

// Rules are typed and run, and a lane each shows when they were true.
func TestRuleLanes(t *testing.T) {
	p := openPage(t)
	click(p, id("tab-findings"))
	click(p, id("open-lanes"))
	if !strings.Contains(eval[string](p, `document.querySelector('#rules-text').value`), "some_inst") {
		t.Error("there is no example")
	}
	writeRules(p, "busy = kernel.all.cpu.user + kernel.all.cpu.sys > 0.5 * hinv.ncpu;\ndisks = some_inst disk.dev.total > 60 count/sec -> print \"busy disks:\" \" %i\";\ndisk = disk.dev.total > 60 count/sec;")
	click(p, id("run-rules"))
	if got := laneTimes(p, "busy"); !slices.Equal(got, busyTimes) {
		t.Errorf("busy is true at %q, pmie says %q", got, busyTimes)
	}
	if got := laneTimes(p, "disk"); len(got) == 0 || !slices.Equal(got, laneTimes(p, "disks")) {
		t.Errorf("the only disk is busy at %q, some disk at %q", got, laneTimes(p, "disks"))
	}
	if got := texts(p, `[data-rule="disks"] [data-testid="lane-says"]`); !slices.Equal(got, []string{"busy disks: vda"}) {
		t.Errorf("it says %q", got)
	}
	p.shot("rules")
	p.must(p.Dark(true))
	dark, _ := p.in(true)
	dark("lanes of rules, in the dark theme")
	p.shot("rules-dark")
	p.must(p.Dark(false))
	click(p, `[data-rule="busy"] [data-testid="lane-true"][data-start*="03:49:52"]`)
	if got := text(p, "window"); got != "03:49:12 – 03:51:52" {
		t.Errorf("a click shows %q", got)
	}
	if !strings.Contains(text(p, "lanes-base"), "Run evaluates the window") {
		t.Errorf("it says %q", text(p, "lanes-base"))
	}

	click(p, id("insert-thresholds"))
	click(p, id("run-rules"))
	if got := text(p, "rules-fault"); got != "" {
		t.Errorf("of its own thresholds the page says %q", got)
	}
	for _, said := range texts(p, id("lane-says")) {
		if strings.Contains(said, "column") {
			t.Errorf("of its own thresholds the page says %q", said)
		}
	}
	if len(laneTimes(p, "busy")) == 0 || len(texts(p, `[data-rule="load"]`)) == 0 {
		t.Error("there is no lane of the user's rule, or none of a threshold")
	}

	writeRules(p, "delta = 5 sec;\nbusy = kernel.all.load > > 3;")
	click(p, id("run-rules"))
	if got := text(p, "rules-fault") + strings.Join(texts(p, id("lane-says")), ""); !strings.HasPrefix(got, "Line 2, column 26: ") {
		t.Errorf("of a fault it says %q", got)
	}

	// Below the thresholds of the findings there is the way to them.
	click(p, id("close-lanes"))
	click(p, id("open-rules"))
	click(p, id("thresholds-as-rules"))
	p.idle()
	if got := texts(p, `[data-rule="load"] [data-testid="lane-often"]`); len(got) != 1 {
		t.Errorf("of the load there is %q", got)
	}
}

// Files of rules that are dropped are run.
func TestRuleLanesDropped(t *testing.T) {
	p := openPage(t)
	file := filepath.Join(t.TempDir(), "load.pmie")
	if err := os.WriteFile(file, []byte("high = kernel.all.load #'1 minute' > 2;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.drop("body", file)
	p.idle()
	if got := text(p, "lanes-file"); got != "load.pmie" {
		t.Errorf("the rules are from %q", got)
	}
	if len(laneTimes(p, "high")) == 0 {
		t.Errorf("it is never true, it says %q", text(p, "lane-often"))
	}
}
