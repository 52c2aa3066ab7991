package core

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pcpscope/core/analysis"
	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
)

// The twenty minutes before a disk was busy, and twenty minutes while it was.
// Expected values are computed from what pmdumplog(1) 6.0.3 prints of these
// metrics in the windows: medians, Cliff's delta and the median of all
// differences, over all pairs of values.
func TestCompareBig(t *testing.T) {
	s, src := openReference(t)
	at := func(s string) *api.When { return &api.When{Text: s} }
	q := api.CompareQuery{Source: src.ID, AStart: at("@10:17:35"), AEnd: at("@10:37:35"), BStart: at("@10:42:05"), BEnd: at("@11:02:05"), Processes: true}
	c, err := s.Compare(t.Context(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d series compared, %d differ, %d rows", c.Compared, c.Differ, len(c.Changes))
	for _, want := range []struct {
		metric, instance    string
		a, b, effect, shift float64
	}{
		{"disk.dev.aveq", "sdb", 0, 187.17574915472568, 1, 187.1736985740012},
		{"kernel.all.load", "1 minute", 0.814999995, 3.6750001, 1, 2.8499999},
		{"mem.util.free", "", 2481416, 190686, -0.999583, -2186656},
		{"vfs.inodes.free", "", 601, 31821, 0.723889, 31220},
		{"kernel.all.cpu.wait.total", "", 0.03949028296870265, 1.3132026006794977, 1, 1.2580538997156085},
		{"network.sockstat.udp.mem", "", 17, 30, 0.890208, 12},
	} {
		m := shiftOf(t, s, want.metric, want.instance, c.A, c.B)
		for _, v := range [][2]float64{{m.MedianA, want.a}, {m.MedianB, want.b}, {m.Effect, want.effect}, {m.By, want.shift}} {
			if math.Abs(v[0]-v[1]) > 1e-6*(1+math.Abs(v[1])) {
				t.Errorf("%s[%s]: %v, want %v", want.metric, want.instance, v[0], v[1])
			}
		}
		if len(m.A.Vals) != 120 || len(m.B.Vals) != 120 {
			t.Errorf("%s: %d and %d samples, want 120", want.metric, len(m.A.Vals), len(m.B.Vals))
		}
	}
	// A backup to a disk that was idle before: the disk is first, and the rest is
	// what the backup did to memory and CPUs. The queue is of the disk's row.
	if len(c.Changes) < 2 || len(c.Changes) > 5 {
		t.Fatalf("%d rows", len(c.Changes))
	}
	disk := c.Changes[0]
	if disk.Subject != "Disk sdb" || disk.Series() != "disk.dev.avactive[sdb]" || disk.Effect != 1 || disk.MeanA > 0.01 || disk.MeanB < 0.99 || disk.SamplesA != 120 || math.Abs(disk.CoveredA-1) > 0.01 {
		t.Errorf("first is %+v", disk)
	}
	if disk.Name != "Disk busy" || !math.IsNaN(disk.Ratio) || !slices.Contains(disk.With, "disk.dev.aveq[sdb]") || !slices.Contains(disk.With, "kernel.all.cpu.wait.total") {
		t.Errorf("%q, ratio %v, with %q", disk.Name, disk.Ratio, disk.With)
	}
	if !slices.ContainsFunc(c.Only, func(o api.OnlyIn) bool { return o.Command == "rsync" && o.In == "B" }) {
		t.Errorf("rsync is not among %+v", c.Only)
	}
	for i := range c.Changes {
		if c.Changes[i].Subject == "Load" {
			t.Error("the load is a row beside the CPUs")
		}
	}
	same, err := s.Compare(t.Context(), api.CompareQuery{Source: src.ID, AStart: at("@10:17:35"), AEnd: at("@10:37:35"), BStart: at("@10:17:35"), BEnd: at("@10:37:35")}, nil)
	if err != nil || same.Differ != 0 || same.Compared == 0 {
		t.Errorf("a window differs from itself in %d of %d series (%v)", same.Differ, same.Compared, err)
	}
	if _, err := s.Compare(t.Context(), api.CompareQuery{Source: src.ID, AStart: at("@10:37:35"), AEnd: at("@10:17:35")}, nil); err == nil {
		t.Error("a window that ends before it starts")
	}
	first := int64(src.Start) - 1e9*3600
	gone := api.CompareQuery{Source: src.ID, BStart: &api.When{Nanos: &first}, BEnd: &api.When{Nanos: new(int64(src.Start) - 1)}}
	if _, err := s.Compare(t.Context(), gone, nil); err == nil || !strings.Contains(err.Error(), "Nothing was recorded in window B") {
		t.Errorf("a window before the record: %v", err)
	}
	t.Run("quiet", func(t *testing.T) { compareQuiet(t, s, src.ID) })
}

// shiftOf compares one series of a source, as Compare does before it judges.
func shiftOf(t *testing.T, s *Session, metric, instance string, a, b pcp.Span) analysis.Shift {
	t.Helper()
	src, err := s.source(1)
	if err != nil {
		t.Fatal(err)
	}
	ms, known := src.lookup(metric)
	if !known {
		t.Fatalf("%s is not logged", metric)
	}
	h, _ := src.host(t.Context())
	sample := func(w pcp.Span) analysis.Sample {
		table := src.timeline(ms, src.extent()).table(&analysis.TableBuilder{}, src.inDom(descOf(ms).InDom), w.Start-rateFrom, w.End).Rate(h.Clock)
		at := slices.IndexFunc(table.Columns, func(c analysis.Column) bool { return c.Name == instance })
		return table.Window(max(0, at), w, comparePoints, nil)
	}
	return new(analysis.Comparer).Compare(sample(a), sample(b), 0, func(*analysis.Shift) bool { return true })
}

// During fifty quiet minutes a pair of windows of ten minutes has half a row at
// most, on average.
func compareQuiet(t *testing.T, s *Session, id api.SourceID) {
	rng := rand.New(rand.NewPCG(7, 7))
	start := int64(atBig(t, "16:40:00"))
	rows, compared := 0, 0
	const pairs = 30
	for range pairs {
		a := start + rng.Int64N(int64(30*time.Minute))
		b := a + int64(10*time.Minute)
		b += rng.Int64N(start + int64(40*time.Minute) - b + 1)
		when := func(at int64) *api.When { return &api.When{Nanos: &at} }
		c, err := s.Compare(t.Context(), api.CompareQuery{Source: id, AStart: when(a), AEnd: when(a + int64(10*time.Minute)), BStart: when(b), BEnd: when(b + int64(10*time.Minute)), Processes: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		rows += len(c.Changes) + len(c.Only)
		compared = max(compared, c.Compared)
		for i := range c.Changes {
			t.Logf("%s: %g and %g", c.Changes[i].Series(), c.Changes[i].MedianA, c.Changes[i].MedianB)
		}
	}
	if t.Logf("%d rows of %d pairs, %d series", rows, pairs, compared); rows > pairs/2 || compared < 400 {
		t.Errorf("%d rows are told of %d quiet pairs, %d series compared", rows, pairs, compared)
	}
}

// Of a host at rest and at work: a burst that leaves the median where it was, a
// disk that was plugged in, a limit that was raised, and a command, whichever
// processes ran it.
func TestCompareChanges(t *testing.T) {
	const n = 240
	burst := func(i int) float64 { // in the second half 20 s of each 50
		if i >= n/2 && i%5 < 2 {
			return 0.9
		}
		return 0
	}
	values := host(n, 10, level(0.4), burst, level(3))
	idle := recording.Steady(n, math.NaN())
	for i := n / 2; i < n; i++ {
		idle[i] = 1000
	}
	values["disk.dev.avactive"]["sdc"], values["disk.dev.write_bytes"]["sdc"] = idle, idle
	files := recording.Steady(n, 65536.0)
	for i := n / 2; i < n; i++ {
		files[i] = 131072
	}
	values["kernel.all.pid_max"] = map[string]any{"": files}
	s, src := record(t, recording.Recording{Host: "changes", Step: 10e9, Values: values})
	mid := int64(recording.Start) + n/2*10e9 - 5e9
	end := int64(src.End)
	at := func(n int64) *api.When { return &api.When{Nanos: &n} }
	c, err := s.Compare(t.Context(), api.CompareQuery{Source: src.ID, AStart: at(int64(src.Start)), AEnd: at(mid), BStart: at(mid), BEnd: at(end), Processes: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Changes) != 1 || c.Changes[0].Subject != "Disk sda" || c.Changes[0].MedianB > 0.01 || math.Abs(c.Changes[0].MeanB-0.36) > 0.02 {
		t.Errorf("changes: %+v", c.Changes)
	}
	if len(c.Only) != 1 || c.Only[0].In != "B" || c.Only[0].Instance.Name != "sdc" || c.Only[0].Metric != "disk.dev.avactive" || len(c.Only[0].With) != 1 {
		t.Errorf("only: %+v", c.Only)
	}
	if len(c.Settings) != 1 || c.Settings[0].Metric != "kernel.all.pid_max" || c.Settings[0].A != "65,536" && c.Settings[0].A != "65536" {
		t.Errorf("settings: %+v", c.Settings)
	}
}

// A pair of quiet windows has no changes, and that is said; so it is where nothing
// can be compared.
func TestCompareNothing(t *testing.T) {
	for _, c := range []struct {
		samples int
		want    string
	}{{240, "No change"}, {4, "Nothing can be compared"}} {
		s, src := record(t, recording.Recording{Host: "quiet", Step: 10e9, Values: host(c.samples, 10, level(0.4), level(0.05), level(3))})
		mid := int64(src.Start+src.End) / 2
		got, err := s.Compare(t.Context(), api.CompareQuery{Source: src.ID, AEnd: &api.When{Nanos: &mid}, BStart: &api.When{Nanos: &mid}, Processes: true}, nil)
		if err != nil || len(got.Changes)+len(got.Only)+len(got.Settings) > 0 || !strings.HasPrefix(got.Why, c.want) {
			t.Errorf("%d samples: %q, %d changes, %v", c.samples, got.Why, len(got.Changes), err)
		}
	}
}

// Three values in each window are too few for a change that is no chance: of all orders of
// six values, one in ten has those of one window apart from those of the other.
func TestCompareUnsure(t *testing.T) {
	load := []float64{0.1, 0.3, 0.2, 1.9, 2.1, 2}
	for n, want := range []string{"No change above the thresholds.", "No change is sure: 1 series differs by more than the thresholds, which may be chance.",
		"No change is sure: 2 series differ by more than the thresholds, which may be chance."} {
		values := map[string]map[string]any{"hinv.ncpu": {"": recording.Steady(6, 1.0)}, "mem.util.free": {"": recording.Rising(6, 4e6, 1)}, "kernel.all.load": {}}
		for _, minutes := range []string{"1 minute", "5 minute"}[:n] {
			values["kernel.all.load"][minutes] = load
		}
		s, src := record(t, recording.Recording{Host: "few", Step: 60e9, Values: values})
		mid := int64(recording.Start) + 150e9
		got, err := s.Compare(t.Context(), api.CompareQuery{Source: src.ID, AEnd: &api.When{Nanos: &mid}, BStart: &api.When{Nanos: &mid}}, nil)
		if err != nil || len(got.Changes) > 0 || got.Why != want {
			t.Errorf("%d series: %q, %d changes, %v; want %q", n, got.Why, len(got.Changes), err, want)
		}
	}
}

// What a setting is in a window without any record is unknown: it is not carried over from
// before.
func TestCompareUnrecorded(t *testing.T) {
	w := written{}
	out := w.begin(t, "a", second(0))
	d := pcp.Desc{PMID: pcp.MakePMID(60, 0, 33), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Discrete}
	out.Desc(d, "hinv.ndisk")
	for _, r := range [][2]int{{0, 1}, {10, 1}, {20, 1}, {30, 2}, {40, 2}, {5000, 3}, {5010, 3}} {
		out.Record(second(r[0]), []archive.ValueSet{{PMID: d.PMID, Type: d.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(r[1])}}}})
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	s, id := w.open(t)
	for _, tt := range []struct {
		from, to int
		want     string
	}{{30, 50, "2"}, {1000, 2000, ""}, {5000, 5010, "3"}} {
		c, err := s.Compare(t.Context(), api.CompareQuery{Source: id, AStart: moment(second(0)), AEnd: moment(second(25)), BStart: moment(second(tt.from)), BEnd: moment(second(tt.to))}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, s := range c.Settings {
			got += s.B
		}
		if got != tt.want {
			t.Errorf("from %d to %d s: %+v, want %q in B", tt.from, tt.to, c.Settings, tt.want)
		}
	}
}

// Windows that begin before the recording does or end after it are cut, and stated so.
func TestCompareWithinTheRecording(t *testing.T) {
	w := written{}
	out := w.begin(t, "a", second(0))
	d := pcp.Desc{PMID: pcp.MakePMID(60, 0, 33), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Discrete}
	out.Desc(d, "hinv.ndisk")
	for at := 0; at <= 100; at += 10 {
		out.Record(second(at), []archive.ValueSet{{PMID: d.PMID, Type: d.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: 1}}}})
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	s, id := w.open(t)
	c, err := s.Compare(t.Context(), api.CompareQuery{Source: id, AStart: moment(second(-3600)), AEnd: moment(second(40)), BStart: moment(second(60)), BEnd: moment(second(7200))}, nil)
	if want := (pcp.Span{Start: second(0), End: second(40)}); err != nil || c.A != want {
		t.Errorf("A is %+v (%v), want %+v", c.A, err, want)
	}
	if want := (pcp.Span{Start: second(60), End: second(100)}); c.B != want {
		t.Errorf("B is %+v, want %+v", c.B, want)
	}
	if _, err := s.Compare(t.Context(), api.CompareQuery{Source: id, AStart: moment(second(0)), AEnd: moment(second(40)), BStart: moment(second(101)), BEnd: moment(second(7200))}, nil); err == nil {
		t.Error("a window after the end is compared")
	}
}

// What is in one window alone is one entry for each instance, also of metrics that no rule
// knows.
func TestCompareAlone(t *testing.T) {
	w := written{}
	out := w.begin(t, "a", second(0))
	volumes := pcp.MakeInDom(245, 1)
	var sets []archive.ValueSet
	for i, name := range []string{"acme.volume.read", "acme.volume.write", "acme.volume.log.write", "acme.cache.hits"} {
		d := pcp.Desc{PMID: pcp.MakePMID(245, 0, i), InDom: volumes, Type: pcp.Uint32, Sem: pcp.Instant}
		out.Desc(d, name)
		sets = append(sets, archive.ValueSet{PMID: d.PMID, Type: d.Type})
	}
	out.InDom(second(0), volumes, []pcp.Instance{{ID: 0, Name: "one"}, {ID: 1, Name: "two"}, {ID: 2, Name: "three"}})
	for k := range 12 {
		for i := range sets {
			sets[i].Values = []archive.Value{{Inst: 0, Val: uint64(k)}}
			if k < 6 { // in the first minute
				sets[i].Values = append(sets[i].Values, archive.Value{Inst: 1, Val: uint64(k)}, archive.Value{Inst: 2, Val: uint64(k)})
			}
		}
		out.Record(second(10*k), sets)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	s, id := w.open(t)
	c, err := s.Compare(t.Context(), api.CompareQuery{Source: id, AStart: moment(second(0)), AEnd: moment(second(50)), BStart: moment(second(60)), BEnd: moment(second(110))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range c.Only {
		got = append(got, fmt.Sprintf("%s of %s in %s, with %d others", tree(o.Metric), o.Instance.Name, o.In, len(o.With)))
	}
	slices.Sort(got)
	want := []string{"acme.cache of three in A, with 0 others", "acme.cache of two in A, with 0 others", "acme.volume of three in A, with 2 others", "acme.volume of two in A, with 2 others"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What has a value in a window is there, though a counter that was read once has no rate, and an
// instance may have another number. What is logged every 5 minutes need not be in one of them.
func TestCompareAloneInAShortWindow(t *testing.T) {
	w := written{}
	out := w.begin(t, "a", second(0))
	of := func(item int, sem pcp.Semantics, indom pcp.InDom, name string) pcp.Desc {
		d := pcp.Desc{PMID: pcp.MakePMID(245, 0, item), InDom: indom, Type: pcp.Uint32, Sem: sem}
		out.Desc(d, name)
		return d
	}
	volumes := pcp.MakeInDom(245, 1)
	calls := of(0, pcp.Counter, pcp.NullInDom, "acme.calls")
	jobs := of(1, pcp.Instant, pcp.NullInDom, "acme.jobs")
	slow := of(2, pcp.Instant, pcp.NullInDom, "acme.slow")
	size := of(3, pcp.Instant, volumes, "acme.volume.size")
	out.InDom(second(0), volumes, []pcp.Instance{{ID: 0, Name: "one"}, {ID: 1, Name: "two"}})
	one := func(d pcp.Desc, inst int32, v int) archive.ValueSet {
		return archive.ValueSet{PMID: d.PMID, Type: d.Type, Values: []archive.Value{{Inst: inst, Val: uint64(v)}}}
	}
	for at := 0; at <= 1200; at += 20 {
		var sets []archive.ValueSet
		if at <= 1000 || at == 1160 { // once in window B
			sets = append(sets, one(calls, pcp.NoInstance, at))
		}
		if at <= 1000 { // not in window B
			sets = append(sets, one(jobs, pcp.NoInstance, at%7))
		}
		if at%300 == 0 && at <= 900 {
			sets = append(sets, one(slow, pcp.NoInstance, at%7))
		}
		if at == 1100 { // volume one was removed and came back
			out.InDom(second(at), volumes, []pcp.Instance{{ID: 1, Name: "two"}, {ID: 2, Name: "one"}})
		}
		switch {
		case at <= 1000:
			sets = append(sets, one(size, 0, at))
		case at >= 1100:
			sets = append(sets, one(size, 2, at))
		}
		out.Record(second(at), sets)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	s, id := w.open(t)
	c, err := s.Compare(t.Context(), api.CompareQuery{Source: id, AStart: moment(second(0)), AEnd: moment(second(1000)), BStart: moment(second(1100)), BEnd: moment(second(1200))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range c.Only {
		got = append(got, seriesName(o.Metric, o.Instance)+" in "+o.In)
	}
	if want := []string{"acme.jobs in A"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A value says as much about a window as the time it stands for, however often it was
// logged; units that convert are compared, others are named; and where hosts have different
// numbers of CPUs, their time is a share of all of them.
func TestCompareHosts(t *testing.T) {
	space := func(scale uint8) pcp.Units { return pcp.Units{Space: 1, SpaceScale: scale} }
	cpus := pcp.Desc{PMID: pcp.MakePMID(60, 0, 32), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Discrete}
	user := pcp.Desc{PMID: pcp.MakePMID(60, 0, 20), InDom: pcp.NullInDom, Type: pcp.Uint64, Sem: pcp.Counter, Units: pcp.Units{Time: 1, TimeScale: pcp.Millisec}}
	memory := pcp.Desc{PMID: pcp.MakePMID(60, 1, 58), InDom: pcp.NullInDom, Type: pcp.Uint64, Sem: pcp.Instant}
	queue := pcp.Desc{PMID: pcp.MakePMID(60, 2, 0), InDom: pcp.NullInDom, Type: pcp.Uint64, Sem: pcp.Instant}
	write := func(w written, name string, n, scale uint64, queueUnits pcp.Units, seconds []int) {
		out, err := archive.NewWriter(archive.Label{Version: 3, Host: name, Start: second(0)}, w.create(name))
		if err != nil {
			t.Fatal(err)
		}
		memory, queue := memory, queue
		memory.Units, queue.Units = space(uint8(scale)), queueUnits
		out.Desc(cpus, "hinv.ncpu")
		out.Desc(user, "kernel.all.cpu.user")
		out.Desc(memory, "mem.util.available")
		out.Desc(queue, "app.queue")
		one := func(d pcp.Desc, v uint64) archive.ValueSet {
			return archive.ValueSet{PMID: d.PMID, Type: d.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: v}}}
		}
		for _, s := range seconds {
			bytes := uint64(8 << 30)
			if s > 1800 {
				bytes = 2 << 30
			}
			// Half of the CPUs are in use.
			out.Record(second(s), []archive.ValueSet{one(cpus, n), one(user, n*500*uint64(s)), one(memory, bytes>>(10*scale)), one(queue, uint64(s/10%7))})
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var even, often []int
	for s := 0; s <= 2400; s += 60 {
		even = append(even, s)
	}
	for s := 0; s <= 2400; {
		if often = append(often, s); s < 1800 {
			s += 60
		} else {
			s += 2
		}
	}
	w, alone := written{}, written{}
	write(w, "a", 4, 1, pcp.Units{Count: 1}, even)
	write(alone, "b", 16, 0, pcp.Units{Space: 1}, often)
	maps.Copy(w, alone)
	s := NewSession(Options{})
	o, err := s.Open(t.Context(), w.files(), nil)
	if err != nil || len(o.Sources) != 2 {
		t.Fatal(o, err)
	}
	if o.Sources[0].Host != "a" {
		o.Sources[0], o.Sources[1] = o.Sources[1], o.Sources[0]
	}
	from, to := moment(second(0)), moment(second(2400))
	c, err := s.Compare(t.Context(), api.CompareQuery{Source: o.Sources[0].ID, Other: o.Sources[1].ID, AStart: from, AEnd: to, BStart: from, BEnd: to}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Nothing differs: half of all CPUs, and three quarters of the time 8 GiB.
	if c.Compared != 2 || c.Differ != 0 || len(c.Changes) != 0 {
		t.Errorf("%d compared, %d differ: %+v", c.Compared, c.Differ, c.Changes)
	}
	if want := (api.ChangedSetting{Metric: "app.queue", A: "in count", B: "in byte"}); !slices.Contains(c.Settings, want) {
		t.Errorf("%+v lack %+v", c.Settings, want)
	}
	// Of 1680 to 2400 s, two records say 8 GiB, each for a minute, and 300 say 2, for ten.
	s, id := alone.open(t)
	if _, err := s.Loaded(t.Context(), id, nil); err != nil {
		t.Fatal(err)
	}
	x := shiftOf(t, s, "mem.util.available", "", pcp.Span{Start: second(0), End: second(1680)}, pcp.Span{Start: second(1680), End: second(2400)})
	if math.Abs(x.B.Mean-3<<30) > 1 || x.MedianB != 2<<30 || math.Abs(x.Effect+300.0/360) > 1e-9 || x.B.Count != 303 {
		t.Errorf("mean %v, median %v, effect %v of %d samples", x.B.Mean, x.MedianB, x.Effect, x.B.Count)
	}
}
