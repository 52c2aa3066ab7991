package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// row is a row of the tree: its text, whether it is dimmed, and the length of
// its sparkline in pixels.
type row struct {
	Text  string
	Dim   bool
	Spark int
}

func treeRows(p *page) map[string]row {
	p.t.Helper()
	return eval[map[string]row](p, `Object.fromEntries([...document.querySelectorAll('#tree .row')].map((r) => {
		const line = r.querySelector(".spark path"), shown = line?.checkVisibility() && getComputedStyle(line).stroke !== "none";
		return [r.dataset.testid + " " + r.dataset.metric, { Text: r.innerText.replace(/\s+/g, " "), Dim: r.classList.contains("dim"), Spark: shown ? Math.round(line.getTotalLength()) : 0 }];
	}))`)
}

// The tree shows which metrics change: others are dimmed and can be hidden.
func TestTreeShowsWhatMoves(t *testing.T) {
	p := openPage(t)
	filter(p, "kernel.all")
	p.shot("tree")
	filter(p, "kernel.all.load")
	if r := treeRows(p)["tree-metric kernel.all.load"]; r.Dim || r.Spark < 20 || !strings.HasSuffix(r.Text, "I –") {
		t.Errorf("kernel.all.load is %+v", r)
	}
	filter(p, "kernel.all.hz")
	if r := treeRows(p)["tree-metric kernel.all.hz"]; !r.Dim || r.Spark != 0 || !strings.Contains(r.Text, "const") { // pmval -a web01 kernel.all.hz: 100 throughout
		t.Errorf("kernel.all.hz is %+v", r)
	}
	click(p, id("hide-still"))
	if rows := treeRows(p); len(rows) != 0 {
		t.Errorf("without what is constant: %v", rows)
	}
	filter(p, "kernel.all.load")
	if rows := treeRows(p); rows["tree-metric kernel.all.load"].Text == "" {
		t.Errorf("without what is constant: %v", rows)
	}
	p.must(p.Dark(true))
	p.idle()
	p.shot("tree-dark")
}

// A metric added from the search is revealed in the tree; its siblings are
// counted, and shown on request, also by keyboard.
func TestTreeFoldsTheRest(t *testing.T) {
	p := openPage(t)
	click(p, id("tab-metrics"))
	shortcut(p, "/")
	press(p, "mem.util.slab")
	press(p, kb.Enter)
	rows := treeRows(p)
	if rows["tree-metric mem.util.slab"].Text == "" || rows["tree-metric mem.util.active"].Text != "" {
		t.Errorf("after the search: %v", rows)
	}
	more := rows["tree-more mem.util"].Text
	if !strings.HasSuffix(more, " more") {
		t.Fatalf("the rest of mem.util reads %q", more)
	}
	click(p, `[data-testid="tree-more"][data-metric="mem.util"]`)
	if rows = treeRows(p); rows["tree-metric mem.util.active"].Text == "" || rows["tree-more mem.util"].Text != "" {
		t.Errorf("after %q: %v", more, rows)
	}
}

// A new panel is of the selected metric; without one, the tree is where to select it.
func TestNewPanelAsksForAMetric(t *testing.T) {
	p := openPage(t)
	click(p, id("tab-boards"))
	click(p, id("new-panel"))
	if !visible(p, "tree-filter") {
		t.Error("nothing happened, and no tree to select a metric in")
	}
	p.shot("new-panel")
}
