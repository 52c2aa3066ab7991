package pcp

import "testing"

// Texts verified with pmlogdump 7.2.1; spec/archive.md section 13.3.
func TestUnitsString(t *testing.T) {
	for _, tt := range []struct {
		bits uint32
		want string
	}{
		{0x00000000, ""}, {0x20010000, "Kbyte^2"}, {0x10010000, "Kbyte"}, {0x0e003000, "/ sec^2"},
		{0x1f013000, "Kbyte / sec"}, {0x100a0000, "space-10"}, {0x01002000, "millisec"}, {0x0100a000, "time-10"},
		{0x00100000, "count"}, {0x00200600, "count x 10^6^2"}, {0x00100600, "count x 10^6"},
		{0x1f113600, "Kbyte count x 10^6 / sec"}, {0x00100100, "count x 10"}, {0x11013000, "Kbyte sec"},
		{0x00100d00, "count x 10^-3"}, {0x00f00600, "/ count x 10^6"}, {0x0f103000, "count / sec"},
		{0x00000009, "temperature (C)"}, {0x0f003000, "/ sec"}, {0x000000f9, "/ temperature (C)"},
		{0x00000300, "count x 10^3"}, {0x00000022, "power (W)"}, {0x00000100, "count x 10"},
		{0x1f01300a, "temperature (F) Kbyte / sec"}, {0x80000000, "/ byte^8"}, {0x0000003f, "extra-7"},
		{0x70000000, "byte^7"}, {0x0000000c, "temperature (scale-"},
	} {
		u := MakeUnits(tt.bits)
		if got := u.String(); got != tt.want {
			t.Errorf("units %08x = %q, want %q", tt.bits, got, tt.want)
		}
		if got := u.Bits(); got != tt.bits {
			t.Errorf("units %08x pack back to %08x", tt.bits, got)
		}
	}
}

func TestIDs(t *testing.T) {
	for _, tt := range []struct {
		pmid PMID
		want string
	}{{0x00800c03, "2.3.3"}, {NullPMID, "PM_ID_NULL"}, {MakePMID(511, 60, 0), "60.*.*"}, {MakePMID(511, 0, 1), "511.0.1"}} {
		if got := tt.pmid.String(); got != tt.want {
			t.Errorf("PMID %08x = %q, want %q", uint32(tt.pmid), got, tt.want)
		}
	}
	for _, s := range []string{"60.1", "2.1", "PM_INDOM_NULL", "510.4194303"} {
		d, ok := ParseInDom(s)
		if !ok || d.String() != s {
			t.Errorf("ParseInDom(%q) = %v, %v", s, d, ok)
		}
	}
}

func TestTimeKeepsItsParts(t *testing.T) {
	for _, tt := range []struct{ sec, nsec, wantSec, wantNsec int64 }{
		{902428472, 257504000, 902428472, 257504000}, {10, 2000000000, 12, 0}, {-1, 5, -1, 5}, {-1, -5, -2, 999999995},
	} {
		if s, n := MakeTime(tt.sec, tt.nsec).Split(); s != tt.wantSec || n != tt.wantNsec {
			t.Errorf("MakeTime(%d, %d) splits into %d, %d", tt.sec, tt.nsec, s, n)
		}
	}
	if MakeTime(1<<62, 0) != MaxTime || MakeTime(-1<<62, 0) != MinTime {
		t.Error("times beyond the range are not held to its ends")
	}
}

// Every word for a scale that pmUnitsStr(3) writes has its size, and no other
// has one.
func TestWordsOfScales(t *testing.T) {
	for word, want := range map[string]float64{"byte": 1, "Kbyte": 1024, "Gbyte": 1073741824, "Ebyte": 1152921504606846976, "kbyte": 0, "sec": 0, "": 0} {
		if got, ok := BytesIn(word); got != want || ok != (want > 0) {
			t.Errorf("%q has %v bytes", word, got)
		}
	}
	for word, want := range map[string]float64{"nanosec": 1e-9, "microsec": 1e-6, "millisec": 0.001, "sec": 1, "min": 60, "hour": 3600, "byte": 0, "": 0} {
		if got, ok := SecondsIn(word); got != want || ok != (want > 0) {
			t.Errorf("%q has %v seconds", word, got)
		}
	}
	if len(SpaceSymbols) != len(spaceWords) {
		t.Errorf("%d scales of space have words, %d symbols", len(spaceWords), len(SpaceSymbols))
	}
}
