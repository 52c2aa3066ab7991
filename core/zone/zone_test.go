package zone

import (
	"fmt"
	"testing"
	"time"
)

func TestLoad(t *testing.T) {
	winter, spring := time.Date(2024, 1, 15, 12, 0, 0, 0, time.UTC), time.Date(2024, 3, 31, 0, 59, 59, 0, time.UTC)
	summer, fall := time.Date(2024, 7, 15, 12, 0, 0, 0, time.UTC), time.Date(2024, 10, 27, 0, 59, 59, 0, time.UTC)
	for _, tt := range []struct {
		tz   string
		at   time.Time
		want string // as date(1) with this TZ prints it, unless said
	}{
		{"EST-11EST-10,87/2:00,297/2:00", winter, "23:00:00 +1100 EST"},
		{"EST-11EST-10,87/2:00,297/2:00", summer, "22:00:00 +1000 EST"},
		{"AEDT-11", summer, "23:00:00 +1100 AEDT"},
		{"<+03>-3", winter, "15:00:00 +0300 +03"},
		{"<-0330>3:30", winter, "08:30:00 -0330 -0330"},
		{"CET-1CEST,M3.5.0,M10.5.0/3", winter, "13:00:00 +0100 CET"},
		{"CET-1CEST,M3.5.0,M10.5.0/3", summer, "14:00:00 +0200 CEST"},
		{"CET-1CEST,M3.5.0,M10.5.0/3", spring, "01:59:59 +0100 CET"},
		{"CET-1CEST,M3.5.0,M10.5.0/3", spring.Add(time.Second), "03:00:00 +0200 CEST"},
		{"CET-1CEST,M3.5.0,M10.5.0/3", fall, "02:59:59 +0200 CEST"},
		{"CET-1CEST,M3.5.0,M10.5.0/3", fall.Add(time.Second), "02:00:00 +0100 CET"},
		{"EST5EDT", summer, "08:00:00 -0400 EDT"},
		{"PST8PDT,J60/2,J300/2", winter, "04:00:00 -0800 PST"},
		{"PST8PDT,J60/2,J300/2", summer, "05:00:00 -0700 PDT"},
		{"+0000", winter, "12:00:00 +0000 +0000"}, // ISO 8601, of collectl2pcp(1)
		{"-0330", winter, "08:30:00 -0330 -0330"},
		{"UTC", winter, "12:00:00 +0000 UTC"},
		{"UTC0", winter, "12:00:00 +0000 UTC"},
		{"", winter, "12:00:00 +0000 UTC"},
		{":Europe/Berlin", summer, "14:00:00 +0200 CEST"},
		{"Europe/Berlin", summer, "14:00:00 +0200 CEST"},
	} {
		loc, err := Load(tt.tz, func(name string) (*time.Location, error) {
			if name != "Europe/Berlin" {
				return nil, fmt.Errorf("asked for %q", name)
			}
			return time.LoadLocation(name)
		})
		if err != nil {
			t.Errorf("%q: %v", tt.tz, err)
			continue
		}
		if got := tt.at.In(loc).Format("15:04:05 -0700 MST"); got != tt.want {
			t.Errorf("%q at %v: %s, want %s", tt.tz, tt.at, got, tt.want)
		}
	}
	for _, tz := range []string{"nowhere", "EST", "EST-", "E5", "<+03", "EST5EDT,M3.6.0,M10.5.0", "EST5EDT,M3.2.0", "EST5EDT,M3.2.0,M11.1.0x", "EST999"} {
		if loc, err := Load(tz, nil); err == nil {
			t.Errorf("%q is taken for a zone: %v", tz, loc)
		}
	}
}

// The zone database of the standard library says what each TZ text means:
// zones with equal rules are compared over two years, hour by hour.
func TestRules(t *testing.T) {
	for tz, name := range map[string]string{
		"EST5EDT,M3.2.0,M11.1.0":        "America/New_York",
		"EST5EDT":                       "America/New_York",
		"CET-1CEST,M3.5.0,M10.5.0/3":    "Europe/Prague",
		"AEST-10AEDT,M10.1.0,M4.1.0/3":  "Australia/Melbourne",
		"IST-5:30":                      "Asia/Kolkata",
		"<+03>-3":                       "Europe/Moscow",
		"UTC":                           "UTC",
		"GMT0":                          "UTC",
		"<-03>3":                        "America/Sao_Paulo",
		"NZST-12NZDT,M9.5.0,M4.1.0/3":   "Pacific/Auckland",
		"NST3:30NDT,M3.2.0,M11.1.0":     "America/St_Johns",
		"GMT0BST,M3.5.0/1,M10.5.0":      "Europe/London",
		"EET-2EEST,M3.5.0/3,M10.5.0/4":  "Europe/Helsinki",
		"<+0330>-3:30":                  "Asia/Tehran",
		"CST6CDT,M3.2.0/2:00,M11.1.0/2": "America/Chicago",
	} {
		rule, err := Load(tz, nil)
		if err != nil {
			t.Errorf("%s is refused", tz)
			continue
		}
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Skipf("no table of time zones: %v", err)
		}
		for at := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2025; at = at.Add(time.Hour) {
			_, want := at.In(loc).Zone()
			if _, got := at.In(rule).Zone(); got != want {
				t.Errorf("%s at %v: %d, want %d", tz, at, got, want)
				break
			}
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, s := range []string{"EST-11EST-10,87/2:00,297/2:00", "<+03>-3", "CET-1CEST,M3.5.0,M10.5.0/3", "PST8PDT,J60/2,J300/2", "A", "<>0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, tz string) {
		loc, err := Load(tz, nil)
		if err != nil {
			return
		}
		for _, year := range []int{1970, 2024, 2100} {
			if _, off := time.Date(year, 7, 1, 0, 0, 0, 0, time.UTC).In(loc).Zone(); off > 200*3600 || off < -200*3600 {
				t.Errorf("%q is %d seconds from Greenwich", tz, off)
			}
		}
	})
}
