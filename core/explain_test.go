package core

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
)

// explainBig asks about a window of the reference archive, in UTC.
func explainBig(t *testing.T, s *Session, id api.SourceID, from, to string) api.Explanation {
	t.Helper()
	at := func(text string) *api.When {
		v, err := time.Parse(time.DateTime, "2018-04-16 "+text)
		if err != nil {
			t.Fatal(err)
		}
		n := v.UnixNano()
		return &api.When{Nanos: &n}
	}
	x, err := s.Explain(t.Context(), api.ExplainQuery{Source: id, Start: at(from), End: at(to)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Events of the reference archive and when they began: a browser is started at
// 14:15:25, rsync writes to sdb from 14:40:55 to 15:40:35, a compiler runs from
// 18:21:00 on, packages are installed on sda from 18:29:20 on. By pmdumplog(1), the
// first record of the compiler, of 1.58 CPUs after 0.56, is that of 18:21:15.396, and
// that of the packages, of 12.6 % after 2.2 %, that of 18:29:15.392. Means are those of
// pmlogsummary(1) 6.0.3, which leaves out the first interval of a window.
func TestExplain(t *testing.T) {
	s, src := openReference(t)
	for _, c := range []struct {
		from, to, family, metric, instance string
		was                                float64
		since                              string // and how many records it may be off
		off                                float64
		began                              string
	}{
		{"14:15:25", "14:20:25", "memory", "mem.util.available", "", 5200547.736, "", 0, "firefox"},
		{"14:15:25", "14:20:25", "disk", "disk.dev.avactive", "sda", math.NaN(), "14:15:25", 0, "firefox"},
		{"14:40:55", "15:40:35", "disk", "disk.dev.avactive", "sdb", 1, "14:40:55", 0, "rsync"},
		{"14:45:00", "14:55:00", "disk", "disk.dev.avactive", "sdb", 1, "14:40:55", 10, ""},
		{"18:21:00", "18:26:00", "cpu", "kernel.all.cpu.user", "", 1.833, "18:21:15", 0, "cc1plus"},
		{"18:29:20", "18:32:00", "disk", "disk.dev.avactive", "sda", 0.479, "18:29:15", 0, "rpm"},
	} {
		x := explainBig(t, s, src.ID, c.from, c.to)
		if x.Why != "" || len(x.Rows) == 0 {
			t.Errorf("%s: %q, %d rows", c.from, x.Why, len(x.Rows))
			continue
		}
		i := slices.IndexFunc(x.Rows, func(r api.ExplanationRow) bool {
			return r.Metric == c.metric && (r.Instance == nil || r.Instance.Name == c.instance)
		})
		if i < 0 || i > 2 || c.was == c.was && i > 0 {
			t.Errorf("%s: %s is row %d of %q", c.from, c.metric, i, x.Text)
			continue
		}
		r := x.Rows[i]
		if r.Family != c.family || c.was == c.was && math.Abs(r.Was-c.was) > 0.05*c.was {
			t.Errorf("%s: %+v", c.from, r)
		}
		if c.since != "" {
			want, _ := time.Parse(time.DateTime, "2018-04-16 "+c.since)
			if r.Since == nil || math.Abs(r.Since.Std().Sub(want).Seconds()) > c.off+1 {
				t.Errorf("%s: since %v", c.from, r.Since.Std())
			}
		}
		if c.began != "" && !slices.ContainsFunc(x.Began, func(b api.StartedCommand) bool { return b.Command == c.began }) {
			t.Errorf("%s: began %+v", c.from, x.Began)
		}
		if len(r.Values) == 0 || !strings.Contains(x.Text[i], "usually") {
			t.Errorf("%s: %d values, %q", c.from, len(r.Values), x.Text)
		}
	}
	t.Run("command", func(t *testing.T) { explainCommand(t, s, src.ID) })
	t.Run("quiet", func(t *testing.T) { explainQuiet(t, s, src.ID) })
}

// From 16:04:00 to 17:40:10 a browser's process was busy, while the CPUs were not
// busier than they often are. pmlogsummary(1) 6.0.3 has, of the four processes of
// "Web Content", rates of 0.286 in proc.psinfo.utime and 0.055 in stime. By pmdumplog(1), utime of the
// largest grew by 210 ms in the ten seconds to 16:03:55.381, and by 2,670 ms in those to 16:04:05.399.
func explainCommand(t *testing.T, s *Session, id api.SourceID) {
	x := explainBig(t, s, id, "16:04:00", "17:40:10")
	i := slices.IndexFunc(x.Rows, func(r api.ExplanationRow) bool { return r.Family == "cpu" })
	if i < 0 || i > 1 {
		t.Fatalf("the CPUs are row %d of %q", i, x.Text)
	}
	r := x.Rows[i]
	if r.Command != "Web Content" || r.Metric != "" || math.Abs(r.Was-34.1) > 0.5 || r.Name != "CPU time" || r.Unit != "%" || r.Since == nil {
		t.Errorf("%+v", r)
	}
	for _, from := range []string{"16:03:50", "16:03:57", "16:04:00", "16:04:04", "16:04:11"} {
		x := explainBig(t, s, id, from, "17:40:10")
		i := slices.IndexFunc(x.Rows, func(r api.ExplanationRow) bool { return r.Command == "Web Content" })
		if i < 0 || x.Rows[i].Since == nil || x.Rows[i].Since.Std().Format("15:04:05.000") != "16:04:05.399" {
			t.Errorf("%s: %+v", from, x.Rows)
		}
	}
	if !strings.HasPrefix(r.Text, "CPU time of Web Content: 34.") || !strings.Contains(r.Text, " % of a CPU on average, usually ") {
		t.Error(r.Text)
	}
	if slices.ContainsFunc(r.Moves, func(m api.Correlation) bool { return m.Command == r.Command }) {
		t.Errorf("it moves with itself: %+v", r.Moves)
	}
}

// During fifty quiet minutes, hardly any ten-minute window has an explanation:
// at most one row in two windows.
func explainQuiet(t *testing.T, s *Session, id api.SourceID) {
	rng := rand.New(rand.NewPCG(7, 7))
	rows := 0
	const windows = 30
	for range windows {
		from := time.Date(2000, 1, 1, 16, 40, 0, 0, time.UTC).Add(time.Duration(rng.Int64N(int64(50 * time.Minute))))
		x := explainBig(t, s, id, from.Format(time.TimeOnly), from.Add(10*time.Minute).Format(time.TimeOnly))
		if rows += len(x.Rows); len(x.Text) == 0 {
			t.Errorf("%s: no explanation", from.Format(time.TimeOnly))
		}
	}
	if t.Logf("%d rows of %d windows", rows, windows); rows > windows/2 {
		t.Errorf("%d rows are told of %d quiet windows", rows, windows)
	}
}

// If there is no explanation, a sentence says why.
func TestExplainNothing(t *testing.T) {
	s, o := openAll(t, archiveFiles("../testdata/live", "web01")...)
	id := o.Sources[0].ID
	x, err := s.Explain(t.Context(), api.ExplainQuery{Source: id}, nil)
	if err != nil || x.Why == "" || len(x.Rows) > 0 {
		t.Errorf("the whole record: %q, %d rows, %v", x.Why, len(x.Rows), err)
	}
	last := int64(o.Sources[0].End)
	for _, w := range [][2]int64{{last + 1e9, last + 2e9}, {last, last - 5e9}, {last - 5e9, last - 5e9}} {
		if _, err := s.Explain(t.Context(), api.ExplainQuery{Source: id, Start: &api.When{Nanos: &w[0]}, End: &api.When{Nanos: &w[1]}}, nil); err == nil || !strings.Contains(err.Error(), "window") {
			t.Errorf("%v: %v", w, err)
		}
	}
	if _, err := s.Explain(t.Context(), api.ExplainQuery{Source: id, Points: 1}, nil); err == nil {
		t.Error("a chart of one point")
	}
	s, src := record(t, recording.Recording{Host: "once", Step: 10e9, Values: host(1, 10, level(1), level(1), level(1))})
	if x, err := s.Explain(t.Context(), api.ExplainQuery{Source: src.ID}, nil); err != nil || !strings.Contains(x.Why, "one moment") {
		t.Errorf("one sample: %q, %v", x.Why, err)
	}
	// Between two records nothing is known, and so it is where the others would be.
	s, src = record(t, recording.Recording{Host: "short", Step: 10e9, Values: host(60, 10, level(1), level(1), level(1))})
	for _, c := range []struct {
		from, to int64 // seconds
		want     string
	}{{100, 104, "shorter than the 10 s"}, {10, 580, "too short"}, {100, 120, ""}} {
		from, to := int64(src.Start)+c.from*1e9, int64(src.Start)+c.to*1e9
		x, err := s.Explain(t.Context(), api.ExplainQuery{Source: src.ID, Start: &api.When{Nanos: &from}, End: &api.When{Nanos: &to}}, nil)
		if err != nil || !strings.Contains(x.Why, c.want) || (x.Why == "") != (c.want == "") {
			t.Errorf("%+v: %q, %v", c, x.Why, err)
		}
	}
}

// The root cgroup is the whole host, so that its rows would say again what those of the
// CPUs and the memory say; others are named.
func TestExplainRootCgroup(t *testing.T) {
	busy := func(i int) float64 {
		if i > 400 && i <= 520 {
			return 2.4
		}
		return 0.4
	}
	values := host(720, 10, busy, level(0.02), level(3))
	used := func(second float64) []float64 {
		list, total := make([]float64, 720), 0.0
		for i := range list {
			total += 10 * second * busy(i)
			list[i] = total
		}
		return list
	}
	values["cgroup.cpuacct.usage"] = map[string]any{"/": used(1e9), "/batch.slice": used(1e9)}       // version 1
	values["cgroup.cpu.stat.usage"] = map[string]any{"/": used(1e6), "/system.slice/job": used(1e6)} // version 2
	s, src := record(t, recording.Recording{Host: "grouped", Step: 10e9, Values: values})
	at := func(record int) *api.When {
		n := int64(recording.Start) + int64(record)*10e9
		return &api.When{Nanos: &n}
	}
	x, err := s.Explain(t.Context(), api.ExplainQuery{Source: src.ID, Start: at(400), End: at(520)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var groups []string
	for _, r := range x.Rows {
		if r.Family == "cgroup" {
			groups = append(groups, r.Instance.Name)
			if math.Abs(r.Was-2.4) > 0.01 {
				t.Errorf("%s used %g CPUs, want 2.4", r.Instance.Name, r.Was)
			}
		}
	}
	slices.Sort(groups)
	if !slices.Equal(groups, []string{"/batch.slice", "/system.slice/job"}) {
		t.Errorf("there are rows of the cgroups %q: %q", groups, x.Text)
	}
	if !ofItsOwn("cgroup.io.stat.rbytes", "/system.slice::vda") || ofItsOwn("cgroup.io.stat.rbytes", "/::vda") || !ofItsOwn("filesys.used", "/") {
		t.Error("instances that count")
	}
}

// Whatever an archive contains, every minute of it can be explained.
func TestExplainAnything(t *testing.T) {
	for _, name := range []string{"web01", "billing02"} {
		files := archiveFiles("../testdata/live", name)
		if len(files) == 0 {
			continue
		}
		s, o := openAll(t, files...)
		for start := o.Sources[0].Start; start < o.Sources[0].End; start += 60e9 {
			a, b := int64(start), int64(start)+60e9
			x, err := s.Explain(t.Context(), api.ExplainQuery{Source: o.Sources[0].ID, Start: &api.When{Nanos: &a}, End: &api.When{Nanos: &b}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range x.Who {
				sum := u.Others + u.Rest
				for _, c := range u.Commands {
					sum += c.Share
				}
				if math.Abs(sum-1) > 0.01 && u.Unreadable == "" && u.Resource == "cpu" || u.More == 0 && u.Others > 0.01 {
					t.Errorf("%s: of %s, %g is told: %+v", name, u.Resource, sum, u)
				}
			}
			for _, line := range x.Text {
				if strings.Contains(line, "NaN") || strings.Contains(line, "Inf") {
					t.Errorf("%s: %s", name, line)
				}
			}
		}
	}
}

// A share of space is a level, as is what is available of memory: it began with the first record
// that shows it, though its values look like those of a share of time.
func TestExplainSinceOfShares(t *testing.T) {
	const from, to = 240, 300 // records
	share := func(usual, then float64) []float64 {
		vals := recording.Steady(360, usual)
		for i := from; i < to; i++ {
			vals[i] = then
		}
		return vals
	}
	s, src := record(t, recording.Recording{Host: "shares", Step: 10e9, Values: map[string]map[string]any{
		"filesys.full": {"/dev/sda1": share(50, 90)}, "mem.util.available": {"": share(4e6, 1e6)},
	}})
	start, end := int64(recording.Start)+(from-1)*10e9, int64(recording.Start)+to*10e9
	x, err := s.Explain(t.Context(), api.ExplainQuery{Source: src.ID, Start: &api.When{Nanos: &start}, End: &api.When{Nanos: &end}}, nil)
	if err != nil || len(x.Rows) != 2 {
		t.Fatalf("%q, %v", x.Text, err)
	}
	for _, r := range x.Rows {
		if r.Since == nil {
			t.Errorf("%s: since is not known", r.Metric)
		} else if s := r.Since.Since(recording.Start); s != from*10 {
			t.Errorf("%s: since %v s, want %d", r.Metric, s, from*10)
		}
	}
}

// A filesystem that fills up in the window and stays full has a mean between those of before
// and after, and so has what is available of memory that leaks. It is the change that is
// told: from where, to where, and who wrote or grew. What rises all the time, at the same pace, is not.
func TestExplainChanges(t *testing.T) {
	const records, from, to = 720, 300, 390 // 10 s each: the window is 15 min of 2 h
	rise := func(low, high float64) []float64 {
		vals := recording.Steady(records, low)
		for i := range vals {
			vals[i] += (high - low) * min(1, max(0, float64(i-from)/(to-from)))
		}
		return vals
	}
	steady := recording.Steady(records, 1e6)
	for i := range steady {
		steady[i] += 1000 * float64(i)
	}
	s, src := record(t, recording.Recording{Host: "filling", Step: 10e9, Values: map[string]map[string]any{
		"filesys.full": {"/dev/sda1": rise(50, 86), "/dev/sdb1": recording.Steady(records, 40.0)}, "mem.util.available": {"": rise(4<<20, 1<<20)}, "hinv.physmem": {"": recording.Steady(records, 8192.0)}, "filesys.used": {"/dev/sdc1": steady},
	}})
	explain := func(first, last int) api.Explanation {
		start, end := int64(recording.Start)+int64(first)*10e9, int64(recording.Start)+int64(last)*10e9
		x, err := s.Explain(t.Context(), api.ExplainQuery{Source: src.ID, Start: &api.When{Nanos: &start}, End: &api.When{Nanos: &end}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for _, c := range []struct {
		first, last int
		steps       float64 // in which the window is divided, since fewer than eight others of its length fit
	}{{from, to, 2}, {from, from + 45, 1}} {
		x := explain(c.first, c.last)
		if len(x.Rows) != 2 {
			t.Errorf("records %d to %d: %q", c.first, c.last, x.Text)
			continue
		}
		share := float64(c.last-c.first) / (to - from)
		for _, r := range x.Rows {
			low, change, since := 50.0, 36*share, from+3 // 1.2 points in 3 records: half of what matters is 1
			text := "Filesystem full of /dev/sda1: grew from 50 % to "
			if r.Family == "memory" {
				low, change, since = 4<<20, -3*share*(1<<20), from+1 // 0.8 % of 4 GiB a record: half of what matters is 0.25 % of 8 GiB
				text = "Available memory: fell from 4 GiB to "
			}
			if r.Changed == nil || r.Changed.From != low || math.Abs(r.Changed.To-low-change) > 1e-6*low || math.Abs(r.Was-change) > 1e-6*low || r.Low != 0 || r.High != 0 {
				t.Errorf("records %d to %d: %+v, changed %+v", c.first, c.last, r, r.Changed)
			}
			if !strings.HasPrefix(r.Text, text) || !strings.Contains(r.Text, ", usually changes by 0") {
				t.Errorf("%q, want %q", r.Text, text)
			}
			if r.Since == nil {
				t.Errorf("%s: since is not known", r.Metric)
			} else if s := r.Since.Since(recording.Start)/10 - float64(since); s < 0 || s > 1 {
				t.Errorf("%s: since %v records after %d", r.Metric, s, since)
			}
		}
	}
	if x := explain(500, 545); len(x.Rows) > 0 || !strings.HasPrefix(x.Text[0], "Nothing in the window was unlike") {
		t.Errorf("after it: %q", x.Text)
	}
}

// Averages of pressure are in percent, totals in seconds of each second; CPU time is a
// share; blocks and bytes are named, though the units of their metrics are counts.
func TestAmounts(t *testing.T) {
	for metric, c := range map[string]struct {
		v     float64
		units string
		want  string
	}{
		"kernel.all.pressure.cpu.some.avg":   {10.8, "", "10.8 %"},
		"kernel.all.pressure.cpu.some.total": {0.572, "", "57.2 %"},
		"kernel.all.cpu.user":                {0.5, "", "25 %"},
		"kernel.percpu.cpu.user":             {0.5, "", "50 %"},
		"network.ip.inoctets":                {2048, "count / sec", "2 KiB/s"},
		"network.interface.in.bytes":         {2048, "count / sec", "2 KiB/s"},
		"network.interface.in.packets":       {2048, "count / sec", "2,048/s"},
		"disk.all.blkread":                   {2048, "count / sec", "2,048 blocks/s"},
	} {
		if got := amountOf(metric, "", c.units, 2, c.v); got != c.want {
			t.Errorf("%s: %q, want %q", metric, got, c.want)
		}
	}
}

func TestUnitBesideAName(t *testing.T) {
	for _, c := range [][3]string{{"Number of processes", "processes", ""}, {"Runnable tasks", "tasks", ""}, {"Open files", "entries", "entries"}, {"Load", "", ""}} {
		if got := unitBeside(c[0], c[1]); got != c[2] {
			t.Errorf("%s: %q, want %q", c[0], got, c[2])
		}
	}
}

// The order of onset is that of the times, not of the rows; what began within an interval of
// the records, here of five seconds, began together.
func TestOrderText(t *testing.T) {
	row := func(subject string, seconds float64) api.ExplanationRow {
		at := pcp.Time(seconds * 1e9)
		return api.ExplanationRow{Subject: subject, Since: &at}
	}
	for _, c := range []struct {
		rows []api.ExplanationRow
		want string
	}{
		{nil, ""},
		{[]api.ExplanationRow{row("CPU", 10)}, ""},
		{[]api.ExplanationRow{row("CPU", 10), {Subject: "Memory"}}, ""},
		{[]api.ExplanationRow{row("Memory", 130), row("CPU", 10), {Subject: "eth0"}, row("Disk sda", 20), row("Disk sdb", 20.1)}, "Order of onset: CPU; after 10 s Disk sda, Disk sdb; after 2 min Memory."},
		{[]api.ExplanationRow{row("CPU", 10), row("Disk sda", 10.2)}, "Order of onset: CPU, Disk sda."},
		{[]api.ExplanationRow{row("CPU", 10), row("Disk sda", 15.1), row("TCP", 21), row("Memory", 40)}, "Order of onset: CPU, Disk sda; after 11 s TCP; after 30 s Memory."},
	} {
		if got := orderText(c.rows, 5); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// Who used a resource is said by process, user and cgroup, too: of a recording whose truth.json
// says that session-cache took a third of the memory, as PID 3225 (pmval proc.psinfo.cmd).
func TestExplainWho(t *testing.T) {
	files, _ := filepath.Glob("../internal/insightbench/testdata/lab-21/recording.*")
	s, opened := openAll(t, files...)
	const day = 1795392000 // 2026-11-23
	from, to := pcp.Time((day+23*3600+3*60+40)*1e9), pcp.Time((day+23*3600+4*60+52)*1e9)
	x, err := s.Explain(t.Context(), api.ExplainQuery{Source: opened.Sources[0].ID, Start: moment(from), End: moment(to)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range x.Who {
		if p := u.Processes; u.Resource == "memory" && (len(p) != 1 || p[0].Command != "session-cache" || p[0].PID != 3225 || p[0].Share < 0.95) {
			t.Errorf("the memory that grew is that of %+v", p)
		}
	}
	if at := slices.IndexFunc(x.Text, func(line string) bool { return strings.HasPrefix(line, "Memory grew: session-cache 100 %") }); at < 0 {
		t.Errorf("got %q", x.Text)
	}
}

// What Firefox used in the reference archive when it was started is the user's (pmdumplog
// proc.id.uid_nm), and most of it that of two processes: 20.7 % of a CPU on average for 9930
// (pmlogsummary, without the first interval of the window).
func TestExplainUsers(t *testing.T) {
	s, src := openReference(t)
	x := explainBig(t, s, src.ID, "14:15:25", "14:19:00")
	at := slices.IndexFunc(x.Who, func(u api.ResourceUse) bool { return u.Resource == "cpu" })
	if at < 0 {
		t.Fatal(x.Text)
	}
	u := x.Who[at]
	if len(u.Users) != 1 || u.Users[0].Name != "brolley" || u.Users[0].Share < 0.85 || len(u.Cgroups) > 0 {
		t.Errorf("users %+v, cgroups %+v", u.Users, u.Cgroups)
	}
	if p := u.Processes; len(p) != 3 || p[0].PID != 10149 || p[1].PID != 9930 || math.Abs(p[1].Mean-20.7) > 0.5 {
		t.Errorf("processes %+v", p)
	}
	if want := "By user: brolley 88 %. Largest processes: Web Content (PID 10149) 32 %, firefox (PID 9930) 27 %,"; !strings.Contains(strings.Join(x.Text, "\n"), want) {
		t.Errorf("the text has no %q: %q", want, x.Text)
	}
	if want := "; moves with "; !strings.Contains(x.Text[1], want) {
		t.Errorf("%q does not say what it moves with", x.Text[1])
	}
}

// A job uses two CPUs for ten minutes. Processes were sampled once a minute, the CPUs every
// 10 s, so there are few independent pairs, and what moves says of the same time holds.
func TestExplainMovesOfSamples(t *testing.T) {
	for seed := range uint64(4) {
		explainSamples(t, seed)
	}
}

func explainSamples(t *testing.T, seed uint64) {
	const n, from, to, every = 1080, 600, 660, 6
	rng := rand.New(rand.NewPCG(seed, 1))
	user, job, still, cpus, spent := make([]float64, n), make([]float64, n), make([]float64, n), 0.0, 0.0
	for i := range n {
		level := 0.1
		if i > from && i <= to {
			level = 2
		}
		cpus += 10000 * (level*(1+0.05*rng.NormFloat64()) + 0.1)
		spent += 10000 * level * (1 + 0.05*rng.NormFloat64())
		if user[i], job[i] = math.Round(cpus), math.Round(spent); i%every > 0 {
			job[i], still[i] = math.NaN(), math.NaN()
		}
	}
	one := func(v []float64) map[string]any { return map[string]any{"": v} }
	const name = "000900 /usr/bin/job"
	s, src := record(t, recording.Recording{Host: "sampled", Step: 10e9, Values: map[string]map[string]any{
		"hinv.ncpu": one([]float64{4}), "kernel.all.cpu.user": one(user), "kernel.all.cpu.sys": one(recording.Rising(n, 0, 100)), "kernel.all.nprocs": one(recording.Steady(n, 200.0)),
		"proc.psinfo.utime": {name: job}, "proc.psinfo.stime": {name: still},
	}})
	at := func(record int) *api.When {
		v := int64(recording.Start) + int64(record)*10e9
		return &api.When{Nanos: &v}
	}
	x, err := s.Explain(t.Context(), api.ExplainQuery{Source: src.ID, Start: at(from), End: at(to)}, nil)
	if err != nil || len(x.Rows) == 0 || x.Step != 10 {
		t.Fatalf("%v: %d rows, in steps of %g s", err, len(x.Rows), x.Step)
	}
	start := int64(x.From)
	for _, r := range x.Rows {
		m := askMoves(t, s, api.MovesQuery{Source: src.ID, Metric: r.Metric, Command: r.Command, Start: &api.When{Nanos: &start}, End: at(to)})
		said := slices.ContainsFunc(r.Moves, func(c api.Correlation) bool { return c.Command == "job" })
		if listed := slices.ContainsFunc(m.Rows, func(c api.Mover) bool { return c.Command == "job" }); said != listed {
			t.Errorf("%s%s: explain says %+v, moves %+v (%s)", r.Metric, r.Command, r.Moves, m.Rows, m.Why)
		}
	}
}
