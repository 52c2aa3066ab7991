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

// Three days of a host that was off for one of them, by hand.
func threeDays(tab *Tab) {
	const day = 24 * 3600 * second
	midnight := tab.Clock.Midnight(start)
	tab.Source.Start, tab.Source.End = midnight+8*3600*second, midnight+3*day-6*3600*second
	tab.Source.Members = []string{"pcp/20180416.0.xz", "pcp/20180416.meta", "pcp/20180418.0"}
	off := api.Outage{Start: midnight + day + 600*second, End: midnight + 2*day + 600*second, Why: "between archives"}
	tab.Findings.Overview = &api.Overview{Recording: api.Recording{Length: 58 * 3600, Missing: 24 * 3600, Outages: []api.Outage{off}}}
}

// A link and a file bring back which days were looked at, and by what; where
// nothing was chosen they say nothing of it.
func TestDaysAreKept(t *testing.T) {
	b, tab := opened(t)
	if k := keep(tab); k.Days != nil {
		t.Errorf("nothing was chosen: %+v", k.Days)
	}
	at := tab.Clock.Midnight(start)
	week := []api.Day{{Start: at, End: at + format.Day}, {Start: at + format.Day, End: at + 2*format.Day}}
	d := &tab.Days
	d.Open, d.Highest, d.Measure, d.Result.Days, d.Result.Average, d.Picked = true, true, d.Measures()[0], week, make([]float64, 48), 0
	if m := d.Measure; m.Expression == "mem.physmem" {
		t.Fatalf("the first measure is %+v", m)
	}
	d.Measure = Measure{Name: "mem.physmem", Expression: "mem.physmem"}
	text := b.Session().Text()
	kept, err := session.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	*d = Days{tab: tab, Picked: -1}
	b.Restore(kept)
	b.run()
	if !d.Open || !d.Highest || d.Measure.Expression != "mem.physmem" || d.day != at {
		t.Errorf("%+v of %s", d, text)
	}
	d.take(d.Measure, api.Days{Days: week, Average: make([]float64, 48)})
	if d.Picked != 0 || d.day != 0 {
		t.Errorf("day %d is picked", d.Picked)
	}
}

// What is missing is said in hours, with the days and the files that would help.
func TestMissingDays(t *testing.T) {
	_, tab := opened(t)
	threeDays(tab)
	if got := tab.Findings.MissingTitle(); got != "1 d of 2 d 10 h (41 %) are not recorded." {
		t.Errorf("title: %q", got)
	}
	if got := tab.Findings.MissingText(); got != "One gap, of 1 d from 17 Apr 00:10:00. Days without data: 17 Apr. Not among the files: 20180417." {
		t.Errorf("text: %q", got)
	}
	if !tab.Findings.MuchMissing() {
		t.Error("a day of three is not much")
	}
	tab.Findings.Overview.Recording = api.Recording{Length: 58 * 3600}
	if tab.Findings.MissingTitle() != "" || tab.Findings.MuchMissing() {
		t.Error("something is missing where nothing is")
	}
}

// A click on a cell shows that hour, a click on a date that day.
func TestDaysAtAGlance(t *testing.T) {
	b, tab := opened(t)
	threeDays(tab)
	tab.Source.Loaded = 1
	d := &tab.Days
	if !d.Available() {
		t.Fatal("there are no days")
	}
	d.ShowMetric("kernel.all.load")
	b.AttendDays()
	b.run()
	if d.Fault != "" || len(d.Result.Days) != 1 || math.IsNaN(d.Result.Average[24*0+10]) { // what was logged are ten minutes from 10:01:25
		t.Fatalf("%q, %d days", d.Fault, len(d.Result.Days))
	}
	if d.Picked != 0 {
		t.Errorf("day %d is laid over others", d.Picked)
	}
	d.Go(0, 10)
	midnight := tab.Clock.Midnight(start)
	if tab.Window.Start != midnight+10*3600*second || tab.Window.Len() != int64(time.Hour) {
		t.Errorf("an hour shows %v", tab.Window)
	}
	d.Go(0, -1)
	if tab.Window.Start != tab.Source.Start || tab.Window.End != midnight+24*3600*second {
		t.Errorf("a day shows %v", tab.Window)
	}
	d.Go(7, 1) // beside the calendar
	d.Choose("disk.all.read")
	b.AttendDays()
	b.run()
	if d.Measure.Expression != "kernel.all.load" {
		t.Errorf("an invalid measure is shown: %+v", d.Measure)
	}
	b.AttendDays()
	b.run()
	if !d.UnusualKnown {
		t.Error("it is not known which days were unusual")
	}
}

// Days begin at midnight on the host's clock, also where it is changed.
func TestMidnights(t *testing.T) {
	_, tab := opened(t)
	if got := tab.Clock.Midnight(start); got != pcp.MakeTime(1523851200, 0) { // 2018-04-16 04:00 UTC
		t.Errorf("midnight is %v", got.Std().UTC())
	}
	if tab.Clock.NextDay(start)-tab.Clock.Midnight(start) != 24*3600*second {
		t.Error("a day has another length")
	}
}

// The windows of a comparison are typed like any: what is a time moves them,
// what is none is refused with a sentence, and nothing moves.
func TestTypedComparison(t *testing.T) {
	b, tab := opened(t)
	tab.Compare.Begin()
	b.run()
	if from, to := tab.Compare.Texts("A"); from != "2018-04-16 10:01:25" || to != "2018-04-16 10:06:25" {
		t.Errorf("A is %s to %s", from, to)
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
				t.Errorf("%q to %q is taken: %q, %v", x.from, x.to, tab.Compare.Refused, got)
			}
			continue
		}
		if tab.Compare.Refused != "" || got.Start != start+pcp.Time(x.start)*second || got.End != start+pcp.Time(x.end)*second {
			t.Errorf("%q to %q: %q, %v to %v", x.from, x.to, tab.Compare.Refused, got.Start.Since(start), got.End.Since(start))
		}
	}
}

// A day that is chosen for a window of a comparison is cut to its source; one beside
// the source moves nothing.
func TestChosenComparison(t *testing.T) {
	b, tab := opened(t)
	tab.Compare.Begin()
	b.run()
	a := tab.Compare.A
	tab.Compare.Set("B", tab.Clock.Midnight(start), start+60*second)
	b.run()
	if _, got := tab.Compare.Side("B"); got.Start != start || got.End != start+60*second || tab.Compare.A != a {
		t.Errorf("B is %v to %v", got.Start.Since(start), got.End.Since(start))
	}
	tab.Compare.Set("A", tab.Clock.Midnight(start)-48*3600*second, tab.Clock.Midnight(start)-24*3600*second)
	if tab.Compare.A != a {
		t.Errorf("A is %+v, a day that is not in the source", tab.Compare.A)
	}
}
