package e2e

import (
	"slices"
	"testing"

	"pcpscope/internal/recording"
)

// Cgroups are shown as the innermost, by slice and all of them; containers by
// their names, in charts and tables, and processes by their cgroups. Values by
// hand, in percent of one CPU: 60 and 20 in the system's slice, 10 of a user.
func TestCgroups(t *testing.T) {
	const n = 7
	const web, cron, user = "/system.slice/docker-0123456789abcdef.scope", "/system.slice/crond.service", "/user.slice/user-1000.slice/session-3.scope"
	micro := func(percent float64) []float64 { return recording.Rising(n, 0, percent*1e5) } // in 10 s
	files := recording.Recording{Agents: "../core/dashboard/testdata/pminfo.txt", Host: "groups", Step: 10e9, Values: map[string]map[string]any{
		"cgroup.cpu.stat.usage":      {"/": micro(95), "/system.slice": micro(85), web: micro(60), cron: micro(20), "/user.slice": micro(10), "/user.slice/user-1000.slice": micro(10), user: micro(10)},
		"cgroup.memory.current":      {web: recording.Steady(n, float64(3<<30))},
		"cgroup.memory.id.container": {web: recording.Steady(n, "0123456789abcdef"), cron: recording.Steady(n, "")},
		"containers.name":            {"0123456789abcdef": recording.Steady(n, "/shop")},
		"proc.psinfo.utime":          {"001200 /usr/sbin/nginx": recording.Rising(n, 0, 6000), "000700 /usr/sbin/crond": recording.Rising(n, 0, 2000)},
		"proc.psinfo.stime":          {"001200 /usr/sbin/nginx": recording.Rising(n, 0, 0), "000700 /usr/sbin/crond": recording.Rising(n, 0, 0)},
		"proc.psinfo.cgroups":        {"001200 /usr/sbin/nginx": recording.Steady(n, ":"+web), "000700 /usr/sbin/crond": recording.Steady(n, ":"+cron)},
	}}.Write(t)
	p := open(t, "/")
	p.drop("body", files...)
	p.idle()
	legend := func(panel string) []string {
		t.Helper()
		return eval[[]string](p, `[...[...document.querySelectorAll('[data-testid="panel"]')].find((e) => e.querySelector('[data-testid="panel-title"]').innerText === `+"`"+panel+"`"+`).querySelectorAll('[data-testid="legend-row"]')].map((e) => e.querySelector(".label").innerText + " " + e.querySelector('[data-testid="avg"]').innerText)`)
	}
	check := func(what, panel string, want ...string) {
		t.Helper()
		if got := legend(panel); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	click(p, `[data-board="cgroups"] button`)
	check("at first", "CPU", "shop 60.0", "crond.service 20.0", "session-3.scope 10.0")
	if on := eval[string](p, `document.querySelector('[data-testid="groups-by"] .on').innerText`); on != "Innermost" {
		t.Errorf("chosen is %q", on)
	}
	rows := eval[[]string](p, `[...[...document.querySelectorAll('[data-testid="panel"]')].find((e) => e.querySelector('[data-testid="panel-title"]').innerText === "Cgroups").querySelectorAll('[role="row"]')].map((e) => e.innerText.split("\n")[0])`)
	if !slices.Contains(rows, "shop") || !slices.Contains(rows, "crond.service") {
		t.Errorf("the table has %q", rows)
	}
	click(p, id("groups-slice"))
	check("by slice", "CPU", "system.slice 80.0", "user-1000.slice 10.0")
	p.shot("cgroups-by-slice")
	click(p, id("groups-all"))
	if got := legend("CPU"); len(got) != 7 || got[0] != "/ 95.0" {
		t.Errorf("all: %q", got)
	}
	click(p, id("groups-innermost"))
	check("the innermost again", "CPU", "shop 60.0", "crond.service 20.0", "session-3.scope 10.0")

	click(p, `[data-board="processes"] button`)
	click(p, id("by-cgroup"))
	check("processes", "CPU by cgroup", "shop 60.0", "crond.service 20.0")
}
