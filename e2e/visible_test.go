package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"pcpscope/internal/recording"
)

// inside reports whether an element lies entirely within the visible area of
// another.
func inside(p *page, inner, outer string) bool {
	p.t.Helper()
	return eval[bool](p, fmt.Sprintf(`(() => { const a = document.querySelector(%q)?.getBoundingClientRect(), b = document.querySelector(%q).getBoundingClientRect();
		return !!a && a.width > 0 && a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1 })()`, inner, outer))
}

// A new panel is fully visible, together with the details that open beside it
// and rows that arrive later.
func TestNewPanelIsSeen(t *testing.T) {
	p := openPage(t)
	for _, metric := range []string{"mem.util.free", "disk.dev.read", "kernel.percpu.cpu.user"} {
		click(p, id("search"))
		write(p, "search", metric)
		p.must(p.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
			for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
				if _, err := chromedp.Call(ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: "Enter", Modifiers: 8}); err != nil {
					return chromedp.Void{}, err
				}
			}
			return chromedp.Void{}, nil
		}))
		p.idle()
		last := fmt.Sprintf(`[data-testid="panel"][data-metrics="%s"]`, metric)
		until(p, "the panel of "+metric, func() bool { return inside(p, last, id("panels")) })
	}
}

// Long names leave room for their neighbours, and are shown in full in a
// tooltip.
func TestLongNames(t *testing.T) {
	agents := filepath.Join(t.TempDir(), "pminfo.txt")
	const metric = "application.server.request.processing.pipeline.stage.authentication.subsystem.token.validation.duration.total.milliseconds"
	if err := os.WriteFile(agents, []byte(metric+"|double|none|instant|none\nkernel.all.load|double|60.2|instant|none\nword.state|string|none|discrete|none"), 0o600); err != nil {
		t.Fatal(err)
	}
	const host = "ip-10-200-134-217.eu-central-1.compute.internal.production.customer-cluster.example.org"
	files := recording.Recording{Agents: agents, Host: host, Step: 10e9, Values: map[string]map[string]any{
		metric:            {"": recording.Rising(20, 0, 5)},
		"kernel.all.load": {"1 minute": recording.Rising(20, 0, 5710)},
		"word.state":      {"": recording.Steady(20, "running")},
	}}.Write(t)
	for _, width := range []int64{1440, 390} {
		p := openAt(t, "/", width, 844)
		p.idle()
		p.drop("body", files...)
		p.idle()
		if width == 1440 {
			if !inside(p, id("worst-minute"), id("pulse-info")) {
				t.Error("the worst minute is pushed out of its place")
			}
			filter(p, metric)
			if w := eval[float64](p, `document.querySelector('[data-metric="`+metric+`"] .name').getBoundingClientRect().width`); w < 60 {
				t.Errorf("in the tree the name has %v px", w)
			}
		}
		if cut := width < 1024 && eval[bool](p, `(() => { const e = document.querySelector('[data-testid="source-title"]'); return e.getBoundingClientRect().right > e.parentElement.getBoundingClientRect().right + 1 })()`); cut {
			t.Errorf("at %d px the host's name ends without a sign that there is more", width)
		}
		click(p, id("source-menu"))
		if got := eval[bool](p, `(() => { const e = document.querySelector('[data-testid="source"] .strong'); return e.scrollWidth <= e.clientWidth + 1 })()`); !got {
			t.Errorf("at %d px the menu cuts the host's name", width)
		}
		shortcut(p, "Escape")
		p.shot(fmt.Sprintf("long-names-%d", width))
		if width == 1440 { // constant texts need no tooltip
			pick(p, "word.state")
			click(p, id("add-new-panel"))
			if got := eval[string](p, `document.querySelector('[data-metrics="word.state"] [data-testid="panel-unit"]').innerText`); got != "no change" {
				t.Errorf("a text that never changes is said to have %q", got)
			}
		}
	}
}

// A tab opened from a phone's menu is scrolled into view.
func TestTabOfAPhone(t *testing.T) {
	p := openAt(t, "/", 390, 844)
	p.idle()
	p.drop("body", web01...)
	p.idle()
	for _, tab := range []string{"problems", "processes"} {
		click(p, id("nav-more"))
		click(p, id("more-"+tab))
		until(p, "the tab "+tab, func() bool { return inside(p, id("tab-"+tab), ".drawer-tabs") })
		if tab == "problems" {
			click(p, id("close-drawer"))
		}
	}
}

// Below a list of commands, the page says what Enter does.
func TestSearchFooter(t *testing.T) {
	p := openPage(t)
	click(p, id("search"))
	p.idle()
	foot := func() string {
		return eval[string](p, `[...document.querySelectorAll(".hits .foot")].filter((e) => e.checkVisibility()).map((e) => e.innerText).join("|")`)
	}
	if got := foot(); strings.Contains(got, "panel") || !strings.Contains(got, "Enter runs it") {
		t.Errorf("below commands stands %q", got)
	}
	write(p, "search", "disk.dev.read")
	if got := foot(); !strings.Contains(got, "Enter adds to the last panel") || strings.Contains(got, "|") {
		t.Errorf("below metrics stands %q", got)
	}
}

// The bars of a table keep their length under a filter.
func TestBarsUnderAFilter(t *testing.T) {
	p := openBig(t)
	click(p, `[data-board="processes"] button`)
	click(p, id("tab-processes"))
	p.idle()
	eval[bool](p, `(() => { const f = document.querySelector('[data-testid="processes-rows-filter"]'); f.value = "cc1plus"; f.dispatchEvent(new Event("input")); return true })()`)
	p.idle()
	widths := eval[[]float64](p, `[...document.querySelectorAll('[data-testid="processes-table"] .vt-row .bar i')].map((e) => parseFloat(e.style.width))`)
	if len(widths) == 0 || slices.Max(widths) > 5 { // each used less than 0.1 % of a CPU on average; the largest used 15 %
		t.Errorf("bars of small values fill %v %% of their cells", widths)
	}
}

// On a phone a problem is also shown in full sentences.
func TestProblemsOnAPhone(t *testing.T) {
	files, _ := damaged(t)
	p := openAt(t, "/", 390, 844)
	p.idle()
	p.drop("body", files...)
	p.idle()
	click(p, id("nav-more"))
	click(p, id("more-problems"))
	click(p, id("inspect"))
	p.idle()
	if n := eval[int](p, `document.querySelectorAll('[data-testid="problem"] .two .strong').length`); n == 0 {
		t.Fatal("no problem is listed")
	}
	if got := eval[[]string](p, `[...document.querySelectorAll('[data-testid="problem"] .two > span')].filter((e) => e.scrollHeight > e.clientHeight + 1).map((e) => e.textContent)`); len(got) > 0 {
		t.Errorf("these are cut: %q", got)
	}
	p.shot("problems-phone")
}
