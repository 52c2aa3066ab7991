package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pcpscope/internal/reference"
)

// What the page first shows of an archive: dashboards on the left, the worst
// case of each resource, findings, and what was not logged.
func TestOverview(t *testing.T) {
	p := openPage(t)
	if got := text(p, "view-title"); got != "System overview" {
		t.Errorf("the page begins with %q", got)
	}
	// hinv.ncpu is 2 (pminfo -f -a web01 hinv.ncpu)
	if got := text(p, "panel-unit"); got != "% of all 2 CPUs" {
		t.Errorf("the first panel shows %q", got)
	}
	checkLoad(p)
	tiles := eval[map[string][]string](p, `Object.fromEntries([...document.querySelectorAll('[data-testid="tile"]')].map((e) => [e.dataset.resource, [...e.querySelectorAll('[data-testid="tile-cell"]')].map((c) => c.dataset.state)]))`)
	for _, resource := range []string{"CPU", "Memory", "Disks", "Filesystems", "Network"} {
		if len(tiles[resource]) != 3 {
			t.Errorf("%s is judged %v", resource, tiles[resource])
		}
	}
	const missingBoards = `document.querySelectorAll('[data-testid="board-missing"]').length`
	if n, line := eval[int](p, missingBoards), text(p, "boards-missing"); n != 0 || !strings.HasSuffix(line, " more, not in this archive") {
		t.Errorf("%d dashboards without data are listed before they are asked for; the line for them is %q", n, line)
	}
	click(p, id("boards-missing"))
	missing := eval[[]string](p, `[...document.querySelectorAll('[data-testid="board-missing"]')].map((e) => e.innerText)`)
	if !slices.ContainsFunc(missing, func(s string) bool { return strings.Contains(s, "GPU") }) { // no nvidia.* or amdgpu.* in pminfo -a web01
		t.Errorf("not in this archive: %q", missing)
	}
	p.shot("dashboards")
	click(p, `[data-board="disks"] button`)
	if got := text(p, "view-title"); got != "Disks" || !slices.Contains(titles(p), "Busy") {
		t.Errorf("the second dashboard is %q with %v", got, titles(p))
	}
	p.shot("dashboard-disks")
	click(p, id("undo"))
	if got := text(p, "view-title"); got != "System overview" {
		t.Errorf("undo goes to %q", got)
	}
	press(p, "2")
	if got := text(p, "view-title"); got != "CPU" {
		t.Errorf("the key 2 shows %q", got)
	}
	press(p, "t")
	if !visible(p, "as-tables") || eval[int](p, `document.querySelectorAll('.vt-row').length`) < 10 {
		t.Error("the key t does not show tables")
	}
	p.shot("tables")
}

// The dashboard about the collector describes how web01 was logged: the number
// of metrics, their interval, and the largest of them. Expected: the times
// printed by pmdumplog(1) and the output of pmlogsize -d; see
// core/metricsizes_test.go.
func TestHowItWasLogged(t *testing.T) {
	p := openPage(t)
	click(p, `[data-board="collector"] button`)
	rows := func(testid string) []string {
		return eval[[]string](p, `[...document.querySelectorAll('[data-testid="`+testid+`"]')].map((e) => [...e.children].map((c) => c.innerText).join(" | "))`)
	}
	groups := rows("logged-group")
	if len(groups) != 3 || groups[0] != "1 s | 732 | 300 | 999.9 ms | ±12.0 ms | 0 | 1.2 s | 10.2 MiB" || !strings.HasPrefix(groups[1], "10 s | 173 | 30 | 9.988 s | ±106.0 ms | 0 | 10.1 s | ") || !strings.HasPrefix(groups[2], "once | 45 | 1 | – ") {
		t.Errorf("groups %q", groups)
	}
	metrics := rows("logged-metric")
	if len(metrics) != 8 || metrics[0] != "sample.hordes.one | 300 | 150,000 | 1.1 MiB | 10.2 %" || metrics[2] != "kernel.all.interrupts.total | 300 | 9,900 | 197 KiB | 1.7 %" {
		t.Errorf("metrics %q", metrics)
	}
	click(p, id("all-sizes"))
	if first := eval[string](p, `document.querySelector('[data-testid="metrics-rows"] [data-testid="vt-row"]').innerText`); !strings.HasPrefix(first, "sample.hordes.one\n") || !strings.HasSuffix(first, "1.1 MiB") {
		t.Errorf("first of all is %q", first)
	}
	click(p, `[data-testid="logged-metric"] button`)
	if got := text(p, "detail-name"); got != "sample.hordes.one" {
		t.Errorf("a click shows %q", got)
	}
	p.accessible("how it was logged")
}

// Where a tile has no room, the name of the object is cut, and the measure and its value stay.
func TestTilesOfLongNames(t *testing.T) {
	p := open(t, "/")
	p.idle()
	base := filepath.Join(reference.Need(t, "corpus", "archives"), "all-irix-6.5.25")
	p.drop("body", base+".0", base+".meta", base+".index")
	p.idle()
	for _, width := range []int64{1440, 800} {
		p.resize(width, 900)
		p.idle()
		got := eval[[]string](p, `[...document.querySelectorAll('[data-resource="Disks"] [data-testid="tile-cell"]')[1].querySelectorAll("span")].map((e) => (e.scrollWidth > e.clientWidth ? "cut: " : "") + e.innerText)`)
		if width == 1440 && !slices.Equal(got, []string{"dks9d1", "queue 0.1"}) || got[len(got)-1] != "queue 0.1" {
			t.Errorf("on a page of %d pixels the tile says %q", width, got)
		}
	}
	p.shot("irix-overview")
}

// The big archive has problems to find: a disk that was saturated for an hour,
// and a clock that was set back.
func TestFindings(t *testing.T) {
	p := openBig(t)
	found := eval[[]string](p, `[...document.querySelectorAll('[data-testid="overview-finding"]')].map((e) => e.innerText)`)
	// pmval -a 20180416.10.00 -t 10 -i sdb disk.dev.avactive: 1 from 10:41:05 on
	at := slices.IndexFunc(found, func(s string) bool { return strings.Contains(s, "sdb 100 % busy for 59 min") })
	if at < 0 {
		t.Fatalf("the findings are %q", found)
	}
	if got := eval[string](p, `document.querySelector('[data-resource="Disks"] [data-testid="tile-cell"]').innerText`); got != "sdb 100 %" {
		t.Errorf("the worst of the disks is %q", got)
	}
	p.shot("big-overview")
	click(p, id("all-findings"))
	if !visible(p, "finding-pane") {
		t.Fatal("all findings are not shown")
	}
	eval[bool](p, `([...document.querySelectorAll('[data-testid="finding"]')].find((e) => e.innerText.includes("sdb")).click(), true)`)
	p.idle()
	if got := text(p, "window"); text(p, "view-title") != "Disks" || !strings.HasPrefix(got, "10:11:") {
		t.Errorf("the finding shows %q from %q on", text(p, "view-title"), got)
	}
	p.shot("big-finding")
}

// openBig shows the page after the big archive has been read.
func openBig(t *testing.T) *page {
	t.Helper()
	files := bigFiles(t)
	p := open(t, "/")
	p.idle()
	p.drop("body", files...)
	p.idle()
	return p
}

// Changing a rule changes findings, tiles and the lines in charts; a session
// stores it.
func TestRules(t *testing.T) {
	p := openPage(t)
	level := func() string {
		return eval[string](p, `document.querySelector('[data-testid="tile"][data-resource="CPU"] [data-testid="tile-cell"]').innerText`)
	}
	if got := level(); !strings.HasPrefix(got, "above 90 %") {
		t.Fatalf("the tile says %q", got)
	}
	click(p, id("tab-findings"))
	click(p, id("open-rules"))
	set := func(value string) {
		eval[bool](p, fmt.Sprintf(`(() => { const e = document.querySelector('[data-rule="cpuBusy"] input'); e.value = %q; e.dispatchEvent(new Event("change", { bubbles: true })); return true })()`, value))
		p.idle()
	}
	set("60")
	p.shot("rules")
	if got := level(); !strings.HasPrefix(got, "above 60 %") {
		t.Errorf("with a rule of 60 %% the tile says %q", got)
	}
	svg := func() string {
		eval[bool](p, `(globalThis.kept = [], URL.createObjectURL = (b) => (kept.push(b), ""), HTMLAnchorElement.prototype.click = function () {}, true)`)
		choose(p, eval[string](p, `document.querySelector('[data-testid="panel"]').dataset.metrics`), "panel-svg")
		until(p, "the picture", func() bool { return eval[int](p, `kept.length`) > 0 })
		return eval[string](p, `kept[0].text()`)
	}
	if got := svg(); !strings.Contains(got, "warning above 60 %") {
		t.Error("the line in the chart did not move")
	}
	if got := eval[string](p, `document.querySelector('[data-rule="cpuBusy"]').innerText`); !strings.Contains(got, "default is 90") {
		t.Errorf("the rule says %q", got)
	}
	set("")
	if got := level(); !strings.HasPrefix(got, "above 90 %") {
		t.Errorf("with the default value the tile says %q", got)
	}
}
