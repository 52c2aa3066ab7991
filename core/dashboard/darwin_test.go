package dashboard

import (
	"slices"
	"strings"
	"testing"
)

// On macOS its own panels replace those of Linux that would be empty there;
// on Linux they are absent.
func TestPanelsOfDarwin(t *testing.T) {
	mac, lin := darwin(t), linux(t)
	ids := func(dashboard string, md metadata) (list []string, r Resolved) {
		d, _ := Find(dashboard)
		r = Resolve(d, md)
		for _, p := range r.Panels {
			list = append(list, p.ID)
		}
		return list, r
	}
	for _, tt := range []struct{ dashboard, want string }{
		{"overview", "cpu load macmemory macfree iops throughput network nettrouble swap full"},
		{"memory", "macparts macfree compressor compressed"},
		{"paging", "macpaged macfaults"},
		{"cpu", "busy modes percpu imbalance user sys cores kernel"},
		{"tool-macstat", "macstat macstat-x"},
	} {
		got, r := ids(tt.dashboard, mac)
		var left []string // of the panels that all platforms have
		for _, id := range got {
			if slices.Contains(strings.Fields(tt.want), id) {
				left = append(left, id)
			}
		}
		if strings.Join(left, " ") != tt.want {
			t.Errorf("macOS: %s has %v, want %s", tt.dashboard, got, tt.want)
		}
		for _, m := range r.Missing {
			for _, p := range r.Panels {
				if m.Panel == p.Title && p.Only != "" {
					t.Errorf("macOS: %s: %s lacks %q, which needs %v", tt.dashboard, m.Panel, m.Series, m.Needs)
				}
			}
		}
		got, r = ids(tt.dashboard, lin)
		for _, p := range r.Panels {
			if p.Only != "" {
				t.Errorf("Linux: %s has %v", tt.dashboard, got)
			}
		}
		for _, m := range r.Missing {
			if slices.ContainsFunc(m.Needs, func(name string) bool {
				return tt.dashboard != "tool-macstat" && strings.HasPrefix(name, "mem.util.wired") || strings.HasPrefix(name, "mem.comp")
			}) {
				t.Errorf("Linux: %s misses %v", m.Panel, m.Needs)
			}
		}
	}
	if _, r := ids("tool-macstat", lin); r.Available() || len(r.Missing) != 2 || r.Missing[0].Needs[0] != wired {
		t.Errorf("Linux has macstat, or does not say what it needs: %+v", r.Missing)
	}
}

// For other platforms there is what most agents share.
func TestWhatAllPlatformsShare(t *testing.T) {
	lin := linux(t)
	md := metadata{}
	for _, name := range []string{"kernel.all.cpu.user", "kernel.all.cpu.sys", "kernel.all.cpu.idle", "kernel.all.load", "hinv.ncpu", "mem.physmem", "mem.freemem", "disk.all.read", "disk.all.write", "network.interface.in.bytes", "network.interface.out.bytes", "filesys.full", "swap.used", "swap.length"} {
		d, known := lin.Desc(name)
		if !known {
			t.Fatalf("no agent has %s", name)
		}
		md[name] = d
	}
	shown := map[string]string{}
	for _, p := range Resolve(overview(), md).Panels {
		shown[p.ID] = p.Series[0].Exprs[0]
	}
	for _, id := range []string{"cpu", "load", "memory", "iops", "network", "swap", "full"} {
		if shown[id] == "" {
			t.Errorf("nothing is shown of %s", id)
		}
	}
	if shown["memory"] != "mem.freemem" {
		t.Errorf("expression for memory = %q, want mem.freemem", shown["memory"])
	}
}

// Expressions for macOS have matching dimensions.
func TestDashboardsFitDarwin(t *testing.T) {
	md := darwin(t)
	for _, d := range Builtin() {
		r := Resolve(d, md)
		for _, m := range r.Missing {
			if len(m.Needs) == 0 {
				t.Errorf("%s: %s %s cannot be computed, although all metrics are there", d.ID, m.Panel, m.Series)
			}
		}
	}
}
