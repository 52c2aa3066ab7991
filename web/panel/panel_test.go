package panel

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/chart"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/web/timeline"
)

const second = pcp.Time(time.Second)

var start = pcp.MakeTime(1523887285, 0) // 2018-04-16 14:01:25 UTC

// frame returns a frame of columns with a point every second, from start.
func frame(columns ...api.Column) *api.Frame {
	f := &api.Frame{Start: start, Columns: columns}
	for i := range columns[0].Values {
		f.Times = append(f.Times, float64(i))
	}
	return f
}

func col(metric, instance, units string, values ...float64) api.Column {
	c := api.Column{Metric: metric, Units: units, Values: values}
	if instance != "" {
		c.Instance = &api.InstanceRef{Name: instance}
	}
	return c
}

// shown is a panel's settings with what it shows.
type shown struct {
	Settings
	View
}

// show returns what a panel shows of a frame, over a window of ten seconds.
func show(s Settings, f *api.Frame) *shown {
	return &shown{s, Show(s, answer(s, f, timeline.Window{Start: start, End: start + 10*second}), Context{
		Metric: func(string) *api.Metric { return nil }, Rates: true, Colours: map[string]int{},
	})}
}

// answer returns the engine's chart reply for a frame.
func answer(s Settings, f *api.Frame, window timeline.Window) Answer {
	q := s.ChartQuery(api.Query{}, 1e9, window, nil, nil, func(string) bool { return false })
	m := chart.Make(f, &q, func() {})
	return Answer{
		Frame: m.Frame, Step: 1e9, Window: window, Known: m.Lines, Others: m.Others, LeftOut: m.LeftOut, Reason: int(m.Reason),
		Load: func(i int) ([]float64, []uint8) { return m.Frame.Columns[i].Values, m.Frame.Columns[i].Why },
	}
}

func drawnLabels(p *shown) []string {
	var list []string
	for _, s := range p.Series {
		list = append(list, s.Label)
	}
	return list
}

// The largest instances by sum are shown, and the others as one line with their sum.
func TestTopWithTheRest(t *testing.T) {
	f := frame(col("x", "a", "", 1, 1), col("x", "b", "", 5, 5), col("x", "c", "", 2, math.NaN()), col("x", "d", "", 9, 0))
	p := show(Settings{Metrics: []string{"x"}, Style: "topn", Top: 2, Lines: []LineStyle{{}}}, f)
	if got := drawnLabels(p); !slices.Equal(got, []string{"all others", "b", "d"}) { // b sums to 10, d to 9
		t.Fatalf("lines = %q, want all others, b and d", got)
	}
	rest := p.Frame.Columns[p.Series[0].Column].Values
	if !slices.Equal(rest, []float64{3, 1}) { // a and c; c has no second value
		t.Errorf("all others = %v, want 3, 1", rest)
	}
	if p.All != 4 || p.Series[0].Colour != 9 {
		t.Errorf("%d series, all others in colour %d; want 4, 9", p.All, p.Series[0].Colour)
	}
	filtered := show(Settings{Metrics: []string{"x"}, Style: "topn", Top: 2, Filter: "^[ac]$", Lines: []LineStyle{{}}}, frame(f.Columns[:4]...))
	if got := drawnLabels(filtered); !slices.Equal(got, []string{"a", "c"}) || filtered.Matching != 2 {
		t.Errorf("lines filtered to a and c = %q, want a and c", got)
	}
	// Compiled, this would match every label, and take tens of megabytes for each panel.
	large := show(Settings{Metrics: []string{"x"}, Style: "topn", Top: 2, Filter: strings.Repeat("(q?){1000}", 30), Lines: []LineStyle{{}}}, frame(f.Columns[:4]...))
	if large.Matching != 0 {
		t.Errorf("a filter that is too large matches %d lines", large.Matching)
	}
	// Percentages of different wholes cannot be added: only the largest by maximum are shown.
	full := show(Settings{Metrics: []string{"x"}, Style: "topn", Top: 1, Unit: "% of space", Lines: []LineStyle{{}}}, frame(f.Columns[:4]...))
	if got := drawnLabels(full); !slices.Equal(got, []string{"d"}) {
		t.Errorf("fullest = %q, want d", got)
	}
}

// All lines share one unit, except those on a scale of their own.
func TestTwoScales(t *testing.T) {
	p := show(Settings{Metrics: []string{"in", "out", "share"}, Lines: []LineStyle{{Name: "in"}, {Name: "out"}, {Name: "share", Right: true, Unit: "%"}}},
		frame(col("in", "", "Kbyte / sec", 2048, 2048), col("out", "", "byte / sec", 1048576, 0), col("share", "", "", 12.34, 12.34)))
	if p.Shown.Unit != "MiB/s" {
		t.Errorf("unit = %q, want MiB/s", p.Shown.Unit)
	}
	for i, want := range []string{"2.00", "1.00", "12.3"} {
		s := p.Series[i]
		if got := s.Shown.Text(s.Stats.Max); got != want {
			t.Errorf("maximum of %s = %s, want %s", s.Label, got, want)
		}
	}
}

// Lines hidden by default are drawn on request, and any line can be hidden.
func TestLinesHiddenAtFirst(t *testing.T) {
	p := show(Settings{Metrics: []string{"user", "idle"}, Style: "stack", Lines: []LineStyle{{Name: "user", Role: "user"}, {Name: "idle", Role: "idle", Hidden: true}}},
		frame(col("user", "", "", 1, 2), col("idle", "", "", 3, 4)))
	if got := drawnLabels(p); !slices.Equal(got, []string{"user", "idle"}) || !p.Drawn(&p.Series[0]) || p.Drawn(&p.Series[1]) {
		t.Errorf("lines %q, first drawn %v, second drawn %v; want user true, idle false", got, p.Drawn(&p.Series[0]), p.Drawn(&p.Series[1]))
	}
	if p.Series[0].Colour != 1 || p.Series[1].Colour != 9 {
		t.Errorf("colours of user and idle = %d and %d, want 1 and 9", p.Series[0].Colour, p.Series[1].Colour)
	}
	p.ToggleLine("idle")
	if !p.Drawn(&p.Series[1]) {
		t.Error("idle is not drawn after it was selected")
	}
	if p.ToggleLine("user"); p.Drawn(&p.Series[0]) || !p.Hidden.Has("user") || p.Hidden.Has("idle") {
		t.Errorf("hidden lines = %q, want user only", p.Hidden)
	}
	old := Settings{Metrics: p.Metrics, Lines: p.Lines, Hidden: Keys{"idle", "user"}}.Migrated() // of a page for which "hidden" meant "not as at first"
	if !slices.Equal(old.Hidden, Keys{"user"}) || !slices.Equal(old.Revealed, Keys{"idle"}) {
		t.Errorf("migrated settings hide %q and reveal %q, want user and idle", old.Hidden, old.Revealed)
	}
}

// Thresholds are in the unit of the panel.
func TestLevels(t *testing.T) {
	p := show(Settings{Metrics: []string{"used"}, Lines: []LineStyle{{Name: "used"}}, Thresholds: []api.Threshold{{Expression: "mem.physmem", Label: "physical"}, {Value: 3, Label: "look"}}},
		frame(col("used", "", "byte", 1<<30, 1<<30), col("mem.physmem", "", "Kbyte", 2<<20, math.NaN())))
	if len(p.Levels) != 2 || p.Levels[0].Value != 2 || p.Levels[1].Value != 3 || len(p.Series) != 1 { // 2 GiB, in GiB
		t.Errorf("levels %v, lines %q; want levels at 2 and 3 GiB, one line", p.Levels, drawnLabels(p))
	}
	for want, ncpu := range map[string][2]float64{"2 CPUs": {2, 2}, "8 CPUs at the end": {2, 8}, "2 CPUs at the end": {8, 2}} {
		p := show(Settings{Metrics: []string{"load"}, Lines: []LineStyle{{Name: "load"}}, Thresholds: []api.Threshold{{Expression: "hinv.ncpu", Label: "CPUs"}}},
			frame(col("load", "", "", 1, 1), col("hinv.ncpu", "", "", ncpu[:]...)))
		if len(p.Levels) != 1 || p.Levels[0].Label != want || p.Levels[0].Value != ncpu[1] {
			t.Errorf("of %v: %v, want %q", ncpu, p.Levels, want)
		}
	}
}

// A percentage slightly above 100 or below 0 is timer jitter. Far outside that
// range the clock was set, and no percentage of that sample is right.
func TestClamp(t *testing.T) {
	shares := Settings{Unit: "% of time", Max: 100, Lines: []LineStyle{{Name: "a"}, {Name: "b"}}}
	p := show(with(shares, "a", "b"), frame(col("a", "", "", 107.1, 233.9, 60), col("b", "", "", 4, 12, 60)))
	a, b := p.Frame.Columns[0], p.Frame.Columns[1]
	if a.Values[0] != 100 || !math.IsNaN(a.Values[1]) || a.Values[2] != 60 || b.Values[0] != 4 || !math.IsNaN(b.Values[1]) || b.Values[2] != 60 || p.LeftOut != 1 {
		t.Errorf("values %v and %v, %d left out; want the second sample left out", a.Values, b.Values, p.LeftOut)
	}
	if got := Reasons()[a.Why[1]]; got != "left out: more time was counted than elapsed" {
		t.Errorf("reason = %q, want that more time was counted than elapsed", got)
	}
	p = show(with(shares, "a"), frame(col("a", "", "", -0.03, -50)))
	if got := p.Frame.Columns[0].Values; got[0] != 0 || !math.IsNaN(got[1]) || p.LeftOut != 1 {
		t.Errorf("values of -0.03 and -50 = %v, want 0 and none", got)
	}
	shares.Style = "utilisation" // the parts of one whole
	p = show(with(shares, "a", "b"), frame(col("a", "", "", 60, 60), col("b", "", "", 39, 60)))
	if got := p.Frame.Columns[0].Values; got[0] != 60 || !math.IsNaN(got[1]) || p.LeftOut != 1 {
		t.Errorf("values where the parts add up to 120 %% = %v, want none in the second sample", got)
	}
	p = show(Settings{Metrics: []string{"a"}, Unit: "% of the line rate", Max: 100, Lines: []LineStyle{{}}}, frame(col("a", "", "", 108.4, 113.7)))
	if got := p.Frame.Columns[0].Values; got[0] != 108.4 || got[1] != 113.7 || p.LeftOut != 0 {
		t.Errorf("shares of another thing than time = %v, %d left out, want them as they are", got, p.LeftOut)
	}
	p = show(Settings{Metrics: []string{"a"}, Unit: "% of one CPU"}, frame(col("a", "", "", 233, 0)))
	if got := p.Frame.Columns[0].Values[0]; got != 233 || p.LeftOut != 0 {
		t.Errorf("%% of one CPU = %v, want 233: it may be above 100", got)
	}
}

// Of nested cgroups only the innermost are drawn, and all others on request.
func TestInnermost(t *testing.T) {
	look := Settings{Metrics: []string{"m"}, InnermostOnly: true, Lines: []LineStyle{{}}}
	data := func() *api.Frame {
		return frame(col("m", "/", "", 9, 9), col("m", "/system.slice", "", 5, 5), col("m", "/system.slice/sshd", "", 2, 2), col("m", "/system.slice/sshd2", "", 1, 1), col("m", "/user", "", 4, 4))
	}
	p := show(look, data())
	if got := drawnLabels(p); !slices.Equal(got, []string{"sshd", "sshd2", "user"}) {
		t.Errorf("drawn are %q", got)
	}
	p = show(look, frame(col("m", "/a::sda", "", 9, 9), col("m", "/a/b::sda", "", 5, 5), col("m", "/c::sdb", "", 5, 5)))
	if got := drawnLabels(p); !slices.Equal(got, []string{"b::sda", "c::sdb"}) {
		t.Errorf("lines of cgroups by device = %q, want the innermost of each device", got)
	}
	p = show(look, frame(col("m", "/a/app", "", 9, 9), col("m", "/b/app", "", 5, 5), col("m", "/b/db", "", 5, 5)))
	if got := drawnLabels(p); !slices.Equal(got, []string{"/a/app", "/b/app", "db"}) {
		t.Errorf("lines with one name twice = %q, want whole paths for it", got)
	}
	look.Whole = true
	if got := drawnLabels(show(look, data())); len(got) != 5 {
		t.Errorf("lines with all selected = %q, want all five", got)
	}
}

// By slice, each slice has one line: the sum of its innermost cgroups, or, for
// percentages, what was logged for the slice itself. Sums by hand.
func TestBySlice(t *testing.T) {
	data := func() *api.Frame {
		f := frame(col("m", "/", "", 50, 50), col("m", "/system.slice", "", 9, 9), col("m", "/system.slice/sshd", "", 2, 2), col("m", "/system.slice/cron", "", 1, math.NaN()),
			col("m", "/user.slice", "", 7, 7), col("m", "/user.slice/user-0.slice", "", 7, 7), col("m", "/user.slice/user-0.slice/a.scope", "", 3, 3), col("m", "/user.slice/user-0.slice/b/c", "", 4, 4),
			col("m", "/init.scope", "", 5, 5), col("m", "/docker/0123", "", 6, 0), col("m", "/docker/4567", "", math.NaN(), 8), col("m", "/idle.slice", "", 0, 1))
		f.Columns[5].Title = "pod"
		return f
	}
	for _, tt := range []struct {
		look Settings
		want map[string][]float64
	}{
		{Settings{Unit: "% of one CPU"}, map[string][]float64{"system.slice": {3, 2}, "pod": {7, 7}, "/": {5, 5}, "docker": {6, 8}, "idle.slice": {0, 1}}},
		{Settings{Unit: "% of time"}, map[string][]float64{"system.slice": {9, 9}, "pod": {7, 7}, "/": {50, 50}, "idle.slice": {0, 1}}}, // nothing is said of /docker
		{Settings{Lines: []LineStyle{{Unit: "%"}}}, map[string][]float64{"system.slice": {9, 9}, "pod": {7, 7}, "/": {50, 50}, "idle.slice": {0, 1}}},
	} {
		tt.look.Metrics, tt.look.InnermostOnly, tt.look.Slices, tt.look.Top = []string{"m"}, true, true, 99
		p := show(tt.look, data())
		got := map[string][]float64{}
		for _, s := range p.Series {
			got[s.Label] = p.Frame.Columns[s.Column].Values
		}
		if !maps.EqualFunc(got, tt.want, slices.Equal[[]float64]) {
			t.Errorf("sums by slice in %q = %v, want %v", tt.look.Unit, got, tt.want)
		}
	}
	for of, want := range map[string]string{
		"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod12.slice/cri-containerd-34.scope": "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod12.slice",
		"/kubepods/burstable/pod12/34":                            "/kubepods/burstable/pod12",
		"/system.slice/docker.service/a::sda":                     "/system.slice::sda",
		"/machine.slice/libpod-12.scope/container":                "/machine.slice",
		"/user.slice/user-1000.slice/user@1000.service/app.slice": "/user.slice/user-1000.slice/user@1000.service/app.slice",
		"/a": "/", "/": "/", "": "/",
	} {
		if got := chart.SliceOf(of); got != want {
			t.Errorf("SliceOf(%s) = %s, want %s", of, got, want)
		}
	}
}

// A column of a table can have a unit of its own, such as hours.
func TestHoursInTables(t *testing.T) {
	p := show(Settings{Metrics: []string{"a", "b"}, Style: "table", Lines: []LineStyle{{Name: "full in", Unit: "hours"}, {Name: "took"}}}, frame(col("a", "x", "hour", 10, 20), col("b", "x", "sec", 10, 20)))
	if a, b := p.Series[0].Shown, p.Series[1].Shown; a.Unit != "h" || a.Factor != 1 || b.Unit != "s" {
		t.Errorf("column in hours %+v, other column %+v; want h and s", a, b)
	}
}

// Processes by cgroup have the names of cgroup panels; pod/container stays whole.
func TestProcessesByCgroup(t *testing.T) {
	f := frame(col("/system.slice/a", "", "", 4, 4), col("/user.slice/b", "", "", 3, 3), col("/x/b", "", "", 2, 2), col("pod/web", "", "", 2, 2), col("all others", "", "", 1, 1), col("/", "", "", 1, 1))
	p := show(Settings{Style: "topn", Breakdown: &Breakdown{What: "cpu", By: "cgroup", Top: 7}}, f)
	if got := drawnLabels(p); !slices.Equal(got, []string{"a", "/user.slice/b", "/x/b", "pod/web", "all others", "/"}) {
		t.Errorf("drawn are %q", got)
	}
}

// Instances that a dashboard leaves out can be shown and hidden again.
func TestToggleWhole(t *testing.T) {
	p := Settings{Metrics: []string{"real", "other"}, Lines: []LineStyle{{Name: "a", All: "every"}, {Name: "b"}}}
	kept := p
	if p.ToggleWhole(); !slices.Equal(p.Metrics, []string{"every", "other"}) || !p.Whole || !p.SelectsInstances() {
		t.Errorf("%q, %v", p.Metrics, p.Whole)
	}
	if kept.Metrics[0] != "real" || kept.Lines[0].All != "every" {
		t.Errorf("toggling changed a copy of the settings: %q, %+v", kept.Metrics, kept.Lines)
	}
	if p.ToggleWhole(); !slices.Equal(p.Metrics, []string{"real", "other"}) || p.Whole {
		t.Errorf("%q, %v", p.Metrics, p.Whole)
	}
}

// An instance that an expression excludes at all times has no line.
func TestExcludedInstances(t *testing.T) {
	data := func() *api.Frame {
		f := frame(col("m", "lo", "", math.NaN(), math.NaN()), col("m", "eth0", "", 1, math.NaN()))
		f.Columns[0].Why = []uint8{uint8(series.NotChosen), uint8(series.NotChosen)}
		f.Columns[1].Why = []uint8{0, uint8(series.NotChosen)}
		return f
	}
	if got := drawnLabels(show(Settings{Metrics: []string{"m"}, Lines: []LineStyle{{}}}, data())); !slices.Equal(got, []string{"eth0"}) {
		t.Errorf("drawn are %q", got)
	}
	f := data()
	f.Columns = f.Columns[:1]
	if got := drawnLabels(show(Settings{Metrics: []string{"m"}, Lines: []LineStyle{{}}}, f)); len(got) != 1 {
		t.Errorf("lines when only an internal interface remains = %q, want it", got)
	}
}

// A threshold in ms is converted when values are shown in s.
func TestLevelsFollowTheUnit(t *testing.T) {
	for largest, want := range map[float64]float64{12: 20, 35_240: 0.02} { // in ms: shown in ms, and in s
		p := show(Settings{Metrics: []string{"await"}, Unit: "ms", Lines: []LineStyle{{}}, Thresholds: []api.Threshold{{Value: 20, Label: "20 ms"}}},
			frame(col("await", "sda", "millisec / count", largest, 1)))
		if len(p.Levels) != 1 || math.Abs(p.Levels[0].Value-want) > 1e-9 || p.Shown.Name() != map[float64]string{20: "ms", 0.02: "s"}[want] {
			t.Errorf("with values up to %v ms: levels %v, unit %s", largest, p.Levels, p.Shown.Name())
		}
	}
}

func TestProcessNames(t *testing.T) {
	const metric = "100 * (rate(proc.psinfo.utime) + rate(proc.psinfo.stime))"
	for instance, want := range map[string]string{"010051 /usr/lib64/firefox/firefox -contentproc -childID 4": "10051 firefox", "000002 (kthreadd)": "2 (kthreadd)",
		"008178 python3 /usr/bin/x": "8178 python3 /usr/bin/x", "sda": "sda", "12 ": "12 "} {
		if got := processName(metric, instance); got != want {
			t.Errorf("processName(%q) = %q, want %q", instance, got, want)
		}
	}
	if got := processName("disk.dev.read", "010 /x"); got != "010 /x" {
		t.Errorf("processName of a disk = %q, want it unchanged", got)
	}
}

// Only an instance with values other than zero gets the colour of its role.
func TestRoleColours(t *testing.T) {
	p := show(Settings{Metrics: []string{"in"}, Style: "mirror", Lines: []LineStyle{{Name: "in", Role: "in"}}}, frame(col("in", "enp0s25", "", 0, 0), col("in", "wlp3s0", "", 3, 4)))
	if len(p.Series) != 2 {
		t.Fatalf("%d series, want 2", len(p.Series))
	}
	for _, s := range p.Series {
		if (s.Instance == "wlp3s0") != (s.Colour == 6) {
			t.Errorf("colour of %s = %d, want 6 only for wlp3s0", s.Instance, s.Colour)
		}
	}
}

// Event records are shown as text, and counted within the window.
func TestEvents(t *testing.T) {
	f := frame(api.Column{Metric: "app.events", Type: "EVENT", Strings: []*string{new(string), new(string), nil}, Events: []api.EventRecord{
		{At: 0, Time: start + 5*second, Flags: "point", Params: []api.EventParam{{Metric: "app.event.kind", Value: "4"}, {Metric: "29.0.5", Value: "x"}}},
		{At: 0, Time: start - 60*second, Flags: "start,id", Params: []api.EventParam{{Metric: "app.event.id", Value: "7"}}},
		{At: 1, Time: start + 8*second, Flags: "missed", Missed: 3},
	}})
	p := show(Settings{Metrics: []string{"app.events"}, Style: "event"}, f)
	if !p.HasEvents() || p.Fault != "" || p.Series[0].Stats.Count != 2 || p.Series[0].Stats.MaxAt != start+8*second {
		t.Errorf("style %q, fault %q, statistics %+v; want two events, the last at 8 s", p.Style, p.Fault, p.Series[0].Stats)
	}
	if p.LeftOut != 1 {
		t.Errorf("%d events left out, want 1, from a minute before the window", p.LeftOut)
	}
	var said []string
	for _, o := range p.Occurrences(&p.Series[0]) {
		said = append(said, o.Text)
	}
	if want := []string{"start id: id 7", "kind 4, 29.0.5 x", "3 records lost"}; !slices.Equal(said, want) {
		t.Errorf("texts of events = %q, want %q", said, want)
	}
	if got := *p.Frame.Columns[0].Strings[0]; got != "kind 4, 29.0.5 x; start id: id 7" {
		t.Errorf("cell of a table = %q, want both events", got)
	}
}

func with(s Settings, metrics ...string) Settings {
	s.Metrics = metrics
	return s
}

func TestStats(t *testing.T) {
	nan := math.NaN()
	frame := &api.Frame{Start: start, Times: []float64{0, 10, 20, 30, 40, 50}}
	s := StatsOf(frame, &api.Column{Values: []float64{99, 1, nan, 3, 2, 98}}, timeline.Window{Start: start + 5*second, End: start + 45*second})
	if s.Count != 3 || s.Avg != 2 || s.Min != 1 || s.Max != 3 || s.MaxAt != start+30*second || s.Last != 2 || s.P95 != 3 || !s.Whole {
		t.Errorf("statistics = %+v, want count 3, average 2, 1 to 3, last 2", s)
	}
	if s := StatsOf(frame, &api.Column{Values: []float64{nan, nan}}, timeline.Window{Start: start, End: start + 50*second}); s.Count != 0 || !math.IsNaN(s.Avg) || !math.IsNaN(s.Max) {
		t.Errorf("statistics without values = %+v, want none", s)
	}
}

// Zeros that mean "the collector could not read this" are reported as such, not as
// processes that used nothing.
func TestUnreadable(t *testing.T) {
	for _, why := range []string{"", "The I/O of processes could not be read."} {
		v := Show(Settings{Breakdown: &Breakdown{What: "read", By: "command", Top: 7}}, Answer{Frame: &api.Frame{Times: []float64{0, 10}}, Unreadable: why}, Context{})
		if want := cmp.Or(why, "No process used any of it in this window."); v.Fault != want {
			t.Errorf("message with reason %q = %q, want %q", why, v.Fault, want)
		}
	}
}

// One sample of processes has no rates, but states.
func TestNobody(t *testing.T) {
	for what, want := range map[string]string{
		"cpu":             "No value in this window: processes were sampled once, and a rate needs two samples.",
		"uninterruptible": "No process was in state D in any sample of this window.",
		"swapped":         "No process used any of it in this window.",
	} {
		v := Show(Settings{Breakdown: &Breakdown{What: what, By: "command", Top: 7}}, Answer{Frame: &api.Frame{Times: []float64{0}}}, Context{})
		if v.Fault != want {
			t.Errorf("one sample of %s: %q, want %q", what, v.Fault, want)
		}
		v = Show(Settings{Breakdown: &Breakdown{What: what, By: "command", Top: 7}}, Answer{Frame: &api.Frame{}}, Context{})
		if want := "No value in this window: it lies between two samples of processes."; v.Fault != want {
			t.Errorf("no sample of %s: %q, want %q", what, v.Fault, want)
		}
	}
}

// Lanes of texts have values.
func TestLanesOfTexts(t *testing.T) {
	state := "S"
	frame := &api.Frame{Start: start, Times: []float64{0, 10}, Columns: []api.Column{{Metric: "hotproc.psinfo.sname", Type: "STRING", Strings: []*string{nil, &state}, Instance: &api.InstanceRef{Name: "1"}}}}
	for end, want := range map[pcp.Time]bool{start + 5*second: false, start + 10*second: true} {
		v := Show(Settings{Metrics: []string{"hotproc.psinfo.sname"}, Style: "state"}, Answer{Frame: frame, Known: make([]api.ChartLine, 1), Others: -1, Total: -1, Window: timeline.Window{Start: start, End: end}}, Context{Metric: func(string) *api.Metric { return nil }})
		if (v.Fault == "") != want {
			t.Errorf("up to %d s: %q", (end-start)/second, v.Fault)
		}
	}
}

// The total of a stack is that of the lines drawn.
func TestTotalOfDrawnLines(t *testing.T) {
	wide := func(metric string) bool { return metric == "w" }
	for _, tt := range []struct {
		s    Settings
		want string
	}{
		{Settings{Style: "stack", Metrics: []string{"a", "b", "w"}}, "(a) + (b) + sum(w)"},
		{Settings{Style: "stack", Metrics: []string{"a", "b", "w"}, Hidden: Keys{"b"}}, "(a) + sum(w)"},
		{Settings{Style: "stack", Metrics: []string{"a", "b"}, Hidden: Keys{"b"}}, ""}, // the line says it
		{Settings{Style: "stack", Metrics: []string{"a", "b"}, Lines: []LineStyle{{}, {Hidden: true}}}, ""},
		{Settings{Style: "stack", Metrics: []string{"a", "b"}, Lines: []LineStyle{{}, {Hidden: true}}, Revealed: Keys{"b"}}, "(a) + (b)"},
		{Settings{Style: "stack", Metrics: []string{"a", "w"}, Hidden: Keys{KeyOf("w", "one")}}, ""},
		{Settings{Metrics: []string{"a", "b"}}, ""},
	} {
		if got := tt.s.total(wide); got != tt.want {
			t.Errorf("total of %+v = %q, want %q", tt.s, got, tt.want)
		}
	}
}

// A slope over an hour has no value in a recording of minutes, and the panel says so, instead
// of naming an operand that was missing at some points.
func TestSlopeOverMinutes(t *testing.T) {
	const expression = `rescale(movslope(filesys.used, "1hour"), "Kbyte/hour")`
	c := col(expression, "", "", math.NaN(), math.NaN())
	c.Why, c.Operand = []uint8{uint8(series.OperandMissing), uint8(series.NoPrevious)}, "filesys.used"
	p := show(Settings{Metrics: []string{expression}, Lines: []LineStyle{{}}}, frame(c))
	if want := "No value in this window: the slope over the last hour needs values over ten minutes."; p.Fault != want {
		t.Errorf("the panel says %q, want %q", p.Fault, want)
	}
}

// A ratio without values says why in the words of those who look at a chart.
func TestNothingToDivideBy(t *testing.T) {
	const expression = "rate(disk.dev.read_rawactive) / rate(disk.dev.read)"
	c := col(expression, "", "", math.NaN(), math.NaN())
	c.Why = []uint8{uint8(series.DividedByZero), uint8(series.DividedByZero)}
	p := Show(Settings{Metrics: []string{expression}, Lines: []LineStyle{{}}}, Answer{Frame: frame(c), Known: make([]api.ChartLine, 1), Reason: int(series.DividedByZero), Others: -1, Total: -1}, Context{Metric: func(string) *api.Metric { return nil }})
	if want := "No value in this window: what it is divided by is 0 throughout."; p.Fault != want {
		t.Errorf("the panel says %q, want %q", p.Fault, want)
	}
}

// A metric with instances has none where the archive is damaged or not there, and the panel says
// that, as it does of a metric without.
func TestNothingButHoles(t *testing.T) {
	f := frame(api.Column{Metric: "disk.dev.read", Fault: pcp.Faultf(pcp.UnknownInstance, "disk.dev.read has no values in this window.")})
	s := Settings{Metrics: []string{"disk.dev.read"}}
	window := timeline.Window{Start: start, End: start + 10*second}
	for end, want := range map[pcp.Time]string{
		window.End:          "No value in this window: the volume is missing.",
		window.End - second: "disk.dev.read has no values in this window.",
	} {
		v := Show(s, answer(s, f, window), Context{
			Metric: func(string) *api.Metric { return nil }, Rates: true, Colours: map[string]int{},
			Holes: []timeline.Hole{{Start: start, End: end, Why: series.VolumeMissing}},
		})
		if v.Fault != want {
			t.Errorf("a hole of %d s: %q, want %q", (end-start)/second, v.Fault, want)
		}
	}
}
