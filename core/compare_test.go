package core

import (
	"math"
	"testing"

	"pcpscope/core/api"
)

// The twenty minutes before a disk was busy, and twenty minutes while it was.
// Expected values are computed from what pmdumplog(1) 6.0.3 prints of these
// metrics in the windows: medians, Cliff's delta and the median of all
// differences, over all pairs of values.
func TestCompareBig(t *testing.T) {
	s, src := openReference(t)
	at := func(s string) *api.When { return &api.When{Text: s} }
	c, err := s.Compare(t.Context(), api.CompareQuery{Source: src.ID, AStart: at("@10:17:35"), AEnd: at("@10:37:35"), BStart: at("@10:42:05"), BEnd: at("@11:02:05")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d series compared, %d differ, %d rows", c.Compared, c.Differ, len(c.Changes))
	for _, want := range []struct {
		metric, instance    string
		a, b, effect, shift float64
		name, unit          string
	}{
		{"disk.dev.aveq", "sdb", 0, 187.17574915472568, 1, 187.1736985740012, "Average queue size", ""},
		{"kernel.all.load", "1 minute", 0.814999995, 3.6750001, 1, 2.8499999, "Load", "tasks"},
		{"mem.util.free", "", 2481416, 190686, -0.999583, -2186656, "Free memory", ""},
		{"vfs.inodes.free", "", 601, 31821, 0.723889, 31220, "Free inodes in cache", "entries"},
		{"kernel.all.cpu.wait.total", "", 0.03949028296870265, 1.3132026006794977, 1, 1.2580538997156085, "CPU waiting for disk", ""},
		{"network.sockstat.udp.mem", "", 17, 30, 0.890208, 12, "UDP buffers", ""},
	} {
		found := false
		for _, m := range c.Changes {
			inst := ""
			if m.Instance != nil {
				inst = m.Instance.Name
			}
			if m.Metric != want.metric || inst != want.instance {
				continue
			}
			found = true
			for _, v := range [][2]float64{{m.MedianA, want.a}, {m.MedianB, want.b}, {m.Effect, want.effect}, {m.Shift, want.shift}} {
				if math.Abs(v[0]-v[1]) > 1e-6*(1+math.Abs(v[1])) {
					t.Errorf("%s[%s]: %v, want %v", m.Metric, inst, v[0], v[1])
				}
			}
			if m.Name != want.name || m.Unit != want.unit {
				t.Errorf("%s is called %q, in %q; want %q, in %q", m.Metric, m.Name, m.Unit, want.name, want.unit)
			}
			if m.SamplesA != 120 || m.SamplesB != 120 {
				t.Errorf("%s: %d and %d samples, want 120", m.Metric, m.SamplesA, m.SamplesB)
			}
		}
		if !found {
			t.Errorf("%s[%s] is not a row of its own", want.metric, want.instance)
		}
	}
	if c.Changes[0].Metric != "disk.dev.aveq" || !math.IsNaN(c.Changes[0].Ratio) {
		t.Errorf("first is %s, ratio %v", c.Changes[0].Metric, c.Changes[0].Ratio)
	}
	if math.Abs(c.Changes[0].CoveredA-1) > 0.01 {
		t.Errorf("covered %v", c.Changes[0].CoveredA)
	}
	same, err := s.Compare(t.Context(), api.CompareQuery{Source: src.ID, AStart: at("@10:17:35"), AEnd: at("@10:37:35"), BStart: at("@10:17:35"), BEnd: at("@10:37:35")}, nil)
	if err != nil || same.Differ != 0 || same.Compared == 0 {
		t.Errorf("a window differs from itself in %d of %d series (%v)", same.Differ, same.Compared, err)
	}
	if _, err := s.Compare(t.Context(), api.CompareQuery{Source: src.ID, AStart: at("@10:37:35"), AEnd: at("@10:17:35")}, nil); err == nil {
		t.Error("a window that ends before it starts")
	}
}
