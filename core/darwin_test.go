package core

import (
	"testing"

	"pcpscope/internal/recording"
)

// Panels of macOS: values by hand, of what happens in each 10 s on a machine
// with 2 CPUs and 16 GiB, 4 GiB wired, 6 active, 3 inactive, 2 compressed and 1
// free. The compressor holds 393,216 pages of 16 KiB in its 2 GiB: 6 GiB.
func TestDarwinDashboards(t *testing.T) {
	const n, gib = 4, 1 << 20 // KiB
	grows := func(step float64) map[string]any { return map[string]any{"": recording.Rising(n, 1000, step)} }
	is := func(v float64) map[string]any { return map[string]any{"": recording.Steady(n, v)} }
	of := func(name string, vals []float64) map[string]any { return map[string]any{name: vals} }
	s, src := record(t, recording.Recording{Host: "mac", Step: 10e9, Agents: "dashboard/testdata/darwin.txt", Values: map[string]map[string]any{
		"kernel.uname.sysname": {"": recording.Steady(n, "Darwin")},
		"mem.physmem":          is(16 * gib), "mem.util.wired": is(4 * gib), "mem.util.active": is(6 * gib), "mem.util.inactive": is(3 * gib), "mem.util.compressed": is(2 * gib), "mem.util.free": is(1 * gib),
		"hinv.pagesize": is(16384), "mem.compressor.uncompressed_pages": is(393216), "mem.compressions": grows(500), "mem.decompressions": grows(20),
		"mem.pageins": grows(300), "mem.pageouts": grows(10), "swap.pagesin": grows(300), "swap.pagesout": grows(10), "swap.length": is(2 * gib), "swap.used": is(0.5 * gib),
		"mem.pages.faults": grows(9000), "mem.pages.cow_faults": grows(400), "mem.pages.zero_filled": grows(5000), "mem.pages.reactivated": grows(30),
		"hinv.ncpu": is(2), "kernel.all.cpu.user": grows(5000), "kernel.all.cpu.nice": grows(0), "kernel.all.cpu.sys": grows(1000), "kernel.all.cpu.idle": grows(14000),
		"kernel.percpu.cpu.idle": {"cpu0": recording.Rising(n, 0, 8750), "cpu1": recording.Rising(n, 0, 5000)},
		"kernel.all.load":        {"1 minute": recording.Steady(n, 1.5), "5 minute": recording.Steady(n, 1.0), "15 minute": recording.Steady(n, 1.0)},
		"kernel.all.nprocs":      is(400), "kernel.all.nthreads": is(2000), "disk.all.read": grows(700), "disk.all.write": grows(90),
		// 50 reads took 100 ms together, 10 writes 5 ms
		"disk.dev.read": of("disk0", recording.Rising(n, 0, 50)), "disk.dev.read_time": of("disk0", recording.Rising(n, 0, 100e6)),
		"disk.dev.write": of("disk0", recording.Rising(n, 0, 10)), "disk.dev.write_time": of("disk0", recording.Rising(n, 0, 5e6)),
		"network.interface.in.bytes": {"en0": recording.Rising(n, 0, 1000), "lo0": recording.Rising(n, 0, 9000), "utun3": recording.Rising(n, 0, 100)},
	}})
	for _, tt := range []struct {
		dashboard, panel string
		want             map[string]float64
	}{
		{"overview", "macmemory", map[string]float64{"wired": 4 * gib, "active": 6 * gib, "inactive": 3 * gib, "compressed": 2 * gib, "free": 1 * gib}},
		{"overview", "macfree", map[string]float64{"not in use": 25}},
		{"overview", "swap", map[string]float64{"used": 25, "in": 30, "out": 1}},
		{"overview", "network", map[string]float64{"in en0": 100}},
		{"memory", "macparts", map[string]float64{"wired": 4 * gib, "active": 6 * gib, "inactive": 3 * gib, "compressed": 2 * gib, "free": 1 * gib}},
		{"memory", "compressor", map[string]float64{"compressed": 50, "wanted back": 2}},
		{"memory", "compressed", map[string]float64{"held": 6 << 30, "room": 2 * gib}},
		{"paging", "macpaged", map[string]float64{"in": 30, "out": 1}},
		{"paging", "macfaults", map[string]float64{"all": 900, "copied": 40, "zeros": 500, "in use again": 3}},
		{"cpu", "busy", map[string]float64{"busy": 30}},
		{"cpu", "cores", map[string]float64{"in use": 0.6}},
		{"cpu", "imbalance", map[string]float64{"difference": 18.75}},
		{"disks", "latency", map[string]float64{"read disk0": 2, "write disk0": 0.5}},
		{"tool-macstat", "macstat-x", map[string]float64{"load avg": 1.5, "swpd": 512, "free": 1024, "wired": 4096, "active": 6144, "inact": 3072, "cmpr": 2048, "pi": 30, "po": 1, "comp": 50, "deco": 2,
			"read": 70, "write": 9, "proc": 400, "thrd": 2000, "us": 25, "sy": 5, "id": 70}},
	} {
		expect(t, tt.dashboard+"/"+tt.panel, panelValues(t, s, src, tt.dashboard, tt.panel, recording.Start, 10e9, n), tt.want)
	}
}
