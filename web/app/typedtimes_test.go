package app

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/timeline"
)

// Times are understood as people write them, and refused rather than taken for something
// else. The archive was logged from 10:01:25 to 10:11:25 on 16 April 2018, four hours behind
// UTC. Of what is refused, `pmval -S` takes "06.03.2017" for 6.2317 s after the start, "25:00"
// for the 25th, and "2018" for 2018 s (PCP 6.0.3, as seen on corpus/history).
func TestTypedTimes(t *testing.T) {
	b, tab := opened(t)
	for _, tt := range []struct{ from, to, start, end string }{
		{"2018-04-16 10:02", "2018-04-16T14:03Z", "10:02:00", "10:03:00"},
		{"16 Apr 10:02", "16 Apr 10:03:30", "10:02:00", "10:03:30"}, // as the page writes them
		{"20180416", "20180416T1005", "10:01:25", "10:05:00"},
		{"20180416T140200Z", "", "10:02:00", "10:11:25"},
		{"@10:04", "10:05am", "10:04:00", "10:05:00"},
		{"-5min", "+1min", "10:06:25", "10:07:25"},
		{"16 Apr", "16 Apr", "10:01:25", "10:11:25"},
	} {
		whole := tab.Whole()
		tab.Zoom(whole.Start, whole.End)
		tab.Times.Show(tt.from, tt.to)
		b.run()
		if got := tab.Clock.Time(tab.Window.Start) + " " + tab.Clock.Time(tab.Window.End); tab.Times.Fault != "" || got != tt.start+" "+tt.end {
			t.Errorf("%q to %q shows %s, want %s %s; %s", tt.from, tt.to, got, tt.start, tt.end, tab.Times.Fault)
		}
	}
	for _, tt := range [][3]string{
		{"06.03.2017", "", "Write a date as"},
		{"25:00", "", "no hour 25"},
		{"2018", "", "a year, or a number of seconds"},
		{"20180431", "", "no such day"},
		{"04/17/2018", "", "Nothing was logged at 17 Apr 2018 00:00:00 or later"},
		{"", "2018-04-15", "Nothing was logged until 16 Apr 2018 00:00:00"},
		{"10:05", "10:04", "The end must be after the start."},
		{"soon", "", "is not a date or time"},
	} {
		before := tab.Window
		tab.Times.Show(tt[0], tt[1])
		b.run()
		if !strings.Contains(tab.Times.Fault, tt[2]) || tab.Window != before {
			t.Errorf("%q to %q: %q, want %q and the window as before", tt[0], tt[1], tab.Times.Fault, tt[2])
		}
	}
}

// A time of day alone belongs to the day that is shown; to the next one if it had passed.
// With an @ it is that of PCP's tools: the first in the archive.
func TestTimesOfDay(t *testing.T) {
	b, tab := opened(t)
	threeDays(tab) // 16 Apr 08:00 to 18 Apr 18:00
	const hour = 3600 * second
	midnight := tab.Clock.Midnight(start)
	for _, tt := range []struct {
		shown      pcp.Time // hours after the first midnight
		from, to   string
		start, end string
	}{
		{36, "10:00", "11:00", "17 Apr 10:00:00", "17 Apr 11:00:00"},
		{36, "1pm", "2:30 PM", "17 Apr 13:00:00", "17 Apr 14:30:00"},
		{36, "12am", "12pm", "17 Apr 00:00:00", "17 Apr 12:00:00"},
		{36, "10:00:30.5", "+5min", "17 Apr 10:00:30", "17 Apr 10:05:30"},
		{36, "23:00", "01:00", "17 Apr 23:00:00", "18 Apr 01:00:00"},
		{36, "2018-04-18 10:00", "11:00", "18 Apr 10:00:00", "18 Apr 11:00:00"},
		{9, "07:00", "09:00", "17 Apr 07:00:00", "17 Apr 09:00:00"},
		{36, "", "11:00", "16 Apr 08:00:00", "16 Apr 11:00:00"},
		{36, "@10:00", "@11:00", "16 Apr 10:00:00", "16 Apr 11:00:00"},
	} {
		tab.Window = timeline.Window{Start: midnight + tt.shown*hour, End: midnight + (tt.shown+1)*hour}
		tab.Times.Show(tt.from, tt.to)
		b.run()
		if got := tab.Clock.ShortDateTime(tab.Window.Start) + " to " + tab.Clock.ShortDateTime(tab.Window.End); tab.Times.Fault != "" || got != tt.start+" to "+tt.end {
			t.Errorf("%q to %q shows %s, want %s to %s; %s", tt.from, tt.to, got, tt.start, tt.end, tab.Times.Fault)
		}
	}
}

// repeatedHour begins half an hour before the hour is repeated: an hour from there has the
// second half of the first and the first half of the second.
var repeatedHour = time.Date(2024, 10, 27, 0, 30, 3, 0, time.UTC)

// summersEnd is an archive of some seconds on 27 October 2024, in Central Europe, where summer
// time ended at 01:00 UTC and the hour from 02:00 was repeated.
func summersEnd(t *testing.T, from time.Time, seconds pcp.Time) []File {
	t.Helper()
	begin := pcp.FromStd(from)
	parts := map[string]*bytes.Buffer{}
	w, err := archive.NewWriter(archive.Label{Version: 3, PID: 1, Start: begin, Host: hostName, Timezone: "CET-1CEST,M3.5.0,M10.5.0/3"}, func(suffix string) (io.WriteCloser, error) {
		parts[suffix] = new(bytes.Buffer)
		return buffer{parts[suffix]}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	desc := pcp.Desc{PMID: pcp.MakePMID(60, 1, 9), Type: pcp.Uint64, InDom: pcp.NullInDom, Sem: pcp.Instant}
	errs := []error{w.Desc(desc, "mem.physmem")}
	for at := begin; at < begin+seconds*second; at += 10 * second {
		errs = append(errs, w.Record(at, []archive.ValueSet{{PMID: desc.PMID, Type: desc.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: 1}}}}))
	}
	if err := errors.Join(append(errs, w.Close())...); err != nil {
		t.Fatal(err)
	}
	return filesOf(parts)
}

// Of a time in the repeated hour, the one in the archive is shown.
func TestTimesThatOccurTwice(t *testing.T) {
	b := newBench(t)
	tab := b.open(t, summersEnd(t, repeatedHour, 3600))
	b.Page.Resolve = func(string) (format.OffsetFunc, bool) { return format.OffsetOf("CET-1CEST,M3.5.0,M10.5.0/3") }
	for _, zone := range []string{"", "Europe/Berlin"} {
		if !tab.Times.SetZone(zone) {
			t.Fatal(tab.Times.Fault)
		}
		for _, tt := range [][4]string{
			{"02:35", "02:45", "00:35:00", "00:45:00"},
			{"@02:35", "@02:45", "00:35:00", "00:45:00"},
			{"02:10", "02:20", "01:10:00", "01:20:00"},
			{"02:50", "02:10", "00:50:00", "01:10:00"},
			{"2024-10-27 02:35", "27 Oct 02:20", "00:35:00", "01:20:00"},
			{"02:35", "+10min", "00:35:00", "00:45:00"},
			{"-20min", "", "01:09:53", "01:29:53"},
			{"2024-10-27 02:10 +01:00", "2024-10-27 02:15 +01:00", "01:10:00", "01:15:00"},
			{"02:55 +02:00", "02:10 +01:00", "00:55:00", "01:10:00"},
			{"02:55+02:00", "2:58 UTC\u22122", "00:55:00", "01:29:53"},
			{"00:40Z", "00:50:30 utc", "00:40:00", "00:50:30"},
			{"2:40am +0200", "+10min", "00:40:00", "00:50:00"},
			{"@02:55 +02:00", "@02:10 +01:00", "00:55:00", "01:10:00"},
		} {
			whole := tab.Whole()
			tab.Zoom(whole.Start, whole.End)
			tab.Times.Show(tt[0], tt[1])
			b.run()
			clock := func(t pcp.Time) string { return t.Std().Format(time.TimeOnly) }
			if got := clock(tab.Window.Start) + " " + clock(tab.Window.End); tab.Times.Fault != "" || got != tt[2]+" "+tt[3] {
				t.Errorf("zone %q: %q to %q shows %s UTC, want %s %s; %s", zone, tt[0], tt[1], got, tt[2], tt[3], tab.Times.Fault)
			}
		}
		tab.Times.Show("02:55 +01:00", "")
		b.run()
		if want := "Nothing was logged at 27 Oct 2024 02:55:00 UTC+1 or later: this source spans 27 Oct 2024 02:30:03 UTC+2 to 27 Oct 2024 02:29:53 UTC+1."; tab.Times.Fault != want {
			t.Errorf("zone %q: %q, want %q", zone, tab.Times.Fault, want)
		}
	}
}

// A time long before the recording has the distance from UTC that there was, winter time.
func TestTimesBeforeTheRecording(t *testing.T) {
	b := newBench(t)
	tab := b.open(t, summersEnd(t, repeatedHour, 3600))
	tab.Times.Show("", "2020-01-02")
	b.run()
	if want := "Nothing was logged until 3 Jan 2020 00:00:00 UTC+1: "; !strings.HasPrefix(tab.Times.Fault, want) {
		t.Errorf("%q, want %q", tab.Times.Fault, want)
	}
}

// What the page writes into the fields of a time is read as that moment, also where the archive
// has both of the hour that is repeated, and an end is edited beside it.
func TestTimesReadBack(t *testing.T) {
	b := newBench(t)
	tab := b.open(t, summersEnd(t, time.Date(2024, 10, 26, 23, 0, 0, 0, time.UTC), 4*3600))
	at := func(hour, minute int) pcp.Time {
		return pcp.FromStd(time.Date(2024, 10, 27, hour, minute, 0, 5e8, time.UTC))
	}
	clock := tab.Clock
	for _, w := range []timeline.Window{{Start: at(0, 10), End: at(0, 50)}, {Start: at(1, 10), End: at(1, 50)}, {Start: at(0, 35), End: at(1, 20)}, {Start: at(0, 35), End: at(2, 20)}} {
		tab.Times.Show(clock.Typed(w.Start), clock.Typed(w.End))
		b.run()
		if tab.Window != w || tab.Times.Fault != "" {
			t.Errorf("shows %s, want %s; %s", clock.Full(tab.Window.Start, tab.Window.End), clock.Full(w.Start, w.End), tab.Times.Fault)
		}
		tab.Compare.Set("A", w.Start, w.End)
		b.run()
		for _, edit := range []func(){
			func() { tab.Compare.TypeEnd("A", clock.Typed(w.End+second)); w.End += second },
			func() { tab.Compare.TypeStart("A", clock.Typed(w.Start-second)); w.Start -= second },
		} {
			edit()
			b.run()
			if a := tab.Compare.A; a != w || tab.Compare.Refused != "" {
				t.Errorf("A is %s, want %s; %s", clock.Full(a.Start, a.End), clock.Full(w.Start, w.End), tab.Compare.Refused)
			}
		}
	}
}

// pmrep 6.0.3 reads "-S '@Oct 27 02:35:03 2024'" as 01:35:03 UTC, which is after the end of the
// archive, and "-S 300sec -T 600sec" as 00:35:03 to 00:45:03 UTC.
func TestToolCommandsInTheRepeatedHour(t *testing.T) {
	b := newBench(t)
	tab := b.open(t, summersEnd(t, repeatedHour, 3600))
	tab.Dashboard.SetPanels([][]string{{"mem.physmem"}})
	for _, tt := range []struct {
		from, to int // seconds after the start
		want     string
	}{{300, 900, "-S 300sec -T 600sec"}, {2700, 3300, "-S 2700sec -T 600sec"}} {
		begin := tab.Whole().Start
		tab.Zoom(begin+pcp.Time(tt.from)*second, begin+pcp.Time(tt.to)*second)
		b.run()
		for _, command := range tab.CommandsOf(tab.Dashboard.Panels[0]) {
			if !strings.Contains(command, tt.want) {
				t.Errorf("the command is %s, want %s", command, tt.want)
			}
		}
	}
}
