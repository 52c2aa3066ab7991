package app

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/compare"
	"pcpscope/web/report"
	"pcpscope/web/session"
	"pcpscope/web/timeline"
)

// holds reports which texts are missing from another, ignoring line breaks.
func holds(t *testing.T, text string, wants ...string) {
	t.Helper()
	flat := strings.Join(strings.Fields(text), " ")
	for _, want := range wants {
		if !strings.Contains(flat, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
}

// A report has every section for which there is data, and texts of the archive
// cannot act as markup in it.
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
		History: []api.Event{{At: start, Kind: "kernel", Text: "kernel: 4.13, was 4.12"}, {At: start, Kind: "outage", Text: "told as such"}},
	}
	tab.Notes = []session.Note{{At: start + 10*second, Text: "here [it] <script>began"}}
	b.Version = "1.2"
	tab.Rules.List = []api.Rule{{Text: "disk busy", Value: 90, Usual: 85, Unit: "%", From: "pmieconf"}, {Text: "load", Value: 2.5, Usual: 2.5, From: "our choice"}}
	got := tab.Reports.known().Text(true)
	holds(t, got,
		"# brolley-t530, 10 min · 16 Apr 2018 -",
		`- kernel: 4.13\|\<b>\*x\*`,
		"- CPUs: not logged",
		"- fingerprint: abc",
		`- a\_b.0, byte 1,234,567: The record is cut short. It was left out.`,
		"- Disks: utilisation sdb 100 %; saturation 305 in flight; errors cannot judge",
		"- **Warning**, 16 Apr 2018 10:02:25 – 10:07:25 UTC−4: sdb 100 % busy for 5 min. Rule: disk busy above 85 %.",
		"- 16 Apr 2018 10:01:25 UTC−4: The clock stepped. Rule: a record before the one before it.",
		"- 16 Apr 2018 10:01:25 UTC−4: kernel: 4.13, was 4.12.",
		`- 16 Apr 2018 10:01:35 UTC−4: here \[it\] \<script>began`,
		"- disk busy: 90 %, usually 85",
		"Made by pcpscope 1.2.")
	if strings.Contains(got, "What changed") || strings.Contains(got, "told as such") || strings.Contains(got, "2.5") {
		t.Errorf("the report has sections without content, or hidden panels:\n%s", got)
	}
	plain := tab.Reports.known().Text(false)
	holds(t, plain, "kernel: 4.13|<b>*x*", "a_b.0, byte 1,234,567", "Warning, 16 Apr 2018")
	page := tab.Reports.paged().HTML()
	holds(t, page, "<h1>brolley-t530</h1>", "<td>4.13|&lt;b&gt;*x*</td>", "here [it] &lt;script&gt;began", "<td>disk busy</td><td class=\"n\">90</td><td>%</td><td class=\"n\">85</td><td>pmieconf</td>",
		"16 Apr 2018, 10:01:25 – 10:11:25 UTC−4", "<h3>kernel.all.load", "1 minute</td>")
	if strings.Contains(page, "<script") {
		t.Error("the report has a script")
	}
	b.Layout.Comparing = true
	tab.Compare.State = compare.State{A: timeline.Window{Start: start, End: start + 60*second}, B: timeline.Window{Start: start + 60*second, End: start + 120*second}, Effect: 0.3, Shift: 0.05, Off: map[string]bool{"Processes": true},
		Result: &api.Comparison{Compared: 1010, Differ: 1},
		Shown: []api.Change{{Metric: "kernel.all.load", Instance: &api.InstanceRef{Name: "1 minute"}, MedianA: 0.5, MedianB: 3.5, Shift: 3, Effect: 1, With: []string{"a", "b", "c", "d"}},
			{Metric: "mem.util.free", Oneline: "free memory", Name: "Free memory", Units: "Kbyte", MedianA: 2048, MedianB: 1024, Shift: -1024, Effect: -1}}}
	holds(t, tab.Reports.known().Text(true),
		"From A, 16 Apr 2018 10:01:25 – 10:02:25 UTC−4, to B, 16 Apr 2018 10:02:25 – 10:03:25 UTC−4. 1 of 1,010 series differ: those with an effect of at least 0.30 and a median or mean that shifts by at least 5 %, beyond what such series do anyway.",
		"Left out: Processes.",
		"- Free memory: mem.util.free: 2.00 to 1.00 MiB, shift −1.00, effect −1.00",
		`- kernel.all.load\[1 minute\]: 0.50 to 3.50, shift 3.00, effect +1.00; with it a, b, c and 1 more`)
	holds(t, tab.Reports.paged().HTML(), "<td>Free memory: mem.util.free</td><td>MiB</td><td class=\"n\">2.00</td>")
}

// The text report on months of data fits a terminal, 80 lines of 80 columns, with
// all findings.
func TestTextOfMonthsFits(t *testing.T) {
	_, tab := opened(t)
	long := strings.Repeat("words that take room and ", 6)
	o := &api.Overview{}
	for range 12 {
		o.Findings = append(o.Findings, api.Finding{Level: "look", Text: "This " + long + "end", Rule: "a rule", Start: start, End: start + 60*second})
		o.Who = append(o.Who, api.Fact{Name: "a fact", Value: "a value"})
	}
	for range 400 {
		o.History = append(o.History, api.Event{At: start, Kind: "boot", Text: "Host rebooted."})
		o.Boots = append(o.Boots, start)
		tab.Source.Problems = append(tab.Source.Problems, pcp.Fault{File: strings.Repeat("folder-", 20) + "x.0", Message: "It is damaged.", Done: long})
	}
	tab.Findings.Overview = o
	text := tab.Reports.known().Text(true)
	rows := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(rows) > 80 || strings.Count(text, "**Warning**") != 12 || !strings.Contains(text, "more problem") || !strings.Contains(text, "more change") {
		t.Errorf("%d lines, want 80 or fewer with all 12 warnings:\n%s", len(rows), text)
	}
	for _, row := range rows {
		if utf8.RuneCountInString(row) > 80 {
			t.Errorf("a line of %d characters, want 80 or fewer: %s", utf8.RuneCountInString(row), row)
		}
	}
}

// A report includes panels never scrolled to. What is printed at once says that they
// have not been read; a report that can wait fetches them.
func TestReportHasAllPanels(t *testing.T) {
	b, tab := opened(t)
	tab.Dashboard.SetPanels([][]string{{"kernel.all.load"}, {"disk.all.read"}, {"mem.physmem"}})
	b.run()
	for _, p := range tab.Dashboard.Panels[1:] {
		p.away = true
	}
	tab.ShowLast(0)
	tab.Zoom(start, start+300*second)
	b.run()
	if now := b.Share.Printed(); strings.Count(now, "<h3>") != 3 || strings.Count(now, "had not been read") != 2 {
		t.Errorf("want two of three panels without values; printed: %s", now)
	}
	tab.Dashboard.SetPanels([][]string{{"kernel.all.load"}, {"disk.all.read"}})
	tab.Dashboard.Panels[1].forget()
	tab.Dashboard.Panels[1].away, tab.Dashboard.Panels[1].stale, tab.Dashboard.Panels[1].Loading = true, true, false
	b.run()
	if now := b.Share.Printed(); strings.Count(now, "had not been read") != 1 {
		t.Errorf("want one panel without values; printed: %s", now)
	}
	var made *report.Report
	tab.Reports.Page(func(r *report.Report) { made = r })
	b.run()
	if page := made.HTML(); strings.Contains(page, "had not been read") || strings.Count(page, `class="plot"`) != 2 {
		t.Error("the report lacks the chart of a panel")
	}
	tab.Dashboard.Panels[0].away, tab.Dashboard.Panels[0].stale = true, true
	if !b.Share.Complete() {
		t.Error("Complete() = false, want true: a panel out of sight is stale")
	}
	b.run()
	if b.Share.Complete() || tab.Dashboard.Panels[0].stale || !tab.Dashboard.Panels[0].Offscreen() {
		t.Error("Complete() = true, or the panel is still stale or within sight")
	}
}
