package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pcpscope/core/pcp"
)

// every sets the times of rows: count rows so many seconds apart, and so on.
func (f *fake) every(pairs ...int) *fake {
	at := start
	for i := 0; i < len(pairs); i += 2 {
		for range pairs[i] {
			f.times = append(f.times, at)
			at += pcp.Time(pairs[i+1]) * 1e9
		}
	}
	return f
}

// grows adds a counter that grows at a rate per second, whatever the rows' distances.
func (f *fake) grows(metric, instance string, units pcp.Units, pairs ...float64) *fake {
	d, vals := counter(units), level(pairs...)
	for i, sum := 0, 0.0; i < len(vals); i++ {
		if i > 0 {
			sum += vals[i] * f.times[i].Since(f.times[i-1])
		}
		vals[i] = sum
	}
	return f.set(metric, instance, &d, vals)
}

// cpuTime adds the CPU time of a host, in milliseconds a second in user mode and idle.
func (f *fake) cpuTime(user, idle []float64) *fake {
	f.grows("kernel.all.cpu.user", "", ms, user...).grows("kernel.all.cpu.idle", "", ms, idle...)
	for _, mode := range []string{"sys", "nice", "intr", "wait.total", "steal"} {
		f.grows("kernel.all.cpu."+mode, "", ms, float64(len(f.times)), 0)
	}
	return f
}

// judged lists what a host's findings are: level, seconds from and to, text.
func judged(f *fake) string {
	_, findings := NewHost(f).Judge()
	var list []string
	for _, x := range findings {
		list = append(list, fmt.Sprintf("%s %d-%d %s", x.Level, (x.Start-start)/1e9, (x.End-start)/1e9, x.Text))
	}
	return strings.Join(list, "\n")
}

// A virtual machine of 2 CPUs and 4 GiB that becomes one of 8 and 16 GiB is judged by
// what it had at each time.
func TestResizedHost(t *testing.T) {
	kib := pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Space: 1, SpaceScale: 1}}
	f := new(fake).every(120, 10)
	f.cpuTime([]float64{60, 2000, 60, 2000}, []float64{60, 0, 60, 6000}).level("hinv.ncpu", "", 60, 2, 60, 8)
	f.set("mem.physmem", "", &kib, level(60, 4194304, 60, 16777216)).set("mem.util.available", "", &kib, level(60, 1258291, 60, 5033164))
	f.level("kernel.all.load", "1 minute", 60, 7, 60, 20)
	f.marks = []pcp.Time{start + 595e9}
	want := "look 0-590 Load above 6 for 9 min 50 s, up to 7.00 on 2 CPUs\nlook 0-590 CPU 100 % busy for 9 min 50 s"
	if got := judged(f); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if tiles, _ := NewHost(f).Judge(); tiles[0].Saturation.Text != "load 7.00 on 2" { // and not 20 on 8
		t.Errorf("saturation %q", tiles[0].Saturation.Text)
	}
}

// Most loggers log hinv.ncpu once. A virtual machine of 4 CPUs that is given 12 more is 35 % busy
// before and after, as pmstat(1) says, and not 140 %; so it is in the record in the midst of which
// it got them, and once it is back at 4. What a clock that was set back makes of a single record
// says nothing about CPUs, and does not make them busy.
func TestPluggedCPUs(t *testing.T) {
	const rows = 180
	logged := level(1, 4, rows-1, math.NaN())
	f := new(fake).every(rows, 10)
	f.cpuTime([]float64{61, 1400, 1, 3500, 58, 5600, 60, 1400}, []float64{61, 2600, 1, 6500, 58, 10400, 60, 2600}).set("hinv.ncpu", "", nil, logged)
	f.level("kernel.all.load", "1 minute", 61, 4, 58, 20, 61, 4)
	f.marks = []pcp.Time{start + 9995e8}
	h := NewHost(f)
	tiles, findings := h.Judge()
	if at := func(row int) float64 { return h.CPUsAt(f.times[row]) }; at(0) != 4 || at(60) != 4 || at(62) != 16 || at(119) != 16 || at(121) != 4 || h.CPUs != 16 {
		t.Errorf("%g, %g, %g, %g, %g CPUs, %g at most", at(0), at(60), at(62), at(119), at(121), h.CPUs)
	}
	if len(findings) > 0 || tiles[0].Utilisation.Text != "35 % at most" || tiles[0].Saturation.Text != "load 20.00 on 16" {
		t.Errorf("found %+v, %q, %q", findings, tiles[0].Utilisation.Text, tiles[0].Saturation.Text)
	}

	f = new(fake).every(rows, 10)
	f.cpuTime([]float64{90, 1400, 1, 5600, 89, 1400}, []float64{90, 2600, 1, 10400, 89, 2600}).set("hinv.ncpu", "", nil, logged)
	h = NewHost(f)
	if tiles, findings := h.Judge(); len(findings) > 0 || tiles[0].Utilisation.Text != "35 % at most" || h.CPUs != 4 || len(h.Plugged) > 0 {
		t.Errorf("one record: found %+v, %q, %g CPUs", findings, tiles[0].Utilisation.Text, h.CPUs)
	}
}

// One that had one CPU for most of the time does not count the mean of its CPUs.
func TestGrownHost(t *testing.T) {
	f := new(fake).every(630, 10)
	f.cpuTime([]float64{600, 100, 30, 2000}, []float64{600, 900, 30, 6000}).level("hinv.ncpu", "", 600, 1, 30, 8)
	f.marks = []pcp.Time{start + 5995e9}
	h := NewHost(f)
	if got := judged(f); got != "" || h.Averaged() || h.CPUsAt(start) != 1 || h.CPUsAt(start+6200e9) != 8 || h.CPUs != 8 {
		t.Errorf("got %q, mean of CPUs %v, %g CPUs at first, %g at last", got, h.Averaged(), h.CPUsAt(start), h.CPUsAt(start+6200e9))
	}
}

// Hours logged every five minutes count beside hours logged every ten seconds.
func TestUnlikeIntervals(t *testing.T) {
	f := new(fake).every(60, 300, 1000, 10)
	f.cpuTime([]float64{20, 100, 20, 990, 1020, 100}, []float64{20, 900, 20, 10, 1020, 900}).level("hinv.ncpu", "", 1060, 1)
	if got, want := judged(f), "look 5700-11700 CPU 99 % busy for 1 h 40 min"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A gap of a month does not make one episode of minutes that are half an hour apart.
func TestPeaksBesideAGap(t *testing.T) {
	var user, idle []float64
	for range 16 {
		user, idle = append(user, 29, 50, 1, 1000), append(idle, 29, 950, 1, 0)
	}
	f := new(fake).every(240, 60, 240, 60).cpuTime(user, idle).level("hinv.ncpu", "", 480, 1)
	for i := 240; i < 480; i++ {
		f.times[i] += 30 * 86400e9
	}
	f.marks = []pcp.Time{f.times[239] + 1e9}
	if got := judged(f); !strings.HasPrefix(got, "know ") || !strings.Contains(got, "CPU saturated 16 times") {
		t.Errorf("got %s", got)
	}
}

// A filesystem logged every twenty minutes fills: by hand, 5 of 100 GiB left at 1 GiB a
// row are 100 min. Of one value nothing can be told.
func TestFillingSlowly(t *testing.T) {
	kib := pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Space: 1, SpaceScale: 1}}
	const rows, gib = 24, 1 << 20
	used, free := make([]float64, rows), make([]float64, rows)
	for i := range used {
		used[i] = float64(72+i) * gib
		free[i] = 100*gib - used[i]
	}
	for n, want := range map[int]string{rows: "sda1 full in 1 h 40 min", 1: "unknown", 4: "unknown"} {
		f := new(fake).every(n, 1200).set("filesys.full", "/dev/sda1", nil, level(float64(n), 50)).set("filesys.used", "/dev/sda1", &kib, used[rows-n:]).set("filesys.avail", "/dev/sda1", &kib, free[rows-n:])
		if got := tileOf(t, f, "Filesystems").Saturation.Text; got != want {
			t.Errorf("%d rows: %q, want %q", n, got, want)
		}
	}
}

// What takes more than a day at the latest rate fills all the same: by hand, 40 of 100 GiB left
// at 1 GiB an hour are 40 h. At a thousandth of that it does not.
func TestFillingForDays(t *testing.T) {
	kib := pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Space: 1, SpaceScale: 1}}
	const rows, gib = 24, 1 << 20
	for hourly, want := range map[float64]string{1: "not full within 1 day", 0.001: "not filling"} {
		used, free := make([]float64, rows), make([]float64, rows)
		for i := range used {
			free[i] = (40 + hourly*float64(rows-1-i)/6) * gib
			used[i] = 100*gib - free[i]
		}
		f := new(fake).every(rows, 600).set("filesys.full", "/dev/sda1", nil, level(rows, 60)).set("filesys.used", "/dev/sda1", &kib, used).set("filesys.avail", "/dev/sda1", &kib, free)
		_, findings := NewHost(f).Judge()
		if got := tileOf(t, f, "Filesystems").Saturation; got.Text != want || got.State != fine || len(findings) > 0 {
			t.Errorf("%g GiB an hour: %q, %+v, want %q", hourly, got.Text, findings, want)
		}
	}
}

// Ten minutes in which 60 of 200 packets a second were lost matter within a month, in
// which they are 0.014 a second and 0.007 % of all.
func TestBurstOfDrops(t *testing.T) {
	f := new(fake).every(43200, 60)
	f.grows("network.interface.in.drops", "eth0", count, 20000, 0, 10, 60, 23190, 0).grows("network.interface.in.packets", "eth0", count, 43200, 200)
	want := "look 1199940-1200540 36,000 inbound packets dropped, 60 a second for 10 min"
	if got := judged(f); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	f.grows("network.interface.in.drops", "eth0", count, 20000, 0, 1, 60, 23199, 0) // for a minute
	if got := judged(f); !strings.HasPrefix(got, "know ") {
		t.Errorf("a minute: %s", got)
	}
}

// Without the time since boot, the logged times of boot tell of reboots.
func TestBootTimes(t *testing.T) {
	seconds := pcp.Desc{Type: pcp.Double, Sem: pcp.Discrete, InDom: pcp.NullInDom, Units: pcp.Units{Time: 1, TimeScale: pcp.Sec}}
	f := new(fake).set("kernel.all.boottime", "", &seconds, []float64{999_000_000, 999_000_001, math.NaN(), 1_000_000_015, 1_000_000_015})
	if got, want := NewHost(f).Clock.Boots, []pcp.Time{999_000_000e9, 1_000_000_015e9}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// What leads out of a host, and what only passes on what goes through that.
func TestRealNIC(t *testing.T) {
	for names, real := range map[string]bool{
		"eth0 eno1 enp3s0f0 enP4p1s0 em1 p1p1 ens192 wlp7s0 bge0 vtnet0 en0 net0 hme0 Intel[R]_82574L":                                                true,
		"lo br0 br1 vmbr0 br-7f bond0 bond0.100 eth0.7 enp3s0f0.12 team0 tap5 vnet4 virbr0 vlan3 veth12 docker0 wg0 ovs-system lagg0 aggr1 bridge100": false,
	} {
		for name := range strings.FieldsSeq(names) {
			if RealNIC(name) != real {
				t.Errorf("%s is real: %v", name, !real)
			}
		}
	}
}

// A host with one CPU has no "all CPUs".
func TestRuleOfOneCPU(t *testing.T) {
	for cpus, want := range map[float64]string{1: "the CPU above 90 % for 2 min", 2: "all CPUs above 90 % for 2 min"} {
		_, findings := NewHost(new(fake).cpu(cpus, 30, 10, 18, 95, 30, 10)).Judge()
		if len(findings) != 1 || findings[0].Rule != want {
			t.Errorf("of %v CPUs: %+v, want one by the rule %q", cpus, findings, want)
		}
	}
}
