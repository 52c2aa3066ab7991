package app

import (
	"fmt"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/metric"
	"pcpscope/web/panel"
	"pcpscope/web/table"
	"pcpscope/web/timeline"
)

// Drawer holds the table below the panels.
type Drawer struct {
	Table  *table.Table // nil if there is none
	at     pcp.Time     // the time of tables that show a single time
	pinned bool         // at is set; otherwise the table covers the whole window
	rev    int          // of the cursor, when that was decided
	key    string       // identifies the request that Table answers
	busy   bool
	tab    *Tab
}

// PickRow handles a click on a row of the drawer's table.
func (a *App) PickRow(row int) {
	tab := a.current
	if tab == nil || tab.Drawer.Table == nil || tab.Drawer.Table.Page != a.Layout.Drawer {
		return
	}
	switch a.Layout.Drawer {
	case "problems":
		if list := tab.Findings.Problems(); row >= 0 && row < len(list) {
			tab.Findings.ShowProblem(list[row])
		}
	case "metrics":
		if row >= 0 && row < len(tab.Metrics) {
			tab.Select(tab.Metrics[row].Name)
		}
	}
}

// RefreshDrawer keeps the drawer's table in step with the page. It is called before each
// drawing and after each move of the cursor, under the lock.
func (a *App) RefreshDrawer() {
	tab := a.current
	if tab == nil || a.Layout.Drawer == "" {
		return
	}
	d := &tab.Drawer
	switch {
	case a.Cursor.On:
		d.at, d.pinned, d.rev = a.Cursor.At, true, a.Cursor.Rev
	case d.rev != a.Cursor.Rev: // removed, not just moved off the chart
		d.pinned, d.rev = false, a.Cursor.Rev
	}
	if d.pinned && (d.at < tab.Window.Start || d.at > tab.Window.End) {
		d.pinned = false
	}
	known, _ := tab.Tree.ActivityKnown()
	key := a.Layout.Drawer + fmt.Sprint(tab.Window, tab.Source.Loaded)
	load := tab.Drawer.loadSummary
	switch a.Layout.Drawer {
	case "cursor":
		key, load = "cursor"+fmt.Sprint(d.at, d.pinned, tab.Dashboard.shownRev()), tab.Drawer.loadCursor
	case "processes":
		key, load = key+fmt.Sprint(d.at, d.pinned), tab.Drawer.loadProcesses
	case "summary":
	case "records":
		key, load = key+fmt.Sprint(tab.Drawer.recorded()), tab.Drawer.loadRecords
	case "metrics":
		key, load = "metrics"+fmt.Sprint(len(tab.Metrics), known), tab.Drawer.loadMetrics
	case "instances":
		key, load = "instances"+fmt.Sprint(tab.Selected, tab.Source.Loaded, tab.Source.End), tab.Drawer.loadInstances
	case "problems":
		key, load = "problems"+fmt.Sprint(len(tab.Source.Problems), tab.Source.Loaded, tab.Findings.Inspected.Done), tab.Drawer.loadProblems
	default:
		return
	}
	if key == d.key || d.busy {
		return
	}
	d.key = key
	load()
}

// Stale reports that the table does not yet match the page.
func (d *Drawer) Stale(page string) bool { return d.busy || d.Table == nil || d.Table.Page != page }

func (d *Drawer) show(t table.Table) { d.Table = &t }

// ask runs a query for the drawer off the loop and shows the result.
func (d *Drawer) ask(question func() (table.Table, error)) {
	page := d.tab.app.Layout.Drawer
	d.busy = true
	d.tab.app.work(func() func() {
		t, err := question()
		return func() {
			d.busy = false
			if err != nil {
				d.tab.app.failed(err)
				t = table.Table{SortBy: -1, Empty: pcp.AsFault(err).Message}
			}
			t.Page = page
			d.show(t)
		}
	})
}

// loadCursor lists the values at the cursor of everything the panels draw.
func (d *Drawer) loadCursor() {
	if !d.pinned {
		d.show(table.Cursor(nil, nil, d.tab.Clock))
		return
	}
	d.show(table.Cursor(&d.at, d.tab.ValuesAt(d.at), d.tab.Clock))
}

// loadProcesses lists the processes at the cursor, or over the window where
// there is none.
func (d *Drawer) loadProcesses() {
	tab := d.tab
	q := api.ProcessQuery{Source: tab.Source.ID, Start: timeline.When(tab.Window.Start), End: timeline.When(tab.Window.End)}
	at, pinned := d.at, d.pinned
	if pinned {
		q = api.ProcessQuery{Source: tab.Source.ID, At: timeline.When(at)}
	}
	window, clock := tab.Window, tab.Clock
	d.ask(func() (table.Table, error) {
		t, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Processes, q, nil)
		if err != nil {
			return table.Table{}, err
		}
		return table.Processes(t, pinned, window, clock), nil
	})
}

// loadSummary sums up every numeric series over the window.
func (d *Drawer) loadSummary() {
	tab := d.tab
	window, clock := tab.Window, tab.Clock
	d.ask(func() (table.Table, error) {
		var list []api.Summary
		q := rpc.SummaryPartRequest{Query: api.SummaryQuery{Source: tab.Source.ID, Start: timeline.When(window.Start), End: timeline.When(window.End), Measured: true}}
		for {
			part, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.SummaryPart, q, nil)
			if err != nil {
				return table.Table{}, err
			}
			list = append(list, part.Series...)
			if q.From = part.Next; q.From == 0 {
				return table.Summary(list, window, clock), nil
			}
		}
	})
}

// recorded are the metrics whose records are listed: those of the active
// panel, else the one whose details are shown.
func (d *Drawer) recorded() []string {
	tab := d.tab
	var list []string
	p := tab.Dashboard.find(tab.Dashboard.Active)
	if p == nil {
		if tab.Selected != "" {
			return []string{tab.Selected}
		}
		return nil
	}
	for _, expression := range p.Metrics {
		if tab.Metric(expression) != nil {
			list = append(list, expression)
			continue
		}
		for _, name := range metric.NamesIn(expression) {
			if tab.Metric(name) != nil && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// loadRecords lists what was logged of the active panel's metrics in the
// window: values as they are in the archive.
func (d *Drawer) loadRecords() {
	metrics, window := d.recorded(), d.tab.Window
	if len(metrics) == 0 {
		d.show(table.Table{Page: "records", SortBy: -1, Empty: "Click a panel to see what was logged for it."})
		return
	}
	d.ask(func() (table.Table, error) {
		single := func(name string) bool {
			m := d.tab.Metric(name)
			return m != nil && m.Type == "FLOAT"
		}
		for to := d.tab.data.firstRecords(metrics, window); ; to = window.End {
			f, err := d.tab.data.query(d.tab.ctx, api.Query{Metrics: metrics, Mode: "raw", Start: timeline.When(window.Start), End: timeline.When(to)})
			if err != nil {
				return table.Table{}, err
			}
			if t, full := table.Records(panel.DescribeEvents(f), metrics, single); full || to == window.End {
				return t, nil
			}
		}
	})
}

// firstRecords is until when a window is expected to have more records than the table
// lists; its end if that is most of it. It is slow work.
func (f *Fetcher) firstRecords(metrics []string, window timeline.Window) pcp.Time {
	values := 0
	for _, c := range f.cadences(metrics) {
		values += c.Records * max(1, c.Instances)
	}
	expected := float64(values) * float64(window.Len()) / float64(max(1, f.tab.Whole().Len()))
	if share := 1.5 * table.MaxRecords / max(1, expected); share < 0.5 {
		return window.Start + pcp.Time(share*float64(window.Len()))
	}
	return window.End
}

// loadMetrics lists all metrics of the source.
func (d *Drawer) loadMetrics() {
	tab := d.tab
	list, states, weights := tab.Metrics, tab.Tree.States(), tab.Findings.weights
	d.ask(func() (table.Table, error) {
		return table.Metrics(list, states, weights, tab.Source.Kind == "archive", func() { rpc.Yield(tab.app.Engine) }), nil
	})
}

// loadInstances lists every instance of the selected metric, with the times
// at which it was seen first and last.
func (d *Drawer) loadInstances() {
	m := d.tab.Metric(d.tab.Selected)
	if m == nil || m.InDom == nil {
		why := "Select a metric to see its instances."
		if m != nil {
			why = m.Name + " has no instances."
		}
		d.show(table.Table{Page: "instances", SortBy: -1, Empty: why})
		return
	}
	name, indom := m.Name, *m.InDom
	clock := d.tab.Clock
	d.ask(func() (table.Table, error) {
		return table.Instances(name, indom, d.tab.data.instancesOf(indom), clock), nil
	})
}

func (d *Drawer) loadProblems() {
	d.show(table.Problems(d.tab.Findings.Problems(), d.tab.Whole(), d.tab.Clock))
}
