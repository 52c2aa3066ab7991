package pcp

import "testing"

// The descriptors of hinv.cpu.cache on both sides of a change of hardware, with the words of
// pminfo -d.
func TestDifference(t *testing.T) {
	none := Desc{Type: Int32, Sem: Discrete}
	kbyte := none
	kbyte.Units = Units{Space: 1, SpaceScale: 1}
	for _, tt := range []struct {
		from, to Desc
		want     string
	}{
		{none, kbyte, `its units from none to "Kbyte"`},
		{kbyte, none, `its units from "Kbyte" to none`},
		{none, none, ""},
	} {
		if got := Difference(tt.from, tt.to); got != tt.want {
			t.Errorf("Difference from %v to %v = %s, want %s", tt.from, tt.to, got, tt.want)
		}
	}
}

// The descriptors of pminfo -d, of archives that were logged or that sar2pcp(1) and iostat2pcp(1)
// imported, and whether a value is that of its own time.
func TestIsLevelNamed(t *testing.T) {
	plain := Desc{Type: Double, Sem: Instant}
	perSecond := Desc{Type: Double, Sem: Instant, Units: Units{Count: 1, Time: -1, TimeScale: Sec}}
	for _, tt := range []struct {
		metric string
		desc   Desc
		want   bool
	}{
		{"filesys.full", plain, true},
		{"tmpfs.full", plain, true},
		{"openmetrics.grafana.go_goroutines", plain, true},
		{"kernel.all.cpu.user", plain, false},
		{"kernel.percpu.cpu.idle", plain, false},
		{"kernel.cpu.util.user", plain, false},
		{"disk.dev.avactive", plain, false},
		{"disk.dev.util", plain, false},
		{"disk.dev.read", perSecond, false},
		{"disk.dev.read", Desc{Type: Uint64, Sem: Counter, Units: Units{Count: 1}}, false},
		{"mem.util.available", Desc{Type: Uint64, Sem: Instant, Units: Units{Space: 1, SpaceScale: 1}}, true},
	} {
		if got := tt.desc.IsLevelNamed(tt.metric); got != tt.want {
			t.Errorf("%s %v is a level: %v", tt.metric, tt.desc.Units, got)
		}
	}
}
