package analysis

import (
	"math"
	"slices"
	"testing"

	"pcpscope/core/pcp"
)

// A logger of one record a minute makes one after 59.9995 seconds, for example: a rule of a
// minute holds for it. By hand: 500 of 10,000 segments in that minute.
func TestAMinuteWithinClockJitter(t *testing.T) {
	f := new(fake).every(60, 60)
	for i := 30; i < 60; i++ {
		f.times[i] -= 5e5
	}
	f.grows("network.interface.in.drops", "eth0", count, 60, 0).grows("network.tcp.outsegs", "", count, 60, 10000/59.9995).grows("network.tcp.retranssegs", "", count, 30, 0, 1, 500/59.9995, 29, 0)
	if got, want := judged(f), "look 1740-1799 TCP retransmissions: 5 % of segments for 1 min"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	f.times = slices.Clone(f.times)
	for i := 30; i < 60; i++ {
		f.times[i] -= 1e9
	}
	if got := judged(f); got != "" {
		t.Errorf("59 s are not a minute: %q", got)
	}
}

// A logger that starts again every 20 s leaves one sample between two breaks: the load, which
// is a mean over a minute, was high in the breaks too, from the first sample that shows it.
func TestLoadBetweenBreaks(t *testing.T) {
	breaks := func(seconds int, load ...float64) *fake {
		f := new(fake).every(len(load), seconds).level("hinv.ncpu", "", float64(len(load)), 2)
		f.set("kernel.all.load", "1 minute", nil, load)
		for _, at := range f.times[1:] {
			f.marks = append(f.marks, at-1e9)
		}
		return f
	}
	for _, c := range []struct {
		of   *fake
		want string
	}{
		{breaks(20, 1, 1, 30, 20, 9, 7, 1), "look 40-100 Load above 6 for 1 min, up to 30.00 on 2 CPUs"},
		{breaks(20, 1, 1, 30, 1, 1), "look 40-40 Load 30.00 on 2 CPUs in one sample"},
		{breaks(90, 1, 1, 30, 20, 1), "look 180-180 Load up to 30.00 on 2 CPUs in 2 samples"},
	} {
		if got := judged(c.of); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// A filesystem that is not there at the end does not fill, nor does one of which five values
// are only known together with those of another one that had its number hours before.
func TestFillingIsOfWhatIsThere(t *testing.T) {
	kib := pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Space: 1, SpaceScale: 1}}
	none := math.NaN()
	root := level(120, 1000)
	rising := func(from, to int) []float64 { // 6,000 KiB a minute
		list := level(120, none)
		for i := from; i < to; i++ {
			list[i] = 6000 * float64(i+1)
		}
		return list
	}
	for _, c := range []struct {
		name string
		used []float64
		want string
	}{
		{"to the end", rising(0, 120), "look 3540-7140 At the rate of the last 1 h, sdb1 would be full 10 min after the end"},
		{"mounted for the last fifteen", rising(104, 120), "look 6240-7140 At the rate of the last 15 min, sdb1 would be full 10 min after the end"},
		{"unmounted before the end", rising(0, 110), ""},
		{"another one before", slices.Concat(rising(0, 30)[:30], rising(116, 120)[30:]), ""},
	} {
		f := new(fake).every(120, 60)
		f.set("filesys.used", "/dev/sda1", &kib, root).set("filesys.avail", "/dev/sda1", &kib, level(120, 1e6))
		f.set("filesys.used", "/dev/sdb1", &kib, c.used).set("filesys.avail", "/dev/sdb1", &kib, level(120, 60000)).level("filesys.full", "/dev/sda1", 120, 50)
		if got := judged(f); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
