package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// write replaces the text of a field as typing does: the page hears of every
// change, and the last character is sent by the keyboard.
func write(p *page, testid, what string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`(() => { const e = document.querySelector('%s'); e.focus(); e.value = %q; e.setSelectionRange(e.value.length, e.value.length); e.dispatchEvent(new InputEvent("input", { bubbles: true })); return true })()`, id(testid), what[:len(what)-1]))
	press(p, what[len(what)-1:])
}

func value(p *page, testid string) string {
	p.t.Helper()
	return eval[string](p, fmt.Sprintf("document.querySelector('%s').value", id(testid)))
}

func texts(p *page, selector string) []string {
	p.t.Helper()
	return eval[[]string](p, fmt.Sprintf("[...document.querySelectorAll('%s')].filter((e) => e.checkVisibility()).map((e) => e.innerText)", selector))
}

// editor opens the editor on the details of a metric.
func editor(p *page, metric string) {
	p.t.Helper()
	pick(p, metric)
	click(p, id("detail-derive"))
}

// The life of a derived metric: typed and checked, previewed, saved, and then
// used like any other metric.
//
// Types and units are those printed by pminfo -d with the definition in
// PCP_DERIVED_CONFIG (PCP 6.0.3); the load is that of TestSample times 100.
func TestDerive(t *testing.T) {
	p := openPage(t)
	editor(p, "kernel.all.load")
	if got := value(p, "derive-text"); got != "kernel.all.load" {
		t.Errorf("the editor begins with %q", got)
	}
	if got := text(p, "derive-save"); !strings.Contains(got, "no valid name yet") {
		t.Errorf("without a name the button says %q", got)
	}
	write(p, "derive-text", "kernel.all.load * 100")
	for part, want := range map[string]string{"type": "FLOAT, 32-bit floating point", "semantics": "instant", "units": "none", "instances": "60.2: 1 minute, 5 minute, 15 minute"} {
		if got := text(p, "derive-"+part); got != want {
			t.Errorf("%s is %q, want %q", part, got, want)
		}
	}
	maxima := eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll('[data-testid="preview-row"]')].map((r) => [r.dataset.series, r.children[5].innerText]))`)
	if maxima["1 minute"] != "538.0" || maxima["15 minute"] != "221.0" {
		t.Errorf("the preview reads %v", maxima)
	}
	p.shot("derive-preview")
	// An unnamed singular expression is shown by its text.
	write(p, "derive-text", "rate(kernel.all.pswitch)")
	if got := texts(p, id("preview-row")+" .label"); !slices.Equal(got, []string{"rate(kernel.all.pswitch)"}) {
		t.Errorf("the line of the preview is called %q", got)
	}
	write(p, "derive-text", "kernel.all.load * 100")
	write(p, "derive-name", "my.load")
	click(p, id("derive-save"))
	if visible(p, "derive") {
		t.Fatalf("the editor stays: %q", text(p, "derive-save"))
	}
	if got := legend(p, "my.load")["my.load[1 minute]"]; len(got) != 5 || got[3] != "538.0" {
		t.Errorf("in its panel it reads %v", got)
	}
	if got := text(p, "detail-expression"); got != "kernel.all.load * 100" {
		t.Errorf("its details say %q", got)
	}
	p.shot("derive-saved")
	// It can be searched for like any other, changed, and deleted.
	filter(p, "my.load")
	if !visible(p, "tree-metric") {
		t.Error("the tree does not have it")
	}
	click(p, id("detail-derive"))
	if got := value(p, "derive-name") + " = " + value(p, "derive-text"); got != "my.load = kernel.all.load * 100" {
		t.Errorf("it is edited as %q", got)
	}
	write(p, "derive-text", "kernel.all.load * 200")
	click(p, id("derive-save"))
	if got := legend(p, "my.load")["my.load[1 minute]"]; len(got) != 5 || got[3] != "1,076" {
		t.Errorf("after the change its panel reads %v", got)
	}
	click(p, id("tab-metrics"))
	click(p, id("open-derived"))
	p.shot("derive-list")
	mine := `[data-name="my.load"] ` + id("definition-remove")
	click(p, mine)
	if names := texts(p, id("definition")+" .strong"); slices.Contains(names, "my.load") || len(names) == 0 {
		t.Errorf("after it was removed the list has %v", names)
	}
}

// An error is underlined, explained in one sentence, and fixed with a click;
// the preview remains that of the last valid text.
func TestDeriveMistakes(t *testing.T) {
	p := openPage(t)
	editor(p, "disk.dev.read_rawactive")
	if got := value(p, "derive-text"); got != "rate(disk.dev.read_rawactive)" {
		t.Errorf("the editor begins with %q", got)
	}
	write(p, "derive-text", "(delta(disk.dev.read_rawactive)\n  + delta(disk.dev.write_bytes))\n/ delta(disk.dev.total)")
	if got := texts(p, ".code-line .wavy"); !slices.Equal(got, []string{"disk.dev.write_bytes"}) {
		t.Errorf("underlined is %q", got)
	}
	if got := text(p, "derive-fault"); !strings.HasPrefix(got, "delta(disk.dev.read_rawactive)") || !strings.Contains(got, "Did you mean disk.dev.write_rawactive?") || !strings.Contains(got, "(millisec)") {
		t.Errorf("it is described as %q", got)
	}
	if got := eval[string](p, `document.getElementById("derive-faults").textContent`); !strings.HasPrefix(got, "Line 2: ") {
		t.Errorf("screen readers say %q", got)
	}
	// The explanation is below the line, and the following lines move down:
	// pointer and caret work where the text is seen.
	edges := eval[[]float64](p, `[...document.querySelectorAll(".code-line, .code-fault")].flatMap((e) => { const r = e.getBoundingClientRect(); return [r.top, r.bottom] })`)
	if len(edges) != 8 || !slices.IsSorted(edges) {
		t.Errorf("lines 1 and 2, the fault and line 3 lie at %v", edges)
	}
	at := eval[[]float64](p, `(() => { const range = new Range(), walk = document.createTreeWalker(document.querySelectorAll(".code-line")[2], NodeFilter.SHOW_TEXT);
		for (let n; (n = walk.nextNode());) if (n.data.includes("disk.dev.total")) { const i = n.data.indexOf("total"); range.setStart(n, i); range.setEnd(n, i + 1) }
		const r = range.getBoundingClientRect(); return [r.left + 1, r.top + r.height / 2] })()`)
	mouse(p, input.DispatchMouseEventTypeMouseMoved, at[0], at[1], 0)
	mouse(p, input.DispatchMouseEventTypeMousePressed, at[0], at[1], 1)
	mouse(p, input.DispatchMouseEventTypeMouseReleased, at[0], at[1], 0)
	press(p, "x")
	if got := value(p, "derive-text"); !strings.HasSuffix(got, "/ delta(disk.dev.xtotal)") {
		t.Errorf("a letter typed where the pointer was makes it %q", got)
	}
	shortcut(p, "Backspace")
	eval[bool](p, fmt.Sprintf(`(() => { const e = document.querySelector('%s'); e.value = e.value.replace("xtotal", "total"); e.dispatchEvent(new Event("input", { bubbles: true })); return true })()`, id("derive-text")))
	p.idle()
	if shift := eval[float64](p, `(() => { const lines = document.querySelectorAll(".code-line"), e = document.querySelector("#derive-text"); return lines[2].getBoundingClientRect().top - lines[0].getBoundingClientRect().top - 2 * lines[0].offsetHeight - new DOMMatrix(getComputedStyle(e).transform).f })()`); shift != 0 {
		t.Errorf("the caret stands %v px off its line", shift)
	}
	if got := text(p, "derive-save"); got != "Save: 1 error left" {
		t.Errorf("the button says %q", got)
	}
	if got := text(p, "preview-text"); got != "rate(disk.dev.read_rawactive)" {
		t.Errorf("the preview is of %q", got)
	}
	p.shot("derive-mistake")
	click(p, id("derive-fix"))
	if got := value(p, "derive-text"); !strings.Contains(got, "delta(disk.dev.write_rawactive))") {
		t.Errorf("mended, the text is %q", got)
	}
	if got := text(p, "derive-units"); got != "millisec / count" {
		t.Errorf("its units are %q", got)
	}
	p.shot("derive-mended")
	// Names from files and users are always displayed as text.
	write(p, "derive-text", "<img src=x onerror=alert(1)>")
	if got := text(p, "derive-fault"); got == "" || eval[int](p, `document.querySelectorAll(".derive img").length`) != 0 {
		t.Errorf("a hostile text gives %q", got)
	}
	press(p, "\x1b")
	press(p, "\x1b")
	if visible(p, "derive") {
		t.Error("Escape does not leave the editor")
	}
}

// The list of candidates follows the keyboard.
func TestDeriveCompletion(t *testing.T) {
	p := openPage(t)
	editor(p, "kernel.all.load")
	write(p, "derive-text", "delta(disk.dev.tot")
	// pminfo -a web01 disk.dev | grep disk.dev.tot
	want := []string{"disk.dev.total", "disk.dev.total_bytes", "disk.dev.total_rawactive"}
	got := eval[[]string](p, `[...document.querySelectorAll('[data-testid="derive-candidate"]')].map((e) => e.dataset.text)`)
	if !slices.Equal(got, want) {
		t.Fatalf("the candidates are %v", got)
	}
	if first := text(p, "derive-candidate"); !strings.Contains(first, "count") || !strings.Contains(first, "U64") {
		t.Errorf("the first is shown as %q", first)
	}
	p.shot("derive-completion")
	shortcut(p, "ArrowDown")
	shortcut(p, "Tab")
	if got := value(p, "derive-text"); got != "delta(disk.dev.total_bytes" || visible(p, "derive-popup") {
		t.Errorf("Tab makes it %q", got)
	}
	if at := eval[int](p, `document.querySelector('#derive-text').selectionStart`); at != 26 {
		t.Errorf("the caret stands at %d", at)
	}
	press(p, ")")
	if got := value(p, "derive-text"); got != "delta(disk.dev.total_bytes)" || text(p, "derive-units") != "Kbyte" {
		t.Errorf("typed on, it is %q in %q", got, text(p, "derive-units"))
	}
	write(p, "derive-text", "resc")
	shortcut(p, "Enter")
	if got := value(p, "derive-text"); got != "rescale(" {
		t.Errorf("Enter makes it %q", got)
	}
	click(p, id("derive-language"))
	if got := text(p, "language-card"); !strings.Contains(got, "matchinst(/pattern/, x)") {
		t.Errorf("the language is %q", got)
	}
	p.shot("derive-language")
}

// Definitions can be dropped as files, pasted and downloaded.
func TestDeriveFiles(t *testing.T) {
	conf := filepath.Join(t.TempDir(), "extra.conf")
	if err := os.WriteFile(conf, []byte("extra.size = rate(disk.dev.total_bytes) / rate(disk.dev.total)\nextra.size(oneline) = size of a request\nextra.lost = no.such.metric\nextra.bad = 1 +\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := openPage(t)
	p.drop("body", conf)
	p.idle()
	if got := text(p, "notes"); !strings.Contains(got, "extra.conf") || !strings.Contains(got, "Defined extra.size, extra.lost.") || !strings.Contains(got, "Line 4") {
		t.Errorf("the page says %q", got)
	}
	p.shot("derive-dropped")
	click(p, id("dismiss-notes"))
	click(p, id("tab-metrics"))
	click(p, id("open-derived"))
	rows := texts(p, id("definition"))
	if len(rows) < 3 || !strings.HasPrefix(rows[0], "extra.lost") || !strings.Contains(rows[0], "There is no metric no.such.metric here") || !strings.Contains(rows[1], "Kbyte / count") {
		t.Errorf("the list begins with %q", rows[:min(len(rows), 2)])
	}
	click(p, id("derive-paste"))
	write(p, "derive-pasted", "pasted.a = extra.size * 2\n")
	click(p, id("derive-pasted-define"))
	if names := texts(p, id("definition")+" .strong"); !slices.Contains(names, "pasted.a") {
		t.Errorf("after pasting the list has %v", names)
	}
	eval[bool](p, `(globalThis.kept = [], URL.createObjectURL = (b) => { kept.push(b); return "blob:none" }, HTMLAnchorElement.prototype.click = function () { kept.push(this.download) }, true)`)
	click(p, id("derive-download"))
	if got, want := eval[[]string](p, `Promise.all(kept.map((k) => (k.text ? k.text() : k)))`), "extra.size = rate(disk.dev.total_bytes) / rate(disk.dev.total)\nextra.size(oneline) = size of a request\n\nextra.lost = no.such.metric\n\npasted.a = extra.size * 2\n"; len(got) != 2 || got[0] != want || got[1] != "derived.conf" {
		t.Errorf("the file is %q, want %q", got, want)
	}
	// Sources opened later have them too.
	p.drop("body", "testdata/live/web01-v2.0.gz", "testdata/live/web01-v2.index", "testdata/live/web01-v2.meta.gz")
	p.idle()
	if got := eval[int](p, `pcpscope.sources().then(async (s) => (await pcpscope.metrics(s.at(-1).id, { prefix: "extra" })).length)`); got != 1 {
		t.Errorf("a source opened later has %d of them", got)
	}
}

// On a narrow page the editor has one column, and it follows the dark theme.
func TestDeriveNarrow(t *testing.T) {
	p := openAt(t, "/", 390, 844)
	p.must(p.Dark(true))
	p.idle()
	p.drop("body", web01...)
	p.idle()
	click(p, id("nav-metrics"))
	pick(p, "disk.dev.total_bytes")
	click(p, id("detail-derive"))
	write(p, "derive-text", "rate(disk.dev.total_bytes) / rate(disk.dev.tot")
	p.shot("derive-phone-completion")
	shortcut(p, "Tab")
	press(p, ")")
	if got := text(p, "derive-units"); got != "Kbyte / count" {
		t.Errorf("the units are %q", got)
	}
	if wide := eval[int](p, `document.querySelector(".derive").scrollWidth - document.querySelector(".derive").clientWidth`); wide > 0 {
		t.Errorf("the page is %d px too wide", wide)
	}
	p.shot("derive-phone")
	p.must(p.Do(chromedp.EmulateViewport(1440, 900)))
	p.idle()
	p.shot("derive-dark")
}

// Typing faster than completions arrive does not change the typed text.
func TestDeriveTypedFast(t *testing.T) {
	p := openPage(t)
	editor(p, "kernel.all.load")
	want := "(delta(disk.dev.read_rawactive)\n + delta(disk.dev.write_rawactive))\n/ delta(disk.dev.total)"
	eval[bool](p, `((e) => { e.focus(); e.select(); return true })(document.querySelector('[data-testid="derive-text"]'))`)
	press(p, strings.ReplaceAll(want, "\n", "\r"))
	if got := value(p, "derive-text"); got != want {
		t.Errorf("typed was %q, there is %q", want, got)
	}
}
