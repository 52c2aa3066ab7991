package core

import (
	"math"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/dashboard"
	"pcpscope/core/pcp"
	"pcpscope/internal/recording"
)

// Of a half duplex line out counts both ways, unless it is a wireless one.
// wlp3s0 of the big archive says 1 for half duplex and is wireless; what would
// be drawn if nobody said the latter shows the sum. Expected: from what
// pmdumplog(1) 6.0.3 prints. Between 14:30:05.380163 and 14:30:15.381498 UTC in
// grew by 6484 bytes and out by 6824; the line rate is 4875000 byte/s.
func TestHalfDuplex(t *testing.T) {
	s, about := openReference(t)
	d, err := s.Dashboard(t.Context(), about.ID, "network")
	if err != nil {
		t.Fatal(err)
	}
	var out string
	for _, p := range d.Panels {
		if p.ID == "util" && len(p.Series) == 2 {
			out = p.Series[1].Expression
		}
	}
	const wireless = " && network.interface.wireless != 1"
	if !strings.Contains(out, wireless) {
		t.Fatalf("out is %s", out)
	}
	sum := strings.Replace(out, wireless, "", 1)
	dashboard, _ := dashboard.Find("network")
	if known := strings.Join(dashboard.Panels[1].Series[1].Exprs, "\n"); !strings.Contains(known, sum) {
		t.Errorf("%s is no alternative", sum)
	}
	start, step := pcp.Time(1523889005380163000), int64(10001335000)
	f, err := s.Fetch(t.Context(), api.Query{Source: about.ID, Metrics: []string{out, sum}, Start: moment(start), End: moment(start + pcp.Time(step)), Interval: &api.When{Nanos: &step}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{out: 100 * 6824 / 10.001335 / 4875000, sum: 100 * (6824 + 6484) / 10.001335 / 4875000}
	seen := 0
	for _, c := range f.Columns {
		if c.Instance == nil || c.Instance.Name != "wlp3s0" {
			continue
		}
		seen++
		if got := c.Values[len(c.Values)-1]; !(math.Abs(got-want[c.Metric]) < 1e-6*want[c.Metric]) {
			t.Errorf("%s is %v, want %v", c.Metric, got, want[c.Metric])
		}
	}
	if seen != 2 {
		t.Errorf("wlp3s0 has %d columns, want 2", seen)
	}
}

// The CPUs of a node are those that say so, which need not be as many on every
// node. By hand: of the three CPUs of node0 15 s of 10 s are half, of the one of
// node1 7 s are 70 %; without the map both are taken for two CPUs.
func TestNodesHaveTheirOwnCPUs(t *testing.T) {
	values := map[string]map[string]any{
		"kernel.pernode.cpu.user": {"node0": recording.Rising(3, 0, 15000), "node1": recording.Rising(3, 500, 7000)},
		"kernel.pernode.cpu.sys":  {"node0": recording.Rising(3, 0, 3000), "node1": recording.Rising(3, 0, 1000)},
		"hinv.ncpu":               {"": []float64{4}}, "hinv.nnode": {"": []float64{2}},
		"hinv.map.cpu_node": {"cpu0": []float64{0}, "cpu1": []float64{1}, "cpu2": []float64{0}, "cpu3": []float64{0}},
	}
	s, src := record(t, recording.Recording{Host: "nodes", Step: 10e9, Values: values})
	expect(t, "with the map", panelValues(t, s, src, "numa", "cpu", recording.Start, 10e9, 3), map[string]float64{"user node0": 50, "user node1": 70, "sys node0": 10, "sys node1": 10})
	delete(values, "hinv.map.cpu_node")
	s, src = record(t, recording.Recording{Host: "nodes", Step: 10e9, Values: values})
	expect(t, "without", panelValues(t, s, src, "numa", "cpu", recording.Start, 10e9, 3), map[string]float64{"user node0": 75, "user node1": 35, "sys node0": 15, "sys node1": 5})
}

// The busiest of several disks is a line of its own. Expected: from what
// pmdumplog(1) 6.0.3 prints of disk.dev.avactive of the big archive. Between
// 14:50:05.375865 and 14:50:15.378728 UTC sda was busy for 377 ms and sdb for
// 10000 ms.
func TestBusiestDisk(t *testing.T) {
	s, about := openReference(t)
	d, err := s.Dashboard(t.Context(), about.ID, "disks")
	if err != nil {
		t.Fatal(err)
	}
	busiest := d.Panels[0].Series[0]
	if busiest.Name != "busiest" || !busiest.Bold {
		t.Fatalf("the first line is %+v", busiest)
	}
	start, step := int64(1523890205375865000), int64(10002863000)
	end := start + step
	f, err := s.Fetch(t.Context(), api.Query{Source: about.ID, Metrics: []string{busiest.Expression, d.Panels[0].Series[1].Expression}, Start: &api.When{Nanos: &start}, End: &api.When{Nanos: &end}, Interval: &api.When{Nanos: &step}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"": 100 * 10000 / 10002.863, "sda": 100 * 377 / 10002.863, "sdb": 100 * 10000 / 10002.863}
	if len(f.Columns) != len(want) {
		t.Fatalf("%d columns", len(f.Columns))
	}
	for _, c := range f.Columns {
		name := ""
		if c.Instance != nil {
			name = c.Instance.Name
		}
		if got := c.Values[len(c.Values)-1]; !(math.Abs(got-want[name]) < 1e-9) {
			t.Errorf("%q was busy %v %%, want %v %%", name, got, want[name])
		}
	}
}

// Disks and interfaces have names, whichever of their metrics was logged.
func TestDevicesAreListed(t *testing.T) {
	facts := func(values map[string]map[string]any) map[string]api.Fact {
		s, src := record(t, recording.Recording{Host: "devices", Step: 10e9, Values: values})
		o, err := s.Overview(t.Context(), src.ID, nil)
		if err != nil {
			t.Fatal(err)
		}
		list := map[string]api.Fact{}
		for _, f := range o.Who {
			list[f.Name] = f
		}
		return list
	}
	named := facts(map[string]map[string]any{
		"disk.dev.read_bytes":         {"sda": recording.Rising(3, 0, 10), "sdb": recording.Rising(3, 0, 10), "loop0": recording.Rising(3, 0, 10)},
		"network.interface.out.bytes": {"lo": recording.Rising(3, 0, 10), "eth0": recording.Rising(3, 0, 10)},
	})
	if d, n := named["disks"], named["interfaces"]; d.Value != "sda, sdb" || d.Metric != "disk.dev.read_bytes" || n.Value != "eth0" || n.Metric != "network.interface.out.bytes" {
		t.Errorf("disks %+v, interfaces %+v", d, n)
	}
}
