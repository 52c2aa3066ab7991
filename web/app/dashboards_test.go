package app

import (
	"math"
	"slices"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/panel"
)

// The grouping of cgroups applies to all their panels, and is part of links and
// sessions.
func TestGroupingIsKept(t *testing.T) {
	_, tab := opened(t)
	if tab.Dashboard.Grouping() != "" {
		t.Errorf("Grouping() = %q, want none without cgroups", tab.Dashboard.Grouping())
	}
	tab.Dashboard.Panels = []*Panel{{ID: 1, Settings: panel.Settings{Metrics: []string{"x"}}}, {ID: 2, Settings: panel.Settings{Metrics: []string{"a"}, InnermostOnly: true}}, {ID: 3, Settings: panel.Settings{Metrics: []string{"b"}, InnermostOnly: true}}}
	for _, by := range []string{BySlice, AllGroups, Innermost, AllGroups, BySlice} {
		tab.Dashboard.SetGrouping(by)
		if tab.Dashboard.Grouping() != by || tab.Dashboard.Panels[0].Slices || tab.Dashboard.Panels[0].Whole || tab.Dashboard.Panels[1].Slices != tab.Dashboard.Panels[2].Slices || tab.Dashboard.Panels[1].Whole != tab.Dashboard.Panels[2].Whole || tab.Dashboard.Panels[1].Slices && tab.Dashboard.Panels[1].Whole {
			t.Errorf("grouping by %s: got %s, settings %+v", by, tab.Dashboard.Grouping(), tab.Dashboard.Panels[1].Settings)
		}
	}
	if p, ok := tab.Dashboard.Panels[1].Saved(nil).Restored(nil); !ok || !p.Slices || p.Whole {
		t.Errorf("restored panel = %+v, want grouped by slice", p)
	}
	tab.Dashboard.Change(2, (*panel.Settings).ToggleWhole)
	if p := tab.Dashboard.Panels[1]; p.Slices || !p.Whole {
		t.Errorf("after choosing all groups in its menu: %+v, want Whole without Slices", p)
	}
}

// The worst minute of an overview strip with a value every ten seconds.
func TestWorstMinute(t *testing.T) {
	_, tab := opened(t)
	tab.Pulse = Pulse{tab: tab, Start: start}
	for i := range 30 {
		v := 0.1
		if i >= 12 && i < 18 { // the values at 120 s to 170 s: the time from 110 s to 170 s
			v = 0.9
		}
		if i == 25 {
			v = 1 // one peak is no minute
		}
		tab.Pulse.Times, tab.Pulse.Values = append(tab.Pulse.Times, float64(10*i)), append(tab.Pulse.Values, v)
	}
	worst, mean, ok := tab.Pulse.WorstMinute()
	if !ok || math.Abs(mean-0.9) > 1e-9 || worst.Start != start+110*second+second/4 || worst.End != start+170*second+second/4 { // a little late, so that samples are within
		t.Errorf("WorstMinute() = mean %v, from %v to %v, %v; want 0.9, from 110.25 s to 170.25 s, true", mean, worst.Start.Since(start), worst.End.Since(start), ok)
	}
	tab.Pulse.Values[14] = math.NaN()
	if worst, _, _ := tab.Pulse.WorstMinute(); worst.Start == start+110*second+second/4 {
		t.Error("a minute without all its values is the worst")
	}
}

// Which texts, typed as a time, are durations after the start.
func TestLengths(t *testing.T) {
	for text, want := range map[string]bool{"+10min": true, "10 min": true, "1.5hours": true, "@10:00": false, "10:30": false, "-5min": false, "": false} {
		if got := length().MatchString(text); got != want {
			t.Errorf("%q is a duration: got %v, want the opposite", text, got)
		}
	}
}

// The key g moves the cursor to the next landmark, and from the last to the first.
func TestLandmarks(t *testing.T) {
	b, tab := opened(t)
	a := b.App
	tab.Source.Gaps = []api.Gap{{Start: start + 100*second, End: start + 100*second, Why: "mark"}}
	tab.Findings.Overview = &api.Overview{Boots: []pcp.Time{start - second, start + 300*second}}
	var visited []pcp.Time
	for range 3 {
		if !a.Cursor.NextLandmark(tab) {
			t.Fatal("NextLandmark() = false, want three landmarks")
		}
		visited = append(visited, (a.Cursor.At-start)/second)
	}
	if !slices.Equal(visited, []pcp.Time{100, 300, 100}) { // a start before the source is none of its
		t.Errorf("landmarks = %v, want 100, 300, 100", visited)
	}
}

// A table of one moment fetches the whole window, unless that is too many values:
// then it fetches only those around the cursor, again each time the cursor moves.
func TestTableOfOneMoment(t *testing.T) {
	b, tab := opened(t)
	asks := func(metrics int) (from, to pcp.Time, texts bool) {
		p := &Panel{Settings: panel.Settings{Metrics: append(slices.Repeat([]string{"kernel.all.load"}, metrics), "kernel.uname.release"), Style: "table"}}
		tab.Dashboard.Panels = []*Panel{p}
		tab.data.fetch(p)
		b.run()
		q := b.engine.queries[len(b.engine.queries)-1]
		return pcp.Time(*q.Start.Nanos) - start, pcp.Time(*q.End.Nanos) - start, q.Mode == ""
	}
	if from, to, texts := asks(10); from > 0 || to < 600*second || !texts {
		t.Errorf("a table of 31 lines fetches %d s to %d s, want the whole window with texts", from/second, to/second)
	}
	if from, to, texts := asks(3400); from < 560*second || to < 600*second || to > 610*second || !texts {
		t.Errorf("a table of 10,201 lines fetches %d s to %d s, want the last seconds with texts", from/second, to/second)
	}
	b.Cursor.At, b.Cursor.On = start+303*second, true
	before := len(b.engine.queries)
	for range 3 {
		b.RefreshTables()
		b.run()
	}
	q := b.engine.queries[len(b.engine.queries)-1]
	if from, to := pcp.Time(*q.Start.Nanos)-start, pcp.Time(*q.End.Nanos)-start; from < 260*second || from > 280*second || to < 303*second || to > 313*second {
		t.Errorf("with the cursor at 303 s it fetches %d s to %d s, want only around the cursor", from/second, to/second)
	}
	if n := len(b.engine.queries) - before; n != 1 {
		t.Errorf("after moving the cursor once: %d fetches, want 1", n)
	}
}

// Of two dashboards chosen one right after the other the second is shown, whichever comes
// first.
func TestLastChosenDashboardIsShown(t *testing.T) {
	b, tab := opened(t)
	tab.Dashboard.Open("overview")
	tab.Dashboard.Open("disks")
	slices.Reverse(b.jobs)
	b.run()
	if shown := tab.Dashboard.Shown; shown == nil || shown.ID != "disks" {
		t.Errorf("shown is %+v, want the disks", shown)
	}
}
