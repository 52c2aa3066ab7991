package e2e

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// lines are the texts in the list of search results, of one kind.
func lines(p *page, testid string) []string {
	p.t.Helper()
	return eval[[]string](p, `[...document.querySelectorAll('[data-testid="`+testid+`"]')].map((e) => e.innerText.replace(/\s+/g, " ").trim())`)
}

// The search covers names, help, instances, labels and units; results are
// grouped, with a description and whether they change.
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
		t.Errorf("without a match the page says %q", said)
	}
}

// Without text, or with ">", the search lists commands.
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
	press(p, "vda") // the field is focused
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

// A single instance in every panel that has it: offered in the search, named
// above the panels, and undone there or by undo.
func TestShowOnlyOneInstance(t *testing.T) {
	p := openPage(t)
	only := func() []string {
		return eval[[]string](p, `[...document.querySelectorAll('[data-testid="panel"][data-metrics="network.interface.in.bytes"] [data-testid="series"] .label')].map((e) => e.innerText)`)
	}
	pick(p, "network.interface.in.bytes")
	click(p, id("add-new-panel"))
	all := only()
	if len(all) < 2 {
		t.Fatalf("the panel has the lines %q", all)
	}
	shortcut(p, "/")
	press(p, "lo")
	scrollHits(p)
	if got := lines(p, "command-only"); len(got) != 1 || !strings.HasPrefix(got[0], "Show only lo in every panel") {
		t.Fatalf("offered is %q", got)
	}
	click(p, id("command-only"))
	if got := only(); !slices.Equal(got, []string{"lo"}) {
		t.Errorf("of %q these are left: %q", all, got)
	}
	if got := text(p, "show-all"); got != "only lo" {
		t.Errorf("above the panels it says %q", got)
	}
	if got := eval[int](p, `document.querySelectorAll('[data-testid="panel"][data-metrics="kernel.all.load"] [data-testid="series"]').length`); got != 3 {
		t.Errorf("a panel without it has %d lines, want 3", got)
	}
	p.shot("only")
	// so there is no choice of instances
	shortcut(p, "/")
	press(p, "vda")
	if !slices.ContainsFunc(lines(p, "search-hit"), func(l string) bool { return strings.Contains(l, "disk.dev.") }) {
		t.Fatalf("vda is found in %q", lines(p, "search-hit"))
	}
	scrollHits(p)
	if got := lines(p, "command-only"); len(got) != 0 {
		t.Errorf("for the only disk it offers %q", got)
	}
	press(p, kb.Escape)
	click(p, id("show-all"))
	if got := only(); !slices.Equal(got, all) || visible(p, "show-all") {
		t.Errorf("all again are %q, were %q", got, all)
	}
	click(p, id("undo"))
	if got := only(); !slices.Equal(got, []string{"lo"}) {
		t.Errorf("after undo these are left: %q", got)
	}
}

// A tap adds to the last panel, a long press makes a new one, and a swipe
// scrolls.
func TestHoldOnAPhone(t *testing.T) {
	p := openAt(t, "/", 390, 844)
	p.idle()
	p.drop("body", web01...)
	p.idle()
	touch := func(metric string, stay time.Duration, down float64) {
		t.Helper()
		click(p, id("nav-search"))
		press(p, metric)
		at := eval[[]float64](p, `((b) => [b.left + 40, b.top + b.height / 2])(document.querySelector('[data-testid="search-hit"]').getBoundingClientRect())`)
		send := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
			p.must(p.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
				_, err := chromedp.Call(ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
				return chromedp.Void{}, err
			}))
		}
		send(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: at[0], Y: at[1]})
		if down > 0 {
			send(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: at[0], Y: at[1] + down})
		}
		time.Sleep(stay)
		send(input.DispatchTouchEventTypeTouchEnd)
		p.idle()
	}
	click(p, id("nav-search"))
	press(p, "kernel.all.nprocs")
	press(p, kb.Enter)
	before := titles(p)
	touch("kernel.all.nusers", 900*time.Millisecond, 0)
	held := titles(p)
	if len(held) != len(before)+1 || held[len(held)-1] != "kernel.all.nusers" || visible(p, "search-hits") {
		t.Fatalf("held, the panels are %q, were %q", held, before)
	}
	touch("kernel.all.uptime", 900*time.Millisecond, 30)
	if got := titles(p); !slices.Equal(got, held) || !visible(p, "search-hits") {
		t.Errorf("a finger that moves makes %q", got)
	}
	press(p, kb.Escape)
	touch("kernel.all.running", 0, 0)
	if got := titles(p); len(got) != len(held) || got[len(got)-1] != "kernel.all.nusers, kernel.all.running" {
		t.Errorf("tapped, the panels are %q, were %q", got, held)
	}
}
