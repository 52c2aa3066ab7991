package core

import (
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/internal/recording"
)

// mounted is a host with filesystems of which it is known where they are mounted: two
// volumes, a snap, and two disks that had one place in turn.
func mounted() recording.Recording {
	const n = 7
	full := func(v float64) any { return recording.Steady(n, v) }
	at := func(dir string) any { return recording.Steady(n, dir) }
	return recording.Recording{Host: "mounted", Step: 10e9, Values: map[string]map[string]any{
		"filesys.full":          {"/dev/mapper/vg-var": full(97), "/dev/dm-1": full(60), "/dev/loop0": full(100), "/dev/sdb1": full(10), "/dev/sdc1": full(20), "/dev/sdd1": full(30)},
		"filesys.mountdir":      {"/dev/mapper/vg-var": at("/var"), "/dev/dm-1": at("/"), "/dev/loop0": at("/snap/core/1"), "/dev/sdb1": at("/mnt"), "/dev/sdc1": at("/mnt"), "/dev/sdd1": at("")},
		"xfs.perdev.read_bytes": {"/dev/mapper/vg-var": recording.Rising(n, 1000, 4096)},
		"disk.dev.total":        {"dm-1": recording.Rising(n, 1000, 10)},
	}}
}

// Filesystems are called by where they are mounted; devices that share a place say which
// they are, and one without a place has its own name.
func TestFilesystemsHaveMountPoints(t *testing.T) {
	s, src := record(t, mounted())
	want := map[string]string{"/dev/mapper/vg-var": "/var", "/dev/dm-1": "/", "/dev/loop0": "/snap/core/1", "/dev/sdb1": "/mnt (sdb1)", "/dev/sdc1": "/mnt (sdc1)", "/dev/sdd1": ""}
	check := func(what, device, title string) {
		t.Helper()
		if title != want[device] {
			t.Errorf("%s: %s is called %q, want %q", what, device, title, want[device])
		}
	}
	f, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{"filesys.full", "100 - filesys.full", "rate(xfs.perdev.read_bytes)", "rate(disk.dev.total)"}, Start: &api.When{Text: "+0s"}, Interval: &api.When{Text: "10s"}, Count: 3}, nil)
	if err != nil || len(f.Columns) != 14 {
		t.Fatal(err, len(f.Columns))
	}
	for _, c := range f.Columns {
		check(c.Metric, c.Instance.Name, c.Title)
	}
	for _, m := range s.sources[0].metricList("") {
		if m.name != "filesys.full" {
			continue
		}
		list, err := s.Instances(src.ID, m.InDom.String())
		if err != nil || len(list) != len(want) {
			t.Fatal(err, list)
		}
		for _, in := range list {
			check("instances", in.Name, in.Title)
		}
	}
	sums, err := s.Summary(t.Context(), api.SummaryQuery{Source: src.ID, Metrics: []string{"filesys.full"}}, nil)
	if err != nil || len(sums) != len(want) {
		t.Fatal(err, sums)
	}
	for _, sum := range sums {
		check("summary", sum.Instance.Name, sum.Title)
	}
	hits, err := s.Search(t.Context(), src.ID, "/var", 0)
	if err != nil || len(hits) == 0 {
		t.Fatal(err, hits)
	}
	for _, h := range hits {
		if h.Metric != "filesys.mountdir" {
			check("search", h.Instance.Name, h.Title)
		}
	}
}

// Findings about a filesystem say where it is mounted, and on what device; tiles have room
// for one of them. A snap is always full.
func TestFindingsNameMountPoints(t *testing.T) {
	s, src := record(t, mounted())
	o, err := s.Overview(t.Context(), src.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range o.Findings {
		got = append(got, f.Text+" "+strings.Join(f.Metrics, " "))
	}
	if want := "/var (vg-var) 97 % full filesys.full[/dev/mapper/vg-var] filesys.avail[/dev/mapper/vg-var]"; len(got) != 1 || got[0] != want {
		t.Errorf("findings: %q, want %q", got, want)
	}
	if tile, _ := tileOf(t, s, src, "Filesystems"); tile.Utilisation.Text != "/var 97 %" {
		t.Errorf("the tile says %s, want /var 97 %%", tile.Utilisation.Text)
	}
}
