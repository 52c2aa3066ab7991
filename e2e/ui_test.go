package e2e

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

var web01 = []string{"testdata/live/web01.0.zst", "testdata/live/web01.meta", "testdata/live/web01.index"}

func id(testid string) string { return `[data-testid="` + testid + `"]` }

// text is what an element says; "" where there is none such.
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
	p.must(p.Do(chromedp.Click(chromedp.CSS(selector))))
	p.idle()
}

func press(p *page, keys string) {
	p.t.Helper()
	p.must(p.Do(chromedp.KeyEvent(keys)))
	p.idle()
}

// shortcut presses a key that means something to the page and so makes no
// character: press would send that all the same, to whatever has the focus by
// then.
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

// filter types into the field above the tree, in place of what is there.
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

// openPage shows the page with web01 dropped on it.
func openPage(t *testing.T) *page {
	t.Helper()
	p := open(t, "/")
	p.idle()
	p.drop("body", web01...)
	p.idle()
	return p
}

// What kernel.all.load says in web01: average, 95th percentile and maximum of
// what pmval -t 1 prints (PCP 6.0.3), and the time at which the maximum was
// first logged (pmval -U).
var load = map[string][]string{
	"kernel.all.load[1 minute]":  {"2.14", "5.15", "5.38", "03:50:25"},
	"kernel.all.load[5 minute]":  {"2.41", "3.01", "3.05", "03:50:45"},
	"kernel.all.load[15 minute]": {"2.02", "2.20", "2.21", "03:50:45"},
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

func TestSample(t *testing.T) {
	p := open(t, "/")
	p.idle()
	p.shot("empty")
	click(p, id("open-sample"))
	if got := text(p, "source-title"); got != "pcp-testhost" {
		t.Errorf("the sample opens as %q; the page says %q", got, text(p, "drop-status"))
	}
	checkLoad(p)
	p.shot("overview")
}

// A real drop of an archive's three files, in each of some orders.
func TestDrop(t *testing.T) {
	for _, order := range [][3]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}} {
		p := open(t, "/")
		p.idle()
		p.drop("body", web01[order[0]], web01[order[1]], web01[order[2]])
		p.idle()
		if visible(p, "welcome") || text(p, "source-title") != "pcp-testhost" || text(p, "source-subtitle") != "5 min · 21 Nov 2026" {
			t.Errorf("order %v: opens as %q, %q", order, text(p, "source-title"), text(p, "source-subtitle"))
		}
		if got := text(p, "window") + " " + text(p, "zone"); got != "03:49:02 – 03:54:02 UTC+0" {
			t.Errorf("the window is %q", got)
		}
		if got := text(p, "metric-count"); got != "1,121" { // pminfo -a web01 | wc -l
			t.Errorf("%s metrics", got)
		}
		checkLoad(p)
	}
}

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pcp-testhost")
	if err := os.MkdirAll(filepath.Join(dir, "deeper"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, f := range absolute(web01) {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "deeper", filepath.Base(f)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	dropped := open(t, "/")
	dropped.idle()
	dropped.drop("body", dir)
	dropped.idle()
	chosen := open(t, "/")
	chosen.idle()
	chosen.choose(id("folder-input"), dir)
	chosen.idle()
	for how, p := range map[string]*page{"dropped": dropped, "chosen": chosen} {
		if got := text(p, "source-title"); got != "pcp-testhost" {
			t.Errorf("a folder that is %s opens as %q", how, got)
		}
		checkLoad(p)
	}
}

// What is no archive is named with a sentence, on the empty page and beside
// what is open; the page goes on.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	write := func(name, data string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	pdf, empty := write("ticket.pdf", "%PDF-1.4 and so on\n"), write("web09.0", "")
	p := open(t, "/")
	p.idle()
	for _, file := range []string{pdf, empty} {
		p.drop("body", file)
		p.idle()
		if said := text(p, "drop-status"); !visible(p, "welcome") || !strings.Contains(said, filepath.Base(file)) || len(said) < len(filepath.Base(file))+20 {
			t.Errorf("%s: the page says %q", filepath.Base(file), said)
		}
	}
	p.shot("refused")
	p.drop("body", web01...)
	p.idle()
	if visible(p, "welcome") || visible(p, "refused") {
		t.Error("after refusals an archive does not open cleanly")
	}
	before := titles(p)
	p.drop("body", pdf)
	p.idle()
	if said := text(p, "refused"); !visible(p, "refused") || !strings.Contains(said, "ticket.pdf") {
		t.Errorf("beside an open source the page says %q", said)
	}
	if got := titles(p); !slices.Equal(got, before) {
		t.Errorf("a refused file changes the panels from %v to %v", before, got)
	}
	p.shot("refused-beside-open")
	click(p, id("dismiss-refused"))
	if visible(p, "refused") {
		t.Error("the notice cannot be dismissed")
	}
}

// A volume without its metadata opens, and the page says what is missing.
func TestVolumeAlone(t *testing.T) {
	p := open(t, "/")
	p.idle()
	p.drop("body", web01[0])
	p.idle()
	if said := text(p, "lost"); text(p, "source-title") != "pcp-testhost" || !strings.Contains(said, "web01.meta") {
		t.Errorf("opens as %q; the page says %q", text(p, "source-title"), said)
	}
	click(p, id("show-problems"))
	if said := text(p, "problem-list"); !strings.Contains(said, "web01.meta") {
		t.Errorf("the problems are %q", said)
	}
	p.shot("no-metadata")
}

func TestTreeFilterAndDetails(t *testing.T) {
	p := openPage(t)
	pick(p, "disk.dev.avactive")
	for where, want := range map[string]string{ // pminfo -dfmt -a web01 disk.dev.avactive
		"detail-name": "disk.dev.avactive", "detail-pmid": "60.0.46", "detail-type": "U32, 32-bit unsigned", "detail-semantics": "counter, shown as a rate",
		"detail-units": "millisec, shown as % of time", "detail-indom": "60.1, 1 instance", "detail-oneline": "per-disk count of active time",
	} {
		if got := text(p, where); got != want {
			t.Errorf("%s is %q, want %q", where, got, want)
		}
	}
	if got := text(p, "detail-help"); !strings.Contains(got, "milliseconds for which at least one I/O is in progress") {
		t.Errorf("the help is %q", got)
	}
	if got := text(p, "instances"); !strings.Contains(got, "vda") {
		t.Errorf("the instances are %q", got)
	}
	p.shot("details")
	filter(p, "load average")
	if got := text(p, "tree-note"); !strings.HasPrefix(got, "1 metric of 1,12") {
		t.Errorf("filtering by help text finds %q", got)
	}
	filter(p, "zzzz")
	if got := text(p, "tree-note"); !strings.HasPrefix(got, "No metric") {
		t.Errorf("filtering to nothing says %q", got)
	}
}

// Units decide which metrics share a chart; all charts share one time axis.
func TestAddAndRemoveMetrics(t *testing.T) {
	p := openPage(t)
	base := titles(p)
	pick(p, "disk.dev.read_bytes")
	click(p, id("add-to-panel"))
	pick(p, "disk.dev.write_bytes")
	click(p, id("add-to-panel"))
	if got, want := titles(p), append(slices.Clone(base), "disk.dev.read_bytes, disk.dev.write_bytes"); !slices.Equal(got, want) {
		t.Errorf("two metrics of one unit make the panels %v, want %v", got, want)
	}
	pick(p, "kernel.all.nprocs")
	click(p, id("add-to-panel"))
	if got := titles(p); len(got) != len(base)+2 || got[len(got)-1] != "kernel.all.nprocs" {
		t.Errorf("another unit makes the panels %v", got)
	}
	axes := eval[[]string](p, `[...document.querySelectorAll(".u-over")].map((e) => { const r = e.getBoundingClientRect(); return r.left + " " + r.width })`)
	if len(axes) < 4 || len(slices.Compact(slices.Sorted(slices.Values(axes)))) != 1 {
		t.Errorf("the plots do not lie below each other: %v", axes)
	}
	p.shot("metrics")
	click(p, id("add-to-panel"))
	if got := titles(p); slices.Contains(got, "kernel.all.nprocs") {
		t.Errorf("the metric is still in %v", got)
	}
	click(p, id("undo"))
	if got := titles(p); !slices.Contains(got, "kernel.all.nprocs") {
		t.Errorf("undo gives %v", got)
	}
	click(p, `[data-testid="panel"]:last-of-type `+id("panel-menu"))
	click(p, id("panel-remove"))
	if got := titles(p); slices.Contains(got, "kernel.all.nprocs") {
		t.Errorf("the panel is still in %v", got)
	}
	// what is left must draw its own data
	checkLoad(p)
}

func mouse(p *page, kind input.DispatchMouseEventType, x, y float64, buttons int64) {
	p.t.Helper()
	p.must(p.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: buttons, ClickCount: 1})
		return chromedp.Void{}, err
	}))
}

// plot is where a chart lies on the screen.
func plot(p *page, metric string) (left, top, width, height float64) {
	p.t.Helper()
	r := eval[[]float64](p, fmt.Sprintf(`(() => { const e = [...document.querySelectorAll('[data-testid="panel"]')].find((e) => e.dataset.metrics.split(", ").includes(%q));
		e.scrollIntoView({ block: "nearest" }); const r = e.querySelector(".u-over").getBoundingClientRect(); return [r.left, r.top, r.width, r.height] })()`, metric))
	return r[0], r[1], r[2], r[3]
}

func TestCrosshair(t *testing.T) {
	p := openPage(t)
	left, top, width, height := plot(p, "kernel.all.load")
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width/2, top+height/2, 0)
	p.idle()
	// The middle of 300 s is 03:51:32; by pmval -t 1: 2.50, 2.68, 2.12 from 03:51:31 on.
	for name, want := range map[string]string{"kernel.all.load[1 minute]": "2.50", "kernel.all.load[5 minute]": "2.68", "kernel.all.load[15 minute]": "2.12"} {
		if got := legend(p, "kernel.all.load")[name]; len(got) == 0 || got[0] != want {
			t.Errorf("%s at the cursor reads %v, want %s", name, got, want)
		}
	}
	if got := eval[string](p, `document.getElementById("ruler-head").innerText`); !strings.HasPrefix(got, "03:51:3") {
		t.Errorf("the head of the column is %q", got)
	}
	// one crosshair for all panels on the screen
	lines := eval[[]float64](p, `[...document.querySelectorAll(".u-cursor-x")].filter((e) => { const r = e.closest('[data-testid="panel"]').getBoundingClientRect(); return r.top < innerHeight && r.bottom > 0 })
		.map((e) => Math.round(e.getBoundingClientRect().left))`)
	if len(lines) < 3 || len(slices.Compact(slices.Sorted(slices.Values(lines)))) != 1 {
		t.Errorf("the crosshairs stand at %v", lines)
	}
	p.shot("crosshair")
	click(p, id("tab-cursor"))
	left, top, width, height = plot(p, "kernel.all.load") // there is less room now
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width/2, top+height/2, 0)
	p.idle()
	if got := text(p, "cursor-values"); !strings.Contains(got, "At 03:51:3") || !strings.Contains(got, "15 minute") {
		t.Errorf("the drawer reads %q", got)
	}
	mouse(p, input.DispatchMouseEventTypeMouseMoved, 5, 300, 0)
	p.idle()
	if got := text(p, "cursor-values"); !strings.Contains(got, "At 03:51:3") {
		t.Errorf("with the pointer elsewhere the drawer reads %q", got)
	}
	click(p, id("close-drawer"))
	mouse(p, input.DispatchMouseEventTypeMouseMoved, 5, 300, 0)
	p.idle()
	if got := eval[string](p, `document.getElementById("ruler-head").innerText`); got != "last" {
		t.Errorf("without the pointer the column is headed %q", got)
	}
}

func TestZoom(t *testing.T) {
	p := openPage(t)
	whole := text(p, "window")
	left, top, width, height := plot(p, "kernel.all.load")
	y := top + height/2
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width*0.25, y, 0)
	mouse(p, input.DispatchMouseEventTypeMousePressed, left+width*0.25, y, 1)
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width*0.4, y, 1)
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width*0.5, y, 1)
	mouse(p, input.DispatchMouseEventTypeMouseReleased, left+width*0.5, y, 0)
	p.idle()
	if got := text(p, "window"); !strings.HasPrefix(got, "03:50:1") || !strings.Contains(got, "03:51:3") {
		t.Errorf("dragging over the second quarter shows %q", got)
	}
	p.shot("zoomed")
	mouse(p, input.DispatchMouseEventTypeMouseMoved, 5, 300, 0)
	p.must(p.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		for n := int64(1); n <= 2; n++ {
			for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
				if _, err := chromedp.Call(ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: left + width*0.6, Y: y, Button: input.MouseButtonLeft, ClickCount: n}); err != nil {
					return chromedp.Void{}, err
				}
			}
		}
		return chromedp.Void{}, nil
	}))
	p.idle()
	if got := text(p, "window"); got != whole {
		t.Errorf("a double click goes to %q, want %q", got, whole)
	}
	press(p, "w")
	zoomed := text(p, "window")
	press(p, "z")
	if zoomed == whole || text(p, "window") != whole {
		t.Errorf("w shows %q, then z %q", zoomed, text(p, "window"))
	}
	click(p, id("time-menu"))
	click(p, id("last-1m"))
	if got := text(p, "window"); got != "03:53:02 – 03:54:02" {
		t.Errorf("the last minute is %q", got)
	}
	click(p, id("undo"))
	if got := text(p, "window"); got != whole {
		t.Errorf("undo goes to %q", got)
	}
}

func TestKeyboard(t *testing.T) {
	p := openPage(t)
	shortcut(p, "/")
	if got := eval[string](p, "document.activeElement.dataset.testid"); got != "search" {
		t.Fatalf("/ goes to %q", got)
	}
	press(p, "nprocs")
	if !visible(p, "search-hits") || !strings.Contains(text(p, "search-hits"), "kernel.all.nprocs") {
		t.Errorf("the search finds %q", text(p, "search-hits"))
	}
	p.shot("search")
	press(p, kb.Enter)
	if got := titles(p); !slices.Contains(got, "proc.nprocs") && !slices.Contains(got, "kernel.all.nprocs") {
		t.Errorf("Enter adds nothing: %v", got)
	}
	shortcut(p, "/")
	press(p, kb.Escape)
	if visible(p, "search-hits") {
		t.Error("Escape leaves the hits open")
	}
	filter(p, "kernel.all.pswitch")
	press(p, kb.ArrowDown) // into the tree
	for range 3 {
		press(p, kb.ArrowDown)
	}
	if got := text(p, "detail-name"); got != "kernel.all.pswitch" {
		t.Errorf("the arrows arrive at %q", got)
	}
	press(p, kb.Enter)
	if got := titles(p); !slices.Contains(got, "kernel.all.pswitch") {
		t.Errorf("Enter in the tree adds nothing: %v", got)
	}
	press(p, "?")
	if !visible(p, "help-card") {
		t.Error("? shows no help")
	}
	press(p, kb.Escape)
	if visible(p, "help-card") {
		t.Error("Escape leaves the help open")
	}
}

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
		t.Error("the choice is forgotten when the page is loaded again")
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
	if got := text(p, "phone-window"); got != "21 Nov 2026, 03:49:02 – 03:54:02 UTC+0" {
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

func TestSeveralSources(t *testing.T) {
	p := openPage(t)
	p.drop("body", "testdata/live/web01-v2.0.gz", "testdata/live/web01-v2.index", "testdata/live/web01-v2.meta.gz")
	p.idle()
	click(p, id("source-menu"))
	if n := eval[int](p, `document.querySelectorAll('[data-testid="source"]').length`); n != 2 {
		t.Fatalf("the menu lists %d sources", n)
	}
	p.shot("sources")
	click(p, `.pick:first-child `+id("source"))
	checkLoad(p)
	click(p, id("source-menu"))
	click(p, `.pick:first-child `+id("close-source"))
	if visible(p, "welcome") {
		t.Error("closing one of two shows the empty page")
	}
	click(p, `.pick:first-child `+id("close-source"))
	if !visible(p, "welcome") {
		t.Error("closing the last source does not show the empty page")
	}
	p.drop("body", web01...)
	p.idle()
	checkLoad(p)
}

// Everything that comes from a file is text, whatever it looks like.
func TestNamesAreNoMarkup(t *testing.T) {
	const evil = `<img src=x onerror=window.hacked=1>`
	dir := t.TempDir()
	start := pcp.MakeTime(1_700_000_000, 0)
	w, err := archive.NewWriter(archive.Label{Version: 3, Start: start, Host: evil, Timezone: "UTC", Zoneinfo: evil}, func(suffix string) (io.WriteCloser, error) {
		return os.Create(filepath.Join(dir, "evil."+suffix))
	})
	if err != nil {
		t.Fatal(err)
	}
	number := pcp.Desc{PMID: 1 << 10, Type: pcp.Uint32, InDom: 4 << 20, Sem: pcp.Instant}
	words := pcp.Desc{PMID: 2 << 10, Type: pcp.String, InDom: pcp.NullInDom, Sem: pcp.Discrete}
	w.Desc(number, "evil."+evil)
	w.Desc(words, "evil.text")
	w.MetricText(number.PMID, evil, evil)
	w.InDom(start, number.InDom, []pcp.Instance{{ID: 1, Name: evil}})
	w.Labels(start, archive.ContextLabels, 0, []archive.LabelSet{{Inst: -1, JSON: `{"hostname":"` + evil + `"}`}})
	for i := range 10 {
		w.Record(start+pcp.Time(i)*pcp.Time(time.Second), []archive.ValueSet{
			{PMID: number.PMID, Type: number.Type, Values: []archive.Value{{Inst: 1, Val: uint64(i)}}},
			{PMID: words.PMID, Type: words.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Blob: []byte(evil)}}},
		})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	p := open(t, "/")
	p.idle()
	p.drop("body", filepath.Join(dir, "evil.meta"), filepath.Join(dir, "evil.index"), filepath.Join(dir, "evil.0"))
	p.idle()
	if got := text(p, "source-title"); got != evil {
		t.Errorf("the host is shown as %q", got)
	}
	filter(p, "onerror")
	eval[bool](p, `(document.querySelector('[data-testid="tree-metric"]').click(), true)`)
	p.idle()
	click(p, id("add-new-panel"))
	click(p, id("tab-cursor"))
	press(p, kb.Escape)
	for where, want := range map[string]string{"detail-name": "evil." + evil, "detail-oneline": evil, "panel-title": "evil." + evil, "series": evil, "labels": evil, "instances": evil} {
		if got := eval[string](p, fmt.Sprintf(`[...document.querySelectorAll('[data-testid="%s"]')].map((e) => e.innerText).join("\n")`, where)); !strings.Contains(got, want) {
			t.Errorf("%s shows %q", where, got)
		}
	}
	filter(p, "evil.text")
	eval[bool](p, `(document.querySelector('[data-metric="evil.text"]').click(), true)`)
	p.idle()
	click(p, id("add-new-panel"))
	if got := text(p, "panels"); !strings.Contains(got, evil) {
		t.Errorf("the panels show %q", got)
	}
	p.shot("names")
	if n := eval[int](p, `document.images.length + (window.hacked ?? 0)`); n != 0 {
		t.Error("a name from the archive became markup")
	}
}

func TestProblems(t *testing.T) {
	if shared == "" {
		t.Skip("the archive with a missing volume is not here")
	}
	base := filepath.Join(shared, "corpus", "big", "20180416.10.00")
	p := open(t, "/")
	p.idle()
	p.drop("body", base+".meta.xz", base+".index", base+".0.xz", base+".2.xz", base+".3.xz")
	p.idle()
	if got := text(p, "zone"); got != "UTC−4" {
		t.Errorf("the zone is %q", got)
	}
	if got := text(p, "lost"); !strings.Contains(got, "of the span is readable") {
		t.Errorf("of the missing volume the page says %q", got)
	}
	click(p, id("tab-problems"))
	if got := text(p, "problem-list"); !strings.Contains(got, "20180416.10.00.1") || !strings.Contains(got, "11:30:15 – 12:58:35") {
		t.Errorf("the problems are %q", got)
	}
	p.shot("problems")
	left, top, width, height := plot(p, "kernel.all.load")
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width/2, top+height/2, 0) // 12:17, in the hole
	p.idle()
	if got := legend(p, "kernel.all.load")["kernel.all.load[1 minute]"]; len(got) == 0 || got[0] != "–" {
		t.Errorf("in the hole the load reads %v", got)
	}
	if got := eval[string](p, `[...document.querySelectorAll('[data-testid="reason"]')].map((e) => e.innerText).join("|")`); !strings.Contains(got, "the volume is missing") {
		t.Errorf("the reason is %q", got)
	}
	click(p, id("show-problem"))
	if got := text(p, "window"); strings.HasPrefix(got, "10:01:25") {
		t.Errorf("Show leaves the window at %q", got)
	}
}

// What pmlogcheck would say is one click away: badlog-2 reads well, but a
// counter decreases in it (spec: archive 12).
func TestInspect(t *testing.T) {
	if shared == "" {
		t.Skip("the damaged archives are not here")
	}
	base := filepath.Join(shared, "corpus", "bad", "badlog-2")
	p := open(t, "/")
	p.idle()
	p.drop("body", base+".0", base+".index", base+".meta")
	p.idle()
	click(p, id("tab-problems"))
	if got := eval[int](p, `document.querySelectorAll('[data-testid="problem"]').length`); got != 0 {
		t.Errorf("reading met with %d problems", got)
	}
	click(p, id("inspect"))
	if got := text(p, "inspected"); !strings.Contains(got, "pmlogcheck would complain") {
		t.Errorf("the inspection says %q", got)
	}
	if got := text(p, "problem-list"); !strings.Contains(got, "badlog-2") {
		t.Errorf("the list shows %q", got)
	}
	p.shot("inspected")
}

// The engine may die; what was open comes back as it was shown.
func TestEngineLost(t *testing.T) {
	tab := open(t, "/bare")
	tab.expectComplaints("exit code: 2")
	// Keep hold of the page's worker: a message that is none of the protocol's
	// makes it crash for real.
	tab.must(tab.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{
			Source: `{ const Real = Worker; window.Worker = class extends Real { constructor(...a) { super(...a); window.engineWorker = this; } } }`})
		return chromedp.Void{}, err
	}))
	tab.goTo("/")
	tab.idle()
	tab.drop("body", web01...)
	tab.idle()
	press(tab, "w")
	window := text(tab, "window")
	eval[bool](tab, "(engineWorker.postMessage({}), true)")
	pick(tab, "kernel.all.nprocs")
	click(tab, id("add-to-panel"))
	if !visible(tab, "engine-lost") || !strings.Contains(text(tab, "engine-lost"), "stopped") {
		t.Fatalf("of the crash the page says %q", text(tab, "engine-lost"))
	}
	tab.shot("engine-lost")
	click(tab, id("open-again"))
	if visible(tab, "engine-lost") || text(tab, "window") != window || !slices.Contains(titles(tab), "kernel.all.nprocs") {
		t.Errorf("opened again, the page shows %v over %q", titles(tab), text(tab, "window"))
	}
}

// The strip over the whole span is a brush: dragging on it chooses the window.
func TestPulse(t *testing.T) {
	p := openPage(t)
	r := eval[[]float64](p, `(() => { const r = document.getElementById("pulse").getBoundingClientRect(); return [r.left, r.top, r.width] })()`)
	at := func(share float64) (float64, float64) { return r[0] + 12 + share*(r[2]-24), r[1] + 20 }
	drag := func(from, to float64) {
		x, y := at(from)
		mouse(p, input.DispatchMouseEventTypeMouseMoved, x, y, 0)
		mouse(p, input.DispatchMouseEventTypeMousePressed, x, y, 1)
		x, _ = at((from + to) / 2)
		mouse(p, input.DispatchMouseEventTypeMouseMoved, x, y, 1)
		x, _ = at(to)
		mouse(p, input.DispatchMouseEventTypeMouseMoved, x, y, 1)
		mouse(p, input.DispatchMouseEventTypeMouseReleased, x, y, 0)
		p.idle()
	}
	drag(0.2, 0.6) // of five minutes from 03:49:02: one minute in to three minutes in
	if got := text(p, "window"); got != "03:50:02 – 03:52:02" {
		t.Errorf("dragging on the strip shows %q", got)
	}
	drag(0.4, 0.6) // inside the window: moves it by a minute
	if got := text(p, "window"); got != "03:51:02 – 03:53:02" {
		t.Errorf("moving the brush shows %q", got)
	}
	drag(0.8, 0.9) // its right handle, half a minute to the right
	if got := text(p, "window"); got != "03:51:02 – 03:53:32" {
		t.Errorf("dragging a handle shows %q", got)
	}
	p.shot("brush")
}
