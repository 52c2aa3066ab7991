package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// What happened in the record is on the strip and in the list of findings;
// either zooms to it, and explains it.
func TestStory(t *testing.T) {
	p := openPage(t)
	p.idle()
	whole := text(p, "window")
	openTab(p, "tab-findings")
	n := eval[int](p, `document.querySelectorAll('[data-testid="lane-incident"]').length`)
	if list := eval[int](p, `document.querySelectorAll('[data-testid="incident"]').length`); n == 0 || n != list {
		t.Fatalf("%d incidents are in the lane, %d in the list", n, list)
	}
	if got := text(p, "incident-text"); !strings.Contains(got, " to ") {
		t.Errorf("an incident says %q", got)
	}
	// The lane is one stop for the keyboard.
	eval[bool](p, `(navigator.clipboard.writeText = async (text) => { window.copied = text; }, document.querySelector('[data-testid="story-lane"]').focus(), true)`)
	press(p, kb.End+kb.Home+kb.ArrowRight+kb.ArrowLeft+kb.End)
	p.idle()
	if got := eval[string](p, `document.querySelector('#' + document.activeElement.getAttribute("aria-activedescendant")).getAttribute("aria-selected") + " " + document.querySelectorAll('[data-testid="lane-incident"][aria-selected="true"]').length`); got != "true 1" {
		t.Errorf("chosen by keys: %s", got)
	}
	p.accessible("an incident is chosen in the lane")
	press(p, kb.Enter)
	p.idle()
	if got := text(p, "window"); got == whole || !visible(p, "explain") {
		t.Errorf("Enter in the lane shows %q", got)
	}
	click(p, id("explain-close"))
	click(p, id("story-copy"))
	if got := eval[string](p, `window.copied ?? ""`); !strings.Contains(got, "series changed.") || !strings.HasPrefix(got, "pcp-testhost, 2026-11-21") {
		t.Errorf("copied: %q", got)
	}
	click(p, id("undo"))
	click(p, id("incident"))
	p.idle()
	if got := text(p, "window"); got == whole {
		t.Errorf("the window is still %q", got)
	}
	if !visible(p, "explain") {
		t.Error("it is not explained")
	}
	p.shot("story")
	p.must(p.Dark(true))
	dark, _ := p.in(true)
	dark("an incident explained, in the dark theme")
	p.shot("story-dark")
}
