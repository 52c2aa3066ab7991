package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// chartTable reads the table of a panel that is shown as one: the header, then
// the rows.
func chartTable(p *page, metric string) [][]string {
	return eval[[][]string](p, fmt.Sprintf(`((e) => [[...e.querySelectorAll('[role="columnheader"]')], ...[...e.querySelectorAll('[data-testid="vt-row"]')].map((r) => [...r.children])].map((r) => r.map((c) => c.innerText.replaceAll("\n", " ").trim())))(document.querySelector('[data-testid="panel"][data-metrics="%s"] .vt'))`, metric))
}

// Everything a chart draws, in any style, is also in its table for screen
// readers: ten seconds of web01 as bars, a heat map, state lanes, and event
// marks.
//
// The grid starts at 03:49:02.315072, as in web01's label, in whole seconds.
// Rates are those of pmval -z -S @03:50:19.315072 -t 1sec -f 4 (PCP 6.0.3), in
// percent. Instant values are those of the nearest record, as in PCP since
// 6.3.2: 20 ms later each time, as printed by pmdumplog -z. Event records and
// their times are those of pmdumplog.
func TestTablesSayWhatChartsDraw(t *testing.T) {
	p := openPage(t)
	click(p, id("time-menu"))
	typeInto(p, "time-from", "@03:50:20")
	typeInto(p, "time-to", "@03:50:30")
	click(p, id("time-show"))
	openTab(p, "tab-metrics")
	times := func(ms string) (list []string) {
		for s := 20; s < 30; s++ {
			list = append(list, fmt.Sprintf("03:50:%d.%s", s, ms))
		}
		return list
	}
	for _, tt := range []struct {
		metric, style string
		heads         []string
		columns       [][]string
	}{
		{"kernel.all.load", "style-bar", []string{"time", "1 minute", "5 minute", "15 minute"}, [][]string{
			times("315"),
			{"5.15", "5.15", "5.15", "5.15", "5.15", "5.38", "5.38", "5.38", "5.38", "5.38"},
			{"2.91", "2.91", "2.91", "2.91", "2.91", "3.00", "3.00", "3.00", "3.00", "3.00"},
			{"2.14", "2.14", "2.14", "2.14", "2.14", "2.17", "2.17", "2.17", "2.17", "2.17"},
		}},
		{"kernel.percpu.cpu.user", "style-heatmap", []string{"time", "% cpu0", "% cpu1"}, [][]string{
			times("315"),
			{"60.8", "59.6", "47.1", "50.1", "69.4", "90.5", "97.9", "66.9", "80.1", "87.9"},
			{"89.0", "59.4", "60.8", "66.1", "60.9", "61.9", "62.1", "58.2", "60.5", "67.9"},
		}},
		{"proc.runq.runnable", "style-state", []string{"time", "count runnable"}, [][]string{
			times("315"),
			{"3", "3", "3", "2", "4", "3", "3", "1", "3", "3"},
		}},
		{"sample.event.records", "style-event", []string{"time", "fungus", "bogus"}, [][]string{
			{"03:50:20.334", "03:50:21.332", "03:50:22.334", "03:50:23.332", "03:50:24.333", "03:50:25.333", "03:50:26.332", "03:50:27.332", "03:50:28.336", "03:50:29.334"},
			{"no event", "type 1; type 2, param_64 -3", "no event", "type 1; type 2, param_64 -3", "no event", "type 1; type 2, param_64 -3", "no event", "type 1; type 2, param_64 -3", "no event", "type 1; type 2, param_64 -3"},
			{"param_string fetch #313", "param_string fetch #317", "param_string fetch #321; param_string bingo!", "param_string fetch #325", "param_string fetch #329", "param_string fetch #333; param_string bingo!", "param_string fetch #337", "param_string fetch #341", "param_string fetch #345; param_string bingo!", "param_string fetch #349"},
		}},
	} {
		t.Run(tt.style, func(t *testing.T) {
			if tt.metric != "kernel.all.load" { // its panel exists already
				pick(p, tt.metric)
				click(p, id("add-new-panel"))
			}
			if tt.style != "style-event" { // the default style of event records
				choose(p, tt.metric, tt.style)
			}
			shortcut(p, "t")
			eval[bool](p, fmt.Sprintf(`(document.querySelector('[data-testid="panel"][data-metrics="%s"]').scrollIntoView(), true)`, tt.metric))
			p.idle()
			got := chartTable(p, tt.metric)
			if len(got) == 0 || !slices.Equal(got[0], tt.heads) {
				t.Fatalf("the table is %q, want the heads %q", got, tt.heads)
			}
			for c, want := range tt.columns {
				var column []string
				for _, row := range got[1:] {
					column = append(column, row[min(c, len(row)-1)])
				}
				if !slices.Equal(column, want) {
					t.Errorf("%s is\n%s, want\n%s", tt.heads[c], strings.Join(column, " | "), strings.Join(want, " | "))
				}
			}
			p.shot("table-" + tt.style)
			shortcut(p, "t")
		})
	}
}
