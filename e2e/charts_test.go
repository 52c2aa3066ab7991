package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// choose opens the menu of the panel that shows a metric and selects an
// entry.
func choose(p *page, metric, choice string) {
	p.t.Helper()
	click(p, fmt.Sprintf(`[data-testid="panel"][data-metrics="%s"] %s`, metric, id("panel-menu")))
	click(p, id(choice))
}

// ink reads the pixels of a panel's plot, since the drawing exists only there,
// at a horizontal position from 0 (left) to 1. It returns the height of the
// topmost coloured pixel as a fraction of the plot, and the fraction of
// coloured pixels below it.
func ink(p *page, metric string, at float64) (height, filled float64) {
	p.t.Helper()
	r := eval[[]float64](p, fmt.Sprintf(`(() => { const panel = document.querySelector('[data-testid="panel"][data-metrics="%s"]'), c = panel.querySelector("canvas");
		const o = panel.querySelector(".u-over").getBoundingClientRect(), f = c.getBoundingClientRect(), scale = c.width / f.width;
		const x = Math.round((o.left - f.left + %v * o.width) * scale), y = Math.round((o.top - f.top) * scale), h = Math.round(o.height * scale);
		const d = c.getContext("2d").getImageData(x, y, 1, h).data;
		const coloured = Array.from({ length: h }, (_, i) => d[4 * i + 3] > 200 && Math.max(d[4 * i], d[4 * i + 1], d[4 * i + 2]) - Math.min(d[4 * i], d[4 * i + 1], d[4 * i + 2]) > 20);
		const top = coloured.indexOf(true);
		return top < 0 ? [0, 0] : [(h - top) / h, coloured.filter(Boolean).length / (h - top)] })()`, metric, at))
	return r[0], r[1]
}

// lightest finds for each row of a heat map where its lightest cell begins,
// from 0 to 1, and the colour of that cell.
func lightest(p *page, metric string, rows int) (at []float64, colours [][3]int) {
	p.t.Helper()
	for _, r := range eval[[][]float64](p, fmt.Sprintf(`(() => { const panel = document.querySelector('[data-testid="panel"][data-metrics="%s"]'), c = panel.querySelector("canvas");
		const o = panel.querySelector(".u-over").getBoundingClientRect(), f = c.getBoundingClientRect(), scale = c.width / f.width, w = Math.round(o.width * scale);
		return Array.from({ length: %d }, (_, row) => {
			const d = c.getContext("2d").getImageData((o.left - f.left) * scale, (o.top - f.top + (row + 0.5) / %[2]d * o.height) * scale, w, 1).data;
			let best = 0;
			const light = (i) => 0.299 * d[4 * i] + 0.587 * d[4 * i + 1] + 0.114 * d[4 * i + 2];
			for (let i = 2; i < w - 2; i++) if (light(i) > light(best) + 0.5 || best === 0) best = i;
			return [best / w, d[4 * best], d[4 * best + 1], d[4 * best + 2]];
		}) })()`, metric, rows)) {
		at = append(at, r[0])
		colours = append(colours, [3]int{int(r[1]), int(r[2]), int(r[3])})
	}
	return at, colours
}

func near(got, want, by float64) bool { return got > want-by && got < want+by }

// Every kind of chart, scale and legend that a panel can have.
func TestPanelKinds(t *testing.T) {
	p := openPage(t)
	p.expectComplaints("willReadFrequently") // for reading the pictures below
	const load = "kernel.all.load"
	// The loads are 5.38, 3.00 and 2.17 from 03:50:26 on, and 2.50, 2.68 and
	// 2.12 from 03:51:31 on, each for five seconds, according to pmval -t 1
	// (PCP 6.0.3). The axis begins at 0, and the span is 300 s from 03:49:02
	// on.
	const first, second = 86.5 / 300, 152.0 / 300
	compare := func(style string, ratio float64, full bool) {
		h1, f1 := ink(p, load, first)
		h2, f2 := ink(p, load, second)
		if h1 == 0 || !near(h2/h1, ratio, 0.04) {
			t.Errorf("%s reach %.2f and %.2f of the plot, want a ratio of %.2f", style, h1, h2, ratio)
		}
		if (f1 > 0.9 && f2 > 0.9) != full {
			t.Errorf("%s fill %.2f and %.2f of what is below them", style, f1, f2)
		}
	}
	compare("lines", 2.68/5.38, false)
	choose(p, load, "style-stack")
	compare("areas upon each other", (2.50+2.68+2.12)/(5.38+3.00+2.17), true)
	p.shot("style-areas")
	choose(p, load, "style-bar")
	compare("bars", 2.68/5.38, true)
	p.shot("style-bars")
	// A heat map has a row per instance, lightest at its largest value: 5.38,
	// 3.05, 2.21, at the times in checkLoad. The colour map Cividis ends at
	// #FEE838 for the overall maximum.
	choose(p, load, "style-heatmap")
	at, colours := lightest(p, load, 3)
	for row, seconds := range []float64{83, 103, 103} {
		if !near(at[row], seconds/300, 0.02) {
			t.Errorf("row %d is lightest at %.3f of the plot, want %.3f", row, at[row], seconds/300)
		}
	}
	if colours[0] != [3]int{0xFE, 0xE8, 0x38} || colours[1][0] <= colours[2][0] || colours[0][0] <= colours[1][0] {
		t.Errorf("the largest values have the colours %v", colours)
	}
	p.shot("style-heatmap")
	choose(p, load, "style-line")
	choose(p, load, "scale-share")
	choose(p, load, "scale-log")
	choose(p, load, "scale-auto")
	choose(p, load, "panel-dots")
	p.shot("style-dots")
	checkLoad(p) // the numbers are the same in every style
	choose(p, load, "order-avg")
	order := eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll('[data-testid="panel"][data-metrics="%s"] [data-testid="legend-row"]')].map((r) => r.dataset.series)`, load))
	if want := []string{load + "[5 minute]", load + "[1 minute]", load + "[15 minute]"}; !slices.Equal(order, want) { // averages 2.41, 2.14, 2.02
		t.Errorf("sorted by average the legend lists %q", order)
	}
	choose(p, load, "style-rows")
	row := eval[[]string](p, fmt.Sprintf(`[...document.querySelector('[data-testid="panel"][data-metrics="%s"] [data-testid="vt-row"]').children].map((c) => c.innerText)`, load))
	if len(row) != 4 || row[0] != "03:49:02" {
		t.Errorf("the table begins with %q", row)
	}
	p.shot("style-table")
	before := len(titles(p))
	choose(p, load, "panel-duplicate")
	if got := len(titles(p)); got != before+1 {
		t.Errorf("a duplicate makes %d panels of %d", got, before)
	}
	click(p, id("undo"))
	if got := len(titles(p)); got != before {
		t.Errorf("undone there are %d panels, not %d", got, before)
	}
}

// A metric with a thousand instances shows the largest, and those matching a
// regular expression, and remains responsive.
//
// According to pmdumplog (PCP 6.0.3), 977 of the 1,235 processes in the
// archive have a value of this metric, 725 of them in two successive records:
// these have a rate. The panel's points summarise all records of a minute, so
// it has a line for each of these, while pmval -t 60, which samples, prints
// values for 540. The eight expected have the largest sums of what pmval
// prints.
func TestWideMetric(t *testing.T) {
	p := openBig(t)
	const metric = "proc.psinfo.utime"
	pick(p, metric)
	click(p, id("add-to-panel"))
	panel := fmt.Sprintf(`[data-testid="panel"][data-metrics="%s"] `, metric)
	names := func() []string {
		list := eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll('%s[data-testid="legend-row"]')].map((r) => r.dataset.series)`, panel))
		for i := range list {
			list[i] = strings.TrimSuffix(strings.TrimPrefix(list[i], metric+"["), "]")
		}
		slices.Sort(list)
		return list
	}
	if got, want := names(), []string{"007135 /usr/bin/gnome-shell", "008178 /usr/bin/python3", "008191 /usr/lib64/thunderbird/thunderbird", "009930 /usr/lib64/firefox/firefox",
		"010051 /usr/lib64/firefox/firefox", "010149 /usr/lib64/firefox/firefox", "010191 /usr/lib64/firefox/firefox", "022592 /usr/bin/python3"}; !slices.Equal(got, want) {
		t.Errorf("the lines drawn are %q, want %q", got, want)
	}
	if got := eval[string](p, fmt.Sprintf(`document.querySelector('%s[data-testid="rest"]').innerText`, panel)); got != "717 more, not drawn; only the 8 largest are" {
		t.Errorf("the panel says about the others %q", got)
	}
	search := func(what string) {
		click(p, panel+id("panel-menu"))
		p.must(p.Do(chromedp.Click(chromedp.CSS(id("line-filter")))))
		eval[bool](p, fmt.Sprintf(`(document.querySelector('%s').select(), true)`, id("line-filter")))
		press(p, what+"\r")
	}
	search("firefox$")
	if got, want := names(), []string{"009930 /usr/lib64/firefox/firefox", "010051 /usr/lib64/firefox/firefox", "010149 /usr/lib64/firefox/firefox", "010191 /usr/lib64/firefox/firefox",
		"010282 /usr/lib64/firefox/firefox"}; !slices.Equal(got, want) {
		t.Errorf("the filter finds %q, want %q", got, want)
	}
	p.shot("wide-filtered")
	// Each compiler process appears in only one record: it has no rate, nor
	// has it in pmval.
	search("cc1plus")
	if got := eval[string](p, fmt.Sprintf(`document.querySelector('%s[data-testid="panel-message"]').innerText`, panel)); !strings.Contains(got, "No line of this panel matches the filter “cc1plus”") {
		t.Errorf("the panel says about series without a rate %q, and shows %q", got, names())
	}
}

// Event records are marks on the time axis, described at the cursor. Expected
// is what pmdumplog prints for web01's last record: at 03:54:01.332105 "fetch
// #1197" and "bingo!" of instance bogus.
func TestEventMarks(t *testing.T) {
	p := openPage(t)
	const records = "sample.event.records"
	openTab(p, "tab-metrics")
	pick(p, records)
	click(p, id("add-new-panel"))
	left, top, width, height := plot(p, records)
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width-2, top+height/2, 0)
	p.idle()
	said := func() string {
		return eval[string](p, fmt.Sprintf(`document.querySelector('[data-testid="panel"][data-metrics="%s"] [data-testid="reason"]').innerText`, records))
	}
	for _, want := range []string{"03:54:01 bogus: param_string fetch #1197", "03:54:01 bogus: param_string bingo!"} {
		if got := said(); !strings.Contains(got, want) {
			t.Errorf("at the cursor stands %q, want %q", got, want)
		}
	}
	p.shot("events")
	if got := legend(p, records)[records+"[bogus]"]; len(got) < 5 || got[0] != "2" || got[4] != "03:54:01" {
		t.Errorf("the legend says %q: two events at the cursor, the last at 03:54:01", got)
	}
	// No number is known of events but how many they are: a name of a usual length has room
	// in the column beside the chart.
	p.resize(1920, 1080)
	if cut := eval[int](p, fmt.Sprintf(`(() => { const e = document.querySelector('[data-testid="panel"][data-metrics="%s"] [data-testid="series"] .label'), name = e.innerText;
		e.textContent = "system.journal.records";
		const cut = e.scrollWidth - e.clientWidth;
		e.textContent = name;
		return cut })()`, records)); cut > 0 {
		t.Errorf("%d pixels of a name of 22 characters are cut off", cut)
	}
	shortcut(p, "ArrowLeft")
	shortcut(p, "p")
	click(p, id("tab-records"))
	if got := eval[string](p, `document.querySelector('[data-testid="drawer"]').innerText`); !strings.Contains(got, "type 2, param_64 -3") {
		t.Errorf("the records are %.300q", got)
	}
	shortcut(p, "Escape")
	shortcut(p, "Escape")
	choose(p, records, "style-rows")
	if got := eval[string](p, fmt.Sprintf(`document.querySelector('[data-testid="panel"][data-metrics="%s"]').innerText`, records)); !strings.Contains(got, "param_string fetch #1") {
		t.Errorf("as a table it is %.300q", got)
	}
}

// What a dashboard hides by default, here loopback, is shown on request.
func TestAllInstances(t *testing.T) {
	p := openPage(t)
	click(p, `[data-board="network"] button`)
	interfaces := func() string {
		return eval[string](p, `document.querySelector('[data-testid="panel"] [data-testid="legend"]').innerText`)
	}
	if got := interfaces(); !strings.Contains(got, "eth0 in") || strings.Contains(got, "lo in") {
		t.Errorf("at first the legend says %q", got)
	}
	toggle := func() {
		eval[bool](p, `(document.querySelector('[data-testid="panel-menu"]').click(), true)`)
		p.idle()
		if got := text(p, "panel-advice"); !strings.Contains(got, "Next: Utilisation") {
			t.Errorf("the menu says %q", got)
		}
		click(p, id("panel-whole"))
	}
	toggle()
	if got := interfaces(); !strings.Contains(got, "eth0 in") || !strings.Contains(got, "lo in") || !strings.Contains(got, "ifb0") {
		t.Errorf("with all instances the legend says %q", got)
	}
	toggle()
	if got := interfaces(); strings.Contains(got, "lo in") {
		t.Errorf("with the default instances the legend says %q", got)
	}
}
