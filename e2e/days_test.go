package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"pcpscope/internal/reference"
)

// Two days in the calendar: a click on an hour shows that hour with the values
// that PCP's tools print: `TZ=UTC pmlogsummary -mMyI 20170227 kernel.all.load`
// (PCP 6.0.3) has 126.580 at 03:40:42.753, which is 14:40:42 in the host's time
// zone.
func TestDays(t *testing.T) {
	var files []string
	for _, day := range []string{"20170227", "20170228"} {
		found, _ := filepath.Glob(filepath.Join(reference.Need(t, "corpus", "history"), day+".*"))
		files = append(files, found...)
	}
	p := open(t, "/?test=1")
	p.idle()
	p.drop("body", files...)
	p.idle()
	if got := text(p, "days-day"); !strings.Contains(got, "hourly mean, lowest to highest") {
		t.Fatalf("the page describes the overlaid day as %q", got)
	}
	// Findings, the host's history and what is missing write times in one form.
	openTab(p, "tab-findings")
	times := eval[[]string](p, `[...document.querySelectorAll('[data-testid="finding"], [data-testid="history-event"], [data-testid="lost"]')].flatMap((e) => e.innerText.match(/\d+ Feb \d\d:\d\d(:\d\d)?/g) ?? [])`)
	for _, at := range times {
		if strings.Count(at, ":") != 2 {
			t.Errorf("of the times %q, %q has no seconds", times, at)
		}
	}
	if len(times) < 3 {
		t.Errorf("the findings of two days have the times %q", times)
	}
	openTab(p, "tab-boards")
	box := eval[[]float64](p, `(() => { const r = document.querySelector('[data-testid="days-map"]').getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()`)
	// The layout in days.js: margins of 48 left for the hours, 12 right, 4 above, and 20 below for the dates; a third
	// day begins at midnight.
	p.press(box[0]+48+(box[2]-60)/3*0.5, box[1]+4+(box[3]-24)/24*14.5, "")
	p.idle()
	if got := text(p, "window"); got != "27 Feb 14:00:00 – 15:00:00" {
		t.Errorf("a click on 14:00 of the first day shows %q", got)
	}
	if got := legend(p, "kernel.all.load")["kernel.all.load[1 minute]"]; len(got) != 5 || got[3] != "126.6" || got[4] != "27 Feb 14:40:42" {
		t.Errorf("the load of that hour reads %q", got)
	}
	p.shot("days")
}
