package e2e

import (
	"archive/zip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

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

// A real drop of the three files of an archive, in several orders.
func TestDrop(t *testing.T) {
	for _, order := range [][3]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}} {
		p := open(t, "/")
		p.idle()
		p.drop("body", web01[order[0]], web01[order[1]], web01[order[2]])
		p.idle()
		if visible(p, "welcome") || text(p, "source-title") != "pcp-testhost" || text(p, "source-subtitle") != "5 min · 21 Nov 2026" {
			t.Errorf("order %v: opens as %q, %q", order, text(p, "source-title"), text(p, "source-subtitle"))
		}
		if got := text(p, "window") + " " + text(p, "zone"); got != "03:49:02 – 03:54:02 UTC" {
			t.Errorf("the window is %q", got)
		}
		if got := text(p, "metric-count"); got != "1,121" { // pminfo -a web01 | wc -l
			t.Errorf("%s metrics", got)
		}
		checkLoad(p)
	}
}

// A zip, whose large files the browser itself inflates.
func TestZip(t *testing.T) {
	name := filepath.Join(t.TempDir(), "logs.zip")
	out, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(out)
	for _, f := range absolute(web01) {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		w, err := z.Create(filepath.Base(f)) // deflated
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	p := open(t, "/")
	p.idle()
	p.drop("body", name)
	p.idle()
	if got := text(p, "metric-count"); got != "1,121" { // pminfo -a web01 | wc -l
		t.Errorf("%s metrics", got)
	}
	if got := text(p, "tab-problems"); got != "Problems" {
		t.Errorf("it says %q", got)
	}
	checkLoad(p)
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

// A file that is not an archive is rejected with a reason, on the empty page and
// beside open sources, and the page continues to work.
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
	var notes []string
	for i := range 6 {
		notes = append(notes, write(fmt.Sprintf("note%d.txt", i), "Words.\n"))
	}
	p.drop("body", notes...)
	p.idle()
	if said := text(p, "refused"); !strings.Contains(said, "note0.txt, note1.txt, note2.txt and 3 more") {
		t.Errorf("about six text files the page says %q", said)
	}
	click(p, id("refused")+" summary")
	if said := text(p, "refused"); !strings.Contains(said, "note5.txt") {
		t.Errorf("with all names the page says %q", said)
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

// Dropping files of an open archive shows it without opening it again.
func TestSameFilesAgain(t *testing.T) {
	p := openPage(t)
	other := []string{"testdata/live/web01-v2.0.gz", "testdata/live/web01-v2.index", "testdata/live/web01-v2.meta.gz"}
	for _, files := range [][]string{other, web01, other} {
		p.drop("body", files...)
		p.idle()
	}
	names := eval[[]string](p, `pcpscope.sources().then((list) => list.map((s) => s.name))`)
	if want := []string{"web01", "web01-v2"}; !slices.Equal(names, want) {
		t.Errorf("open are %q, want %q", names, want)
	}
	click(p, id("source-menu"))
	if n := eval[int](p, `document.querySelectorAll('[data-testid="source"]').length`); n != 2 {
		t.Errorf("the menu lists %d sources, want 2", n)
	}
	if got := eval[string](p, `document.querySelector('[data-testid="source"].on')?.innerText ?? ""`); !strings.Contains(got, "web01-v2") {
		t.Errorf("shown is %q, want what was dropped last", got)
	}
}

// Closing a source while it is being read shows no error.
func TestCloseWhileReading(t *testing.T) {
	files := bigFiles(t)
	p := open(t, "/")
	p.idle()
	p.drop("body", files...)
	p.must(p.Do(chromedp.WaitVisible(chromedp.CSS(id("known")))))
	eval[bool](p, `(document.querySelector('[data-testid="source-menu"]').click(), new Promise((done) => setTimeout(() => (document.querySelector('[data-testid="close-source"]').click(), done(true)), 50)))`)
	p.idle()
	if !visible(p, "welcome") || visible(p, "refused") || text(p, "drop-status") != "" {
		t.Errorf("after closing, the page says %q", text(p, "drop-status"))
	}
	empty := t.TempDir()
	p.drop("body", empty)
	p.idle()
	if got := text(p, "drop-status"); got != "No files were dropped." {
		t.Errorf("after an empty folder was dropped, the page says %q", got)
	}
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
