package core

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
	"pcpscope/internal/reference"
)

// Of archives of other kinds there is a dashboard that shows what they hold,
// beside how they were collected, also where it is one metric of a family that
// has dashboards of its own. The metrics are those that pminfo -a lists.
func TestDashboardsOfOtherKinds(t *testing.T) {
	dir := reference.Need(t, "corpus", "archives")
	for _, want := range []struct{ archive, dashboard, expr string }{
		{"vldb-disks", "disks", "(rate(disk.dev.total))"},
		{"mysql-1", "tree-mysql", ""},
		{"bind2-9.18+", "tree-bind2", ""},
		{"chartqa1", "tree-sample", ""},
	} {
		files, _ := filepath.Glob(filepath.Join(dir, want.archive+".*"))
		s, o := openAll(t, files...)
		list, err := s.Dashboards(t.Context(), o.Sources[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		first, largest := "", 0
		for _, b := range list {
			if b.Available && b.ID != "collector" && b.Group != "Tool layouts" && b.Panels > largest {
				first, largest = b.ID, b.Panels
			}
		}
		if first != want.dashboard {
			t.Errorf("%s: the largest dashboard is %q with %d panels, want %q", want.archive, first, largest, want.dashboard)
			continue
		}
		d, err := s.Dashboard(t.Context(), o.Sources[0].ID, first)
		if err != nil || len(d.Panels) == 0 || len(d.Panels[0].Series) == 0 {
			t.Fatalf("%s: %+v, %v", want.archive, d, err)
		}
		if want.expr != "" && d.Panels[0].Series[0].All != want.expr && d.Panels[0].Series[0].Expression != want.expr {
			t.Errorf("%s: the first panel shows %+v", want.archive, d.Panels[0].Series[0])
		}
	}
}

// The figure beside a dashboard's name is that of its busiest instance, and has the unit of
// what was logged. Averages are those of pmlogsummary -I (PCP 6.0.3) for disk.dev.total
// (6.093 / sec; none of vldb-disks changes)
// and kernel.all.cpu (TestBusy; in 20130706-a, two CPUs are idle for 1.753 s a second, also
// before the first record of most metrics); vfs.files.max is -1 in pcp-zeroconf, which limits
// nothing: `pmval -a pcp-zeroconf` prints 1.673E-04 for 100 * vfs.files.count / (1 * vfs.files.max).
func TestFigureOfDashboard(t *testing.T) {
	dir := reference.Need(t, "corpus")
	for _, want := range []struct{ archive, dashboard, figure string }{
		{"archives/vldb-disks", "disks", "0/s"},
		{"archives/kenj-pc-1", "disks", "6.09/s"},
		{"archives/20101004-trunc", "cpu", "2.4 %"},
		{"archives/20130706-a", "cpu", "12.3 %"},
		{"archives/pcp-zeroconf", "tables", "<0.1 %"},
		{"bad/archive-20150417.131733", "guest", "0 %"},  // pmlogsummary: kernel.all.cpu.steal 0.000
		{"bad/archive-20150417.131733", "load", "<0.01"}, // kernel.all.load["1 minute"] 0.003
		{"big/20180416.10.00", "disks", "26.7 %"},
	} {
		files, _ := filepath.Glob(filepath.Join(dir, want.archive+".*"))
		s, o := openAll(t, files...)
		id := o.Sources[0].ID
		if _, err := s.Loaded(t.Context(), id, nil); err != nil {
			t.Fatal(err)
		}
		list, err := s.Dashboards(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(list, func(d api.DashboardInfo) bool { return d.ID == want.dashboard })
		if at < 0 || list[at].Headline != want.figure {
			t.Errorf("%s: the figure of %s is %q, want %q", want.archive, want.dashboard, list[at].Headline, want.figure)
		}
	}
}

// Three disks that are 80 % busy in turn, for 200 s each, are a third of that each, and the busiest of them is
// 80 % busy throughout: so say the figure, its sparkline and the line of the panel.
func TestFigureIsOfBusiestAtEachMoment(t *testing.T) {
	const on, off = 800, 0 // ms a second
	values := logged{}.and("disk.dev.avactive", "sda", counted(10, 21, on, 40, off)).
		and("disk.dev.avactive", "sdb", counted(10, 21, off, 20, on, 20, off)).and("disk.dev.avactive", "nvme0n1", counted(10, 41, off, 20, on))
	s, src := record(t, recording.Recording{Host: "host", Step: 10e9, Values: values})
	if _, err := s.Loaded(t.Context(), src.ID, nil); err != nil {
		t.Fatal(err)
	}
	list, err := s.Dashboards(t.Context(), src.ID)
	if err != nil {
		t.Fatal(err)
	}
	disks := list[slices.IndexFunc(list, func(d api.DashboardInfo) bool { return d.ID == "disks" })]
	if disks.Headline != "80.0 %" {
		t.Errorf("the figure is %q", disks.Headline)
	}
	for i, v := range disks.Sparkline {
		if !(math.Abs(v-80) < 1e-9) {
			t.Errorf("point %d of the sparkline is %v", i, v)
		}
	}
	if got := panelValues(t, s, src, "overview", "diskbusy", recording.Start, 10e9, 60)["busiest"]; !(math.Abs(got-80) < 1e-9) {
		t.Errorf("the line of the panel is at %v", got)
	}
}

// A disk is 20 % busy. Of the record at 300 s another counter has 32 bits where it has 64: it is
// damaged, and whether its time of the disk is far too high or too low, neither the rate up to it
// nor the one after it is one of the host.
func TestFigureWithoutDamagedRecord(t *testing.T) {
	for _, wrong := range []uint64{0, 3_000_000} {
		w := written{}
		disks := pcp.MakeInDom(60, 1)
		reads := pcp.Desc{PMID: pcp.MakePMID(60, 0, 4), InDom: pcp.NullInDom, Type: pcp.Uint64, Sem: pcp.Counter}
		active := pcp.Desc{PMID: pcp.MakePMID(60, 0, 46), InDom: disks, Type: pcp.Uint32, Sem: pcp.Counter, Units: pcp.Units{Time: 1, TimeScale: pcp.Millisec}}
		aw := w.begin(t, "a", second(0))
		aw.Desc(reads, "disk.all.read")
		aw.Desc(active, "disk.dev.avactive")
		aw.InDom(second(0), disks, []pcp.Instance{{ID: 1, Name: "sda"}})
		for s := 0; s <= 6000; s += 10 {
			kind, ms := reads.Type, uint64(10_000+200*s)
			if s == 300 {
				kind, ms = pcp.Uint32, wrong
			}
			aw.Record(second(s), []archive.ValueSet{
				{PMID: reads.PMID, Type: kind, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(s)}}},
				{PMID: active.PMID, Type: active.Type, Values: []archive.Value{{Inst: 1, Val: ms}}},
			})
		}
		if err := aw.Close(); err != nil {
			t.Fatal(err)
		}
		s, id := w.open(t)
		if _, err := s.Loaded(t.Context(), id, nil); err != nil {
			t.Fatal(err)
		}
		list, err := s.Dashboards(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		d := list[slices.IndexFunc(list, func(d api.DashboardInfo) bool { return d.ID == "disks" })]
		if top := slices.Max(d.Sparkline); d.Headline != "20.0 %" || !(math.Abs(top-20) < 1e-9) {
			t.Errorf("with %d at 300 s the figure of the disks is %q, the top of its line %v; want 20 %%", wrong, d.Headline, top)
		}
	}
}
