package app

import (
	"testing"

	"pcpscope/web/table"
)

// Of a long window only the first records are listed, and no more than about these are
// fetched. The list is the same: all records up to the last one listed.
func TestFirstRecordsOfLongWindow(t *testing.T) {
	b := newBench(t)
	tab := b.open(t, written(t, "", volume{0, 600_000}))
	tab.Dashboard.SetPanels([][]string{{"kernel.all.load"}})
	tab.Dashboard.Active = tab.Dashboard.Panels[0].ID
	b.run()
	b.engine.queries = nil
	b.Layout.Drawer = "records"
	b.RefreshDrawer()
	b.run()
	d := tab.Drawer.Table
	if d == nil || d.Rows != table.MaxRecords {
		t.Fatalf("the table is %+v", d)
	}
	at, value := d.Columns[0].Numbers, d.Columns[3].Numbers
	for i := range at {
		// three instances every 10 s, whose values grow by one, two and three
		if k := i / 3; at[i] != at[0]+float64(10*k) || value[i] != float64(k*(i%3+1)) {
			t.Fatalf("value %d is %v at %v, want %v, %d s after the first", i, value[i], at[i], k*(i%3+1), 10*k)
		}
	}
	if q := b.engine.queries; len(q) != 1 || q[0].Mode != "raw" {
		t.Errorf("%d queries: %+v", len(q), q)
	} else if fetched := float64(*q[0].End.Nanos-*q[0].Start.Nanos) / 1e9; fetched > 300_000 {
		t.Errorf("%v s of 600,000 s were fetched", fetched)
	}
}
