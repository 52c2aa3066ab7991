package core

import (
	"math"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/internal/recording"
)

const (
	webID  = "4f66ad9a0b2e8c1d4f66ad9a0b2e8c1d4f66ad9a0b2e8c1d4f66ad9a0b2e8c1d"
	podID  = "9c1d7e20aa118c1d4f66ad9a0b2e8c1d4f66ad9a0b2e8c1d4f66ad9a0b2e8c1d"
	webIn  = "/system.slice/docker-" + webID + ".scope"
	podIn  = "/kubepods.slice/kubepods-pod12.slice/cri-containerd-" + podID + ".scope"
	podOf  = "/kubepods.slice/kubepods-pod12.slice"
	cronIn = "/system.slice/crond.service"
	userIn = "/user.slice/user-1000.slice/session-3.scope"
)

// groups is a host with cgroups: some of version 2, limits of version 1.
func groups() recording.Recording {
	const n = 7
	of := func(root, system, web, cron, kube, pod, user float64, wide func(float64) any) map[string]any {
		return map[string]any{"/": wide(root), "/system.slice": wide(system), webIn: wide(web), cronIn: wide(cron), "/kubepods.slice": wide(kube), podOf: wide(pod), podIn: wide(pod),
			"/user.slice": wide(user), "/user.slice/user-1000.slice": wide(user), userIn: wide(user)}
	}
	growing := func(step float64) any { return recording.Rising(n, 1000, step) }
	level := func(v float64) any { return recording.Steady(n, v) }
	ids := map[string]any{}
	for path := range of(0, 0, 0, 0, 0, 0, 0, level) {
		ids[path] = recording.Steady(n, map[string]string{webIn: webID, podIn: podID}[path])
	}
	const second = 1e6 // microseconds
	return recording.Recording{Host: "groups", Step: 10e9, Values: map[string]map[string]any{
		"kernel.all.load":                   {"1 minute": level(1.5)},
		"hinv.ncpu":                         {"": level(4)},
		"cgroup.cpu.stat.usage":             of(18*second, 9*second, 6*second, 2*second, 4*second, 4*second, second, growing),
		"cgroup.cpu.stat.user":              of(12*second, 7*second, 5*second, second, 3*second, 3*second, second/2, growing),
		"cgroup.memory.current":             of(9<<30, 5<<30, 3<<30, 1<<30, 2<<30, 2<<30, 1<<29, level),
		"cgroup.io.stat.rbytes":             {webIn + "::vda": growing(40 << 20), cronIn + "::vda": growing(10 << 20), podIn + "::vda": growing(20 << 20), "/system.slice::vda": growing(50 << 20)},
		"cgroup.pressure.cpu.some.total":    of(second, second, second/2, 0, 2*second, 2*second, 0, growing),
		"cgroup.pressure.cpu.some.avg10sec": of(10, 10, 5, 0, 20, 20, 0, level),
		"cgroup.pressure.cpu.some.avg1min":  of(8, 8, 4, 0, 16, 16, 0, level),
		"cgroup.pressure.cpu.some.avg5min":  of(4, 4, 2, 0, 8, 8, 0, level),
		"cgroup.pressure.memory.full.total": of(0, 0, 0, 0, second, second, 0, growing),
		"cgroup.memory.usage":               of(9<<30, 5<<30, 3<<30, 1<<30, 2<<30, 2<<30, 1<<29, level),
		"cgroup.memory.limit":               of(math.MaxInt64-4095, math.MaxInt64-4095, 4<<30, math.MaxInt64-4095, math.MaxInt64-4095, math.MaxInt64-4095, 2<<30, level),
		"cgroup.cpusched.periods":           {webIn: growing(100), podIn: growing(100)},
		"cgroup.cpusched.throttled":         {webIn: growing(25), podIn: growing(0)},
		"cgroup.cpusched.cfs_quota":         {webIn: level(200_000), podIn: level(-1)},
		"cgroup.cpusched.cfs_period":        {webIn: level(100_000), podIn: level(100_000)},
		"cgroup.memory.id.container":        ids,
		"containers.name":                   {webID: recording.Steady(n, "/shop-web")},
	}, Labels: map[string]string{podIn: `{"cgroup":"pod","pod":"queue-7d4f","container":"worker"}`, podOf: `{"pod":"queue-7d4f"}`}}
}

// A container's name is shown beside the path of its cgroup: by its ID if the
// container agent was logged, by labels of the instance, otherwise the
// beginning of the ID.
func TestContainersHaveNames(t *testing.T) {
	a := groups()
	titles := func() map[string]string {
		s, src := record(t, a)
		f, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{"100 * rate(cgroup.cpu.stat.usage)", "rate(cgroup.io.stat.rbytes)", "hinv.ncpu", "cgroup.memory.id.container"}, Start: &api.When{Text: "+0s"}, Interval: &api.When{Text: "10s"}, Count: 3}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, c := range f.Columns {
			if c.Instance != nil && c.Title != "" {
				got[c.Instance.Name] = c.Title
			}
		}
		return got
	}
	check := func(what string, got, want map[string]string) {
		t.Helper()
		for path, title := range want {
			if got[path] != title {
				t.Errorf("%s: %s is called %q, want %q", what, path, got[path], title)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d have titles, want %d: %v", what, len(got), len(want), got)
		}
	}
	check("all known", titles(), map[string]string{webIn: "shop-web", webIn + "::vda": "shop-web::vda", podIn: "queue-7d4f/worker", podIn + "::vda": "queue-7d4f/worker::vda", podOf: "queue-7d4f"})
	delete(a.Values, "containers.name")
	a.Labels = nil
	check("identifiers alone", titles(), map[string]string{webIn: webID[:12], webIn + "::vda": webID[:12] + "::vda", podIn: podID[:12], podIn + "::vda": podID[:12] + "::vda"})
}

// A container's name is used wherever its cgroup is mentioned: in the list of
// instances, in search results, by path or name, in summaries and comparisons.
// The path is kept beside it.
func TestContainersHaveNamesEverywhere(t *testing.T) {
	a := groups()
	steps := recording.Steady(40, 1.0)
	for i := range steps {
		if steps[i] = float64(1<<30) + float64(i%3); i >= 20 { // twice of it from the middle on
			steps[i] *= 2
		}
	}
	a.Values["cgroup.memory.usage"][webIn] = steps
	s, src := record(t, a)
	var domain string
	for _, m := range s.sources[0].metricList("") {
		if m.name == "cgroup.io.stat.rbytes" {
			domain = m.InDom.String()
		}
	}
	list, err := s.Instances(src.ID, domain)
	if err != nil {
		t.Fatal(err)
	}
	titles := map[string]string{}
	for _, in := range list {
		titles[in.Name] = in.Title
	}
	for path, want := range map[string]string{webIn + "::vda": "shop-web::vda", podIn + "::vda": "queue-7d4f/worker::vda", cronIn + "::vda": ""} {
		if got, there := titles[path]; !there || got != want {
			t.Errorf("the instance %s is called %q, want %q", path, got, want)
		}
	}
	for _, text := range []string{"shop-web", "docker-" + webID, "cgroup.memory.usage shop"} {
		hits, err := s.Search(t.Context(), src.ID, text, 0)
		if err != nil || len(hits) == 0 {
			t.Fatal(text, err, hits)
		}
		for _, h := range hits {
			if h.Metric == "containers.name" {
				continue
			}
			if name, _, _ := strings.Cut(h.Title, "::"); h.Instance == nil || h.Where != "instance" || name != "shop-web" || !strings.HasPrefix(h.Instance.Name, webIn) {
				t.Errorf("%q finds %+v, %+v", text, h, h.Instance)
			}
		}
	}
	sums, err := s.Summary(t.Context(), api.SummaryQuery{Source: src.ID, Metrics: []string{"cgroup.memory.usage"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, sum := range sums {
		if sum.Instance.Name == webIn && sum.Title == "shop-web" || sum.Instance.Name == cronIn && sum.Title == "" {
			found++
		}
	}
	if found != 2 {
		t.Errorf("summaries: %+v", sums)
	}
	at := func(n int64) *api.When { v := int64(recording.Start) + n*10e9; return &api.When{Nanos: &v} }
	c, err := s.Compare(t.Context(), api.CompareQuery{Source: src.ID, AStart: at(0), AEnd: at(19), BStart: at(20), BEnd: at(39), Processes: true}, nil)
	if err != nil || len(c.Changes) != 1 {
		t.Fatalf("Compare = %v, changes %+v; want one", err, c.Changes)
	}
	if ch := c.Changes[0]; ch.Instance.Name != webIn || ch.Title != "shop-web" || ch.Name != "Cgroup memory" {
		t.Errorf("%s is called %q, %q", ch.Instance.Name, ch.Title, ch.Name)
	}
}

// Findings about a cgroup use its container's name. Computed by hand: 3 of 4
// GiB, 25 of 100 periods for a minute, which is too short for a finding.
func TestTileOfCgroups(t *testing.T) {
	s, src := record(t, groups())
	tile, _ := tileOf(t, s, src, "Cgroups")
	if got := tile.Utilisation.Text + ", " + tile.Saturation.Text; got != "shop-web 75 % of its memory, shop-web throttled 25 %" {
		t.Errorf("the tile says %s", got)
	}
	zero := 0.0
	if _, err := s.SetRule(src.ID, "lasting", &zero); err != nil {
		t.Fatal(err)
	}
	if o, err := s.Overview(t.Context(), src.ID, nil); err != nil || len(o.Findings) != 2 || o.Findings[0].Text != "shop-web was throttled in 25 % of its periods for 1 min" || o.Findings[1].Text != "queue-7d4f/worker waited for memory 10 % of the time for 1 min" {
		t.Errorf("Overview = %v, findings %+v; want one about throttling and one about waiting for memory", err, o.Findings)
	}
}

// Processes are grouped by their innermost cgroup, shown by its container's
// name. By hand, in 10 s: 2 and 1 s of the two in the container are 30 % of one
// CPU, half a second of crond 5 %, the kernel thread 1 %. The format of the list
// is that of pmdaproc 6.0.3: with both versions of cgroups, and with the second
// alone.
func TestProcessesByCgroup(t *testing.T) {
	const n = 4
	web1, web2, cron, kernel := "001200 /usr/sbin/nginx -g", "001201 /usr/sbin/nginx -g", "000700 /usr/sbin/crond -n", "000002 (kthreadd)"
	a := recording.Recording{Host: "processes", Step: 10e9, Values: map[string]map[string]any{
		"proc.psinfo.utime": {web1: recording.Rising(n, 0, 2000), web2: recording.Rising(n, 0, 1000), cron: recording.Rising(n, 0, 500), kernel: recording.Rising(n, 0, 0)},
		"proc.psinfo.stime": {web1: recording.Rising(n, 0, 0), web2: recording.Rising(n, 0, 0), cron: recording.Rising(n, 0, 0), kernel: recording.Rising(n, 0, 100)},
		"proc.psinfo.cgroups": {web1: recording.Steady(n, "name=systemd:"+webIn+";pids:/system.slice;cpu,cpuacct:/;:/"), web2: recording.Steady(n, ":"+webIn),
			cron: recording.Steady(n, "name=systemd:"+cronIn+";cpu,cpuacct:/system.slice;:/"), kernel: recording.Steady(n, "name=systemd:/;:/")},
		"proc.psinfo.minflt":         {web1: recording.Rising(n, 7, 50), web2: recording.Rising(n, 0, 30), cron: recording.Rising(n, 0, 10), kernel: recording.Steady(n, 0.0)},
		"proc.schedstat.run_delay":   {web1: recording.Rising(n, 0, 2.5e9), kernel: recording.Steady(n, 0.0)}, // ns
		"proc.psinfo.nvctxsw":        {cron: recording.Rising(n, 100, 30)},
		"proc.psinfo.threads":        {web1: recording.Steady(n, 4.0), web2: recording.Steady(n, 2.0), cron: recording.Steady(n, 1.0), kernel: recording.Steady(n, 1.0)},
		"proc.memory.vmswap":         {cron: recording.Steady(n, 2048.0)}, // KiB
		"cgroup.memory.id.container": {webIn: recording.Steady(n, webID), cronIn: recording.Steady(n, "")},
		"containers.name":            {webID: recording.Steady(n, "/shop-web")},
	}}
	consumers := func(what string) map[string]float64 {
		s, src := record(t, a)
		c, err := s.Consumers(t.Context(), api.ConsumerQuery{Source: src.ID, What: what, By: "cgroup"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, one := range c.Series {
			got[one.Name] = one.Mean
		}
		table, err := s.Processes(t.Context(), api.ProcessQuery{Source: src.ID}, nil)
		if err != nil || len(table.Processes) != 4 || a.Values["proc.psinfo.cgroups"] != nil && table.Processes[0].Cgroup != webIn {
			t.Errorf("the table: %v, %+v", err, table.Processes)
		}
		return got
	}
	expect(t, "by cgroup", consumers(""), map[string]float64{"shop-web": 30, cronIn: 5, "/": 1})
	expect(t, "in the kernel", consumers("sysCPU"), map[string]float64{"/": 1})
	expect(t, "faults", consumers("minor"), map[string]float64{"shop-web": 8, cronIn: 1})
	expect(t, "waiting", consumers("waiting"), map[string]float64{"shop-web": 25})
	expect(t, "switches", consumers("forced"), map[string]float64{cronIn: 3})
	expect(t, "threads", consumers("threads"), map[string]float64{"shop-web": 6, cronIn: 1, "/": 1})
	expect(t, "swapped", consumers("swapped"), map[string]float64{cronIn: 2 << 20})
	a.Host = "containers"
	delete(a.Values, "proc.psinfo.cgroups")
	a.Values["proc.id.container"] = map[string]any{web1: recording.Steady(n, webID), web2: recording.Steady(n, webID), cron: recording.Steady(n, ""), kernel: recording.Steady(n, "")}
	expect(t, "by container", consumers(""), map[string]float64{"shop-web": 30, "no container": 6})
	a.Host = "neither"
	delete(a.Values, "proc.id.container")
	s, src := record(t, a)
	if c, err := s.Consumers(t.Context(), api.ConsumerQuery{Source: src.ID, By: "cgroup"}, nil); err == nil {
		t.Errorf("without any: %+v", c)
	}
}

// Without the agent's link the path says which container it is, but for conmon's, which
// watches one.
func TestContainersByPath(t *testing.T) {
	const id = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	for path, want := range map[string]string{
		"/system.slice/docker-" + id + ".scope": "shop-web", "/docker/" + id: "shop-web", "/machine.slice/libpod-" + id + ".scope": "shop-web",
		"/machine.slice/libpod-conmon-" + id + ".scope": "", "/system.slice/docker-" + id[1:] + ".scope": "", "/system.slice/docker-" + id + ".scope/init": "",
	} {
		s, src := record(t, recording.Recording{Host: "containers", Step: 10e9, Values: map[string]map[string]any{
			"cgroup.memory.usage": {path: recording.Steady(3, 5.0)}, "containers.name": {id: recording.Steady(3, "/shop-web")},
		}})
		f, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{"cgroup.memory.usage"}, Interval: &api.When{Text: "10s"}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Columns[0].Title; got != want {
			t.Errorf("%s is called %q, want %q", path, got, want)
		}
	}
}

// The cgroup table and the kernel's averages, by hand: 6 of 10 seconds of CPU
// are 60 % of one CPU, 25 of 100 periods 25 %, 3 of 4 GiB 75 %; a limit of
// nearly 2^64 bytes means unlimited.
func TestTablesOfCgroups(t *testing.T) {
	s, src := record(t, groups())
	got := panelValues(t, s, src, "cgroups", "table", recording.Start, 10e9, 3)
	for name, want := range map[string]float64{
		"CPU % " + webIn: 60, "CPU % " + podIn: 40, "CPU % /": 180, "quota % " + webIn: 200, "quota % " + podIn: math.NaN(), "throttled % " + webIn: 25, "throttled % " + podIn: 0,
		"memory " + webIn: 3 << 30, "limit " + webIn: 4 << 30, "limit " + podIn: math.NaN(), "of limit % " + webIn: 75, "of limit % " + userIn: 25,
		"waits for CPU % " + webIn: 5, "for memory % " + podIn: 10,
	} {
		if g, there := got[name]; !there || !(math.Abs(g-want) < 1e-9*(1+want) || g != g && want != want) {
			t.Errorf("%s is %v, want %v", name, g, want)
		}
	}
	got = panelValues(t, s, src, "cgroups", "averages", recording.Start, 10e9, 3)
	for name, want := range map[string]float64{"CPU, some, 10 s " + podIn: 20, "CPU, some, 1 min " + podIn: 16, "CPU, some, 5 min " + podIn: 8} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	d, err := s.Dashboard(t.Context(), src.ID, "cgroups")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range d.Panels {
		if !p.InnermostOnly {
			t.Errorf("panel %s counts groups twice", p.ID)
		}
	}
}

// The agent passes on cpuacct.stat of cgroups of version 1, which is in hundredths of a second, as
// if it were in milliseconds: 120 and 30 of them each second are the 1.5 CPUs of cpuacct.usage.
func TestTimeOfOldCgroups(t *testing.T) {
	s, src := record(t, recording.Recording{Host: "old", Step: 10e9, Values: map[string]map[string]any{
		"cgroup.cpuacct.usage":       {cronIn: recording.Rising(7, 1e12, 15e9)},
		"cgroup.cpuacct.stat.user":   {cronIn: recording.Rising(7, 1e6, 1200)},
		"cgroup.cpuacct.stat.system": {cronIn: recording.Rising(7, 1e6, 300)},
	}})
	for id, want := range map[string]float64{"cpu": 150, "user": 120, "system": 30} {
		got := panelValues(t, s, src, "cgroups", id, src.Start+20e9, 10e9, 2)
		if v := got[cronIn]; len(got) != 1 || !(math.Abs(v-want) < 1e-6) {
			t.Errorf("%s: %v %% of one CPU, want %g", id, got, want)
		}
	}
}
