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
