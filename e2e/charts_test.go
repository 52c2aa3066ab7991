package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// choose opens the menu of the panel that shows a metric and chooses from it.
func choose(p *page, metric, choice string) {
	p.t.Helper()
	click(p, fmt.Sprintf(`[data-testid="panel"][data-metrics="%s"] %s`, metric, id("panel-menu")))
	click(p, id(choice))
}

// ticks of a panel are what its canvas cannot be asked for: the test looks at
// the colours in it instead. hues counts the colours that are no grey.
func hues(p *page, metric string) int {
	p.t.Helper()
	return eval[int](p, fmt.Sprintf(`(() => { const c = document.querySelector('[data-testid="panel"][data-metrics="%s"] canvas'); const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
		const seen = new Set(); for (let i = 0; i < d.length; i += 16) { const [r, g, b] = [d[i] >> 4, d[i + 1] >> 4, d[i + 2] >> 4]; if (d[i + 3] > 200 && Math.max(r, g, b) - Math.min(r, g, b) > 3) seen.add(r * 256 + g * 16 + b) } return seen.size })()`, metric))
}

// coloured counts the places of a chart, of a sample of all, that are no grey.
func coloured(p *page, metric string) int {
	p.t.Helper()
	return eval[int](p, fmt.Sprintf(`(() => { const c = document.querySelector('[data-testid="panel"][data-metrics="%s"] canvas'); const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
		let n = 0; for (let i = 0; i < d.length; i += 16) if (d[i + 3] > 200 && Math.max(d[i], d[i + 1], d[i + 2]) - Math.min(d[i], d[i + 1], d[i + 2]) > 40) n++; return n })()`, metric))
}

// The kinds of charts, scales and legends that a panel can have.
func TestPanelKinds(t *testing.T) {
	p := openPage(t)
	p.expectComplaints("willReadFrequently") // of reading the pictures below
	const load = "kernel.all.load"
	lines, drawn := hues(p, load), coloured(p, load)
	choose(p, load, "style-stack")
	if got := hues(p, load); got == lines {
		t.Error("areas look as lines do")
	}
	p.shot("style-areas")
	choose(p, load, "style-heatmap")
	if got := coloured(p, load); got < 5*drawn { // it fills the plot
		t.Errorf("a heat map colours %d places, lines colour %d", got, drawn)
	}
	p.shot("style-heatmap")
	choose(p, load, "style-bar")
	p.shot("style-bars")
	choose(p, load, "style-line")
	choose(p, load, "scale-share")
	choose(p, load, "scale-log")
	choose(p, load, "scale-auto")
	choose(p, load, "panel-dots")
	p.shot("style-dots")
	checkLoad(p) // whatever it looks like, these are the numbers
	choose(p, load, "order-avg")
	order := eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll('[data-testid="panel"][data-metrics="%s"] [data-testid="legend-row"]')].map((r) => r.dataset.series)`, load))
	if want := []string{load + "[5 minute]", load + "[1 minute]", load + "[15 minute]"}; !slices.Equal(order, want) { // averages 2.41, 2.14, 2.02
		t.Errorf("sorted by average the legend lists %q", order)
	}
	choose(p, load, "style-rows")
	first := eval[[]string](p, fmt.Sprintf(`[...document.querySelector('[data-testid="panel"][data-metrics="%s"] [data-testid="vt-row"]').children].map((c) => c.innerText)`, load))
	if len(first) != 4 || first[0] != "03:49:02" {
		t.Errorf("the table begins with %q", first)
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

// moreOf says whether a text counts the lines that are not drawn, within bounds.
func moreOf(text string, least, most int) bool {
	var n int
	_, err := fmt.Sscanf(text, "%d more, not drawn: the 8 largest are", &n)
	return err == nil && n >= least && n <= most
}

// A metric with a thousand instances draws the largest, and those that a
// regular expression finds; it stays quick.
func TestWideMetric(t *testing.T) {
	if shared == "" {
		t.Skip("the big archive is not here")
	}
	p := openBig(t)
	const metric = "proc.psinfo.utime"
	pick(p, metric)
	click(p, id("add-to-panel"))
	panel := fmt.Sprintf(`[data-testid="panel"][data-metrics="%s"] `, metric)
	if got := eval[int](p, fmt.Sprintf(`document.querySelectorAll('%s[data-testid="legend-row"]').length`, panel)); got != 8 {
		t.Errorf("%d lines are drawn", got)
	}
	if got := eval[string](p, fmt.Sprintf(`document.querySelector('%s[data-testid="rest"]').innerText`, panel)); !moreOf(got, 600, 969) { // of 977 instances those that were there for a whole interval: pmlogsummary finds an average for 725
		t.Errorf("of the others the panel says %q", got)
	}
	click(p, panel+id("panel-menu"))
	p.must(p.Do(chromedp.Click(chromedp.CSS(id("line-filter")))))
	press(p, "firefox$\r")
	names := eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll('%s[data-testid="legend-row"]')].map((r) => r.dataset.series)`, panel))
	for _, name := range names {
		if !strings.HasSuffix(name, "firefox]") {
			t.Errorf("the filter lets %q through", name)
		}
	}
	if len(names) == 0 {
		t.Error("the filter finds nothing")
	}
	p.shot("wide-filtered")
}
