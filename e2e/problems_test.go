package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"

	"pcpscope/internal/reference"
)

func TestProblems(t *testing.T) {
	base := filepath.Join(reference.Need(t, "corpus", "big"), "20180416.10.00")
	p := open(t, "/")
	p.idle()
	p.drop("body", base+".meta.xz", base+".index", base+".0.xz", base+".2.xz", base+".3.xz")
	p.idle()
	if got := text(p, "zone"); got != "UTC−4" {
		t.Errorf("the zone is %q", got)
	}
	// The missing data are from 11:30:15 to 12:58:35 of 10:01:25 to 14:32:47, as in
	// the list of problems.
	if got := text(p, "lost"); !strings.HasPrefix(got, "1 h 28 min of 4 h 31 min (33 %) is not recorded.") || !strings.Contains(got, "20180416.10.00.1") {
		t.Errorf("about the missing volume the page says %q", got)
	}
	click(p, id("tab-problems"))
	if got := text(p, "problem-list"); !strings.Contains(got, "20180416.10.00.1") || !strings.Contains(got, "11:30:15 – 12:58:35") {
		t.Errorf("the problems are %q", got)
	}
	p.shot("problems")
	left, top, width, height := plot(p, "kernel.all.load")
	mouse(p, input.DispatchMouseEventTypeMouseMoved, left+width/2, top+height/2, 0) // 12:17, inside the gap
	p.idle()
	if got := legend(p, "kernel.all.load")["kernel.all.load[1 minute]"]; len(got) == 0 || got[0] != "–" {
		t.Errorf("in the hole the load reads %v", got)
	}
	if got := eval[string](p, `[...document.querySelectorAll('[data-testid="reason"]')].map((e) => e.innerText).join("|")`); !strings.Contains(got, "the volume is missing") {
		t.Errorf("the reason is %q", got)
	}
	click(p, id("show-problem"))
	if got := text(p, "window"); got != "10:46:05 – 13:42:45" { // the gap, and half its length on either side
		t.Errorf("Show leaves the window at %q", got)
	}
}

// What pmlogcheck would report is one click away: badlog-2 can be read
// without problems, but a counter decreases in it (spec/archive.md section
// 12).
func TestInspect(t *testing.T) {
	base := filepath.Join(reference.Need(t, "corpus", "bad"), "badlog-2")
	p := open(t, "/")
	p.idle()
	p.drop("body", base+".0", base+".index", base+".meta")
	p.idle()
	click(p, id("tab-problems"))
	if got := eval[int](p, `document.querySelectorAll('[data-testid="problem"]').length`); got != 0 {
		t.Errorf("reading met with %d problems", got)
	}
	click(p, id("inspect"))
	if got := text(p, "inspected"); !strings.Contains(got, "Everything that pmlogcheck would report") {
		t.Errorf("the inspection says %q", got)
	}
	if got := text(p, "problem-list"); !strings.Contains(got, "badlog-2") || !strings.Contains(got, "sample.seconds decreases 1 time, first at 1998-08-06 18:34:35.258 UTC from 891 to 1.") { // as pmlogcheck -v and pmdumplog print it
		t.Errorf("the list shows %q", got)
	}
	p.shot("inspected")
}

// A missing volume is added to the open archive, and the view is kept:
// dashboard, window, drawer.
func TestMissingVolumeIsAdded(t *testing.T) {
	base := filepath.Join(reference.Need(t, "corpus", "big"), "20180416.10.00")
	p := open(t, "/")
	p.idle()
	p.drop("body", base+".meta.xz", base+".index", base+".0.xz", base+".2.xz", base+".3.xz")
	p.idle()
	click(p, `[data-board="memory"] button`)
	click(p, id("time-menu"))
	typeInto(p, "time-from", "@11:00")
	typeInto(p, "time-to", "@12:00")
	click(p, id("time-show"))
	click(p, id("tab-problems"))
	if got := text(p, "open-problem"); got != "Add the file…" {
		t.Errorf("beside the missing volume stands %q", got)
	}
	if cut := eval[bool](p, `[...document.querySelectorAll('[data-testid="problem-list"] button')].some((b) => { const r = b.getBoundingClientRect(); return document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2) !== b || r.right > innerWidth })`); cut {
		t.Error("something lies over a button beside a problem, or it is cut")
	}
	p.choose(id("file-input"), base+".1.xz") // the button requests this file
	p.idle()
	if n := eval[int](p, "pcpscope.sources().then((s) => s.length)"); n != 1 {
		t.Errorf("%d sources are open", n)
	}
	if visible(p, "lost") {
		t.Errorf("with all volumes it still says %q", text(p, "lost"))
	}
	if got := text(p, "view-title") + " " + text(p, "window"); got != "Memory 11:00:00 – 12:00:00" {
		t.Errorf("after the volume was added the page shows %q", got)
	}
	if got := text(p, "problem-list"); !strings.Contains(got, "No problem was found") {
		t.Errorf("the problems are %q", got)
	}
	if visible(p, "notes") {
		t.Errorf("it says %q", text(p, "notes"))
	}
	// The window extends into the former gap, from 11:30:15 on.
	if got := eval[string](p, `document.querySelector('[data-testid="panel"] [data-testid="now"]').innerText`); got == "–" || got == "" {
		t.Errorf("the first line ends with %q", got)
	}
	p.shot("volume-added")
}
