package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestTheme(t *testing.T) {
	p := openPage(t)
	surface := func() string {
		return eval[string](p, `getComputedStyle(document.querySelector(".topbar")).backgroundColor`)
	}
	light := surface()
	p.must(p.Dark(true))
	p.idle()
	if dark := surface(); dark == light {
		t.Error("the page does not follow the system's choice")
	}
	p.shot("dark")
	click(p, id("theme"))
	if got := surface(); got != light {
		t.Errorf("the button gives %q, want %q", got, light)
	}
	p.goTo("/")
	p.idle()
	if got := surface(); got != light {
		t.Error("the choice is lost on reload")
	}
}

func TestPhone(t *testing.T) {
	p := openAt(t, "/", 390, 844)
	p.idle()
	wide := func(when string) {
		if got := eval[int](p, "document.documentElement.scrollWidth"); got > 390 {
			t.Errorf("%s, the page is %d pixels wide", when, got)
		}
	}
	wide("empty")
	p.shot("phone-empty")
	p.choose(id("file-input"), web01...)
	p.idle()
	wide("with a source open")
	if got := text(p, "phone-window"); got != "21 Nov 2026, 03:49:02 – 03:54:02 UTC" {
		t.Errorf("the head reads %q", got)
	}
	p.shot("phone")
	click(p, id("nav-metrics"))
	p.shot("phone-metrics")
	filter(p, "kernel.all.pswitch")
	click(p, `[data-metric="kernel.all.pswitch"]`)
	p.shot("phone-details")
	click(p, id("add-to-panel"))
	if got := titles(p); !slices.Contains(got, "kernel.all.pswitch") {
		t.Errorf("the panels are %v", got)
	}
	wide("with another panel")
}

// Buttons that do not fit on a phone are in the menu More.
func TestMoreOnAPhone(t *testing.T) {
	p := openAt(t, "/", 390, 844)
	p.drop("body", web01...)
	p.idle()
	for _, page := range []string{"problems", "cursor", "processes", "summary", "records"} {
		click(p, id("nav-more"))
		click(p, id("more-"+page))
		p.idle()
		if eval[bool](p, `document.querySelector('[data-testid="drawer"]').hidden`) || visible(p, "more") {
			t.Errorf("%s does not open, or the list stays", page)
		}
		p.shot("phone-" + page)
	}
	click(p, id("nav-more"))
	p.shot("phone-more")
	click(p, id("more-share"))
	if !visible(p, "share-link") {
		t.Error("nothing is offered to share")
	}
	shortcut(p, "Escape")
	click(p, id("nav-more"))
	click(p, id("more-help"))
	if !visible(p, "help-card") {
		t.Error("there is no help")
	}
}

// Nothing makes the page wider than a phone, even if the texts beside a title
// do not fit; an open menu leaves the bar at the bottom reachable.
func TestNoWiderThanAPhone(t *testing.T) {
	files := bigFiles(t)
	p := openAt(t, "/", 390, 844)
	p.idle()
	p.drop("body", files...)
	p.idle()
	for _, dashboard := range []string{"processes", "cpu", "filesystems"} {
		click(p, id("nav-charts"))
		click(p, `[data-board="`+dashboard+`"] button`)
		p.idle()
		p.shot("phone-" + dashboard)
		if wide := eval[float64](p, `Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll(".app, .centre, .toolbar, .panels")].map((e) => e.scrollWidth))`); wide > 390 {
			t.Errorf("with the dashboard %s the page is %v pixels wide", dashboard, wide)
		}
		if eval[float64](p, `document.querySelector('[data-testid="view-title"]').clientWidth`) < 24 {
			t.Errorf("the title of %s has no room", dashboard)
		}
	}
	click(p, id("nav-time"))
	if !visible(p, "times") {
		t.Fatal("the menu of times does not open")
	}
	click(p, id("nav-time"))
	if visible(p, "times") {
		t.Error("the button that opened the menu of times does not close it")
	}
	click(p, id("nav-more"))
	click(p, id("more-processes"))
	click(p, id("processes-rows-columns"))
	if over := eval[bool](p, `[...document.querySelectorAll('[data-column]')].slice(0, 8).every((e) => { const b = e.getBoundingClientRect(); return document.elementFromPoint(b.left + 4, b.top + 4) === e; })`); !over {
		t.Error("something lies over the list of columns")
	}
}

// With reduced motion in the system's settings, sheets on a phone are not
// animated.
func TestReducedMotion(t *testing.T) {
	p := openAt(t, "/", 390, 844)
	p.idle()
	p.drop("body", web01...)
	p.idle()
	click(p, id("nav-metrics"))
	moving := `[...document.querySelectorAll("*")].filter((e) => getComputedStyle(e).transitionDuration.split(",").some((d) => parseFloat(d) > 0) || getComputedStyle(e).scrollBehavior === "smooth").map((e) => e.className)`
	if got := eval[[]string](p, moving); !slices.ContainsFunc(got, func(c string) bool { return strings.Contains(c, "rail") }) {
		t.Errorf("without that wish what moves is %q: the test sees nothing", got)
	}
	p.must(p.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}})
		return chromedp.Void{}, err
	}))
	if got := eval[[]string](p, moving); len(got) > 0 {
		t.Errorf("these move all the same: %q", got)
	}
}

// Windows can be compared on a phone too: one can scroll to the changes, and
// change the windows by dragging on the strip.
func TestCompareOnAPhone(t *testing.T) {
	p := openAt(t, "/?test=1", 390, 844)
	p.idle()
	p.drop("body", web01...)
	p.idle()
	click(p, id("nav-charts"))
	openTab(p, "tab-findings")
	click(p, id("open-compare"))
	p.idle()
	click(p, id("compare-windows"))
	before := text(p, "window-a")
	click(p, id("move-a"))
	if eval[bool](p, `document.querySelector('[data-testid="rail"]').classList.contains("open")`) {
		t.Fatal("the list lies upon the strip that is to be dragged on")
	}
	at := eval[[]float64](p, `((b) => [b.left, b.top + 20])(document.querySelector('[data-testid="pulse"]').getBoundingClientRect())`)
	mouse(p, input.DispatchMouseEventTypeMousePressed, at[0]+40, at[1], 1)
	mouse(p, input.DispatchMouseEventTypeMouseMoved, at[0]+120, at[1], 1)
	mouse(p, input.DispatchMouseEventTypeMouseReleased, at[0]+120, at[1], 0)
	p.idle()
	click(p, id("compare-windows"))
	if got := text(p, "window-a"); got == before || got == "" {
		t.Errorf("window A was %q and is %q", before, got)
	}
	press(p, kb.Escape)
	p.idle()
	room := eval[[]float64](p, `(() => { const c = document.querySelector(".compare"); c.scrollTop = c.scrollHeight; const b = document.querySelector('[data-testid="compare-table"] .vt-scroll').getBoundingClientRect(); return [b.top, b.bottom, document.querySelector(".phone-nav").getBoundingClientRect().top, document.scrollingElement.scrollWidth] })()`)
	if room[1]-room[0] < 300 || room[1] > room[2]+1 || room[3] > 390 {
		t.Errorf("what changed lies from %v to %v, the bar begins at %v, the page is %v wide", room[0], room[1], room[2], room[3])
	}
	p.shot("phone-compare")
}

// The keys have a text beside them that can be read on any screen: on a telephone, long
// lists of keys left it 20 pixels, and its words were cut off.
func TestHelpOnAPhone(t *testing.T) {
	for _, width := range []int64{390, 1440} {
		p := openAt(t, "/", width, 844)
		p.drop("body", web01...)
		p.idle()
		press(p, "?")
		p.shot(fmt.Sprintf("help-%d", width))
		if narrow := eval[[]string](p, `[...document.querySelectorAll('[data-testid="help-card"] .keys-table > span')].filter((e) => e.scrollWidth > e.clientWidth + 1 || e.clientWidth < 100).map((e) => e.clientWidth + " px: " + e.innerText)`); len(narrow) > 0 {
			t.Errorf("%d pixels: %d cells are too narrow, such as %q", width, len(narrow), narrow[0])
		}
	}
}
