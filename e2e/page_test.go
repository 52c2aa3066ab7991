package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"pcpscope/internal/browser"
)

// A page is a browser.Page whose failures end the test. At the end of the
// test, every error and warning on the page's console fails it, unless the
// test called expectComplaints.
type page struct {
	*browser.Page
	t        *testing.T
	address  string // of the site, for this test alone; without a slash at the end
	expected []string
}

// open shows a path of the site ("/" for the page itself) at 1440 by 900.
func open(t *testing.T, path string) *page { return openAt(t, path, 1440, 900) }

func openAt(t *testing.T, path string, width, height int64) *page {
	t.Helper()
	tab, err := chromium.NewTab(width, height)
	p := begin(t, tab, err)
	if path != "" {
		p.goTo(path)
	}
	return p
}

// openCold opens a path in a tab that shares nothing with others: the program is
// compiled for it, and starts as slowly as for any new visitor.
func openCold(t *testing.T, path string) *page {
	t.Helper()
	return openIn(t, chromium, path)
}

// openWhole opens a path in a browser of its own with all of its parts, where most
// tests use one without windows.
func openWhole(t *testing.T, path string) *page {
	t.Helper()
	whole, err := browser.StartWhole()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(whole.Close)
	return openIn(t, whole, path)
}

func openIn(t *testing.T, b *browser.Browser, path string) *page {
	t.Helper()
	tab, err := b.NewPage(1440, 900)
	p := begin(t, tab, err)
	p.goTo(path)
	return p
}

// begin closes a tab when the test ends and checks its console.
func begin(t *testing.T, tab *browser.Page, err error) *page {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	p := &page{Page: tab, t: t, address: address(t)}
	if p.address == shared.address {
		leavesNothing(p)
	}
	t.Cleanup(func() {
		for _, complaint := range tab.Errors() {
			if !p.awaited(complaint) {
				t.Errorf("on the console: %s", complaint)
			}
		}
		if t.Failed() {
			t.Log("console:\n" + tab.Console())
		}
		tab.Close()
	})
	return p
}

// openURL opens a URL of another server than the site's.
func openURL(t *testing.T, url string) *page {
	t.Helper()
	p := openAt(t, "", 1440, 900)
	p.must(p.Do(chromedp.Navigate(url)))
	return p
}

// expectComplaints ignores console errors that contain the text.
func (p *page) expectComplaints(text string) { p.expected = append(p.expected, text) }

func (p *page) awaited(complaint string) bool {
	for _, text := range p.expected {
		if strings.Contains(complaint, text) {
			return true
		}
	}
	return false
}

func (p *page) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *page) goTo(path string) {
	p.t.Helper()
	p.must(p.Do(chromedp.Navigate(p.address + path)))
}

// idle waits until everything has been loaded and drawn.
func (p *page) idle() {
	p.t.Helper()
	p.must(p.Idle())
}

// drop drops files on an element as a file manager does.
func (p *page) drop(selector string, files ...string) {
	p.t.Helper()
	p.must(p.Drop(selector, absolute(files)...))
}

// choose puts files into a file input.
func (p *page) choose(selector string, files ...string) {
	p.t.Helper()
	p.must(p.Choose(selector, absolute(files)...))
}

// press clicks at a position of the page and then presses keys, as a user
// does.
func (p *page) press(x, y float64, keys string) {
	p.t.Helper()
	p.must(p.Do(chromedp.MouseClickXY(x, y)))
	for _, key := range keys {
		p.must(p.Do(chromedp.KeyEvent(string(key))))
	}
}

// shot takes a screenshot for human inspection; see the package comment.
func (p *page) shot(name string) {
	p.t.Helper()
	dir := os.Getenv("PCPSCOPE_SCREENSHOTS")
	if dir == "" {
		return
	}
	png, err := p.Screenshot()
	p.must(err)
	p.must(os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644))
}

// eval evaluates JavaScript, waits for a promise, and returns the value.
func eval[T any](p *page, script string) T {
	p.t.Helper()
	v, err := browser.Eval[T](p.Page, script)
	p.must(err)
	return v
}

// until waits until a script, or the promise that it returns, has a truthy value. It also
// waits for the page that a click or a key leads to.
func (p *page) until(script string) {
	p.t.Helper()
	for range 2 {
		is, err := browser.Eval[bool](p.Page, `(async () => { for (let i = 0; i < 1200 && !(await (`+script+`)); i++) await new Promise((d) => setTimeout(d, 25)); return Boolean(await (`+script+`)); })()`)
		switch {
		case err != nil && strings.Contains(err.Error(), "navigated"):
			continue
		case err == nil && !is:
			p.t.Fatalf("timed out waiting for %s", script)
		}
		p.must(err)
		return
	}
	p.t.Fatalf("the page does not stay to wait for %s", script)
}

// absolute resolves paths relative to the module's root.
func absolute(files []string) []string {
	list := make([]string, len(files))
	for i, f := range files {
		if !filepath.IsAbs(f) {
			f = filepath.Join(root, f)
		}
		list[i] = f
	}
	return list
}

// window is a window opened by the page.
func (p *page) window(part string) *page {
	p.t.Helper()
	w, err := p.Window(part)
	p.must(err)
	return &page{Page: w, t: p.t}
}

// clickAway clicks what closes the window. The browser may then close before
// it acknowledges the click, which is no failure: what the click did is the
// caller's to look at.
func (p *page) clickAway(selector string) {
	p.t.Helper()
	err := p.Do(chromedp.Click(chromedp.CSS(selector)))
	if err != nil && strings.Contains(err.Error(), "target detached") {
		return
	}
	p.must(err)
}
