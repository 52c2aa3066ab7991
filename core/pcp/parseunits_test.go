package pcp

import "testing"

// Results of pmParseUnitsStr(3), PCP 6.0.3; physical units from spec/derived.md section 5.4.
func TestParseUnits(t *testing.T) {
	for _, tt := range []struct {
		in   string
		bits uint32
		mult float64
	}{
		{"", 0, 1}, {"count", 0x100000, 1}, {"10 sec", 0x1003000, 0.1}, {"2 kilobytes / 3 hour", 0x1f015000, 1.5}, {"/sec", 0xf003000, 1},
		{"kbyte^2", 0x20010000, 1}, {"count x 10^3", 0x100300, 1}, {"count x 10^3^2", 0x200300, 1}, {"count x 10", 0x100100, 1},
		{"kbyte/kbyte", 0, 1}, {"sec/min", 0, 60}, {"Kbyte/Mbyte", 0, 1024}, {"10", 0, 0.1}, {"kb", 0x10010000, 1}, {"KiB", 0x10010000, 1},
		{"S", 0x1003000, 1}, {"H", 0x1005000, 1}, {"mbyte / s", 0x1f023000, 1}, {"min^-1", 0xf004000, 1}, {"  kbyte  ", 0x10010000, 1},
		{"kbyte sec", 0x11013000, 1}, {"1e3 bytes", 0x10000000, 0.001}, {"-2 bytes", 0x10000000, -0.5}, {"count x 10^-8", 0x100800, 1},
		{"1000 count", 0x100000, 0.001}, {"/ 5 count x 10^6", 0xf00600, 5}, {"ms^2 / count^2", 0x2e02000, 1},
		{"temperature (C)", 0x9, 1}, {"Temperature (f) Kbyte / sec", 0x1f01300a, 1}, {"power (W)", 0x22, 1}, {"/ temperature (C)", 0xf9, 1},
	} {
		u, mult, err := ParseUnits(tt.in)
		if err != nil || u.Bits() != tt.bits || mult != tt.mult {
			t.Errorf("ParseUnits(%q) = %08x, %v, %v; want %08x, %v", tt.in, u.Bits(), mult, err, tt.bits, tt.mult)
		}
	}
	for _, in := range []string{"bytes bytes", "sec sec", "foo", "2^3", "2 * kbyte", "M", "kbyte^16", "sec^8", "sec^-9", "count^-8/count", "/ sec / sec",
		"kbyte,sec", "bytes^+2", "byte^", "x", "count x", "count x 2", "countx10^3", "count x 10 ^ 3", "count x 10^8", "10^6 count", "micros", "k", "b",
		"temperature (X)", "temperature", "voltage (V) / current (A)"} {
		if u, _, err := ParseUnits(in); err == nil {
			t.Errorf("ParseUnits(%q) = %v; PCP refuses it", in, u)
		}
	}
}

// Every text written by String can be parsed again.
func TestParseUnitsReadsString(t *testing.T) {
	for _, bits := range []uint32{0x20010000, 0x0e003000, 0x1f013000, 0x00200600, 0x1f113600, 0x11013000, 0x00100d00, 0x00f00600, 0x000000f9, 0x1f01300a, 0x80000000} {
		u := MakeUnits(bits)
		if got, _, err := ParseUnits(u.String()); err != nil || got != u {
			t.Errorf("%q reads back as %q, %v", u, got, err)
		}
	}
}

func FuzzParseUnits(f *testing.F) {
	for _, s := range []string{"Kbyte / sec", "count x 10^3^2", "2 MB/3s", "power (uW) / byte^-3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, _, err := ParseUnits(s)
		if err != nil {
			return
		}
		if again, _, err := ParseUnits(u.String()); err != nil || again != u {
			t.Errorf("ParseUnits(%q) = %q, which reads back as %q, %v", s, u, again, err)
		}
	})
}
