package core

import (
	"maps"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/internal/recording"
	"pcpscope/internal/reference"
)

// Memory and disks of IRIX: panels and tiles have what TZ=UTC pmlogsummary -F
// all-irix-6.5.25 prints of the two samples that there are: mem.util.free
// 720057.785, .fs_clean 254056.085, .fs_dirty 1208.255, .fs_ctl 218576,
// .kernel 370671.320, .user 598118.555, mem.physmem 2162688 (Kbyte); of
// dks9d1 disk.dev.active 0.033, .response 0.081, .total 2.078; and of what own
// arithmetic makes of these.
func TestSystemIRIX(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(reference.Need(t, "corpus", "archives"), "all-irix-6.5.25.*"))
	s, o := openAll(t, files...)
	src := o.Sources[0]
	for _, tt := range []struct {
		dashboard, panel, series, instance string
		want, within                       float64
	}{
		{"overview", "irixmemory", "programs", "", 598118.555, 0.001},
		{"overview", "irixmemory", "kernel", "", 370671.320, 0.001},
		{"overview", "irixmemory", "clean files", "", 254056.085, 0.001},
		{"overview", "irixmemory", "free", "", 720057.785, 0.001},
		{"overview", "available", "available", "", 100 * (720057.785 + 254056.085) / 2162688, 0.001},
		{"memory", "irixparts", "of filesystems", "", 218576, 0.001},
		{"disks", "busy", "", "dks9d1", 3.3, 0.05},
		{"disks", "flight", "", "dks9d1", 0.081, 0.0005},
	} {
		dashboard, err := s.Dashboard(t.Context(), src.ID, tt.dashboard)
		if err != nil {
			t.Fatal(err)
		}
		got, found := math.NaN(), false
		for _, p := range dashboard.Panels {
			for _, one := range p.Series {
				if p.ID != tt.panel || one.Name != tt.series {
					continue
				}
				f, err := s.Fetch(t.Context(), api.Query{Source: src.ID, Metrics: []string{one.Expression}, Pixels: 2, Statistics: &api.Range{}}, nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range f.Columns {
					if c.Statistics != nil && (c.Instance == nil || c.Instance.Name == tt.instance) {
						got, found = c.Statistics.Average, true
					}
				}
			}
		}
		if !found || math.Abs(got-tt.want) > tt.within {
			t.Errorf("%s/%s %s %s is %g, want %g", tt.dashboard, tt.panel, tt.series, tt.instance, got, tt.want)
		}
	}
	memory, _ := tileOf(t, s, src, "Memory")
	disks, _ := tileOf(t, s, src, "Disks")
	if memory.Utilisation.Text != "55 % at most" || !strings.HasSuffix(disks.Utilisation.Text, " %") {
		t.Errorf("the tiles of memory and disks say %q, %q", memory.Utilisation.Text, disks.Utilisation.Text)
	}
}

// Memory and disks of systems without an archive at hand: recordings with the
// metrics of PCP's agents for them, and values computed by hand.
func TestOtherSystems(t *testing.T) {
	const n, mib = 4, 1024 // KiB
	is := func(v float64) map[string]any { return map[string]any{"": recording.Steady(n, v)} }
	of := func(name string, step float64) map[string]any {
		return map[string]any{name: recording.Rising(n, 1000, step)}
	}
	windows := map[string]map[string]any{ // 8 GiB, 6 of them in use, 9 committed; the disk was idle for 7.5 s of each 10 s
		"hinv.physmem": is(8192), "mem.available": is(2048), "mem.committed_bytes": is(9 << 30), "mem.pool.paged_bytes": is(300 << 20), "mem.pool.non_paged_bytes": is(100 << 20),
		"disk.dev.idle": of("0 C:", 7.5e6), "disk.dev.queue_len": {"0 C:": recording.Steady(n, 3.0)}, "disk.dev.read": of("0 C:", 50), "disk.dev.write": of("0 C:", 30), "disk.dev.total": of("0 C:", 80),
		"hinv.ncpu": is(2), "kernel.all.cpu.user": of("", 2e6), "kernel.all.cpu.sys": of("", 1e6), "kernel.all.cpu.idle": of("", 7e6), "kernel.all.cpu.intr": of("", 0),
	}
	freebsd := map[string]map[string]any{ // 4 GiB
		"hinv.physmem": is(4096), "mem.util.all": is(4096 * mib), "mem.util.wired": is(1024 * mib), "mem.util.active": is(1024 * mib), "mem.util.inactive": is(1024 * mib), "mem.util.cached": is(512 * mib), "mem.util.free": is(512 * mib),
		"mem.util.bufmem": is(256 * mib), "mem.util.used": is(2048 * mib), "disk.dev.read": of("ada0", 50), "disk.dev.write": of("ada0", 30), "disk.dev.total": of("ada0", 80),
	}
	// Kernels of BSD have line rates in bits per second: 1 Gbit/s, of which 25 and 12.5 MB/s are 20 and 10 %.
	line := func(nic string) map[string]map[string]any {
		return map[string]map[string]any{"network.interface.baudrate": {nic: recording.Steady(n, 1e9)}, "network.interface.in.bytes": of(nic, 250e6), "network.interface.out.bytes": of(nic, 125e6)}
	}
	netbsd := line("wm0") // 1 GiB, of which the kernel manages 1000 MiB; 450 of what is active and inactive are pages of files
	maps.Copy(netbsd, map[string]map[string]any{
		"hinv.physmem": is(1024), "mem.util.all": is(1000 * mib), "mem.util.wired": is(100 * mib), "mem.util.active": is(400 * mib), "mem.util.inactive": is(200 * mib), "mem.util.cached": is(450 * mib), "mem.util.free": is(250 * mib),
		"mem.util.used": is(750 * mib), "mem.util.paging": is(0), "hinv.ncpu": is(2),
		"kernel.all.cpu.user": of("", 2e3), "kernel.all.cpu.nice": of("", 0), "kernel.all.cpu.sys": of("", 1e3), "kernel.all.cpu.intr": of("", 1e3), "kernel.all.cpu.idle": of("", 16e3),
	})
	solaris := map[string]map[string]any{"disk.dev.run.time": of("sd0", 4e9), "disk.dev.read": of("sd0", 50), "disk.dev.write": of("sd0", 30)}
	for _, tt := range []struct {
		system    string
		values    map[string]map[string]any
		dashboard string
		panel     string
		want      map[string]float64
		tiles     map[string]string
	}{
		{"windows", windows, "overview", "winmemory", map[string]float64{"in use": 6 << 10, "committed": 9 << 30, "paged pool": 300 << 20, "non-paged pool": 100 << 20, "available": 2048}, map[string]string{"Memory": "75 % at most", "Disks": "0 C: 25 %"}},
		{"windows", windows, "overview", "available", map[string]float64{"available": 25}, nil},
		{"windows", windows, "disks", "busy", map[string]float64{"0 C:": 25, "busiest": math.NaN()}, nil},
		{"windows", windows, "disks", "flight", map[string]float64{"momentary 0 C:": 3}, nil},
		{"windows", windows, "cpu", "modes", map[string]float64{"user": 20, "sys": 10, "intr": 0, "idle": 70}, map[string]string{"CPU": "30 % at most"}},
		{"freebsd", freebsd, "overview", "bsdmemory", map[string]float64{"wired": 1024 * mib, "active": 1024 * mib, "inactive": 1024 * mib, "cached": 512 * mib, "free": 512 * mib}, map[string]string{"Memory": "50 % at most"}},
		{"freebsd", freebsd, "memory", "bsdfree", map[string]float64{"not in use": 50}, nil},
		{"freebsd", freebsd, "disks", "iops", map[string]float64{"read ada0": 5, "write ada0": 3}, nil},
		{"netbsd", netbsd, "overview", "uvmmemory", map[string]float64{"wired": 100 * mib, "active": 400 * mib, "inactive": 200 * mib, "free": 250 * mib}, map[string]string{"Memory": "56 % at most", "CPU": "20 % at most"}},
		{"netbsd", netbsd, "overview", "uvmfree", map[string]float64{"not in use": 45}, nil},
		{"netbsd", netbsd, "memory", "uvmfree", map[string]float64{"not in use": 45}, nil},
		{"netbsd", netbsd, "network", "util", map[string]float64{"in wm0": 20, "out wm0": 10}, map[string]string{"Network": "20 % of line rate"}},
		{"netbsd", netbsd, "network", "speed", map[string]float64{"wm0": 1000}, nil},
		{"darwin", line("en0"), "network", "util", map[string]float64{"in en0": 20, "out en0": 10}, map[string]string{"Network": "20 % of line rate"}},
		{"darwin", line("en0"), "network", "speed", map[string]float64{"en0": 1000}, nil},
		{"solaris", solaris, "disks", "busy", map[string]float64{"sd0": 40, "busiest": math.NaN()}, map[string]string{"Disks": "sd0 40 %"}},
	} {
		s, src := record(t, recording.Recording{Host: tt.system, Step: 10e9, Agents: "dashboard/testdata/" + tt.system + ".txt", Values: tt.values})
		expect(t, tt.system+": "+tt.dashboard+"/"+tt.panel, panelValues(t, s, src, tt.dashboard, tt.panel, recording.Start, 10e9, n), tt.want)
		for resource, want := range tt.tiles {
			if tile, _ := tileOf(t, s, src, resource); tile.Utilisation.Text != want {
				t.Errorf("%s: the tile of %s says %q, want %q", tt.system, resource, tile.Utilisation.Text, want)
			}
		}
	}
}
