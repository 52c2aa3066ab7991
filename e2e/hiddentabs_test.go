package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// A tab whose content changes while it is hidden is up to date when it is
// opened.
func TestHiddenTabsComeUpToDate(t *testing.T) {
	p := openPage(t)
	openTab(p, "tab-metrics")
	if _, there := treeRows(p)["tree-metric mem.util.slab"]; there {
		t.Fatal("the metric is in the tree before it was found")
	}
	openTab(p, "tab-boards")
	shortcut(p, "/")
	press(p, "mem.util.slab")
	press(p, kb.Enter)
	openTab(p, "tab-metrics")
	if rows := treeRows(p); rows["tree-metric mem.util.slab"].Text == "" {
		t.Errorf("what was added meanwhile is not in the tree: %v", rows)
	}
	selected := func() []string {
		return eval[[]string](p, `[...document.querySelectorAll('.board.selected .name')].map((e) => e.innerText)`)
	}
	for _, key := range []string{"3", "2"} {
		openTab(p, "tab-metrics")
		shortcut(p, key)
		shown := text(p, "view-title")
		openTab(p, "tab-boards")
		if got := selected(); !slices.Equal(got, []string{shown}) {
			t.Errorf("the dashboard on the page is %q, in the list %q", shown, got)
		}
	}
	openTab(p, "tab-findings")
	click(p, id("open-compare"))
	openTab(p, "tab-boards")
	if got := selected(); len(got) != 0 {
		t.Errorf("while windows are compared %q is selected", got)
	}
	press(p, "b") // moves window B
	moved := text(p, "compare")
	openTab(p, "tab-findings")
	if !visible(p, "compare-controls") {
		t.Errorf("the controls of the comparison are missing; the range is %q", moved)
	}
	click(p, id("end-compare"))
	openTab(p, "tab-findings")
	if visible(p, "compare-controls") {
		t.Error("the controls stay when the comparison is over")
	}
}

// The search results are listed as far as they are visible; scrolling and
// arrow keys load the rest.
func TestLongSearchIsScrolled(t *testing.T) {
	p := openPage(t)
	shortcut(p, "/")
	commands := func() int { return len(lines(p, "search-head")) + countOf(p, `#search-list .command`) }
	var all int
	if _, err := fmt.Sscan(strings.TrimPrefix(lines(p, "search-head")[0], "Commands "), &all); err != nil {
		t.Fatalf("%q: %v", lines(p, "search-head"), err)
	}
	if got := commands(); got >= all {
		t.Errorf("all of %d commands are listed at once", all)
	}
	bottom := `((list) => list.getBoundingClientRect().bottom - list.querySelector(".line:last-child").getBoundingClientRect().bottom)(document.getElementById("search-list"))`
	if gap := eval[float64](p, bottom); gap > 0 {
		t.Errorf("the list ends %v pixels above its bottom edge", gap)
	}
	scrollHits(p)
	if got := commands(); got != all+1 {
		t.Errorf("scrolled to its end the list has %d lines; the heading says %d commands", got, all)
	}
	press(p, kb.Escape)
	shortcut(p, "/")
	if got := commands(); got >= all {
		t.Errorf("opened anew, all of %d commands are listed at once", all)
	}
	press(p, kb.ArrowUp) // to the last line
	if got := countOf(p, `#search-list .command.on`); got != 1 || commands() != all+1 {
		t.Errorf("the last command: %d selected, with %d lines of %d", got, commands(), all+1)
	}
}

// scrollHits scrolls the search results to the end, which takes more than one
// step.
func scrollHits(p *page) {
	p.t.Helper()
	for before := -1; before != countOf(p, "#search-list .line"); {
		before = countOf(p, "#search-list .line")
		eval[bool](p, `new Promise((done) => { document.getElementById("search-list").scrollTop = 1e6; requestAnimationFrame(() => requestAnimationFrame(() => done(true))); })`)
		p.idle()
	}
}

func countOf(p *page, selector string) int {
	p.t.Helper()
	return eval[int](p, fmt.Sprintf(`document.querySelectorAll(%q).length`, selector))
}
