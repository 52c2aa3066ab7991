package core

import (
	"math"
	"path/filepath"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
	"pcpscope/internal/reference"
)

// Growth and time to full, by hand: / grows by 10 KiB in every sample of 10 s,
// but for a file of 5 GiB that is there in two of eleven samples. That makes
// 3600 KiB an hour; with 36000 KiB left it is full in ten hours. A slope by
// least squares would be far off. /home shrinks, /boot stays.
func TestTimeToFull(t *testing.T) {
	root := recording.Rising(11, 1000, 10)
	root[4], root[5] = root[4]+5<<20, root[5]+5<<20
	s, src := record(t, recording.Recording{Host: "filling", Step: 10e9, Values: map[string]map[string]any{
		"filesys.used":  {"/dev/sda1": root, "/dev/sda2": recording.Rising(11, 900, -2), "/dev/sda3": recording.Steady(11, 7.0)},
		"filesys.avail": {"/dev/sda1": recording.Steady(11, 36000.0), "/dev/sda2": recording.Steady(11, 5.0), "/dev/sda3": recording.Steady(11, 0.0)},
	}})
	none := math.NaN()
	expect(t, "by hand", panelValues(t, s, src, "filesystems", "tofull", recording.Start, 10e9, 11), map[string]float64{
		"used /dev/sda1": 1100, "used /dev/sda2": 880, "used /dev/sda3": 7,
		"available /dev/sda1": 36000, "available /dev/sda2": 5, "available /dev/sda3": 0,
		"growth /dev/sda1": 3600, "growth /dev/sda2": -720, "growth /dev/sda3": 0,
		"full in /dev/sda1": 10, "full in /dev/sda2": none, "full in /dev/sda3": none,
	})
}

// Growth at each moment, by hand: / grows by 10 KiB in every sample of 10 s for
// 500 samples and then by 20, and a file of 5 GiB is there for a quarter of the
// hour around sample 300. That makes 3600 and 7200 KiB an hour wherever all of
// the hour, or nearly three quarters of it, were alike; before a sixth of the hour
// has passed there is none. A moving average would be 5 GiB an hour where the file
// comes, and fall as far where it goes.
func TestGrowthAtEachMoment(t *testing.T) {
	const n = 1000
	root := recording.Rising(n, 1000, 10)
	for i := 500; i < n; i++ {
		root[i] += 10 * float64(i-499)
	}
	for i := 255; i < 345; i++ {
		root[i] += 5 << 20
	}
	s, src := record(t, recording.Recording{Host: "filling", Step: 10e9, Values: map[string]map[string]any{"filesys.used": {"/dev/sda1": root, "/dev/sda2": recording.Steady(n, 7.0)}}})
	at := func(sample, every int) float64 { // asked for as a chart is: 40 points up to the sample
		t.Helper()
		step := pcp.Time(every) * 10e9
		got := panelValues(t, s, src, "filesystems", "growth", recording.Start+pcp.Time(sample)*10e9-39*step, step, 40)
		if v := got["/dev/sda2"]; v != 0 && sample > 59 {
			t.Errorf("sample %d, every %d: a constant level grows by %v", sample, every, v)
		}
		return got["/dev/sda1"]
	}
	for _, sample := range []int{60, 100, 200, 260, 300, 340, 400, 490} {
		if got := at(sample, 1); !(math.Abs(got-3600) < 1e-6) {
			t.Errorf("at sample %d it grows by %v KiB/h, want 3600", sample, got)
		}
	}
	for _, sample := range []int{861, 900, 999} {
		for _, every := range []int{1, 3, 12} {
			if got := at(sample, every); !(math.Abs(got-7200) < 1e-6) {
				t.Errorf("at sample %d, every %d, it grows by %v KiB/h, want 7200", sample, every, got)
			}
		}
	}
	if got := at(59, 1); got == got {
		t.Errorf("after less than ten minutes it grows by %v", got)
	}
}

// Most loggers record only how full filesystems are, by hand: / gains 0.01 % in
// 10 s, which is 3.6 % an hour; 20 % are left in the end, for 20/3.6 hours.
func TestGrowthInPercent(t *testing.T) {
	const n = 100
	root := recording.Rising(n, 80-99*0.01, 0.01)
	root[40], root[41] = 99, 99
	values := map[string]map[string]any{"filesys.full": {"/dev/sda1": root, "/dev/sda2": recording.Steady(n, 7.0)}}
	s, src := record(t, recording.Recording{Host: "filling", Step: 10e9, Values: values})
	none := math.NaN()
	near := func(panel string, want map[string]float64) {
		t.Helper()
		got := panelValues(t, s, src, "filesystems", panel, recording.Start, 10e9, n)
		for name := range got { // 80 - 99 * 0.01 and so on are not exact
			got[name] = math.Round(got[name]*1e6) / 1e6
		}
		expect(t, panel, got, want)
	}
	near("growthfull", map[string]float64{"/dev/sda1": 3.6, "/dev/sda2": 0})
	near("tofullfull", map[string]float64{"full % /dev/sda1": 80, "full % /dev/sda2": 7, "growth % /dev/sda1": 3.6, "growth % /dev/sda2": 0, "full in /dev/sda1": 5.555556, "full in /dev/sda2": none})
	values["filesys.used"] = map[string]any{"/dev/sda1": recording.Rising(n, 1000, 10)}
	s, src = record(t, recording.Recording{Host: "filling", Step: 10e9, Values: values})
	d, err := s.Dashboard(t.Context(), src.ID, "filesystems")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range d.Panels {
		if p.ID == "growthfull" || p.ID == "tofullfull" {
			t.Errorf("%s stands beside what says more", p.ID)
		}
	}
}

// The same of an archive that was logged. Expected: from the 34 values that
// pmval(1) 6.0.3 prints ("pmval -a section-a -t 1sec filesys.used"), the median
// of the slopes of all 561 pairs: 4/3 KiB/s for sda8, 0 for the others, of which
// sdb6 lost 12 KiB and never grew.
func TestGrowthAsPmvalSays(t *testing.T) {
	s, o := openAll(t, archiveFiles(filepath.Join(reference.Need(t), "corpus/archives"), "section-a")...)
	start, step := int64(1323894708002331000), int64(1e9) // 20:31:48.002331 UTC
	end := start + 33*step
	f, err := s.Fetch(t.Context(), api.Query{Source: o.Sources[0].ID, Metrics: []string{`rescale(slope(filesys.used), "Kbyte/hour")`}, Start: &api.When{Nanos: &start}, End: &api.When{Nanos: &end}, Interval: &api.When{Nanos: &step}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Columns) != 9 || len(f.Times) != 34 || f.Start != pcp.Time(start) {
		t.Fatalf("%d columns of %d points from %v", len(f.Columns), len(f.Times), f.Start.Std())
	}
	for _, c := range f.Columns {
		want := 0.0
		if c.Instance.Name == "/dev/sda8" {
			want = 4800
		}
		if got := c.Values[33]; !(got > want-1e-6 && got < want+1e-6) {
			t.Errorf("%s grows by %v KiB/h, want %v", c.Instance.Name, got, want)
		}
	}
}

// A filesystem without inodes has none for as long as that lasts: in samples 6 to 11
// of 21, every 10 s, and the peak comes first.
func TestInodesForHowLong(t *testing.T) {
	s, src := record(t, recording.Recording{Host: "files", Step: 10e9, Values: filesystem(21).
		and("filesys.maxfiles", "/dev/sda1", stretches(21, 1000)).and("filesys.usedfiles", "/dev/sda1", stretches(6, 500, 1, 1000, 5, 990, 9, 500))})
	v, err := s.Overview(t.Context(), src.ID, nil)
	if err != nil || len(v.Findings) != 1 {
		t.Fatalf("findings are %+v, %v", v.Findings, err)
	}
	f, began, ended := v.Findings[0], recording.Start+60e9, recording.Start+110e9
	if f.Text != "sda1 has 100 % of its inodes in use" || f.Start != pcp.Time(began) || f.End != pcp.Time(ended) {
		t.Errorf("%q from %v to %v, want %v to %v", f.Text, f.Start, f.End, began, ended)
	}
	if cell := v.Tiles[3].Utilisation; cell.Text != "sda1 100 % of inodes" || cell.State != "look" {
		t.Errorf("the tile is %+v", cell)
	}
}
