package analysis

import (
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

func tileOf(t *testing.T, f *fake, resource string) api.Tile {
	t.Helper()
	tiles, _ := NewHost(f).Judge()
	for _, tile := range tiles {
		if tile.Resource == resource {
			return tile
		}
	}
	t.Fatalf("no tile of %s", resource)
	return api.Tile{}
}

// Two groups of a logger record a moment 1.9 ms apart, in which one tick of 10 ms is counted:
// no rate is known from one moment, and 17 % from two that are a minute apart (10,200 of
// 60,000 ms).
func TestOneMomentOfTwoGroups(t *testing.T) {
	const ms2 = 1_900_000
	for _, c := range []struct {
		at         []pcp.Time
		user, idle []float64
		want       string
	}{
		{[]pcp.Time{0, ms2}, []float64{0, 10}, []float64{0, 5}, "unknown"},
		{[]pcp.Time{0, ms2, 60e9, 60e9 + ms2}, []float64{0, 10, 10200, 10210}, []float64{0, 5, 49800, 49805}, "17 % at most"},
	} {
		f := new(fake)
		for _, at := range c.at {
			f.times = append(f.times, start+at)
		}
		d := counter(ms)
		f.set("kernel.all.cpu.user", "", &d, c.user).set("kernel.all.cpu.idle", "", &d, c.idle)
		for _, mode := range []string{"sys", "nice", "intr", "wait.total", "steal"} {
			f.set("kernel.all.cpu."+mode, "", &d, make([]float64, len(c.at)))
		}
		f.set("hinv.ncpu", "", nil, level(float64(len(c.at)), 1)).level("kernel.all.load", "1 minute", float64(len(c.at)), 0)
		if got := tileOf(t, f, "CPU").Utilisation.Text; got != c.want {
			t.Errorf("%d records: %q, want %q", len(c.at), got, c.want)
		}
	}
}

// A logger that is started again three seconds after its last record begins with a record of
// its own: what that says counts.
func TestFirstRecordOfARestart(t *testing.T) {
	f := new(fake).every(60, 60)
	for i := 30; i < 60; i++ {
		f.times[i] -= 57e9
	}
	f.marks = []pcp.Time{f.times[29] + 1e9}
	f.level("hinv.ncpu", "", 60, 2).level("kernel.all.load", "1 minute", 30, 1, 1, 5, 29, 1)
	if got, want := tileOf(t, f, "CPU").Saturation.Text, "load 5.00 on 2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Losses that are all of one of several interfaces name it.
func TestLossesNameTheInterface(t *testing.T) {
	drops := func(ens3 float64) *fake {
		return new(fake).rate("network.interface.in.drops", "ens3", count, 20, 0, 1, ens3, 39, 0).rate("network.interface.in.drops", "ens7", count, 20, 0, 1, 0.5, 39, 0)
	}
	if got, want := judged(drops(0)), "know 190-200 5 inbound packets dropped on ens7"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := judged(drops(0.1)), "know 190-200 6 inbound packets dropped"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// One record says of no counter whether it grew.
func TestLossesNeedTwoRecords(t *testing.T) {
	for n, want := range map[float64][3]string{1: {"unknown", "unknown", "unknown"}, 2: {"no drops", "none", "none"}} {
		f := new(fake).rate("network.interface.in.drops", "eth0", count, n, 0).rate("network.interface.in.errors", "eth0", count, n, 0).rate("mem.vmstat.oom_kill", "", count, n, 0)
		f.level("mem.physmem", "", n, 1000).level("mem.util.available", "", n, 500).level("network.interface.speed", "eth0", n, 100)
		network, memory := tileOf(t, f, "Network"), tileOf(t, f, "Memory")
		if got := [3]string{network.Saturation.Text, network.Errors.Text, memory.Errors.Text}; got != want {
			t.Errorf("%v records: %q, want %q", n, got, want)
		}
	}
}
