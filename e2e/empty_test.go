package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// The empty page can be operated by keyboard: a command field lists its
// buttons.
func TestCommandsOfTheEmptyPage(t *testing.T) {
	p := open(t, "/?test=1")
	p.idle()
	shortcut(p, "/")
	list := lines(p, "welcome-command-line")
	for _, want := range []string{"Choose files…", "Choose a folder…", "Open the sample", "Documentation", "Light or dark"} {
		if !slices.Contains(list, want) {
			t.Errorf("the commands are %q, without %q", list, want)
		}
	}
	if slices.ContainsFunc(list, func(l string) bool { return strings.Contains(l, "recent") }) {
		t.Errorf("nothing was opened before, and the commands are %q", list)
	}
	press(p, "no such thing")
	if got := eval[string](p, `document.getElementById("welcome-commands").innerText`); got != "No command matches “no such thing”." {
		t.Errorf("without a match it says %q", got)
	}
	press(p, kb.Escape)
	if visible(p, "welcome-command-line") || eval[string](p, "document.activeElement.tagName") != "BODY" {
		t.Error("Escape does not close the list")
	}
	shortcut(p, "?")
	if !eval[bool](p, `document.querySelector("#welcome-help").matches(":popover-open")`) {
		t.Error("? does not open the help")
	}
	shortcut(p, "?")
	shortcut(p, "/")
	press(p, "the sam")
	if list := lines(p, "welcome-command-line"); len(list) != 1 {
		t.Errorf("the sam leaves %q", list)
	}
	press(p, kb.Enter)
	p.idle()
	checkLoad(p)
	shortcut(p, "?") // now shows the keys for an open archive
	if !visible(p, "help-card") || visible(p, "welcome") {
		t.Error("? does not show the keys")
	}
	if got := eval[string](p, fmt.Sprintf(`document.querySelector('%s').getAttribute("href")`, id("guides"))); got != "docs/index.html" {
		t.Errorf("the help links to %q", got)
	}
}

// The documentation is part of the site: every page exists, has no broken
// links, and displays properly under the policy.
func TestDocumentation(t *testing.T) {
	p := open(t, "/docs/index.html")
	for _, name := range []string{"index", "dashboards", "derived", "keeping", "embedding", "testing", "operators"} {
		p.goTo("/docs/" + name + ".html")
		if n := eval[int](p, `document.querySelectorAll("main h1").length`); n != 1 {
			t.Errorf("%s has %d titles", name, n)
		}
		if got := eval[string](p, `getComputedStyle(document.querySelector("main h1")).fontSize`); got != "28px" {
			t.Errorf("the title of %s is %s large", name, got)
		}
		if gone := eval[[]string](p, `Promise.all([...document.links].filter((a) => a.origin === location.origin).map(async (a) => (await fetch(a.href)).ok ? "" : a.href)).then((l) => l.filter(Boolean))`); len(gone) > 0 {
			t.Errorf("%s leads to %q", name, gone)
		}
		if raw := eval[[]string](p, "(() => { const text = [...document.querySelectorAll('main :is(p, li, td)')].map((e) => { const c = e.cloneNode(true); c.querySelectorAll('code').forEach((x) => x.remove()); return c.textContent }); return text.filter((t) => /`|\\*\\*|\\]\\(/.test(t)) })()"); len(raw) > 0 {
			t.Errorf("%s shows its source: %q", name, raw)
		}
		p.shot("docs-" + name)
	}
}
