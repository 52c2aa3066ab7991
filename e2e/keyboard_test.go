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
