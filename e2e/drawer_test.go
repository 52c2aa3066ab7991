package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// rows are the rows of a table that are in the page: the texts of their cells.
func rows(p *page, table string) [][]string {
	p.t.Helper()
	return eval[[][]string](p, fmt.Sprintf(`[...document.querySelectorAll('[data-testid="%s"] [data-testid="vt-row"]')].map((r) => [...r.children].map((c) => c.innerText))`, table))
}

// heads are its columns.
func heads(p *page, table string) []string {
	p.t.Helper()
	return eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll('[data-testid="%s"] [data-testid="vt-head"] span')].map((r) => r.innerText)`, table))
}

// The drawer's tables: a summary as pmlogsummary has it, the records as they
// were logged, both filtered, sorted and as text for a spreadsheet.
func TestDrawerTables(t *testing.T) {
	p := openPage(t)
	click(p, id("tab-summary"))
	p.idle()
	eval[bool](p, `(() => { const f = document.querySelector('[data-testid="summary-rows-filter"]'); f.value = "^kernel.all.load$"; f.dispatchEvent(new Event("input")); return true })()`)
	got := rows(p, "summary-table")
	at := slices.Index(heads(p, "summary-table"), "maximum")
	if len(got) != 3 || got[0][1] != "1 minute" || got[0][at] != "5.38" || got[1][at] != "3.05" { // pmlogsummary -F web01 kernel.all.load: 5.38, 3.05, 2.21
		t.Errorf("the summary of the load reads %q", got)
	}
	p.shot("drawer-summary")
	click(p, `[data-testid="panel"][data-metrics="kernel.all.load"] `+id("panel-title"))
	click(p, `[data-testid="panel"][data-metrics="kernel.all.load"] `+id("panel-menu"))
	press(p, "\x1b")
	left, top, width, height := plot(p, "kernel.all.load")
	mouse(p, input.DispatchMouseEventTypeMousePressed, left+width/2, top+height/2, 1)
	mouse(p, input.DispatchMouseEventTypeMouseReleased, left+width/2, top+height/2, 0)
	p.idle()
	click(p, id("tab-records"))
	p.idle()
	list := rows(p, "records-table")
	if len(list) < 3 || list[0][1] != "kernel.all.load" || list[0][2] != "1 minute" {
		t.Errorf("the records begin with %q", list[:min(3, len(list))])
	}
	// pmval -U web01 kernel.all.load begins at 03:49:02 with 1.25 1.35 1.45... ; the first value must be one that the chart can show
	if len(list) > 0 && !strings.HasPrefix(list[0][0], "03:49:0") {
		t.Errorf("the first record is of %q", list[0][0])
	}
	p.shot("drawer-records")
}

// Who used the CPU at a moment: the table of processes at the cursor.
func TestProcessTable(t *testing.T) {
	if shared == "" {
		t.Skip("the big archive is not here")
	}
	p := openBig(t)
	click(p, `[data-board="processes"] button`)
	click(p, id("tab-processes"))
	p.idle()
	list, columns := rows(p, "processes-table"), heads(p, "processes-table")
	command, cpu := slices.Index(columns, "Command"), slices.Index(columns, "CPU")
	if command < 0 || cpu < 0 || len(list) < 10 {
		t.Fatalf("the table has the columns %q and %d rows", columns, len(list))
	}
	if !slices.ContainsFunc(list, func(r []string) bool { return r[command] == "in no sample" }) {
		t.Errorf("what no process accounts for is not said: %q", list[:3])
	}
	eval[bool](p, `(() => { const f = document.querySelector('[data-testid="processes-rows-filter"]'); f.value = "cc1plus"; f.dispatchEvent(new Event("input")); return true })()`)
	for _, r := range rows(p, "processes-table") {
		if r[command] != "cc1plus" {
			t.Errorf("the filter lets %q through", r)
		}
	}
	p.shot("processes")
}
