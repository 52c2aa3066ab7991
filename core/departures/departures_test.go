package departures

import (
	"math"
	"slices"
	"testing"

	"pcpscope/core/pcp"
)

var nan = math.NaN()

func repeated(v float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}

func TestDepart(t *testing.T) {
	k := Kind{Tier: 1, Floor: 2}
	calm := []float64{10, 11, 10, 11, 10, 11, 10, 11, 10, 11, 10} // 5 to 95 %: 10 to 11
	for name, c := range map[string]struct {
		was    float64
		others []float64
		kind   Kind
		beyond float64 // 0 for none
	}{
		"far above":                     {15, calm, k, 2},
		"half a floor beyond":           {12.5, calm, k, 0.75},
		"less than that":                {11.9, calm, k, 0},
		"below":                         {4, calm, k, -3},
		"a wide range":                  {33, []float64{10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}, k, 2}, // 5 to 95 %: 11 to 29
		"just outside of it":            {30.7, []float64{10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}, k, 0},
		"too few":                       {100, calm[:7], k, 0},
		"nothing known of most":         {100, append(repeated(nan, 40), calm[:7]...), k, 0},
		"nothing known of the window":   {nan, calm, k, 0},
		"another event among the rest":  {90, append(repeated(90, 3), calm...), k, 39.5},
		"a longer one":                  {90, slices.Concat(calm, repeated(90, 5), calm), k, 39.5},
		"a long and a short one":        {90, slices.Concat(calm, repeated(90, 1), calm, repeated(90, 4)), k, 39.5},
		"a small one, too":              {90, slices.Concat(calm, repeated(40, 3), calm, repeated(90, 3)), k, 39.5},
		"office hours, once more":       {90, slices.Concat(calm, repeated(90, 3), calm, repeated(90, 3)), k, 0},
		"as often as not":               {90, append(repeated(90, 11), calm...), k, 0},
		"no floor: a tenth of the most": {30, repeated(20, 10), Kind{Tier: 1}, 5},
	} {
		d, far := FindDeparture(c.was, c.others, 5, c.kind)
		if far != (c.beyond != 0) || math.Abs(d.Beyond-c.beyond) > 1e-9 {
			t.Errorf("%s: %v %+v", name, far, d)
		}
	}
}

// A level that rises for hours is not an event at any particular time; a step
// is.
func TestDrift(t *testing.T) {
	k := Kind{Tier: 1, Floor: 1, Drift: true}
	var rising, stepped []float64
	for i := range 40 {
		if i != 35 {
			rising, stepped = append(rising, float64(i)), append(stepped, 10)
		}
		if i > 35 {
			stepped[i-1] = 30
		}
	}
	if d, far := FindDeparture(35.2, rising, 35, k); far {
		t.Errorf("rising: %+v", d)
	}
	if d, far := FindDeparture(50, rising, 35, k); !far || d.Beyond < 10 {
		t.Errorf("above the rise: %+v", d)
	}
	if d, far := FindDeparture(20, stepped, 35, k); !far || d.Beyond != 10 {
		t.Errorf("in the middle of a step: %+v", d)
	}
}

// A level that rises during a stretch and stays there is unusual by its change, however
// long the stretch is in steps; one that goes on rising at the same pace is not, nor is
// one that changes as much at other times.
func TestChange(t *testing.T) {
	k := Kind{Tier: 1, Floor: 1, Drift: true}
	calm := []float64{-1, 1, -1, 1, 0, -1, 1, -1, 1} // 5 to 95 %: -1 to 1
	for name, c := range map[string]struct {
		from, to float64
		steps    int
		others   []float64
		beyond   float64 // 0 for none
	}{
		"grows":                         {50, 86, 1, repeated(0, 14), 36},
		"falls":                         {86, 50, 1, repeated(0, 14), -36},
		"grows while others vary":       {50, 60, 1, calm, 9},
		"by four times as much":         {50, 54, 1, calm, 0},
		"by more than that":             {50, 55.5, 1, calm, 4.5}, // twice the range beyond it is 5
		"over three steps":              {50, 86, 3, calm, 33},    // 5 to 95 %: -3 to 3
		"by less than the floor":        {50, 50.4, 1, repeated(0, 14), 0},
		"at the same pace all the time": {50, 86, 3, repeated(12, 14), 0},
		"stops growing":                 {50, 50, 3, repeated(12, 14), 0},
		"too few others":                {50, 86, 1, repeated(0, 7), 0},
		"from nothing known":            {nan, 86, 1, calm, 0},
	} {
		d, far := FindChange(c.from, c.to, c.steps, c.others, 5, k)
		if far != (c.beyond != 0) || math.Abs(d.Beyond-c.beyond) > 1e-9 && far {
			t.Errorf("%s: %v %+v", name, far, d)
		}
	}
	d, _ := FindChange(50, 86, 3, calm, 5, k)
	if low, high := d.Range(); low != 47 || high != 53 {
		t.Errorf("it would be within %g to %g, want 47 to 53", low, high)
	}
	if at := Onset([]float64{50, 50, 50, 53, 54, 60, 70, 86}, 2, d); at != 4 {
		t.Errorf("it left that at %d, want 4", at)
	}
	// Without a floor of its own, it is a tenth of the level, not of the changes.
	if d, far := FindChange(1000, 1090, 1, repeated(1, 10), 5, Kind{Tier: 1}); far && d.Beyond > 1 {
		t.Errorf("no floor: %+v", d)
	}
}

func TestStretches(t *testing.T) {
	for _, c := range []struct {
		start, from, to, end          int64
		length                        int64
		within, before, after, others int
	}{
		{0, 500, 510, 1000, 10, 1, 24, 24, 48},
		{0, 20, 30, 1000, 10, 1, 2, 46, 48},
		{0, 100, 600, 1000, 38, 13, 2, 10, 12},
		{0, 0, 1000, 1000, 1, 1000, 0, 0, 0},
		{0, 10, 10, 1000, 0, 0, 0, 0, 0},
	} {
		length, within, before, after := Stretches(c.start, c.from, c.to, c.end)
		if length != c.length || within != c.within || before != c.before || after != c.after {
			t.Errorf("%v: %d %d %d %d", c, length, within, before, after)
		}
	}
}

// One series lags the other by three steps; ranks are unaffected by a
// logarithm.
func TestRelate(t *testing.T) {
	var a, b, flat []float64
	for i := range 60 {
		v := float64((i * 37) % 60)
		a, flat = append(a, v), append(flat, 1)
		b = append(b, math.Log(1+float64(((i+60*37-3)*37)%60)))
	}
	if r := Relate(a, b); r.Lag != 3 || r.Rho < 0.99 {
		t.Errorf("%+v", r)
	}
	if r := Relate(b, a); r.Lag != -3 || r.Rho < 0.99 {
		t.Errorf("the other way: %+v", r)
	}
	if r := Relate(a, flat); r.Rho != 0 {
		t.Errorf("flat: %+v", r)
	}
	flat[20], flat[21] = 5, 6
	if r := Relate(flat, flat); r.Rho != 0 {
		t.Errorf("two values alone: %+v", r)
	}
	if r := Relate(nil, a); r.Rho != 0 {
		t.Errorf("nothing: %+v", r)
	}
}

func TestOnset(t *testing.T) {
	d := Departure{Low: 0, High: 1, Matters: 2, Beyond: 4}
	for name, c := range map[string]struct {
		vals []float64
		want int
	}{
		"in the window":         {[]float64{0, 1, 0, 1, 0, 9, 9, 9}, 5},
		"before it":             {[]float64{0, 9, 9, 9, 9, 9, 9, 9}, 1},
		"a spike first":         {[]float64{0, 0, 0, 9, 0, 0, 9, 9}, 6},
		"never":                 {[]float64{0, 0, 0, 0, 0, 0, 0, 1.5}, -1},
		"a hole in it":          {[]float64{0, 0, 9, nan, 9, 9, 9, 9}, 2},
		"nothing":               {nil, -1},
		"at the end of the row": {[]float64{0, 0, 0, 0, 0, 0, 0, 9}, 7},
	} {
		if got := Onset(c.vals, min(3, len(c.vals)), d); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// Floors are in the units of the series.
func TestKindOf(t *testing.T) {
	h := Host{CPUs: 4, Memory: 8 << 30}
	kib := pcp.Units{Space: 1, SpaceScale: 1}
	for _, c := range []struct {
		metric, instance string
		units            pcp.Units
		subject          Subject
		floor            float64
	}{
		{"kernel.all.cpu.user", "", pcp.Units{}, Subject{"cpu", "CPU", ""}, 0.04},
		{"mem.util.available", "", kib, Subject{"memory", "Memory", ""}, 0.04 * (1 << 20)},
		{"disk.dev.write_bytes", "sda", pcp.Units{Space: 1, SpaceScale: 1, Time: -1, TimeScale: pcp.Sec}, Subject{"disk", "Disk", "sda"}, 64},
		{"disk.dev.avactive", "sda", pcp.Units{}, Subject{"disk", "Disk", "sda"}, 0.02},
		{"network.interface.in.bytes", "eth0", pcp.Units{Space: 1, Time: -1, TimeScale: pcp.Sec}, Subject{"network", "Interface", "eth0"}, 65536},
		{"kernel.all.load", "1 minute", pcp.Units{}, Subject{"cpu", "Load", ""}, 0.6},
		{"kernel.all.pswitch", "", pcp.Units{Count: 1, Time: -1, TimeScale: pcp.Sec}, Subject{"processes", "Context switches", ""}, 200},
		{"kernel.all.softirqs.total", "SCHED", pcp.Units{Count: 1, Time: -1, TimeScale: pcp.Sec}, Subject{"cpu", "Interrupts", ""}, 5},
		{"filesys.usedfiles", "/dev/vda", pcp.Units{}, Subject{"filesystem", "Filesystem", "/dev/vda"}, 5000},
		{"cgroup.cpuacct.usage", "/batch", pcp.Units{}, Subject{"cgroup", "Cgroup", "/batch"}, 0.04},
		{"cgroup.cpu.stat.usage", "/batch", pcp.Units{TimeScale: pcp.Microsec}, Subject{"cgroup", "Cgroup", "/batch"}, 0.04}, // version 2
		{"cgroup.cpusched.throttled_time", "/batch", pcp.Units{}, Subject{"cgroup", "Cgroup", "/batch"}, 0.02},
		{"mmv.shop.orders.count", "books", pcp.Units{Count: 1, Time: -1, TimeScale: pcp.Sec}, Subject{"other", "mmv.shop", "books"}, 0},
		{"perfevent.hwcounters.INSTRUCTIONS_RETIRED.value", "cpu4", pcp.Units{Count: 1, Time: -1, TimeScale: pcp.Sec}, Subject{"other", "perfevent.hwcounters", ""}, 0},
		{"network.interface.in.bytes", "et0", pcp.Units{Count: 1, Time: -1, TimeScale: pcp.Sec}, Subject{"network", "Interface", "et0"}, 65536},
		{"kernel.all.syscall", "", pcp.Units{Count: 1, Time: -1, TimeScale: pcp.Sec}, Subject{"processes", "System calls", ""}, 2000},
		{"mem.vmstat.allocstall_normal", "", pcp.Units{Count: 1, Time: -1, TimeScale: pcp.Sec}, Subject{"memory", "Direct reclaim", ""}, 1},
		{"xfs.block_map.look_exlist", "", pcp.Units{Count: 1, Time: -1, TimeScale: pcp.Sec}, Subject{"filesystem", "XFS", ""}, 0},
		{"proc.runq.blocked", "", pcp.Units{}, Subject{"disk", "Waiting for I/O", ""}, 0.6},
	} {
		k, tells := KindOf(c.metric, c.units, h)
		if k = k.Instance(c.instance); !tells || k.Subject != c.subject || math.Abs(k.Floor-c.floor) > 1e-9*c.floor {
			t.Errorf("%s: %+v", c.metric, k)
		}
	}
	for _, name := range []string{"proc.psinfo.utime", "hinv.ncpu", "kernel.all.uptime", "mem.slabinfo.objects.size", "mem.util.directMap1G"} {
		if _, tells := KindOf(name, pcp.Units{}, h); tells {
			t.Errorf("%s tells", name)
		}
	}
}

// What changes first is reported if it counts by itself.
func TestFirst(t *testing.T) {
	light, heavy := Kind{Subject: Subject{"cpu", "Interrupts", ""}, Tier: 0.1}, Kind{Subject: Subject{"disk", "Disk", "sda"}, Tier: 1}
	all := Incidents([]LevelChange[string]{
		{light, Change{At: 100, Times: 31}, "interrupts", -1, 0}, // 0.1 log2(1+31)
		{heavy, Change{At: 102, Times: 31}, "busy", -1, 0},
	}, 4, 12)
	if len(all) != 1 || all[0].At != 100 || all[0].First.Series != "busy" {
		t.Errorf("%+v", all)
	}
}

// Of agents that are not known, a tenth more counts, and no less than elsewhere.
func TestFloorOfAnAgent(t *testing.T) {
	k, _ := KindOf("mmv.shop.orders.count", pcp.Units{Count: 1, Time: -1, TimeScale: pcp.Sec}, Host{CPUs: 4})
	for _, c := range []struct{ low, high, want float64 }{{0, 20, 5}, {0, 200, 20}, {-400, 200, 40}} {
		if got := k.FloorAt(c.low, c.high); got != c.want {
			t.Errorf("%g to %g: %g, want %g", c.low, c.high, got, c.want)
		}
	}
}

// A disk that writes far more than ever, in a quarter of its time, comes after
// CPUs of which 60 % are in use.
func TestUtilisation(t *testing.T) {
	h := Host{CPUs: 8, Memory: 8 << 30}
	rate := pcp.Units{Space: 1, SpaceScale: 1, Time: -1, TimeScale: pcp.Sec}
	candidate := func(metric, instance string, u pcp.Units, was float64) Candidate[string] {
		k, _ := KindOf(metric, u, h)
		k = k.Instance(instance)
		d, far := FindDeparture(was, repeated(0, 20), 10, k)
		if !far {
			t.Fatalf("%s: no departure", metric)
		}
		return Candidate[string]{Kind: k, Departure: d, Series: metric}
	}
	cpu := candidate("kernel.all.cpu.user", "", pcp.Units{}, 0.6*8)
	writes, busy := candidate("disk.dev.write_bytes", "sda", rate, 15_000), candidate("disk.dev.avactive", "sda", pcp.Units{}, 0.26)
	for _, c := range []struct {
		list []Candidate[string]
		want []string
	}{
		{[]Candidate[string]{writes, cpu}, []string{"disk.dev.write_bytes", "kernel.all.cpu.user"}},
		{[]Candidate[string]{writes, busy, cpu}, []string{"kernel.all.cpu.user", "disk.dev.avactive"}},
	} {
		rows := Rows(c.list)
		if len(rows) != 2 || rows[0].Best != c.want[0] || rows[1].Best != c.want[1] {
			t.Errorf("rows = %+v, want them by %v", rows, c.want)
		}
	}
}

// An incident is dated by the first of its changes that had begun for sure: what a command
// used is spread over the time between two samples of the processes.
func TestLateChanges(t *testing.T) {
	cpu, memory := Kind{Subject: Subject{"processes", "Commands", ""}, Tier: 1}, Kind{Subject: Subject{"memory", "Memory", ""}, Tier: 1}
	all := Incidents([]LevelChange[string]{
		{cpu, Change{At: 97, Times: 7}, "leaky", 106, 5},
		{memory, Change{At: 100, Times: 31}, "available", 106, 0},
	}, 4, 12)
	if len(all) != 1 || all[0].At != 97 || all[0].At+all[0].Late != 100 || all[0].Series != 2 {
		t.Errorf("got %+v, want one at 97, dated 100", all)
	}
}
