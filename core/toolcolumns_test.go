package core

import (
	"testing"

	"pcpscope/internal/recording"
)

// pmstat(1) adds interrupts and steal to sys, and waiting to idle: of this it prints
// "us 13 sy 15 id 73", and "bi 80 bo 20", requests, as no blocks were logged. Of a disk
// pcp-atop(1) divides the time in which it was busy by the requests (avio), and their
// waiting by it (avq). A request took 20 ms.
func TestColumnsOfPmstatAndAtop(t *testing.T) {
	one := func(vals ...float64) map[string]any { return map[string]any{"": vals} }
	disk := func(vals ...float64) map[string]any { return map[string]any{"sda": vals} }
	s, src := record(t, recording.Recording{Step: 10e9, Values: map[string]map[string]any{
		"hinv.ncpu": one(2, 2), "kernel.all.cpu.user": one(0, 2000), "kernel.all.cpu.nice": one(0, 500), "kernel.all.cpu.sys": one(0, 1500), "kernel.all.cpu.intr": one(0, 900),
		"kernel.all.cpu.steal": one(0, 600), "kernel.all.cpu.wait.total": one(0, 10500), "kernel.all.cpu.idle": one(0, 4000),
		"disk.all.read": one(0, 800), "disk.all.write": one(0, 200), "mem.physmem": one(8000, 8000), "mem.freemem": one(3000, 3000),
		"mem.util.bufmem": one(500, 500), "mem.util.cached": one(1500, 1500), "mem.util.slab": one(1000, 1000),
		"disk.dev.read": disk(0, 800), "disk.dev.write": disk(0, 200), "disk.dev.total": disk(0, 1000), "disk.dev.avactive": disk(0, 5000), "disk.dev.aveq": disk(0, 20000),
		"disk.dev.read_rawactive": disk(0, 12000), "disk.dev.write_rawactive": disk(0, 8000), "disk.dev.total_rawactive": disk(0, 20000),
	}})
	of := func(dashboard, panel string) map[string]float64 {
		return panelValues(t, s, src, dashboard, panel, recording.Start, 10e9, 2)
	}
	expect(t, "pmstat", of("tool-pmstat", "pmstat"), map[string]float64{"us": 12.5, "sy": 15, "id": 72.5, "bi": 80, "bo": 20, "buff": 500, "cache": 1500})
	expect(t, "atop", of("tool-atop", "atop-dsk"), map[string]float64{"busy % sda": 50, "avq sda": 4, "avio ms sda": 5, "read/s sda": 80, "write/s sda": 20})
	// What the rest of memory leaves is that of programs, whichever metric has the free one.
	expect(t, "memory", of("overview", "memory"), map[string]float64{"programs": 2000, "slab": 1000, "buffers": 500, "page cache": 1500, "free": 3000})
}
