package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// looks is the visible state of a source's view.
func looks(p *page) map[string]string {
	p.t.Helper()
	return eval[map[string]string](p, `(() => {
		const one = (id) => document.querySelector('[data-testid="' + id + '"]')?.innerText ?? "";
		const all = (css, of) => [...document.querySelectorAll(css)].filter((e) => e.checkVisibility()).map(of).join("\n");
		const looks = {
			window: one("window"), zone: one("zone"), title: one("view-title"), cursor: document.getElementById("ruler-head")?.innerText ?? "",
			tab: all('[role="tab"][aria-selected="true"]', (e) => e.dataset.testid), columns: all(".toolbar .on", (e) => e.dataset.testid),
			details: one("detail-name"), drawer: all(".drawer-tabs .on", (e) => e.dataset.testid),
			filter: all('.drawer .vt-bar input', (e) => e.value), sorted: all('.drawer [role="columnheader"]:not([aria-sort="none"])', (e) => e.innerText + e.ariaSort), rows: all('.drawer [role="row"]', (e) => e.innerText),
			a: one("window-a"), b: one("window-b"), families: all('[data-testid="family"]', (e) => e.dataset.family + e.checked), effect: document.querySelector('[data-testid="least-effect"]')?.value ?? "",
		};
		document.querySelector(".panels")?.scrollTo(0, 0); // the scroll position is not part of the view
		const floor = document.querySelector(".panels")?.getBoundingClientRect().bottom; // the upper edge of the drawer
		for (const e of document.querySelectorAll('[data-testid="panel"]')) {
			if (!e.checkVisibility() || e.getBoundingClientRect().top > floor) continue; // panels out of sight are not fetched
			looks["panel " + e.dataset.metrics] = [e.className, e.querySelector(".chart").className, e.querySelector('[data-testid="panel-unit"]').innerText,
				...[...e.querySelectorAll(".legend-row.body")].filter((r) => r.checkVisibility()).map((r) => r.className + r.querySelector(".swatch").className + r.innerText), e.querySelector(".chart").getAttribute("aria-label"), ...[...e.querySelectorAll('[role="row"]')].slice(0, 3).map((r) => r.innerText)].join("\n");
		}
		return looks;
	})()`)
}

func compareLooks(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s: %s is\n%s\nand was\n%s", what, k, got[k], v)
		}
	}
	for k := range got {
		if _, ok := want[k]; !ok {
			t.Errorf("%s: there is a %s that was not there", what, k)
		}
	}
}

// scales are the settings in a panel's menu that are not visible otherwise.
func scales(p *page, metric string) string {
	p.t.Helper()
	click(p, fmt.Sprintf(`[data-testid="panel"][data-metrics="%s"] %s`, metric, id("panel-menu")))
	said := eval[string](p, `[...document.querySelectorAll('[data-testid="panel-menu-items"] .on')].map((e) => e.dataset.testid).join() + "|" + ["scale-low", "scale-high", "line-filter"].map((t) => document.querySelector('[data-testid="' + t + '"]').value).join() + "|" + document.querySelector('[data-testid="panel-dots"]').innerText + document.querySelector('[data-testid="panel-tall"]').innerText`)
	shortcut(p, "Escape")
	return said
}

// Every setting is restored from a link and from a session file, on a page
// with empty storage.
func TestWholeView(t *testing.T) {
	p := openPage(t)
	const load, total, dirty = "kernel.all.load", "disk.dev.total", "mem.util.dirty"
	editor(p, load)
	write(p, "derive-text", "kernel.all.load * 100")
	write(p, "derive-name", "my.load")
	click(p, id("derive-save"))
	click(p, id("tab-boards"))
	click(p, id("new-board"))
	for _, m := range []string{load, total, dirty} {
		pick(p, m)
		click(p, id("add-new-panel"))
	}
	// The time zone, the window, a note.
	click(p, id("time-menu"))
	typeInto(p, "zone-name", "Asia/Tokyo\r")
	typeInto(p, "time-from", "@12:50")
	typeInto(p, "time-to", "+2min")
	click(p, id("time-show"))
	shortcut(p, "n")
	write(p, "note-text", "deploy")
	shortcut(p, "Enter")
	// What is drawn, and how.
	choose(p, load, "order-avg")
	choose(p, load, "scale-log")
	choose(p, load, "panel-dots")
	choose(p, load, "panel-tall")
	series := fmt.Sprintf(`[data-testid="panel"][data-metrics="%s"] [data-series="%s[5 minute]"] %s`, load, load, id("series"))
	click(p, series)
	click(p, fmt.Sprintf(`[data-testid="panel"][data-metrics="%s"] %s`, dirty, id("panel-menu")))
	typeInto(p, "scale-low", "1\r")
	typeInto(p, "scale-high", "9\r")
	shortcut(p, "Escape")
	shortcut(p, "Escape")
	choose(p, total, "style-rows")
	click(p, id("columns-2"))
	click(p, id("tab-findings"))
	// The drawer: one of its pages, sorted and filtered.
	click(p, id("tab-summary"))
	sortBy(p, "summary-table", "maximum")
	sift(p, "summary-rows", "^kernel.all.(load|cpu)")
	p.idle()
	want := looks(p)
	wantScales := scales(p, load) + scales(p, dirty)
	for k, has := range map[string]string{"zone": "UTC+9", "window": "12:50:00", "sorted": "maximum", "rows": "kernel.all.load", "columns": "columns-2", "tab": "tab-findings", "panel " + load: "solo", "panel " + total: "tabular"} {
		if !strings.Contains(want[k], has) {
			t.Fatalf("the test is wrong: %s is %q", k, want[k])
		}
	}
	p.shot("whole-view")
	click(p, id("share"))
	link := value(p, "share-link")
	files := kept(p)
	click(p, id("save-session"))
	path := filepath.Join(t.TempDir(), "session.json")
	if err := os.WriteFile(path, []byte(files()[0]), 0o644); err != nil {
		t.Fatal(err)
	}
	check := func(what string, q *page) {
		t.Helper()
		q.drop("body", web01...)
		q.idle()
		if visible(q, "notes") {
			t.Errorf("%s: the page says %q", what, text(q, "notes"))
		}
		compareLooks(t, what, looks(q), want)
		if got := scales(q, load) + scales(q, dirty); got != wantScales {
			t.Errorf("%s: the menus say\n%s\nand said\n%s", what, got, wantScales)
		}
		q.shot("whole-view-back")
		click(q, id("share"))
		if got := text(q, "note"); !strings.Contains(got, "deploy") {
			t.Errorf("%s: the note has become %q", what, got)
		}
	}
	q := open(t, link[strings.LastIndex(link, "/#"):])
	q.idle()
	check("from a link", q)
	r := open(t, "/")
	r.idle()
	r.drop("body", path)
	r.idle()
	check("from a file", r)
}

// The same for what cannot be on screen at the same time: a comparison of two
// windows, tables in place of charts, the values at the cursor.
func TestWholeComparison(t *testing.T) {
	p := openPage(t)
	click(p, id("as-tables"))
	click(p, id("tab-cursor"))
	click(p, id("as-charts"))
	p.idle()
	left, top, width, height := plot(p, "kernel.all.load")
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width/3, top+height/2, 0)
	p.idle()
	click(p, id("as-tables"))
	sift(p, "cursor-rows", "load")
	p.idle()
	want := looks(p)
	if want["cursor"] == "last" || !strings.Contains(want["rows"], "kernel.all.load") || !strings.Contains(want["columns"], "as-tables") {
		t.Fatalf("the test is wrong: %q", want)
	}
	click(p, id("share"))
	link := value(p, "share-link")
	q := open(t, link[strings.LastIndex(link, "/#"):])
	q.idle()
	q.drop("body", web01...)
	q.idle()
	compareLooks(t, "tables", looks(q), want)

	shortcut(p, "Escape")
	shortcut(p, "/")
	press(p, ">compare this")
	press(p, "\r")
	click(p, id("move-a"))
	strip := boxOf(p, id("pulse"))
	drag := func(from, to float64) {
		y := strip.Top + 20
		mouse(p, input.DispatchMouseEventTypeMousePressed, strip.Left+strip.Width*from, y, 1)
		mouse(p, input.DispatchMouseEventTypeMouseMoved, strip.Left+strip.Width*to, y, 1)
		mouse(p, input.DispatchMouseEventTypeMouseReleased, strip.Left+strip.Width*to, y, 0)
		p.idle()
	}
	drag(0.1, 0.3)
	drag(0.5, 0.8)
	p.must(p.Do(chromedp.Click(chromedp.CSS(`[data-family="Network"]`))))
	p.idle()
	want = looks(p)
	if want["title"] != "What changed" || !strings.Contains(want["families"], "Networkfalse") || want["a"] == "" {
		t.Fatalf("the test is wrong: %q", want)
	}
	p.shot("whole-comparison")
	click(p, id("share"))
	link = value(p, "share-link")
	r := open(t, link[strings.LastIndex(link, "/#"):])
	r.idle()
	r.drop("body", web01...)
	r.idle()
	compareLooks(t, "a comparison", looks(r), want)
	r.shot("whole-comparison-back")
}
