package e2e

import (
	"slices"
	"strings"
	"testing"
)

// What a first-time user finds out within five clicks: what used the CPU in
// the worst minute. According to pmdumplog (PCP 6.0.3) on 20180416.10.00, no
// six consecutive samples used more than those up to 14:22:15: 202.69 s of CPU
// time in 60 s, of which all processes in the samples used 66.81 s, and
// cc1plus 31.32 s.
func TestWorstMinute(t *testing.T) {
	p := openBig(t)
	click(p, id("worst-minute")) // one click
	when := eval[string](p, `document.querySelector('[data-testid="processes-table"] .vt-title').innerText`)
	note := eval[string](p, `document.querySelector('[data-testid="processes-table"] .vt-bar .t3').innerText`)
	if shown := text(p, "window"); when != "14:21:15 – 14:22:15" || shown != when {
		t.Errorf("the worst minute is %q, the window says %q", when, shown)
	}
	if cut := eval[bool](p, `((e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1)(document.querySelector('[data-testid="processes-table"] .vt-bar .t3'))`); cut {
		t.Errorf("the note is cut: %q", note)
	}
	for _, want := range []string{"3.38 CPUs used of 4", "1.11 by listed processes", "2.26 by short-lived processes, not sampled", "(estimate: cc1plus "} { // 202.69/60, 66.81/60, the difference
		if !strings.Contains(note, want) {
			t.Errorf("%q is not in %q", want, note)
		}
	}
	list := rows(p, "processes-table")
	if command := slices.Index(heads(p, "processes-table"), "Command"); list[0][command] != "not sampled" {
		t.Errorf("the table begins with %q", list[0])
	}
	p.shot("walk-worst-minute")
	click(p, `[data-board="processes"] button`) // the second
	who := eval[[][]string](p, `[...document.querySelector('[data-testid="panel"]').querySelectorAll('[data-testid="legend-row"]')].map((r) => [r.querySelector('.label').innerText, r.querySelector('[data-testid="avg"]').innerText])`)
	if len(who) < 4 || who[0][0] != "not sampled" || !strings.HasPrefix(who[1][0], "cc1plus ± ") || who[2][0] != "all others" || who[3][0] != "cc1plus" || who[3][1] != "52.2" { // 31.32 s of 60 s
		t.Errorf("who used the CPU: %q", who)
	}
	p.shot("walk-who")
}

// The same with the archive in testdata, which has no processes: the worst
// minute is shown, and nothing more is promised.
func TestWorstMinuteOfSmall(t *testing.T) {
	p := openPage(t)
	click(p, id("worst-minute"))
	if got := text(p, "window"); got == "03:49:02 – 03:54:02" {
		t.Error("the worst minute shows everything")
	}
	if got := text(p, "status"); strings.Contains(got, "Working") {
		t.Errorf("the page still says %q", got)
	}
}
