package app

import (
	"strings"
	"testing"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/compare"
	"pcpscope/web/session"
	"pcpscope/web/timeline"
)

// A report says all that is known, and keeps what comes from the archive from
// being markup.
func TestReport(t *testing.T) {
	b, tab := opened(t)
	tab.Source.Fingerprint = "abc"
	at := int64(1234567)
	tab.Source.Problems = []pcp.Fault{{Message: "The record is cut short.", Done: "It was left out.", File: "a_b.0", Offset: &at}}
	tab.Findings.Overview = &api.Overview{
		Who:   []api.Fact{{Name: "kernel", Value: "4.13|<b>*x*"}},
		Tiles: []api.Tile{{Resource: "Disks", Utilisation: api.TileCell{Text: "sdb 100 %"}, Saturation: api.TileCell{Text: "305 in flight"}, Errors: api.TileCell{Text: "cannot judge"}}},
		Findings: []api.Finding{
			{Level: "look", Text: "sdb 100 % busy for 5 min", Start: start + 60*second, End: start + 360*second, Rule: "disk busy above 85 %"},
			{Level: "know", Text: "The clock stepped.", Start: start, End: start, Rule: "a record before the one before it"},
		},
	}
	tab.Notes = []session.Note{{At: start + 10*second, Text: "here [it] began"}}
	b.Version = "1.2"
	got := tab.report([]api.Rule{{Text: "disk busy", Value: 90, Usual: 85, Unit: "%", From: "pmieconf"}, {Text: "load", Value: 2.5, Usual: 2.5, From: "our choice"}}).Markdown()
	for _, want := range []string{
		"# brolley-t530, 10 min · 16 Apr 2018\n",
		`| kernel | 4.13\|\<b>\*x\* |`,
		"| CPUs | not logged |",
		"| fingerprint | abc |",
		`- a\_b.0, byte 1,234,567: The record is cut short. It was left out.`,
		"| Disks | sdb 100 % | 305 in flight | cannot judge |",
		"- **Warning**, 16 Apr 2018 10:02:25 – 10:07:25 UTC−4: sdb 100 % busy for 5 min. Rule: disk busy above 85 %.",
		"- 16 Apr 2018 10:01:25 UTC−4: The clock stepped. Rule: a record before the one before it.",
		`- 16 Apr 2018 10:01:35 UTC−4: here \[it\] began`,
		"| disk busy | **90** | % | 85 | pmieconf |",
		"| load | 2.5 |  | 2.5 | our choice |",
		"Made by pcpscope 1.2.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the report lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "What changed") {
		t.Error("nothing is compared")
	}
	b.Layout.Comparing = true
	tab.Compare.State = compare.State{A: timeline.Window{Start: start, End: start + 60*second}, B: timeline.Window{Start: start + 60*second, End: start + 120*second}, Effect: 0.3, Shift: 0.05, Off: map[string]bool{"Processes": true},
		Result: &api.Comparison{Compared: 1010, Differ: 1},
		Shown: []api.Change{{Metric: "kernel.all.load", Instance: &api.InstanceRef{Name: "1 minute"}, MedianA: 0.5, MedianB: 3.5, Shift: 3, Effect: 1, With: []string{"a", "b", "c", "d"}},
			{Metric: "mem.util.free", Oneline: "free memory", Name: "Free memory", Units: "Kbyte", MedianA: 2048, MedianB: 1024, Shift: -1024, Effect: -1}}}
	got = tab.report(nil).Markdown()
	for _, want := range []string{
		"From A, 16 Apr 2018 10:01:25 – 10:02:25 UTC−4, to B, 16 Apr 2018 10:02:25 – 10:03:25 UTC−4. 1 of 1,010 series differ: those with an effect of at least 0.30 and a median that shifts by at least 5 %.",
		"Left out: Processes.",
		"| Free memory: mem.util.free | MiB | 2.00 | 1.00 | −1.00 | −1.00 |  |",
		`| kernel.all.load\[1 minute\] |  | 0.50 | 3.50 | 3.00 | +1.00 | a, b, c and 1 more |`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the report lacks %q:\n%s", want, got)
		}
	}
}
