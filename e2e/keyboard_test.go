package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

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

// Tab goes from the button of a menu into it, around in it, and back; Escape closes it and
// leaves the focus on the button, wherever it was.
func TestKeyboardInMenus(t *testing.T) {
	p := openPage(t)
	focused := func() string {
		return eval[string](p, "document.activeElement.dataset.testid ?? document.activeElement.tagName")
	}
	for _, m := range []struct{ button, menu string }{{"source-menu", "sources"}, {"time-menu", "times"}, {"panel-menu", "panel-menu-items"}} {
		eval[bool](p, `(document.querySelector('`+id(m.button)+`').focus(), true)`)
		press(p, kb.Enter)
		if got := focused(); !visible(p, m.menu) || got != m.button {
			t.Errorf("Enter on %s: the focus is on %s, and the menu is open: %v", m.button, got, visible(p, m.menu))
		}
		inside := func() bool { return eval[bool](p, `document.activeElement.closest('`+id(m.menu)+`') !== null`) }
		press(p, kb.Tab)
		if !inside() {
			t.Errorf("Tab goes from %s to %s", m.button, focused())
		}
		for n := 0; n < 80 && inside(); n++ {
			press(p, kb.Tab)
		}
		if got := focused(); got != m.button {
			t.Errorf("Tab leaves %s for %s", m.menu, got)
		}
		press(p, kb.Tab)
		press(p, kb.Escape)
		if got := focused(); visible(p, m.menu) || got != m.button {
			t.Errorf("Escape in %s: the focus is on %s, and the menu is open: %v", m.menu, got, visible(p, m.menu))
		}
	}
	click(p, id("source-menu"))
	click(p, id("menu-share"))
	press(p, kb.Escape)
	if got := focused(); got != "source-menu" {
		t.Errorf("after a dialog opened from a menu the focus is on %s", got)
	}
}

// What is closed gives the focus back to where the user came from or, where they came from
// no control, to the main part of the page: on the body, Tab would begin at the top.
func TestFocusAfterClosing(t *testing.T) {
	p := openPage(t)
	focused := func() string {
		return eval[string](p, "document.activeElement.dataset.testid ?? document.activeElement.tagName")
	}
	inMain := func() bool {
		press(p, kb.Tab)
		return eval[bool](p, `document.activeElement.closest("main") !== null`)
	}
	shortcut(p, "/")
	press(p, kb.Escape)
	if got := focused(); got != "centre" || !inMain() {
		t.Errorf("Escape in the search leaves the focus on %s, and Tab goes to %s", got, focused())
	}
	eval[bool](p, `(document.querySelector('`+id("tab-metrics")+`').focus(), true)`)
	shortcut(p, "/")
	press(p, "load")
	press(p, kb.Escape)
	if got := focused(); got != "tab-metrics" {
		t.Errorf("Escape in the search, from a tab, leaves the focus on %s", got)
	}
	click(p, id("tab-findings"))
	for _, end := range []func(){
		func() { click(p, id("end-compare")) },
		func() { press(p, kb.Escape) },
	} {
		eval[bool](p, `(document.querySelector('`+id("open-compare")+`').focus(), true)`)
		press(p, kb.Enter)
		if !visible(p, "compare") {
			t.Fatal("Enter on the button compares nothing")
		}
		if end(); visible(p, "compare") || !visible(p, "panels") {
			t.Error("the comparison does not close")
		}
		if got := focused(); got != "open-compare" {
			t.Errorf("the comparison leaves the focus on %s", got)
		}
	}
	press(p, kb.Enter)
	typeInto(p, "a-from", "@03:50")
	press(p, kb.Escape)
	if !visible(p, "compare") {
		t.Error("Escape in a field of the comparison closes it; it should leave the field first")
	}
	press(p, kb.Escape)
	if got := focused(); visible(p, "compare") || got == "BODY" {
		t.Errorf("after the field, Escape leaves the comparison open, or the focus on %s", got)
	}
}
