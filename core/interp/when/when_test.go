package when

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pcpscope/core/pcp"
	"pcpscope/core/zone"
)

// The tables of spec/interp.md section 15, which were obtained from PCP 7.2.1, except
// where a line says that it is our own.

func TestParseInterval(t *testing.T) {
	for _, tt := range []struct {
		text    string
		seconds float64 // -1: an error
	}{
		{"5", 5}, {"5s", 5}, {"5 secs", 5}, {"1h30m", 5400}, {"4 days 6 hours 30 minutes", 369000}, {"4day6hour30min", 369000},
		{"4d6.5h", 369000}, {"1hour 15mins 30secs", 4530}, {"2min5", 125}, {"2min 5 10", 135}, {"100nsec", 1e-7}, {"5msec", 0.005},
		{"5ms", 300}, {"1d1d", 172800}, {"   ", 0}, {"1e3", 1000}, {".5", .5}, {"0x10", 16}, {" 1 H 1 HR", 7200}, {"5.", 5},
		{"1 week", -1}, {"5us", -1}, {"-5", -1}, {"abc", -1}, {"5 -3", -1}, {"inf", -1}, {"", -1}, {"nan", -1}, {"1e", -1}, {"0x", -1},
		{"1e999", -1}, {"1e15 days", -1}, {"5,5", -1}, {"+5", -1},
	} {
		nanos, err := ParseInterval(tt.text)
		switch {
		case tt.seconds < 0 && err == nil:
			t.Errorf("ParseInterval(%q) = %v ns, want an error", tt.text, nanos)
		case tt.seconds >= 0 && (err != nil || nanos != int64(tt.seconds*1e9+0.5)):
			t.Errorf("ParseInterval(%q) = %v ns, %v, want %v s", tt.text, nanos, err, tt.seconds)
		}
	}
}

func TestIntervalErrorsPoint(t *testing.T) {
	for _, tt := range []struct{ text, message, span string }{
		{"1 week", `"1 week" is not a length of time: the unit "week" is not known; write it in "day".`, "[2 6]"},
		{"5us", `"5us" is not a length of time: the unit "us" is not known; write it in "usec".`, "[1 3]"},
		{"2min -3", `"2min -3" is not a length of time: expected a number at "-3".`, "[5 7]"},
	} {
		_, err := ParseInterval(tt.text)
		var f *pcp.Fault
		if !errors.As(err, &f) || f.Message != tt.message || fmt.Sprint(*f.Span) != tt.span {
			t.Errorf("ParseInterval(%q): %v, want %s %s", tt.text, err, tt.message, tt.span)
		}
	}
}

var (
	monday   = pcp.FromStd(time.Date(1996, 3, 4, 13, 7, 47, 250e6, time.UTC))
	thursday = pcp.FromStd(time.Date(1996, 3, 7, 13, 7, 47, 500e6, time.UTC))
)

func show(t pcp.Time) string { return t.Std().Format("2006-01-02 15:04:05.999") }

// Our own: dates and times as ISO 8601 and RFC 3339 write them, and as the page
// and its CSV do; what is wrong with one is refused. PCP takes T for a military
// zone, and has no fractions in dates.
func TestISO(t *testing.T) {
	berlin, err := zone.Load("Europe/Berlin", time.LoadLocation)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ text, want string }{
		{"1996-03-05T14:00:00", "1996-03-05 13:00:00"}, {"@1996-03-05T14:00:00Z", "1996-03-05 14:00:00"}, {"1996-03-05t14:00:00.5z", "1996-03-05 14:00:00.5"},
		{"1996-03-05 14:00:00.123456789+01:00", "1996-03-05 13:00:00.123"}, {"1996-03-05 14:00:00,25 -0430", "1996-03-05 18:30:00.25"}, {"1996-03-05T14:00+05", "1996-03-05 09:00:00"},
		{"19960305T140000Z", "1996-03-05 14:00:00"}, {"19960305T1400", "1996-03-05 13:00:00"}, {"1996-03-05", "1996-03-04 23:00:00"}, {"@1996-03-05", "1996-03-04 23:00:00"},
		{"1996-07-05", "1996-07-04 22:00:00"}, {"1996-03-05T24:00Z", "1996-03-06 00:00:00"}, {"5 Mar 1996 14:00:00 UTC−4", "1996-03-05 18:00:00"}, {"5 March 1996, 14:00 UTC+5:30", "1996-03-05 08:30:00"},
		{"5 Mar 1996", "1996-03-04 23:00:00"}, {"1996-03-05 14:00:00 UTC", "1996-03-05 14:00:00"}, {" 1996-03-05 14:00 ", "1996-03-05 13:00:00"},
		{"1996-03-05 14:00:00 EST", "1996-03-05 19:00:00"}, // PCP's own
		{"1996-02-30", "error"}, {"1996-13-01", "error"}, {"1996-3-5T10:00", "error"}, {"1996-03-05T25:00", "error"}, {"1996-03-05T10:60", "error"}, {"1996-03-05T14:00:00T", "error"},
		{"1996-03-05T24:30", "error"}, {"1996-W10-2", "error"}, {"1996-065", "error"}, {"1996-03-05T14", "error"}, {"1996-03-05T14:00+25:00", "error"}, {"31 Feb 1996 10:00", "error"},
		{"9999-01-01", "error"}, {"0001-01-01T00:00Z", "error"},
	} {
		got := "error"
		at, err := ParsePoint(tt.text, monday, thursday, berlin)
		if err == nil {
			got = show(at)
		}
		if got != tt.want {
			t.Errorf("%q = %s (%v), want %s", tt.text, got, err, tt.want)
		}
	}
}

func TestPoints(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"@13:10", "1996-03-04 13:10:00"},
		{"@10:00", "1996-03-05 10:00:00"},
		{"@13:00", "1996-03-04 13:07:47.25"}, // before the archive
		{"@ 14:30:15.5", "1996-03-04 14:30:15.5"},
		{"@3:30 pm", "1996-03-04 15:30:00"},
		{"@12:30am", "1996-03-05 00:30:00"},
		{"@:30", "1996-03-05 00:30:00"},
		{"@5 10:00", "1996-03-05 10:00:00"},
		{"@Mar 5", "1996-03-05 00:00:00"},
		{"@Mar", "1996-03-04 13:07:47.25"},
		{"@Feb", "1997-02-01 00:00:00"},
		{"@Mar 5 14:00 1996", "1996-03-05 14:00:00"},
		{"@Tue Mar 5 1996", "1996-03-05 00:00:00"},
		{"@1996", "1996-03-04 13:07:47.25"},
		{"@23:59:60", "1996-03-05 00:00:00"},
		{"@13:30pm", "error"},
		{"@Mar 5 1996 10:00", "error"},
		{"@5 Mar 10:00", "error"},
		{"@24:00", "1996-03-24 00:00:00"},

		{"@1996-03-05 14:00:00", "1996-03-05 14:00:00"},
		{"@1996-03-05 14:00:00 EST", "1996-03-05 19:00:00"},
		{"@1996-03-05 14:00 +0200", "1996-03-05 12:00:00"},
		{"@96-03-05 10:00", "1996-03-05 10:00:00"},
		{"@15:00 +02:00", "1996-03-07 13:00:00"}, // PCP has no colon in a zone
		{"@10:00-01:30", "1996-03-07 11:30:00"},
		{"@10:00 -00:30", "1996-03-07 10:30:00"},
		{"@10:00 +02:75", "error"},
		{"@10:00 +16:00", "error"},
		{"@1996/03/05", "1996-03-05 00:00:00"},
		{"@5-MAR-1996 10:00", "1996-03-05 10:00:00"},
		{"@4 March 1996 2pm", "1996-03-04 14:00:00"},
		{"@19960304 1400", "1996-03-04 14:00:00"},
		{"@2 days ago", "1996-03-05 13:07:47"},
		{"@last day", "1996-03-06 13:07:47"},
		{"@-1 hour", "1996-03-07 12:07:47"},
		{"1 hour ago", "1996-03-07 12:07:47"},
		{"@1 hour", "1996-03-04 14:07:47"},
		{"@+2 hours", "1996-03-04 15:07:47"},
		{"@next hour", "1996-03-04 15:07:47"},
		{"@1996-03-05 14:07:47 EST -1hour", "1996-03-05 18:07:47"},
		{"@ -1d", "error"},
		{"1996-03-05 14:00:00", "1996-03-05 14:00:00"},

		// Where PCP takes the present day we take the archive's end; a time
		// of day, weekday or date that is later goes back if it can.
		{"@yesterday", "1996-03-06 13:07:47"},
		{"@3pm", "1996-03-06 15:00:00"},
		{"@11am", "1996-03-07 11:00:00"},
		{"@Tue 14:00", "1996-03-05 14:00:00"},
		{"@Tue", "1996-03-05 00:00:00"},
		{"@Thu", "1996-03-07 00:00:00"},
		{"@3/5 10:00", "1996-03-05 10:00:00"},
		{"@12/31", "1996-12-31 00:00:00"},                                           // neither this nor the last one lies in the archive
		{"-1 week", "1996-03-04 13:07:47.25"}, {"- 0 weeks", "1996-03-07 13:07:47"}, // PCP loses the sign here
		{"@now", "1996-03-07 13:07:47"},
		{"@10", "1996-03-07 10:00:00"},
		{"@15:00 -1 hour", "1996-03-04 14:00:00"}, // PCP reads a zone of -1 here

		{"@1996-03-05 14:00 (local time)", "1996-03-05 14:00:00"},
		{"@6 March 1996 2 p.m. CET", "1996-03-06 13:00:00"},
		{"@Sept. 5, 96", "1996-09-05 00:00:00"},
		{"@3/5/96 8:00 EDT", "1996-03-05 12:00:00"},
		{"@3/5/96 8:00 PST DST", "1996-03-05 15:00:00"},
		{"@third Tue", "1996-03-26 00:00:00"},
		{"@1996-02-30", "error"},
		{"@10:00 11:00", "error"},
		{"@1 month", "1996-04-04 13:07:47"},
		{"nonsense", "error"},
		{"@", "1996-03-04 13:07:47.25"},
		{"@this day", "1996-03-05 13:07:47"},
		{"@Jan 10 :09", "1997-01-01 10:09:00"},
		{"@Sun Jan 21: 1997", "1997-01-01 21:00:00"},
		{"@Sun 1996", "error"}, {"@tue 22 1997", "error"}, {"@22 1997", "1997-01-01 22:00:00"}, {"@21: 30", "1996-03-04 21:30:00"},
		{"@Mar 0 10:00", "1996-03-04 13:07:47.25"}, {"@Feb 31 10:00 1997", "1997-03-03 10:00:00"},
		{"@1996/03/05 14:00-0530 EST", "1996-03-05 19:00:00"},
		{"@MAR 9 23:05 1899", "error"},
		{"", "error"},
		{"5 weeks ago", "1996-03-04 13:07:47.25"},
		{"99999999999999999999 days", "error"},
	} {
		start, err := ParsePoint(tt.text, monday, thursday, nil)
		got := show(max(start, monday))
		if err != nil {
			got = "error"
		}
		if got != tt.want {
			t.Errorf("-S %q = %s (%v), want %s", tt.text, got, err, tt.want)
		}
	}
}

func TestZoneDecidesAboutCalendarTime(t *testing.T) {
	sydney, _ := zone.Load("AEDT-11", nil)
	for _, tt := range []struct{ text, want string }{
		{"@Mar 6 10:00", "1996-03-05 23:00:00"}, {"@1996-03-06 10:00", "1996-03-05 23:00:00"},
		{"@1996-03-06 10:00 UTC", "1996-03-06 10:00:00"}, {"@01:00", "1996-03-04 14:00:00"}, {"10min", "1996-03-04 13:17:47.25"},
	} {
		if got, err := ParsePoint(tt.text, monday, thursday, sydney); err != nil || show(got) != tt.want {
			t.Errorf("%q in Sydney = %s, %v, want %s", tt.text, show(got), err, tt.want)
		}
	}
}

// When summer time ended in Central Europe on 27 October 2024, at 01:00 UTC, and in New York
// on 3 November, at 06:00 UTC, the hour before was repeated. Of two moments the one that the
// archive has is meant, the first if it has both.
func TestLocalTimesThatOccurTwice(t *testing.T) {
	at := func(text string) pcp.Time {
		t, _ := time.Parse(time.DateTime, text)
		return pcp.FromStd(t)
	}
	const cet, newYork = "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0"
	for _, tt := range []struct{ text, zone, start, end, want string }{
		{"@02:35", cet, "2024-10-27 00:30:03", "2024-10-27 01:29:53", "2024-10-27 00:35:00"}, // the second is after the end
		{"@02:10", cet, "2024-10-27 00:30:03", "2024-10-27 01:29:53", "2024-10-27 01:10:00"}, // the first is before the start
		{"@02:10", cet, "2024-10-26 23:30:03", "2024-10-27 00:29:53", "2024-10-27 00:10:00"}, // before the change
		{"@02:10", cet, "2024-10-27 01:05:00", "2024-10-27 02:00:00", "2024-10-27 01:10:00"}, // after it
		{"@02:10", cet, "2024-10-26 20:00:00", "2024-10-27 12:00:00", "2024-10-27 00:10:00"}, // both
		{"@Oct 27 02:35:03.5 2024", cet, "2024-10-27 00:30:03", "2024-10-27 01:29:53", "2024-10-27 00:35:03.5"},
		{"2024-10-27 02:35:03", cet, "2024-10-27 00:30:03", "2024-10-27 01:29:53", "2024-10-27 00:35:03"},
		{"2024-10-27 02:35:03", "Europe/Berlin", "2024-10-27 00:30:03", "2024-10-27 01:29:53", "2024-10-27 00:35:03"},
		{"@27 October 2024 2:35 am", cet, "2024-10-27 00:30:03", "2024-10-27 01:29:53", "2024-10-27 00:35:00"},
		{"@Sun 02:35", cet, "2024-10-27 00:30:03", "2024-10-27 01:29:53", "2024-10-27 00:35:00"},
		{"2024-10-27 02:35 +01:00", cet, "2024-10-27 00:30:03", "2024-10-27 12:00:00", "2024-10-27 01:35:00"}, // not local time
		{"@2024-10-27 02:35 +0100", cet, "2024-10-27 00:30:03", "2024-10-27 12:00:00", "2024-10-27 01:35:00"},
		{"-50min", cet, "2024-10-26 23:30:00", "2024-10-27 02:00:00", "2024-10-27 01:10:00"},
		{"50 minutes ago", cet, "2024-10-26 23:30:00", "2024-10-27 02:00:00", "2024-10-27 01:10:00"},
		{"@01:30", newYork, "2024-11-03 06:10:00", "2024-11-03 07:00:00", "2024-11-03 06:30:00"},
		{"@01:30", newYork, "2024-11-03 05:10:00", "2024-11-03 06:20:00", "2024-11-03 05:30:00"},
		{"@02:30", cet, "2024-10-27 02:00:00", "2024-10-27 12:00:00", "2024-10-28 01:30:00"}, // the next day
	} {
		loc, err := zone.Load(tt.zone, time.LoadLocation)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ParsePoint(tt.text, at(tt.start), at(tt.end), loc); err != nil || show(got)[:10] != tt.want[:10] || got != at(tt.want) {
			t.Errorf("%q from %s to %s is %s (%v), want %s", tt.text, tt.start, tt.end, show(got), err, tt.want)
		}
	}
}

func FuzzParsePoint(f *testing.F) {
	for _, s := range []string{"5", "-1h30m", "@13:10", "@Tue Mar 5 14:00 1996", "@1996-03-05 14:00 +0200", "@2 days ago", "@third Tue", "@5-MAR-1996 2pm EST dst",
		"@((x", "@99999999999 years ago", "@-0", "@Mar .", "0x1p400 days", "@31 Feb", "@ 1/2/3/4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParsePoint(text, monday, thursday, nil)
		again, err2 := ParsePoint(text, monday, thursday, nil)
		if got != again || (err == nil) != (err2 == nil) {
			t.Errorf("%q is read in two ways", text)
		}
	})
}

func FuzzParseInterval(f *testing.F) {
	for _, s := range []string{"1h30m", "0x1.8p3 s", "1e-9 nsec", "4 days 6 hours", "5ms", "1e400", "..5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := ParseInterval(text)
		if n < 0 {
			t.Errorf("%q is %d ns", text, n)
		}
		if twice, err2 := ParseInterval(text + " 1s " + text); err == nil && err2 == nil && n < 1<<60 {
			if d := twice - 2*n - 1e9; d > 2+n/1e6 || d < -2-n/1e6 {
				t.Errorf("%q is %d ns, twice and a second %d", text, n, twice)
			}
		}
	})
}
