package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// lines are the texts of the list below the search field, of one kind.
func lines(p *page, testid string) []string {
	p.t.Helper()
	return eval[[]string](p, `[...document.querySelectorAll('[data-testid="`+testid+`"]')].map((e) => e.innerText.replace(/\s+/g, " ").trim())`)
}

// Search looks in names, help, instances, labels and units; what is found is
// shown in groups, with what it is and whether it moves.
func TestSearchInGroups(t *testing.T) {
	p := openPage(t)
	shortcut(p, "/")
	press(p, "vda")
	if heads := lines(p, "search-head"); len(heads) == 0 || !strings.HasPrefix(heads[0], "Instances named vda") {
		t.Errorf("vda is found as %q", heads)
	}
	hits := lines(p, "search-hit")
	if len(hits) == 0 || !strings.Contains(hits[0], "[vda]") {
		t.Fatalf("hits: %q", hits)
	}
	p.shot("search-instances")
	press(p, kb.Escape)
	shortcut(p, "/")
	press(p, "read")
	hits = lines(p, "search-hit")
	p.shot("search-groups")
	more := lines(p, "search-more")
	if len(more) == 0 {
		t.Fatal("all are listed at once")
	}
	click(p, id("search-more"))
	if all := lines(p, "search-hit"); len(all) <= len(hits) {
		t.Errorf("%q lists no more: %d after %d", more[0], len(all), len(hits))
	}
	press(p, kb.Escape)
	shortcut(p, "/")
	press(p, "disk.dev.avactive")
	press(p, kb.Enter)
	if got := titles(p); !slices.Contains(got, "disk.dev.avactive") {
		t.Errorf("Enter adds nothing: %v", got)
	}
	shortcut(p, "/")
	press(p, "load average")
	if hits := lines(p, "search-hit"); len(hits) == 0 || !strings.HasPrefix(hits[0], "kernel.all.load") {
		t.Errorf("by help text: %q", hits)
	}
	press(p, kb.Escape)
	shortcut(p, "/")
	press(p, "6.18.44") // pminfo -f -a web01 kernel.uname.release
	if hits := lines(p, "search-hit"); !slices.ContainsFunc(hits, func(h string) bool { return strings.HasPrefix(h, "kernel.uname.release = 6.18.44") }) {
		t.Errorf("by value: %q", hits)
	}
	p.shot("search-values")
	press(p, kb.Escape)
	shortcut(p, "/")
	press(p, "zzzz")
	if said := text(p, "search-nothing"); !strings.Contains(said, "zzzz") {
		t.Errorf("for nothing found the page says %q", said)
	}
}

// With no text, or ">", the search lists what the page can do.
func TestCommands(t *testing.T) {
	p := openPage(t)
	shortcut(p, "/")
	if !visible(p, "command-zoom-in") || !strings.HasSuffix(lines(p, "command-zoom-in")[0], " w") {
		t.Errorf("commands: %q", lines(p, "command-zoom-in"))
	}
	p.shot("commands")
	press(p, ">last minute")
	press(p, kb.Enter)
	if got := text(p, "window"); got != "03:53:02 – 03:54:02" {
		t.Errorf("the last minute is %q", got)
	}
	shortcut(p, "/")
	press(p, ">back")
	press(p, kb.Enter)
	if got := text(p, "window"); got != "03:49:02 – 03:54:02" {
		t.Errorf("back is %q", got)
	}
	shortcut(p, "/")
	press(p, ">light or dark")
	press(p, kb.Enter)
	if got := eval[string](p, "document.documentElement.dataset.theme"); got != "dark" {
		t.Errorf("the theme is %q", got)
	}
	shortcut(p, "/")
	press(p, ">problems")
	press(p, kb.Enter)
	if !visible(p, "problem-list") {
		t.Error("the problems are not shown")
	}
}

func TestSearchOnAPhone(t *testing.T) {
	p := openAt(t, "/", 390, 844)
	p.idle()
	p.drop("body", web01...)
	p.idle()
	click(p, id("nav-search"))
	press(p, "vda") // the field has the focus
	p.shot("phone-search")
	if wide := eval[float64](p, "document.documentElement.scrollWidth"); wide > 390 {
		t.Errorf("the page is %v pixels wide", wide)
	}
	before := len(titles(p))
	click(p, id("search-hit"))
	if got := titles(p); len(got) != before+1 || visible(p, "search-hits") {
		t.Errorf("a tap shows %v", got)
	}
	p.must(p.Dark(true))
	click(p, id("nav-search"))
	p.idle()
	p.shot("phone-search-dark")
	click(p, id("close-search"))
	if visible(p, "search-hits") {
		t.Error("the search cannot be closed")
	}
}
