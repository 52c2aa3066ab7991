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
