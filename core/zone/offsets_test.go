package zone

import (
	"testing"
	"time"
)

// The standard library reads the system's tables; the reconstruction from
// offsets alone must agree at every hour.
func TestFromOffsets(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia", "Etc/UTC"} {
		want, err := time.LoadLocation(name)
		if err != nil {
			t.Skipf("no table of time zones: %v", err)
		}
		got, err := FromOffsets(name, func(unix int64) int { _, east := time.Unix(unix, 0).In(want).Zone(); return east })
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for at := int64(0); at < lastLook; at += 3600 {
			_, g := time.Unix(at, 0).In(got).Zone()
			if _, w := time.Unix(at, 0).In(want).Zone(); g != w {
				t.Errorf("%s is %d s off Greenwich at %s, want %d", name, g, time.Unix(at, 0).UTC(), w)
				break
			}
		}
	}
}

func TestParseGMT(t *testing.T) {
	for text, want := range map[string]int{"GMT": 0, "GMT+01:00": 3600, "GMT-03:30": -12600, "GMT\u221205": -18000, "GMT-00:44:30": -2670, "EST": 0} {
		if got := ParseGMT(text); got != want {
			t.Errorf("%s is %d s east of Greenwich, want %d", text, got, want)
		}
	}
}
