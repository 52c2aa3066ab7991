package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"pcpscope/internal/cli"
)

// The page prints as a report: all panels of the view, including those out of
// sight. The report saved by the page is identical to the one made by the
// command line for the same archive.
func TestReportOfThePage(t *testing.T) {
	p := openPage(t)
	panels := eval[int](p, `document.querySelectorAll(".panel").length`)
	if panels < 8 {
		t.Fatalf("%d panels", panels)
	}
	p.shot("report-page")
	files := kept(p)
	click(p, id("share"))
	p.shot("report-share")
	click(p, id("save-report-page"))
	until(p, "the report", func() bool { return eval[int](p, `kept.length`) == 2 })
	got := files()
	if got[1] != "pcpscope-pcp-testhost-report.html" {
		t.Errorf("saved as %q", got[1])
	}
	name := absolute([]string{"testdata/live/web01"})[0]
	var out, said bytes.Buffer
	if status := cli.Run(t.Context(), cli.Streams{Out: &out, Err: &said}, []string{"report", "--html", name}); status != cli.Done {
		t.Fatalf("the program says %s", said.String())
	}
	if a, b := sameReport(got[0]), sameReport(out.String()); a != b {
		at := 0
		for at < min(len(a), len(b)) && a[at] == b[at] {
			at++
		}
		t.Errorf("the page saves …%.300s\nthe program …%.300s", a[max(0, at-100):], b[max(0, at-100):])
	}
	if n := strings.Count(got[0], "<h3>"); n != panels {
		t.Errorf("%d panels in the report of %d", n, panels)
	}
	click(p, id("close-share"))

	eval[bool](p, `(window.print = () => { window.asked = (window.asked ?? 0) + 1 }, true)`)
	p.must(p.Do(chromedp.KeyEvent("p", chromedp.KeyModifiers(chromedp.ModifierCtrl))))
	until(p, "the browser's print", func() bool { return eval[int](p, `window.asked ?? 0`) == 1 })
	paper := eval[[]string](p, `(() => {
  dispatchEvent(new Event("beforeprint"));
  const root = document.querySelector(".printed").shadowRoot, all = [...root.querySelectorAll("h3, h2")].map((e) => e.textContent), left = root.textContent.includes("had not been read");
  dispatchEvent(new Event("afterprint"));
  return [...all, String(left), String(document.querySelectorAll(".printed").length), String(document.adoptedStyleSheets.length)];
})()`)
	if n := len(paper); n < panels+5 || !slices.Equal(paper[n-3:], []string{"false", "0", "0"}) || paper[0] != "Findings" {
		t.Errorf("printed is %q", paper)
	}
	pdf, err := p.Print()
	p.must(err)
	if n := len(regexp.MustCompile(`/Type\s*/Page\b[^s]`).FindAll(pdf, -1)); n < 3 {
		t.Errorf("%d pages are printed", n)
	}
	if dir := os.Getenv("PCPSCOPE_SCREENSHOTS"); dir != "" {
		p.must(os.WriteFile(filepath.Join(dir, "report.pdf"), pdf, 0o644))
		p.must(os.WriteFile(filepath.Join(dir, "report.html"), []byte(got[0]), 0o644))
	}
}

// sameReport ignores which program made the report.
func sameReport(page string) string {
	return regexp.MustCompile(`(content="|Made by )pcpscope [^"<]*`).ReplaceAllString(page, "${1}pcpscope")
}
