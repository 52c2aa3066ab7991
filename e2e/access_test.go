package e2e

import (
	"context"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The editor of derived metrics and the dialogs for saving and sharing are
// accessible.
func TestAccessibleDialogs(t *testing.T) {
	for _, dark := range []bool{false, true} {
		theme := map[bool]string{false: "light", true: "dark"}[dark]
		t.Run(theme, func(t *testing.T) {
			p := open(t, "/")
			p.must(p.Dark(dark))
			accessible, accessibleBesideCharts := p.in(dark)
			p.idle()
			p.drop("body", web01...)
			p.idle()
			editor(p, "disk.dev.total_bytes")
			accessible("editor")
			write(p, "derive-text", "delta(disk.dev.") // more than the list shows at once
			accessibleBesideCharts("completion")
			write(p, "derive-text", "disk.dev.total + disk.dev.total_bytes")
			accessibleBesideCharts("mistake")
			click(p, id("derive-language"))
			accessibleBesideCharts("language")
			click(p, id("close-language"))
			click(p, id("derive-cancel"))
			click(p, id("open-derived"))
			click(p, id("derive-paste"))
			accessibleBesideCharts("definitions")
			click(p, id("derive-cancel"))
			shortcut(p, "n")
			write(p, "note-text", "deploy")
			accessible("note")
			click(p, id("save-note"))
			click(p, id("share"))
			accessibleBesideCharts("share")
			p.shot("share-" + theme)
			click(p, id("close-share"))
			p.goTo("/?" + theme)
			p.idle()
			accessible("recent")
		})
	}
	t.Run("phone", func(t *testing.T) {
		p := openAt(t, "/", 390, 844)
		p.idle()
		p.drop("body", "testdata/mmv/acme")
		p.idle()
		p.accessible("watch")
		p.shot("watch-phone")
		click(p, id("source-menu"))
		click(p, id("menu-share"))
		p.accessible("share")
		p.shot("share-phone")
		press(p, kb.Escape)
		if visible(p, "share-card") {
			t.Error("Escape does not close the dialog")
		}
	})
}

// The numbers beside a chart form a table for screen readers, labelled with the
// chart they belong to.
func TestLegendIsATable(t *testing.T) {
	p := openPage(t)
	got := eval[[]string](p, `((e) => [e.getAttribute("aria-label"), [...e.querySelectorAll('[role="columnheader"]')].map((h) => h.textContent).join(), [...e.querySelectorAll('[role="rowheader"]')].map((h) => h.innerText).join(), ...[...e.querySelectorAll('[role="row"]')].map((r) => String(r.children.length))])(document.querySelector('[data-testid="panel"][data-metrics="kernel.all.load"] [role="table"]'))`)
	want := []string{"Statistics of Load", "Instance,valuelast,min,avg,p95,max,max at", "1 minute,5 minute,15 minute", "7", "7", "7", "7"}
	if !slices.Equal(got, want) {
		t.Errorf("the table is %q, want %q", got, want)
	}
	shortcut(p, "t")
	if got := eval[string](p, `document.querySelector('[data-testid="panel"][data-metrics="kernel.all.load"] .vt [role="table"]').getAttribute("aria-label")`); got != "Load" {
		t.Errorf("the chart as a table is called %q", got)
	}
}

// With forced colours, as in high contrast, series keep their colours, and what is selected is told by one.
func TestForcedColours(t *testing.T) {
	p := open(t, "/")
	p.must(p.Do(func(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}}})
		return chromedp.Void{}, err
	}))
	p.idle()
	p.drop("body", web01...)
	p.idle()
	if !eval[bool](p, `matchMedia("(forced-colors: active)").matches`) {
		t.Fatal("the browser does not force colours")
	}
	got := eval[map[string]int](p, `(() => {
	  const panel = document.querySelector("[data-testid=panel]"), canvas = panel.querySelector("canvas");
	  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
	  let coloured = 0;
	  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 100 && Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 60) coloured++;
	  const background = (e) => getComputedStyle(e).backgroundColor;
	  return {
	    series: new Set([...panel.querySelectorAll(".swatch:not(.hollow)")].map(background)).size,
	    pixels: coloured,
	    views: new Set([...document.querySelectorAll(".segments button")].map(background)).size,
	  };
	})()`)
	if got["series"] < 5 || got["pixels"] < 1000 || got["views"] < 2 {
		t.Errorf("%v; want a colour for each of the CPU's series, in the legend and the chart, and one for what is selected", got)
	}
}
