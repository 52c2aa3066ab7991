package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"pcpscope/internal/recording"
)

// Cgroups are shown as the innermost, by slice, or all of them; containers by
// their names, in charts and tables, and processes by their cgroups. Expected
// values were computed by hand, in percent of one CPU: 60 and 20 in the system
// slice, 10 for a user.
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

	namesOfContainers(p, web)
	click(p, id("tab-boards"))
	click(p, `[data-board="processes"] button`)
	click(p, id("by-cgroup"))
	check("processes", "CPU by cgroup", "shop 60.0", "crond.service 20.0")
}

// namesOfContainers looks for container names wherever cgroups are shown:
// search, details, tables and exports.
func namesOfContainers(p *page, path string) {
	p.t.Helper()
	shortcut(p, "/")
	press(p, "shop")
	p.idle()
	if heads := lines(p, "search-head"); !slices.ContainsFunc(heads, func(s string) bool { return strings.HasPrefix(s, "Instances named shop") }) {
		p.t.Errorf("shop is found as %q", heads)
	}
	if hits := lines(p, "search-hit"); !slices.ContainsFunc(hits, func(s string) bool { return strings.HasPrefix(s, "cgroup.cpu.stat.usage[shop]") }) {
		p.t.Errorf("shop is found in %q", hits)
	}
	if commands := lines(p, "command-only"); len(commands) != 1 || !strings.HasPrefix(commands[0], "Show only shop in every panel") {
		p.t.Errorf("of shop alone: %q", commands)
	}
	press(p, kb.Escape)
	press(p, kb.Escape)
	pick(p, "cgroup.cpu.stat.usage")
	p.idle()
	details := eval[[][]string](p, `[...document.querySelectorAll('[data-testid="instance"]')].map((e) => [e.children[1].innerText, e.children[1].title])`)
	if !slices.ContainsFunc(details, func(d []string) bool { return d[0] == "shop" && strings.HasPrefix(d[1], path) }) {
		p.t.Errorf("the details have %q", details)
	}
	click(p, id("tab-instances"))
	p.idle()
	if list := rows(p, "instances-table"); !slices.Contains(heads(p, "instances-table"), "called") || !slices.ContainsFunc(list, func(r []string) bool { return r[1] == path && r[2] == "shop" }) {
		p.t.Errorf("the table of instances has %q, %q", heads(p, "instances-table"), list)
	}
	click(p, id("tab-instances"))
	files := kept(p)
	click(p, id("share"))
	click(p, id("export-csv"))
	click(p, id("export-json"))
	p.idle()
	saved := files()
	if len(saved) != 4 || !strings.Contains(saved[0], "cgroup.memory.current["+path+"]") || !strings.Contains(saved[2], `"instance": "`+path+`",
   "title": "shop"`) {
		p.t.Errorf("saved as %q", saved)
	}
	press(p, kb.Escape)
}
