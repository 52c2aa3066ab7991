package e2e

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

var web01 = []string{"testdata/live/web01.0.zst", "testdata/live/web01.meta", "testdata/live/web01.index"}

func id(testid string) string { return `[data-testid="` + testid + `"]` }

// text is the text of an element; "" if there is none.
func text(p *page, testid string) string {
	p.t.Helper()
	return eval[string](p, fmt.Sprintf("document.querySelector('%s')?.innerText ?? ''", id(testid)))
}

func visible(p *page, testid string) bool {
	p.t.Helper()
	return eval[bool](p, fmt.Sprintf("document.querySelector('%s')?.checkVisibility() ?? false", id(testid)))
}

func click(p *page, selector string) {
	p.t.Helper()
	eval[bool](p, `(async () => {
	  // A menu moves, once it has been drawn, to where there is room for it: it has
	  // found its place when it is the same in some frames, and nothing covers the entry.
	  // On a busy machine a frame may take a second, and a drawing may replace the entry.
	  const found = () => document.querySelector(`+quoted(selector)+`), end = performance.now() + 20000;
	  for (let was = "", same = found()?.closest(".menu") ? 0 : 5; same < 5 && performance.now() < end;) {
	    found()?.scrollIntoView({ block: "nearest" });
	    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)));
	    const e = found();
	    if (!e) break;
	    const box = e.getBoundingClientRect(), is = JSON.stringify(box);
	    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
	    same = is === was && e.contains(top) ? same + 1 : 0;
	    was = is;
	  }
	  return true;
	})()`)
	p.must(p.Do(chromedp.Click(chromedp.CSS(selector))))
	p.idle()
}

func press(p *page, keys string) {
	p.t.Helper()
	p.must(p.Do(chromedp.KeyEvent(keys)))
	p.idle()
}

// shortcut presses a shortcut key without sending a character: press would
// send one as well, to whatever has the focus by then.
func shortcut(p *page, key string) {
	p.t.Helper()
	p.must(p.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
			if _, err := chromedp.Call(ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: key}); err != nil {
				return chromedp.Void{}, err
			}
		}
		return chromedp.Void{}, nil
	}))
	p.idle()
}

// filter types into the field above the tree, replacing its text.
func filter(p *page, what string) {
	p.t.Helper()
	if !visible(p, "tree-filter") {
		click(p, id("tab-metrics"))
	}
	eval[bool](p, fmt.Sprintf("(document.querySelector('%s').select(), document.querySelector('%s').focus(), true)", id("tree-filter"), id("tree-filter")))
	press(p, what)
}

// pick finds a metric in the tree and selects it.
func pick(p *page, metric string) {
	p.t.Helper()
	filter(p, metric)
	click(p, fmt.Sprintf(`[data-metric="%s"]`, metric))
}

// legend is the table of one panel: for each series name, its cells.
func legend(p *page, metric string) map[string][]string {
	p.t.Helper()
	return eval[map[string][]string](p, fmt.Sprintf(`Object.fromEntries([...document.querySelectorAll('[data-testid="panel"]')]
		.filter((e) => e.dataset.metrics.split(", ").includes(%q))
		.flatMap((e) => [...e.querySelectorAll('[data-testid="legend-row"]')])
		.map((r) => [r.dataset.series, ["now", "avg", "p95", "max", "max-at"].map((c) => r.querySelector('[data-testid="' + c + '"]').innerText)]))`, metric))
}

func titles(p *page) []string {
	p.t.Helper()
	return eval[[]string](p, `[...document.querySelectorAll('[data-testid="panel-title"]')].map((e) => e.innerText)`)
}

// openPage opens the page and drops web01 on it.
func openPage(t *testing.T) *page {
	t.Helper()
	p := open(t, "/")
	p.idle()
	p.drop("body", web01...)
	p.idle()
	return p
}

// The statistics of kernel.all.load in web01: average, maximum and its time as
// printed by pmlogsummary -mMyI (PCP 6.0.3), and the 95th percentile of the 300
// values printed by pmdumplog, interpolated between ranks as R's type 7.
var load = map[string][]string{
	"kernel.all.load[1 minute]":  {"2.14", "5.02", "5.38", "03:50:25"},
	"kernel.all.load[5 minute]":  {"2.41", "3.01", "3.05", "03:50:45"},
	"kernel.all.load[15 minute]": {"2.02", "2.19", "2.21", "03:50:45"},
}

func checkLoad(p *page) {
	p.t.Helper()
	rows := legend(p, "kernel.all.load")
	if len(rows) != len(load) {
		p.t.Errorf("kernel.all.load has the lines %v", rows)
	}
	for name, want := range load {
		if got := rows[name]; len(got) != 5 || !slices.Equal(got[1:], want) {
			p.t.Errorf("%s reads %v, want avg, p95, max, max at %v", name, got, want)
		}
	}
}
