package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// typeInto replaces the text of a field.
func typeInto(p *page, testid, what string) {
	p.t.Helper()
	p.must(p.Do(chromedp.Click(chromedp.CSS(id(testid)))))
	eval[bool](p, `(document.activeElement.select?.(), true)`)
	press(p, what)
}

// The window in PCP's time syntax, in any time zone.
func TestTimes(t *testing.T) {
	p := openPage(t)
	click(p, id("time-menu"))
	typeInto(p, "time-from", "@03:50")
	typeInto(p, "time-to", "+1min")
	p.shot("time-menu")
	timesFit(p)
	if got := text(p, "time-said"); !strings.Contains(got, "03:50:00") || !strings.Contains(got, "03:51:00 UTC") || !strings.HasSuffix(got, ", 1 min") {
		t.Errorf("before that is shown the page understands %q", got)
	}
	click(p, id("time-show"))
	if got := text(p, "window"); got != "03:50:00 – 03:51:00" {
		t.Errorf("from @03:50 to +1min shows %q", got)
	}
	click(p, id("time-menu"))
	typeInto(p, "time-from", "soon")
	click(p, id("time-show"))
	if got := text(p, "time-fault"); len(got) < 20 {
		t.Errorf("of a text that is no time the page says %q", got)
	}
	typeInto(p, "time-from", "-1min") // before the end, 03:54:02
	typeInto(p, "time-to", " ")
	click(p, id("time-show"))
	if got := text(p, "window"); got != "03:53:02 – 03:54:02" {
		t.Errorf("from -1min shows %q", got)
	}
	click(p, id("time-menu"))
	typeInto(p, "zone-name", "Asia/Tokyo\r")
	if got := text(p, "window") + " " + text(p, "zone"); got != "12:53:02 – 12:54:02 UTC+9" {
		t.Errorf("in Tokyo the window is %q", got)
	}
	if got := eval[string](p, `document.querySelector('[data-testid="panel"][data-metrics="kernel.all.load"] [data-testid="max-at"]').innerText`); !strings.HasPrefix(got, "12:53:") {
		t.Errorf("in Tokyo the largest load was at %q", got)
	}
	click(p, id("zone-archive"))
	if got := text(p, "zone"); got != "UTC" {
		t.Errorf("back on the archive's clock the zone is %q", got)
	}
}

// timesFit tries whether the fields of the window have room for times with fractions of a
// second, on a desktop and on a phone.
func timesFit(p *page) {
	p.t.Helper()
	for _, width := range []int64{390, 1440} {
		p.resize(width, 900)
		p.idle()
		for _, field := range []string{"time-from", "time-to"} {
			if cut := eval[int](p, `(() => { const e = document.querySelector('`+id(field)+`'), typed = e.value;
				e.value = "2026-11-21 03:49:02.315071";
				const cut = e.scrollWidth - e.clientWidth;
				e.value = typed;
				return cut })()`); cut > 0 {
				p.t.Errorf("on a page of %d pixels, %s cuts off %d of a time", width, field, cut)
			}
		}
	}
}

// A message in place of a chart leaves nothing in the legend, which showed the last values
// of the window before.
func TestLegendWithoutValues(t *testing.T) {
	p := openPage(t)
	nows := func() []string {
		return eval[[]string](p, `[...document.querySelectorAll('[data-testid="panel"][data-metrics="kernel.all.load"] [data-testid="now"]')].map((e) => e.innerText)`)
	}
	if list := nows(); len(list) != 3 || strings.Contains(strings.Join(list, ""), "–") {
		t.Fatalf("the last loads are %q", list)
	}
	click(p, id("time-menu"))
	typeInto(p, "time-from", "@03:50:10.35")
	typeInto(p, "time-to", "@03:50:10.45")
	click(p, id("time-show"))
	p.idle()
	if message := eval[string](p, `document.querySelector('[data-testid="panel"][data-metrics="kernel.all.load"]').innerText`); !strings.Contains(message, "No value in this window") {
		t.Fatalf("between two records the panel shows %q", message)
	}
	for _, now := range nows() {
		if now != "–" && now != "" {
			t.Errorf("without a value, the last is %q", now)
		}
	}
}
