package analysis

import (
	"testing"

	"pcpscope/core/pcp"
)

var (
	kib = pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Space: 1, SpaceScale: 1}}
	mib = pcp.Desc{Type: pcp.Double, Sem: pcp.Instant, InDom: pcp.NullInDom, Units: pcp.Units{Space: 1, SpaceScale: 2}}
)

// As pmlogrewrite(1) does, some of the metrics of memory are in Mbyte, others in Kbyte. Of 1 GiB
// 100 MiB are free and 512 MiB cached, so 59.8 % are available.
func TestMemoryInSeveralUnits(t *testing.T) {
	f := new(fake).set("mem.physmem", "", &kib, level(60, 1<<20)).set("mem.util.free", "", &kib, level(60, 100<<10)).
		set("mem.util.cached", "", &mib, level(60, 512)).set("mem.util.bufmem", "", &kib, level(60, 0))
	if got := tileOf(t, f, "Memory").Utilisation.Text; got != "40 % at most" {
		t.Errorf("available, of which a part is in Mbyte: %q, want 40 %%", got)
	}
	if found := judged(f); found != "" {
		t.Errorf("available, of which a part is in Mbyte: %s", found)
	}
	all := new(fake).set("mem.util.used", "", &kib, level(60, 924<<10)).set("mem.util.free", "", &mib, level(60, 100))
	if got := NewHost(all).physical(kib.Units); got != 1<<20 {
		t.Errorf("all memory, of which a part is in Mbyte: %g KiB, want %d", got, 1<<20)
	}

	// Programs go from 100 to 500 MiB; all but 50 MiB is accounted for throughout.
	grows := func(from, step float64) []float64 {
		vals := make([]float64, 60)
		for i := range vals {
			vals[i] = from + float64(i)*step
		}
		return vals
	}
	f = new(fake).set("mem.physmem", "", &kib, level(60, 1<<20)).set("mem.util.available", "", &kib, level(60, 400<<10)).
		set("mem.util.used", "", &kib, grows(150<<10, 7<<10)).set("mem.util.anonpages", "", &mib, grows(100, 7))
	for _, part := range []string{"bufmem", "cached", "slab", "pageTables", "kernelStack"} {
		f.set("mem.util."+part, "", &kib, level(60, 0))
	}
	if found := judged(f); found != "" {
		t.Errorf("memory that is accounted for, in Mbyte: %s", found)
	}
}

// Of a limit of 1 GiB 1,536 MiB are committed.
func TestCommitLimitInOtherUnits(t *testing.T) {
	f := new(fake).set("mem.physmem", "", &kib, level(60, 1<<20)).set("mem.util.available", "", &kib, level(60, 400<<10)).
		set("mem.util.committed_AS", "", &mib, level(60, 1536)).set("mem.util.commitLimit", "", &kib, level(60, 1<<20))
	if found := judged(f); found != "know 0-590 Committed memory reached 150 % of the commit limit" {
		t.Errorf("%q", found)
	}
}

// A filesystem is 75 % full, whatever the units of its size.
func TestSpaceInSeveralUnits(t *testing.T) {
	f := new(fake).set("filesys.used", "/dev/sda1", &kib, level(60, 768<<10)).set("filesys.avail", "/dev/sda1", &mib, level(60, 256)).
		set("filesys.capacity", "/dev/sda1", &mib, level(60, 1024))
	if got := tileOf(t, f, "Filesystems").Utilisation.Text; got != "sda1 75 %" {
		t.Errorf("%q, want 75 %%", got)
	}

	// It takes 1 MiB each 10 s from the 256 MiB left at the end: 2,560 s.
	left, used := make([]float64, 361), make([]float64, 361)
	for i := range left {
		left[i], used[i] = 256+float64(360-i), float64(768-360+i)*1024
	}
	f = new(fake).set("filesys.used", "/dev/sda1", &kib, used).set("filesys.avail", "/dev/sda1", &mib, left)
	if got := tileOf(t, f, "Filesystems").Saturation.Text; got != "sda1 full in 42 min 40 s" {
		t.Errorf("%q, want 2,560 s", got)
	}
}
