package analysis

import (
	"math"
	"strings"
	"testing"

	"pcpscope/core/pcp"
)

var kilobytes = pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Space: 1, SpaceScale: 1}}

// What is low in records 10 to 19, a minute apart, is so from the first of these to the
// last, and that for ten minutes. A counter that grows fast from record 9 to 19 does so from there.
func TestLevelsAndRates(t *testing.T) {
	f := new(fake).every(40, 60).level("hinv.ncpu", "", 40, 2)
	f.set("mem.physmem", "", &kilobytes, level(40, 1000)).set("mem.util.available", "", &kilobytes, level(10, 500, 10, 40, 20, 500))
	f.cpuTime([]float64{10, 60, 10, 2000, 20, 60}, []float64{10, 1940, 10, 0, 20, 1940})
	want := "look 600-1140 Only 4.0 % of memory available for 10 min\nlook 540-1140 CPU 100 % busy for 10 min"
	if got := judged(f); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A level that is low until the recording ends, or a mark, is not known to be so for longer.
// One record before an outage says nothing of the outage.
func TestLevelsBeforeGaps(t *testing.T) {
	low := func(f *fake, pairs ...float64) *fake {
		return f.set("mem.physmem", "", &kilobytes, level(40, 1000)).set("mem.util.available", "", &kilobytes, level(pairs...))
	}
	f := low(new(fake).every(40, 60), 34, 500, 6, 40)
	if got, want := judged(f), "look 2040-2340 Only 4.0 % of memory available for 5 min"; got != want {
		t.Errorf("at the end: got\n%s\nwant\n%s", got, want)
	}
	f = low(new(fake).every(40, 60), 14, 500, 6, 40, 20, 500)
	f.marks = []pcp.Time{start + 1170e9}
	if got, want := judged(f), "look 840-1140 Only 4.0 % of memory available for 5 min"; got != want {
		t.Errorf("before a mark: got\n%s\nwant\n%s", got, want)
	}
	f = low(new(fake).every(19, 60, 1, 36000, 20, 60), 19, 500, 1, 40, 20, 500)
	if got := judged(f); got != "" {
		t.Errorf("before an outage: got\n%s", got)
	}
}

// Where system time was not logged, CPUs are busy when they are not idle.
func TestCPUNotIdle(t *testing.T) {
	f := new(fake).every(40, 60).level("hinv.ncpu", "", 40, 2)
	f.grows("kernel.all.cpu.user", "", ms, 10, 60, 10, 1900, 20, 60).grows("kernel.all.cpu.idle", "", ms, 10, 1900, 10, 80, 20, 1900)
	if got, want := judged(f), "look 540-1140 CPU 96 % busy for 10 min"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// Without the number of CPUs, nobody knows.
	f = new(fake).every(40, 60).grows("kernel.all.cpu.idle", "", ms, 10, 1900, 10, 80, 20, 1900)
	if got := judged(f); got != "" {
		t.Errorf("got\n%s", got)
	}
}

// A record without one of the modes takes no more than itself away: 3800 of 4000 ms a second
// are used for ten minutes.
func TestCPUWithoutOneMode(t *testing.T) {
	f := new(fake).every(40, 60).level("hinv.ncpu", "", 40, 4)
	f.cpuTime([]float64{10, 100, 10, 3800, 20, 100}, []float64{10, 3900, 10, 200, 20, 3900})
	f.lacks = map[string]int{"kernel.all.cpu.intr": 5}
	idle := level(40, math.NaN()) // every ten minutes
	idle[0], idle[10], idle[20], idle[30] = 0, 1e6, 2e6, 3e6
	d := counter(ms)
	f.set("kernel.percpu.cpu.idle", "cpu0", &d, idle)
	if got, want := judged(f), "look 540-1140 CPU 95 % busy for 10 min"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Pages that come back in are paging, too; where they were not logged, nothing is said of them.
func TestPagesIn(t *testing.T) {
	pages := pcp.Units{Count: 1}
	for want, f := range map[string]*fake{
		"no paging":        new(fake).every(40, 60).grows("swap.pagesout", "", pages, 40, 0).grows("swap.pagesin", "", pages, 40, 0),
		"3,000 pages in/s": new(fake).every(40, 60).grows("swap.pagesout", "", pages, 40, 0).grows("swap.pagesin", "", pages, 20, 0, 10, 3000, 10, 0),
		"20 pages out/s":   new(fake).every(40, 60).grows("swap.pagesout", "", pages, 20, 0, 20, 20).grows("swap.pagesin", "", pages, 40, 3000),
		"unknown":          new(fake).every(40, 60).grows("swap.pagesout", "", pages, 1, 70).grows("swap.pagesin", "", pages, 1, 3),
		"no pages out":     new(fake).every(40, 60).grows("swap.pagesout", "", pages, 40, 0),
	} {
		f.level("mem.util.available", "", 40, 8e6).level("mem.physmem", "", 40, 16e6)
		if got := tileOf(t, f, "Memory").Saturation.Text; got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}

// An array that is degraded in the last record is degraded.
func TestDegradedAtLast(t *testing.T) {
	f := new(fake).every(40, 60).grows("disk.dev.total", "sda", pcp.Units{Count: 1}, 40, 1)
	f.set("disk.md.status", "md0", &pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Count: 1}}, level(39, 0, 1, 1))
	if got, want := judged(f), "broken 2340-2340 The array md0 is degraded"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Growth that is that of a day says so, beside that of all days.
func TestGrowthOfADay(t *testing.T) {
	bytes := pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Space: 1}}
	vals := level(24*20, 20<<30)
	for i := range 24 { // a GiB an hour
		vals = append(vals, float64(int64(21+i)<<30))
	}
	f := new(fake).every(24*21, 3600).set("filesys.used", "/dev/sda1", &bytes, vals)
	want := "know 1724400-1803600 Space used by sda1 grew from 20 GiB to 44 GiB in 20 days 23 h, 90 % of it within 22 h"
	if got := judged(f); !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// What grew evenly did so all the time, also where a file went away in between.
	for i := range vals {
		vals[i] = float64(20<<30 + i*(24<<30)/len(vals))
	}
	vals[100] = 20 << 30
	if got := judged(f); !strings.Contains(got, "in 20 days 23 h") || strings.Contains(got, "within") {
		t.Errorf("got\n%s", got)
	}
}
