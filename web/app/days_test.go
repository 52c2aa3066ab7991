package app

import (
	"math"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/session"
)

// Three days of a host that was off for one of them, written by hand.
func threeDays(tab *Tab) {
	const day = 24 * 3600 * second
	midnight := tab.Clock.Midnight(start)
	tab.Source.Start, tab.Source.End = midnight+8*3600*second, midnight+3*day-6*3600*second
	tab.Source.Members = []string{"pcp/20180416.0.xz", "pcp/20180416.meta", "pcp/20180418.0"}
	off := api.Outage{Start: midnight + day + 600*second, End: midnight + 2*day + 600*second, Why: "between archives"}
	tab.Findings.Overview = &api.Overview{Recording: api.Recording{Length: 58 * 3600, Missing: 24 * 3600, Outages: []api.Outage{off}}}
}

// Links and session files store which day was viewed, and in which measure, but
// only if something was chosen.
func TestDaysAreKept(t *testing.T) {
	b, tab := opened(t)
	if k := keep(tab); k.Days != nil {
		t.Errorf("saved days = %+v, want none: nothing was chosen", k.Days)
	}
	at := tab.Clock.Midnight(start)
	week := []api.Day{{Start: at, End: at + format.Day}, {Start: at + format.Day, End: at + 2*format.Day}}
	d := &tab.Days
	d.Open, d.Highest, d.Measure, d.Result.Days, d.Result.Average, d.Picked = true, true, d.Measures()[0], week, make([]float64, 48), 0
	if m := d.Measure; m.Expression == "mem.physmem" {
		t.Fatalf("the first measure is %+v: this test needs another one than the one it chooses", m)
	}
	d.Measure = Measure{Name: "mem.physmem", Expression: "mem.physmem"}
	text := b.Session().Text()
	kept, err := session.Parse([]byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	*d = Days{tab: tab, Picked: -1}
	b.Restore(kept)
	b.run()
	if !d.Open || !d.Highest || d.Measure.Expression != "mem.physmem" || d.day != at {
		t.Errorf("days = %+v from the session %s, want open, by maximum, of mem.physmem", d, text)
	}
	d.take(d.Measure, api.Days{Days: week, Average: make([]float64, 48)})
	if d.Picked != 0 || d.day != 0 {
		t.Errorf("picked day = %d, want 0", d.Picked)
	}
}

// Missing data is reported in hours, with the days and the missing files.
func TestMissingDays(t *testing.T) {
	_, tab := opened(t)
	threeDays(tab)
	if got := tab.Findings.MissingTitle(); got != "1 d of 2 d 10 h (41 %) is not recorded." {
		t.Errorf("MissingTitle() = %q, want 1 d of 2 d 10 h (41 %%)", got)
	}
	if got := tab.Findings.MissingText(); got != "One gap, of 1 d from 17 Apr 00:10:00. Days without data: 17 Apr. Not among the files: 20180417." {
		t.Errorf("MissingText() = %q, want one gap, its day, and the archive of that day", got)
	}
	if !tab.Findings.LargelyMissing() {
		t.Error("LargelyMissing() = false, want true: a day of less than three")
	}
	outages := tab.Findings.Overview.Recording.Outages
	outages[0].Why = "damage"
	if got := tab.Findings.MissingTitle(); got != "1 d of 2 d 10 h (41 %) is lost in damaged data." {
		t.Errorf("MissingTitle() = %q of damaged data", got)
	}
	tab.Findings.Overview.Recording.Outages = append(outages, api.Outage{Why: "mark"})
	if got := tab.Findings.MissingTitle(); got != "1 d of 2 d 10 h (41 %) is not recorded or lost in damaged data." {
		t.Errorf("MissingTitle() = %q of damaged data and a gap", got)
	}
	tab.Findings.Overview.Recording = api.Recording{Length: 58 * 3600}
	if tab.Findings.MissingTitle() != "" || tab.Findings.LargelyMissing() {
		t.Error("a complete recording is reported as incomplete")
	}
}

// A day with a file of its own has data, however short. The outages are those of days
// of corpus/history, whose spans pmdumplog -l prints: 17 Mar 2017 was recorded from 23:06:04
// to 23:52:04, 19 March until 00:32:12, 21 March only in the log of the 20th.
func TestDaysWithLittleData(t *testing.T) {
	_, tab := opened(t)
	midnight := tab.Clock.Midnight(start)
	at := func(day, h, m, s int) pcp.Time {
		return midnight + pcp.Time(day)*format.Day + pcp.Time(h*3600+m*60+s)*second
	}
	for _, tt := range []struct {
		name     string
		from, to pcp.Time
		outages  []api.Outage
		want     int // of the empty day; -1 for none
	}{
		{"16 to 18 March", at(0, 0, 10, 12), at(2, 12, 0, 0), []api.Outage{{Start: at(0, 23, 8, 38), End: at(1, 23, 6, 4)}, {Start: at(1, 23, 52, 4), End: at(2, 0, 17, 0)}}, -1},
		{"18 to 20 March", at(0, 0, 17, 0), at(2, 23, 59, 0), []api.Outage{{Start: at(1, 0, 32, 12), End: at(2, 13, 28, 21)}}, -1},
		{"20 to 23 March", at(0, 13, 28, 21), at(2, 12, 0, 0), []api.Outage{{Start: at(1, 0, 9, 21), End: at(2, 10, 0, 0)}}, 1},
	} {
		tab.Source.Start, tab.Source.End = tt.from, tt.to
		tab.Findings.Overview = &api.Overview{Recording: api.Recording{Outages: tt.outages}}
		got := tab.Findings.EmptyDays()
		if tt.want < 0 && len(got) > 0 || tt.want >= 0 && (len(got) != 1 || got[0].Start != at(tt.want, 0, 0, 0)) {
			t.Errorf("%s: empty days = %v, want day %d alone, or none if -1", tt.name, got, tt.want)
		}
	}
}

// Clicking a cell of the calendar shows that hour, clicking a date that day.
func TestDaysAtAGlance(t *testing.T) {
	b, tab := opened(t)
	threeDays(tab)
	tab.Source.Loaded = 1
	d := &tab.Days
	if !d.Available() {
		t.Fatal("Available() = false, want true")
	}
	d.ShowMetric("kernel.all.load")
	b.RefreshDays()
	b.run()
	if d.Fault != "" || len(d.Result.Days) != 1 || math.IsNaN(d.Result.Average[24*0+10]) { // what was logged are ten minutes from 10:01:25
		t.Fatalf("fault %q, %d days; want no fault, one day with an average at 10:00", d.Fault, len(d.Result.Days))
	}
	if d.Picked != 0 {
		t.Errorf("picked day = %d, want 0", d.Picked)
	}
	d.Go(0, 10)
	midnight := tab.Clock.Midnight(start)
	if tab.Window.Start != midnight+10*3600*second || tab.Window.Len() != int64(time.Hour) {
		t.Errorf("window of an hour = %v, want 10:00 to 11:00", tab.Window)
	}
	d.Go(0, -1)
	if tab.Window.Start != tab.Source.Start || tab.Window.End != midnight+24*3600*second {
		t.Errorf("window of a day = %v, want from the start of the source to midnight", tab.Window)
	}
	d.Go(7, 1) // beside the calendar
	d.Choose("disk.all.read")
	b.RefreshDays()
	b.run()
	if d.Measure.Expression != "kernel.all.load" {
		t.Errorf("measure = %+v, want the last valid one, kernel.all.load", d.Measure)
	}
	b.RefreshDays()
	b.run()
	if !d.UnusualKnown {
		t.Error("UnusualKnown = false after asking for unusual days")
	}
}

// Days begin at midnight on the host's clock.
func TestMidnights(t *testing.T) {
	_, tab := opened(t)
	if got := tab.Clock.Midnight(start); got != pcp.MakeTime(1523851200, 0) { // 2018-04-16 04:00 UTC
		t.Errorf("Midnight = %v, want 2018-04-16 04:00 UTC", got.Std().UTC())
	}
	if tab.Clock.NextDay(start)-tab.Clock.Midnight(start) != 24*3600*second {
		t.Error("NextDay is not 24 hours after Midnight")
	}
}

// The windows of a comparison can be typed like any other. An invalid time is
// refused with a message and changes nothing.
func TestTypedComparison(t *testing.T) {
	b, tab := opened(t)
	tab.Compare.Start()
	b.run()
	if from, to := tab.Compare.Texts("A"); from != "2018-04-16 10:01:25" || to != "2018-04-16 10:06:25" {
		t.Errorf("window A = %s to %s, want the first half of the source", from, to)
	}
	for _, x := range []struct {
		which, from, to string
		start, end      int // seconds after the start; 0, 0 for nothing
	}{
		{"A", "2018-04-16T14:02:25Z", "2018-04-16 10:03:25", 60, 120},
		{"B", "2018-04-16T16:04:25+02:00", "+1min", 180, 240},
		{"B", "@10:08:25", "-1min", 420, 540},
		{"A", "2018-04-16", "2018-04-16", 0, 600},
		{"A", "2018-13-16", "2018-04-16", 0, 0},
		{"A", "yesterdayish", "", 0, 0},
		{"B", "2018-04-17", "2018-04-18", 0, 0},
		{"B", "10:08:25", "10:07:25", 0, 0},
	} {
		a, was := tab.Compare.A, tab.Compare.B
		tab.Compare.Type(x.which, x.from, x.to)
		b.run()
		got := tab.Compare.A
		if x.which == "B" {
			got = tab.Compare.B
		}
		if x.end == 0 {
			if tab.Compare.Refused == "" || tab.Compare.A != a || tab.Compare.B != was {
				t.Errorf("%q to %q was accepted: message %q, window %v", x.from, x.to, tab.Compare.Refused, got)
			}
			continue
		}
		if tab.Compare.Refused != "" || got.Start != start+pcp.Time(x.start)*second || got.End != start+pcp.Time(x.end)*second {
			t.Errorf("%q to %q: message %q, window %v to %v, want %d s to %d s", x.from, x.to, tab.Compare.Refused, got.Start.Since(start), got.End.Since(start), x.start, x.end)
		}
	}
}

// Typing one end of a window beyond the other moves the window, as long as it is, or as
// the source allows.
func TestTypedEndOfComparison(t *testing.T) {
	b, tab := opened(t)
	tab.Compare.Start()
	b.run()
	tab.Compare.Set("A", start+60*second, start+120*second)
	for _, x := range []struct {
		what       string
		typed      func()
		start, end int // seconds after the start
	}{
		{"a start beyond the end", func() { tab.Compare.TypeStart("A", "10:06:25") }, 300, 360},
		{"an end before the start", func() { tab.Compare.TypeEnd("A", "2018-04-16T14:04:25Z") }, 120, 180},
		{"a start before the end", func() { tab.Compare.TypeStart("A", "10:02:25") }, 60, 180},
		{"an end after the start", func() { tab.Compare.TypeEnd("A", "+30sec") }, 60, 90},
		{"near the end of the source", func() { tab.Compare.TypeStart("A", "10:11:15") }, 590, 600},
		{"a wrong one", func() { tab.Compare.TypeStart("A", "10:61") }, 590, 600},
	} {
		x.typed()
		b.run()
		if got := tab.Compare.A; got.Start != start+pcp.Time(x.start)*second || got.End != start+pcp.Time(x.end)*second {
			t.Errorf("%s: window %v to %v, message %q, want %d s to %d s", x.what, got.Start.Since(start), got.End.Since(start), tab.Compare.Refused, x.start, x.end)
		}
	}
	if tab.Compare.Refused == "" {
		t.Error("10:61 is accepted")
	}
}

// A day chosen as a window of a comparison is clipped to the source; a day outside
// the source changes nothing.
func TestChosenComparison(t *testing.T) {
	b, tab := opened(t)
	tab.Compare.Start()
	b.run()
	a := tab.Compare.A
	tab.Compare.Set("B", tab.Clock.Midnight(start), start+60*second)
	b.run()
	if _, got := tab.Compare.Side("B"); got.Start != start || got.End != start+60*second || tab.Compare.A != a {
		t.Errorf("window B = %v to %v, want the source's first minute and A unchanged", got.Start.Since(start), got.End.Since(start))
	}
	tab.Compare.Set("A", tab.Clock.Midnight(start)-48*3600*second, tab.Clock.Midnight(start)-24*3600*second)
	if tab.Compare.A != a {
		t.Errorf("window A = %+v, want it unchanged by a day outside the source", tab.Compare.A)
	}
}

// Whatever leaves a comparison redraws the strip, which has its windows, and shows the
// charts.
func TestLeavingAComparison(t *testing.T) {
	for what, leave := range map[string]func(*bench, *Tab){
		"the button":     func(_ *bench, tab *Tab) { tab.Compare.End() },
		"a dashboard":    func(b *bench, tab *Tab) { tab.Dashboard.OpenNth(1) },
		"a new one":      func(_ *bench, tab *Tab) { tab.Dashboard.New() },
		"a metric":       func(_ *bench, tab *Tab) { tab.Dashboard.Add("disk.all.read") },
		"one more":       func(_ *bench, tab *Tab) { tab.Dashboard.AddPanel("disk.all.read") },
		"the same again": func(_ *bench, tab *Tab) { tab.Dashboard.AddPanel("kernel.all.load") },
		"rules":          func(_ *bench, tab *Tab) { tab.Lanes.Toggle() },
		"an explanation": func(_ *bench, tab *Tab) { tab.Explain.Toggle() },
		"what moves":     func(_ *bench, tab *Tab) { tab.Moves.ShowCommand("a", "a") },
	} {
		t.Run(what, func(t *testing.T) {
			b, tab := opened(t)
			tab.Compare.Start()
			b.run()
			redrawn := 0
			b.Page.WindowChanged = func() { redrawn++ }
			leave(b, tab)
			b.run()
			if b.Layout.Comparing {
				t.Error("the windows are compared still")
			}
			if redrawn == 0 {
				t.Error("the strip keeps the windows")
			}
		})
	}
}
