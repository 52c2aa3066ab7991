package analysis

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pcpscope/core/pcp"
)

// The second table lacks the row at 20.
func TestCombine(t *testing.T) {
	for _, c := range []struct {
		rates bool
		want  string
	}{
		{false, "[11 22 NaN 44]"},
		{true, "[NaN 22 NaN NaN]"}, // at 30, one is of 10 and one of 20
	} {
		a := &Table{Times: []pcp.Time{0, 10, 20, 30}, Broken: make([]bool, 4), Columns: []Column{{Vals: []float64{1, 2, 3, 4}}}, rates: c.rates}
		b := &Table{Times: []pcp.Time{0, 10, 30}, Broken: make([]bool, 3), Columns: []Column{{Vals: []float64{10, 20, 40}}}, rates: c.rates}
		if c.rates {
			a.Columns[0].Vals[0], b.Columns[0].Vals[0] = math.NaN(), math.NaN()
		}
		sum := combine(a, b, func(a, b float64) float64 { return a + b })
		if got := fmt.Sprint(sum.Columns[0].Vals); got != c.want {
			t.Errorf("rates %v: %s, want %s", c.rates, got, c.want)
		}
	}
	never := &Table{Times: []pcp.Time{5}, Broken: []bool{true}, Columns: []Column{{Vals: []float64{1}}}}
	if combine(never, &Table{Times: []pcp.Time{6}, Broken: []bool{true}, Columns: never.Columns}, math.Max) != nil {
		t.Error("tables without a common row are combined")
	}
}

// The space of a filesystem is recorded once, and what is used of it sixty times.
func TestFullOfCapacityThatIsSeldomRecorded(t *testing.T) {
	f := new(fake).level("filesys.used", "/dev/sda5", 30, 100, 30, 120).level("filesys.capacity", "/dev/sda5", 1, 200)
	if got, want := tileOf(t, f, "Filesystems").Utilisation.Text, "sda5 60 %"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Of a thousand segments a second, 50 are sent again for 200 s. The last record does not say how
// many were sent at all.
func TestRetransmissionsOfUnlikeRecords(t *testing.T) {
	f := new(fake).rate("network.interface.in.drops", "eth0", count, 60, 0).rate("network.tcp.outsegs", "", count, 60, 1000).rate("network.tcp.retranssegs", "", count, 20, 0, 20, 50, 20, 0)
	f.lacks = map[string]int{"network.tcp.outsegs": 59}
	if got, want := judged(f), "look 190-390 TCP retransmissions: 5 % of segments for 3 min 20 s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What memory is used is not added up of metrics of different records.
func TestUsageOfUnlikeRecords(t *testing.T) {
	f := new(fake).level("mem.util.used", "", 60, 1000).level("mem.util.free", "", 60, 500).level("mem.util.cached", "", 60, 200).level("mem.util.bufmem", "", 60, 50)
	f.lacks = map[string]int{"mem.util.free": 7}
	if NewHost(f).CacheApart() {
		t.Error("the cache, which is less than what is used, is taken as apart")
	}
}

// late is a host that records some metrics 50 ms after the others.
type late struct {
	*fake
	metrics []string
}

func (l late) Table(metric string) *Table {
	t := l.fake.Table(metric)
	if t != nil && slices.Contains(l.metrics, metric) {
		t.Times = slices.Clone(t.Times)
		for i := range t.Times {
			t.Times[i] += 50e6
		}
	}
	return t
}

// Another group of the logger records interrupts and steal. Two CPUs ran programs for 20 % of the
// time; ticks that the kernel did not count make 25 % of what was not idle.
func TestModesOfTwoGroups(t *testing.T) {
	f := new(fake).cpu(2, 60, 20).rate("kernel.all.cpu.idle", "", ms, 60, 1500).level("kernel.all.load", "1 minute", 60, 0)
	for _, metrics := range [][]string{nil, {"kernel.all.cpu.intr", "kernel.all.cpu.steal"}} {
		tiles, _ := NewHost(late{f, metrics}).Judge()
		if got := tiles[0].Utilisation.Text; got != "20 % at most" {
			t.Errorf("with %v late: %q, want 20 %%", metrics, got)
		}
	}
}

// A disk reads 100 times a second; 2,000 ms of requests a second are 20 ms each, also where another
// group of the logger counts these. Two records that are two seconds apart are not of one moment.
func TestRatesOfTwoGroups(t *testing.T) {
	for by, want := range map[pcp.Time]float64{0: 20, 50e6: 20, 2e9: math.NaN()} {
		f := new(fake).rate("disk.dev.total", "sda", count, 60, 100).rate("disk.dev.total_rawactive", "sda", ms, 60, 2000)
		h := NewHost(f)
		ops := h.rate("disk.dev.total")
		ops.Times = slices.Clone(ops.Times)
		for i := range ops.Times {
			ops.Times[i] += by
		}
		share := combine(h.rate("disk.dev.total_rawactive"), ops, func(ms, n float64) float64 { return 1000 * ms / n })
		got := math.NaN()
		if share != nil {
			got = share.Columns[0].Vals[30]
		}
		if math.Abs(got-want) > 1e-9 || (got != got) != (want != want) {
			t.Errorf("%v apart: %g ms, want %g", by, got, want)
		}
	}
}

// Before Linux 3.14 what is cached counts as available: of 1000 MB, 100 are free and 600 cached.
// One record does not say how much is cached.
func TestReclaimableOfUnlikeRecords(t *testing.T) {
	const mb = 1 << 20
	f := new(fake).level("mem.physmem", "", 60, 1000*mb).level("mem.util.free", "", 60, 100*mb).level("mem.util.cached", "", 60, 500*mb).level("mem.util.bufmem", "", 60, 100*mb)
	f.lacks = map[string]int{"mem.util.cached": 7}
	if got := tileOf(t, f, "Memory").Utilisation.Text; got != "30 % at most" {
		t.Errorf("got %q, want 30 %%", got)
	}
}

// Two CPUs are idle, but for 100 s in which one of them waits for a disk. Only idle time and waiting
// are recorded, each by a group of its own, or waiting for each CPU.
func TestWaitOfAnotherGroup(t *testing.T) {
	f := new(fake).level("hinv.ncpu", "", 1, 2).level("kernel.all.load", "1 minute", 60, 0).rate("kernel.all.cpu.idle", "", ms, 30, 2000, 10, 1000, 20, 2000)
	each := new(fake).level("hinv.ncpu", "", 1, 2).level("kernel.all.load", "1 minute", 60, 0).rate("kernel.all.cpu.idle", "", ms, 30, 2000, 10, 1000, 20, 2000).
		rate("kernel.percpu.cpu.wait.total", "cpu0", ms, 30, 0, 10, 1000, 20, 0).rate("kernel.percpu.cpu.wait.total", "cpu1", ms, 60, 0)
	f.rate("kernel.all.cpu.wait.total", "", ms, 30, 0, 10, 1000, 20, 0)
	for _, h := range []late{{f, nil}, {f, []string{"kernel.all.cpu.wait.total"}}, {each, nil}} {
		tiles, _ := NewHost(h).Judge()
		if got := tiles[0].Utilisation.Text; got != "0 % at most" {
			t.Errorf("%v late: %q, want 0 %%", h.metrics, got)
		}
	}
}
