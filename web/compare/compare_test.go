package compare

import (
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/web/metric"
)

// Changes can be sorted without losing the selected one; ties keep their rank. By
// hand: shifts of 1/2, 3/4, 2/3 and 0 of the larger median.
func TestSortCompared(t *testing.T) {
	change := func(metric, family string, a, b, shift float64) api.Change {
		return api.Change{Metric: metric, Family: family, MedianA: a, MedianB: b, Shift: shift}
	}
	c := &State{Off: map[string]bool{"Collector": true}, Result: &api.Comparison{Changes: []api.Change{
		change("disk.a", "Disks and filesystems", 10, 20, 10), change("mem.b", "Memory", -4, 1, 3), change("pmcd.c", "Collector", 1, 9, 8), change("disk.d", "Disks and filesystems", 1, 3, 2), change("kernel.e", "CPU and tasks", 0, 0, 1),
	}}}
	c.DropExcluded()
	order := func() string {
		var list []string
		for _, ch := range c.Shown {
			list = append(list, ch.Metric)
		}
		return strings.Join(list, " ")
	}
	c.Pick(2)
	for _, tt := range [][2]string{{"shift", "mem.b disk.d disk.a kernel.e"}, {"family", "kernel.e mem.b disk.a disk.d"}, {"nonsense", "kernel.e mem.b disk.a disk.d"}, {"", "disk.a mem.b disk.d kernel.e"}} {
		c.SortBy(tt[0])
		if got := order(); got != tt[1] {
			t.Errorf("order by %q = %s, want %s", tt[0], got, tt[1])
		}
		if got := c.Picked().Metric; got != "disk.d" {
			t.Errorf("shown change after sorting by %q = %s, want disk.d", tt[0], got)
		}
	}
}

// Series that moved with a change have the shortest names that distinguish them.
func TestMovedWith(t *testing.T) {
	sdb := &api.InstanceRef{Name: "sdb"}
	for _, tt := range []struct {
		ch   api.Change
		want string
	}{
		{api.Change{Metric: "kernel.all.load", Instance: &api.InstanceRef{Name: "1 minute"}, With: []string{"kernel.all.load[5 minute]", "kernel.all.load[15 minute]"}}, "5 minute, 15 minute"},
		{api.Change{Metric: "disk.dev.aveq", Instance: sdb, With: []string{"disk.dev.avactive[sdb]", "disk.dev.write[sdb]", "disk.partitions.avactive[sdb1]"}}, "avactive, write, partitions.avactive[sdb1]"},
		{api.Change{Metric: "mem.util.free", With: []string{"mem.util.used", "mem.freemem", "kernel.percpu.intr[cpu0]", "mem.numa.util.free[node0]", "hinv.x", "hinv.y"}}, "used, freemem, kernel.percpu.intr[cpu0], numa.util.free[node0] and 2 more"},
		{api.Change{Metric: "disk.dev.read", Instance: sdb, With: []string{"disk.all.read"}}, "all.read"},
		{api.Change{Metric: "a.b", With: []string{}}, ""},
	} {
		if got := MovedWith(&tt.ch); got != tt.want {
			t.Errorf("MovedWith(%s) = %q, want %q", tt.ch.Metric, got, tt.want)
		}
	}
}

// The total time of all requests in flight is not a share of time: a queue that
// grew by 188 requests did not grow by 18,837 percentage points.
func TestQueuesAreNotShares(t *testing.T) {
	for name, want := range map[string]string{
		"disk.dev.total_rawactive": "In B it is higher by 188.4 (median 0.5 to 188.9).",
		"disk.dev.avactive":        "In B it is higher by 18,837.0 percentage points (median 50.0 to 18,887.0).", // what it would be of a share
	} {
		m := &api.Metric{Name: name, Semantics: "counter", Units: "millisec"}
		c := &api.Change{Metric: name, MedianA: 0.5, MedianB: 188.87, Shift: 188.37}
		if got := Sentence(c, ShownOf(c, metric.Utilisation(m, true))); got != want {
			t.Errorf("sentence of %s = %q, want %q", name, got, want)
		}
	}
}

// A disk that was busy for 20 s of each 50 has the same median as one at rest: its
// means are shown.
func TestBursts(t *testing.T) {
	bursts := &api.Change{Metric: "disk.dev.avactive", MedianA: 0, MedianB: 0, MeanA: 0, MeanB: 0.36, Shift: 0}
	s := ShownOf(bursts, true)
	if got, want := Sentence(bursts, s), "In B it is higher on average by 36.0 percentage points (mean 0 to 36.0)."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := LevelText(s, 0.36, true); got != "mean 36.0" {
		t.Errorf("got %q", got)
	}
	steady := &api.Change{Metric: "disk.dev.avactive", MedianA: 0.1, MedianB: 0.5, MeanA: 0.1, MeanB: 0.55, Shift: 0.4}
	if got, want := Sentence(steady, ShownOf(steady, true)), "In B it is higher by 40.0 percentage points (median 10.0 to 50.0)."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// CPU time, which is a share of all CPUs elsewhere on the page, is compared as that of one.
func TestCPUTimeIsOfOneCPU(t *testing.T) {
	for _, tt := range []struct {
		c    api.Change
		want string
	}{
		{api.Change{Metric: "kernel.all.cpu.user", MedianA: 0.1, MedianB: 2.4}, "% of one CPU"},
		{api.Change{Command: "rsync", Unit: "%", MedianA: 10, MedianB: 240}, "% of one CPU"},
		{api.Change{Metric: "disk.dev.avactive", MedianA: 0.1, MedianB: 0.4}, ""},
	} {
		if got := ShownOf(&tt.c, tt.c.Metric != ""); got.Of != tt.want || got.Unit != "%" {
			t.Errorf("%s%s is in %q, a share of %q, want %q", tt.c.Metric, tt.c.Command, got.Unit, got.Of, tt.want)
		}
	}
}

func TestOthers(t *testing.T) {
	c := &State{}
	if got := c.Others(); got != nil {
		t.Errorf("without a result: %q", got)
	}
	c.Result = &api.Comparison{
		Only:     []api.OnlyIn{{Command: "rsync", In: "B"}, {Metric: "disk.dev.avactive", Instance: &api.InstanceRef{Name: "sdc"}, In: "A"}},
		Settings: []api.ChangedSetting{{Metric: "kernel.all.pid_max", A: "32,768", B: "65,536"}},
	}
	want := "rsync used CPU time in B alone|disk.dev.avactive of sdc has values in A alone|kernel.all.pid_max: 32,768 in A, 65,536 in B"
	if got := strings.Join(c.Others(), "|"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
