package e2e

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pcpscope/internal/reference"
)

// exportedSeries is a series in the page's JSON export.
type exportedSeries struct {
	Metric, Instance, Units, Semantics string
	Values                             []*float64
}

// reported runs the command line of the panel with these metrics and compares
// its output with the page: every line of the panel is a column of pmrep's,
// scaled to the unit that the page chose. Up to PCP 6.3.0 an instantaneous
// value is the last one logged, later the nearest one: there the page may be a
// step ahead.
func reported(p *page, pmrep func(dir, command string) ([]byte, error), dir, panel string, least int, wants ...string) {
	p.t.Helper()
	t := p.t
	eval[bool](p, `(kept.length = 0, true)`)
	click(p, panel+id("panel-menu"))
	commands := texts(p, id("panel-commands")+" code")
	click(p, id("panel-json"))
	saved := eval[string](p, `kept[0].text()`)
	if len(commands) == 0 {
		t.Errorf("%s has no command", panel)
		return
	}
	for _, w := range wants {
		if !strings.Contains(commands[0], w) {
			t.Errorf("the command %s is without %q", commands[0], w)
		}
	}
	var ours struct {
		Times  []string
		Series []exportedSeries
	}
	if err := json.Unmarshal([]byte(saved), &ours); err != nil {
		t.Fatal(err)
	}
	out, err := pmrep(dir, commands[0]+" -o csv -P 9 -f %H:%M:%S")
	if err != nil {
		t.Errorf("%s: %v", commands[0], err)
		return
	}
	table, err := csv.NewReader(strings.NewReader(string(out))).ReadAll()
	if err != nil || len(table) < 10 {
		t.Errorf("%s prints %.200q: %v", commands[0], out, err)
		return
	}
	row := map[string]int{}
	for i, line := range table[1:] {
		row[line[0]] = i + 1
	}
	theirs := func(i, column int) (float64, bool) {
		if i < 1 || i >= len(table) {
			return 0, false
		}
		v, err := strconv.ParseFloat(table[i][column], 64)
		return v, err == nil
	}
	compared := 0
	for _, s := range ours.Series {
		best := "no column is like it"
		for column := 1; column < len(table[0]); column++ {
			if s.Instance != "" && !strings.HasSuffix(table[0][column], "-"+s.Instance) {
				continue
			}
			n, wrong := 0, ""
			for _, factor := range factors {
				n, wrong = 0, ""
				for k, v := range s.Values {
					i := row[ours.Times[k][11:19]]
					want, ok := theirs(i, column)
					if v == nil || !ok {
						continue
					}
					same := alike(*v, want*factor)
					if next, ok := theirs(i+1, column); s.Semantics != "counter" && !same {
						same = ok && alike(*v, next*factor) || !ok
					}
					if !same {
						wrong = fmt.Sprintf("%s in %s at %s: %v here, %v there times %v", table[0][column], s.Units, ours.Times[k], *v, want, factor)
						break
					}
					n++
				}
				if wrong == "" {
					break
				}
			}
			if wrong == "" && n > 0 {
				compared, best = compared+n, ""
				break
			}
			if wrong != "" {
				best = wrong
			}
		}
		if best != "" {
			t.Errorf("%s[%s] of %s: %s", s.Metric, s.Instance, commands[0], best)
		}
	}
	t.Logf("%d values are the same: %s", compared, commands[0])
	if compared < least {
		t.Errorf("only %d values could be compared of %s", compared, commands[0])
	}
}

// factors are those between pmrep's units and the page's: 1, fractions as
// percent (of which 1 ms per second is 0.1), multiples of bytes, fractions of
// seconds.
var factors = []float64{1, 100, 1.0 / 1024, 1.0 / (1 << 20), 1.0 / (1 << 30), 1024, 1 << 20, 1000, 1e-3, 1e6, 1e-6, 0.1}

func alike(a, b float64) bool { return math.Abs(a-b) <= 1e-6+2e-3*math.Abs(b) }

// The page's command lines for pmrep print its numbers: rates, utilisation,
// several metrics, instances with odd names, derived metrics, expressions of
// dashboards, in a window and in another time zone.
func TestPmrep(t *testing.T) {
	pmrep, _ := reference.Pmrep(t)
	dir := t.TempDir()
	for _, f := range []string{"web01-v2.meta.gz", "web01-v2.index", "web01-v2.0.gz"} {
		reference.UnpackTo(t, dir, filepath.Join(root, "testdata/live", f))
	}
	p := open(t, "/")
	p.idle()
	p.drop("body", filepath.Join(dir, "web01-v2.0"), filepath.Join(dir, "web01-v2.meta"), filepath.Join(dir, "web01-v2.index"))
	p.idle()
	kept(p)
	of := func(metrics string) string { return fmt.Sprintf(`[data-testid="panel"][data-metrics="%s"] `, metrics) }
	titled := func(title string) string {
		n := eval[string](p, fmt.Sprintf(`[...document.querySelectorAll('[data-testid="panel"]')].find((e) => e.querySelector('[data-testid="panel-title"]').innerText === %q).dataset.panel`, title))
		eval[bool](p, fmt.Sprintf(`(document.getElementById("panel-%s").scrollIntoView({ block: "center" }), true)`, n))
		p.idle()
		return fmt.Sprintf(`[data-testid="panel"][data-panel="%s"] `, n)
	}
	// Dashboards: plain metrics, fractions of CPU time, quotients of selected instances, a table of a
	// tool layout.
	reported(p, pmrep, dir, titled("CPU"), 1000)
	click(p, id("tab-boards"))
	for _, b := range []struct{ dashboard, panel, want string }{{"disks", "Latency", "matchinst"}, {"network", "Packet size", "matchinst"}} {
		click(p, fmt.Sprintf(`[data-board="%s"] button`, b.dashboard))
		reported(p, pmrep, dir, titled(b.panel), 10, b.want)
	}
	// The user's own panels, in a window, in Tokyo's time zone.
	click(p, id("new-board"))
	click(p, id("time-menu"))
	typeInto(p, "zone-name", "Asia/Tokyo\r")
	typeInto(p, "time-from", "@12:50")
	typeInto(p, "time-to", "+2min")
	click(p, id("time-show"))
	for _, m := range []string{"disk.dev.avactive", "kernel.percpu.softirqs", "kernel.all.load", "mem.util.dirty"} {
		pick(p, m)
		click(p, id("add-new-panel"))
		reported(p, pmrep, dir, of(m), 100, "-Z Asia/Tokyo -S '@Nov 21 12:50:0", m)
	}
	pick(p, "network.interface.out.bytes")
	click(p, id("add-new-panel"))
	pick(p, "network.interface.in.bytes")
	click(p, id("add-to-panel"))
	reported(p, pmrep, dir, of("network.interface.out.bytes, network.interface.in.bytes"), 200, "out.bytes network.interface.in.bytes")
	editor(p, "kernel.all.pswitch")
	write(p, "derive-text", "rate(kernel.all.intr) / rate(kernel.all.pswitch)")
	write(p, "derive-name", "my.switches")
	click(p, id("derive-save"))
	pick(p, "my.switches")
	click(p, id("add-new-panel"))
	reported(p, pmrep, dir, of("my.switches"), 100, "-e 'my.switches = rate(")
}
