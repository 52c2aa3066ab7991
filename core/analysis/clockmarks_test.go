package analysis

import (
	"math"
	"testing"

	"pcpscope/core/pcp"
)

// A host that was booted 100 s before the recording has its clock set, forward by an hour or back
// by 8 s, where the logger is started anew. Its CPUs count on: it was not rebooted. If they count from 0, it was.
func TestClockSetAtMark(t *testing.T) {
	seconds := pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Time: 1, TimeScale: pcp.Sec}}
	for _, by := range []float64{3600, -8} {
		f := new(fake).every(60, 10)
		f.cpuTime([]float64{60, 1000}, []float64{60, 1000})
		f.level("hinv.ncpu", "", 60, 2)
		up := level(60, 0)
		for i := range up {
			up[i] = 100 + 10*float64(i)
		}
		f.set("kernel.all.uptime", "", &seconds, up)
		for i := 30; i < 60; i++ {
			f.times[i] += pcp.Time(by) * 1e9
		}
		f.marks = []pcp.Time{f.times[30] - 1e6}
		c := NewHost(f).Clock
		if len(c.Steps) != 1 || math.Abs(c.Steps[0].By-by) > 0.01 || len(c.Boots) != 1 || c.Boots[0] != start-100e9 {
			t.Errorf("set by %g s: steps %+v, boots %v", by, c.Steps, c.Boots)
		}
	}

	f := new(fake).every(60, 10)
	user := level(60, 0)
	for i := range user {
		user[i] = 10000 * float64(i%30) // in ms, from 0 after half of the time
	}
	f.set("kernel.all.cpu.user", "", &pcp.Desc{Type: pcp.Double, Sem: pcp.Counter, InDom: pcp.NullInDom, Units: ms}, user)
	f.set("kernel.all.cpu.idle", "", &pcp.Desc{Type: pcp.Double, Sem: pcp.Counter, InDom: pcp.NullInDom, Units: ms}, user)
	f.set("kernel.all.cpu.sys", "", &pcp.Desc{Type: pcp.Double, Sem: pcp.Counter, InDom: pcp.NullInDom, Units: ms}, level(60, 0))
	f.level("hinv.ncpu", "", 60, 2)
	up := level(60, 0)
	for i := range up { // longer than before, and yet from another time on
		up[i] = 100 + 10*float64(i)
		if i >= 30 {
			f.times[i] += 86400e9
			up[i] += 80000
		}
	}
	f.set("kernel.all.uptime", "", &seconds, up)
	f.marks = []pcp.Time{f.times[29] + 1e6}
	if c := NewHost(f).Clock; len(c.Steps) != 0 || len(c.Boots) != 2 {
		t.Errorf("rebooted: steps %+v, boots %v", c.Steps, c.Boots)
	}
}
