package web

import (
	"testing"

	"pcpscope/core/api"
)

// What moved with a change is named as briefly as it can be told apart.
func TestMovedWith(t *testing.T) {
	sdb := &api.InstanceRef{Name: "sdb"}
	for _, tt := range []struct {
		ch   api.Change
		want string
	}{
		{api.Change{Metric: "kernel.all.load", Instance: &api.InstanceRef{Name: "1 minute"}, With: []string{"kernel.all.load[5 minute]", "kernel.all.load[15 minute]"}}, "5 minute, 15 minute"},
		{api.Change{Metric: "disk.dev.aveq", Instance: sdb, With: []string{"disk.dev.avactive[sdb]", "disk.dev.write[sdb]", "disk.partitions.avactive[sdb1]"}}, "avactive, write, partitions.avactive[sdb1]"},
		{api.Change{Metric: "mem.util.free", With: []string{"mem.util.used", "mem.freemem", "kernel.percpu.intr[cpu0]", "mem.numa.util.free[node0]", "hinv.x", "hinv.y"}}, "used, freemem, kernel.percpu.intr[cpu0], numa.util.free[node0] and 2 more"},
		{api.Change{Metric: "disk.dev.read", Instance: sdb, With: []string{"disk.all.read"}}, "all.read"},
		{api.Change{Metric: "a.b", With: []string{}}, ""},
	} {
		if got := movedWith(&tt.ch); got != tt.want {
			t.Errorf("with %s: %q, want %q", tt.ch.Metric, got, tt.want)
		}
	}
}
