package e2e

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What changed between two windows: the list, one change as two charts, and
// the comparison with windows swapped.
func TestCompare(t *testing.T) {
	p := openPage(t)
	press(p, "w") // a window that is preceded by data
	click(p, id("tab-findings"))
	click(p, id("open-compare"))
	if got := text(p, "view-title"); got != "What changed" {
		t.Fatalf("the view is %q", got)
	}
	if a, b := text(p, "window-a"), text(p, "window-b"); a == "" || b == "" || a == b {
		t.Errorf("the windows are %q and %q", a, b)
	}
	if got := text(p, "compare-what"); !strings.HasPrefix(got, "No change is sure: ") {
		t.Errorf("of two windows at work the page says %q", got)
	}
	typeInto(p, "a-to", "@03:49:32") // 30 s at rest, and the minute in which a load began
	typeInto(p, "b-from", "@03:49:32")
	typeInto(p, "b-to", "@03:50:32")
	typeInto(p, "a-from", "@03:49:02")
	eval[bool](p, `(document.activeElement.blur(), true)`) // a field that is left is read
	p.idle()
	// By pmdumplog(1) 15 instances have four values or more in A and none in B, and 44 the other way
	// round; a 45th, "0040 /usr/local/koko", has one in A, at 03:49:31.332.
	if got := text(p, "compare-others"); !strings.Contains(got, "15 instances of sample.proc.time have values in A alone") || !strings.Contains(got, "44 instances of sample.proc.time have values in B alone") {
		t.Errorf("what one window alone has: %q", got)
	}
	list := rows(p, "compare-table")
	if len(list) == 0 || !strings.Contains(text(p, "compare-sentence"), "In B it is") {
		t.Errorf("%d changes; %q", len(list), text(p, "compare-sentence"))
	}
	if len(list) > 0 && !strings.Contains(list[0][1], "\n") { // the description, and the metric below it
		t.Errorf("the first row is %q", list[0])
	}
	if n := eval[int](p, `new Set([...document.querySelectorAll(".vt-effect")].map((e) => e.getBoundingClientRect().left)).size`); n != 1 {
		t.Errorf("the bars of the effect begin at %d places", n)
	}
	first := text(p, "compare-what")
	eval[bool](p, `(document.querySelectorAll('[data-testid="compare-table"] [data-testid="vt-row"]')[1].click(), true)`)
	p.idle()
	if got := text(p, "compare-what"); got == first {
		t.Errorf("the second row shows %q, too", got)
	}
	p.shot("compare")
	sortsCompared(p)
	files := kept(p)
	click(p, id("report"))
	p.idle()
	if got := files(); len(got) != 2 || got[1] != "pcpscope-pcp-testhost-report.md" {
		t.Errorf("saved as %q", got)
	} else if parts := strings.Count(got[0], "\n## "); parts != 4 || strings.Count(got[0], "\n- Processes started: kernel.all.sysfork: ") != 1 || !strings.Contains(got[0], "## What changed\n\nFrom A, 21 Nov 2026 ") {
		t.Errorf("the report has %d parts: %s", parts, got[0])
	}
	a := text(p, "window-a")
	click(p, id("swap"))
	if got := text(p, "window-b"); got != a {
		t.Errorf("swapped, B is %q, not %q", got, a)
	}
	const drawn = `["compare-a", "compare-b"].filter((id) => {
		const c = document.querySelector("#" + id + " canvas"), empty = document.createElement("canvas");
		[empty.width, empty.height] = [c.width, c.height];
		return c.toDataURL() !== empty.toDataURL();
	}).length`
	if n := eval[int](p, drawn); n != 2 {
		t.Errorf("%d charts are drawn of a change", n)
	}
	for _, field := range [][2]string{{"a-from", "@03:49:02"}, {"a-to", "@03:49:04"}, {"b-from", "@03:49:04"}, {"b-to", "@03:49:06"}} {
		typeInto(p, field[0], field[1])
	}
	eval[bool](p, `(document.activeElement.blur(), true)`)
	p.idle()
	if got := text(p, "compare-what"); !strings.HasPrefix(got, "Nothing can be compared") {
		t.Errorf("of two seconds each the page says %q", got)
	}
	if n := eval[int](p, drawn); n != 0 {
		t.Errorf("without a change %d charts of the comparison before are left", n)
	}
	click(p, id("end-compare"))
	if !visible(p, "panels") {
		t.Error("there is no way back")
	}
}

// sortsCompared tries the ways to sort changes. A column header sorts until an
// order is chosen above the list. The selected change stays selected.
func sortsCompared(p *page) {
	p.t.Helper()
	metrics := func() []string {
		p.idle()
		var list []string
		for _, r := range rows(p, "compare-table") {
			_, metric, _ := strings.Cut(r[1], "\n")
			list = append(list, metric)
		}
		return list
	}
	ranked, shown := metrics(), text(p, "compare-what")
	// Correlated series are abbreviated in the list, but complete in exports.
	with := eval[[][]string](p, `[...document.querySelectorAll('[data-testid="compare-table"] [data-testid="vt-row"]')].map((r) => [r.lastChild.innerText, r.lastChild.title]).filter((r) => r[1])`)
	files := kept(p)
	click(p, id("compare-rows-csv"))
	saved := strings.Join(files(), "\n")
	for _, w := range with {
		if first, _, _ := strings.Cut(w[1], ", "); !strings.Contains(first, ".") || !strings.Contains(saved, first) {
			p.t.Errorf("correlated series are %q, in full %q", w[0], w[1])
		}
	}
	if len(with) == 0 {
		p.t.Error("nothing moved with anything")
	}
	click(p, id("sort-family"))
	byFamily := metrics()
	if slices.Equal(byFamily, ranked) || !strings.HasPrefix(byFamily[0], "kernel.") {
		p.t.Errorf("by family %q", byFamily)
	}
	click(p, id("sort-shift"))
	share := func(r []string) float64 { // |shift| / the larger median
		var v [3]float64
		for i, text := range []string{r[5], r[6], r[7]} {
			v[i], _ = strconv.ParseFloat(strings.NewReplacer(",", "", "−", "-", "+", "", "<", "").Replace(text), 64)
		}
		return math.Abs(v[2]) / max(math.Abs(v[0]), math.Abs(v[1]), 1e-9)
	}
	p.idle()
	list := rows(p, "compare-table")
	if first, last := share(list[0]), share(list[len(list)-1]); !(first >= last) || slices.Equal(metrics(), ranked) {
		p.t.Errorf("by shift the first %q has %v, the last %q %v", list[0], first, list[len(list)-1], last)
	}
	if got := text(p, "compare-what"); got != shown {
		p.t.Errorf("%q is shown above, and was %q", got, shown)
	}
	eval[bool](p, `([...document.querySelectorAll('[data-testid="compare-table"] [data-testid="vt-head"]')].find((e) => e.innerText === "Median B").click(), true)`)
	click(p, id("sort-effect"))
	if got := metrics(); !slices.Equal(got, ranked) {
		p.t.Errorf("by effect again %q, at first %q", got, ranked)
	}
}

// The same machine in two archives: web01 in versions 2 and 3 has the same
// values, so comparing all of one with all of the other must find no
// difference.
func TestCompareWithAnotherArchive(t *testing.T) {
	p := openPage(t)
	p.drop("body", "testdata/live/web01-v2.0.gz", "testdata/live/web01-v2.meta.gz", "testdata/live/web01-v2.index")
	p.idle()
	click(p, id("tab-findings"))
	click(p, id("open-compare"))
	if !visible(p, "compare-with") {
		t.Fatal("the other archive is not offered")
	}
	if n := len(rows(p, "compare-table")); n == 0 {
		t.Error("between the two halves nothing differs")
	}
	click(p, id("compare-with")+` button:nth-child(2)`)
	if got := eval[bool](p, fmt.Sprintf(`document.querySelector('%s').disabled`, id("swap"))); !got {
		t.Error("windows of two archives can be swapped")
	}
	if got := text(p, "window-b"); got != "03:49:02 – 03:54:02" {
		t.Errorf("B is %q, not all of the other source", got)
	}
	p.shot("compare-archives")
}
