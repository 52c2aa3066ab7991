package app

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

// Boots returns the known boot times of the host.
func (f *Findings) Boots() []pcp.Time {
	if f.Overview == nil {
		return nil
	}
	return f.Overview.Boots
}

// Findings are the results of analysing a source.
type Findings struct {
	Overview  *api.Overview // nil until the source has been read
	Inspected               // results of an inspection
	SparkRev  int           // incremented with the sparklines

	weights  map[string]api.Activity // space taken by metrics, by name; nil until known
	largest  []api.Activity          // the same by size, each metric once
	allBytes int64                   // total of all metrics
	asking   bool                    // the overview has been requested
	tab      *Tab
}

// start requests the findings of the source and shows its first dashboard: the overview if
// there is one, which is known sooner than the list of all.
func (f *Findings) start() {
	tab := f.tab
	tab.app.work(func() func() {
		dashboard, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Dashboard, rpc.DashboardRequest{Source: tab.Source.ID, ID: overviewID}, nil)
		return func() {
			early := err == nil && len(dashboard.Panels) >= leastOverview
			if early {
				f.open(&dashboard)
			}
			tab.data.afterPanels(func() { f.listInTime(early) })
		}
	})
}

// open shows the first dashboard, unless panels were added or restored in the meantime. A
// source with one sample has no rates, which dashboards need.
func (f *Findings) open(dashboard *api.Dashboard) {
	tab := f.tab
	switch {
	case len(tab.Dashboard.Panels) > 0 || tab.resuming:
	case len(dashboard.Panels) == 0 || tab.Source.Kind == "mmv":
		overview(tab)
	default:
		tab.Dashboard.set(dashboard)
	}
}

// patience is how long the list of dashboards is not requested while a source is read: once
// that is done, it is requested with its headlines.
const patience = time.Second

// listInTime requests the list of dashboards if the source is not read soon.
func (f *Findings) listInTime(shown bool) {
	tab := f.tab
	switch {
	case !shown || tab.Source.OnDemand:
		f.list(shown)
	case tab.Source.Loaded >= 1:
		f.load()
	default:
		tab.app.Go(func() {
			select {
			case <-time.After(patience):
			case <-tab.ctx.Done():
				return
			}
			tab.app.Loop.Lock()
			if tab.Source.Loaded < 1 {
				f.list(shown)
			}
			tab.app.Loop.UnlockRender()
		})
	}
}

// list requests the list of dashboards, and the first one unless it is shown already.
func (f *Findings) list(shown bool) {
	tab := f.tab
	tab.app.work(func() func() {
		dashboards, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Dashboards, rpc.SourceRequest{Source: tab.Source.ID}, nil)
		dashboard := api.Dashboard{}
		if id := firstDashboard(dashboards); err == nil && id != "" && !shown {
			dashboard, err = rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Dashboard, rpc.DashboardRequest{Source: tab.Source.ID, ID: id}, nil)
		}
		return func() {
			tab.Dashboard.List = dashboards
			tab.Pulse.reload()
			f.SparkRev++
			if !shown {
				if err != nil {
					dashboard.Panels = nil
				}
				f.open(&dashboard)
			}
			f.load()
		}
	})
}

// overviewID is the dashboard of the whole system. With fewer panels than leastOverview it
// says little but what was not logged; the dashboard that is about its panel says more.
const (
	overviewID    = "overview"
	leastOverview = 2
)

// firstDashboard is the dashboard to start with: the system overview, else the one with the
// most data. The collector's own dashboard and those of tools are not what users look for
// first.
func firstDashboard(list []api.DashboardInfo) string {
	first, panels := "", -1
	for _, b := range list {
		n := 1 + b.Panels // 0 and 1 are for what comes last
		switch {
		case !b.Available:
			continue
		case b.ID == overviewID && b.Panels >= leastOverview:
			return b.ID
		case b.ID == "collector" || b.Group == toolDashboards || b.ID == overviewID:
			n = 0
		case b.ID == "tree-hinv": // what the host has, not what it did
			n = 1
		}
		if n > panels {
			first, panels = b.ID, n
		}
	}
	return first
}

// Headings in the list of dashboards.
const (
	toolDashboards      = "Tool layouts"     // modelled on tools
	generatedDashboards = "From the archive" // made for metrics that no other shows
)

// load requests the overview of a source that has been read, and then the dashboards
// again: they now have headlines, and omit what has no values.
func (f *Findings) load() {
	if f.tab.Source.Loaded < 1 || f.Overview != nil || f.asking {
		return
	}
	f.asking = true
	f.tab.data.afterPanels(f.assess)
}

// assess requests everything that depends on the whole source, and on its rules.
func (f *Findings) assess() {
	tab := f.tab
	f.asking = true
	tab.app.work(func() func() {
		o, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Overview, rpc.SourceRequest{Source: tab.Source.ID}, nil)
		var dashboard api.Dashboard
		dashboards, failed := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Dashboards, rpc.SourceRequest{Source: tab.Source.ID}, nil)
		err = cmp.Or(err, failed)
		shown := f.shownDashboard()
		if err == nil && shown != "" {
			dashboard, err = rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Dashboard, rpc.DashboardRequest{Source: tab.Source.ID, ID: shown}, nil)
		}
		return func() {
			f.asking = false
			if failed == nil {
				tab.Dashboard.List = dashboards
			}
			if err != nil {
				tab.app.failed(err)
				return
			}
			f.Overview = &o
			tab.Pulse.reload()
			f.SparkRev++
			tab.Story.load()
			tab.app.windowChanged() // findings are shown on the time axis
			if tab.Dashboard.Shown != nil && shown != "" && tab.Dashboard.Shown.ID == dashboard.ID {
				tab.Dashboard.adopt(&dashboard)
			}
		}
	})
}

func (f *Findings) shownDashboard() string {
	f.tab.app.Loop.Lock()
	defer f.tab.app.Loop.UnlockOnly()
	if f.tab.Dashboard.Shown == nil {
		return ""
	}
	return f.tab.Dashboard.Shown.ID
}

// List returns the findings known so far.
func (f *Findings) List() []api.Finding {
	if f.Overview == nil {
		return nil
	}
	return f.Overview.Findings
}

// Count counts errors, warnings and notes.
func (findings *Findings) Count() (broken, look, know int) {
	for _, f := range findings.List() {
		switch f.Level {
		case "broken":
			broken++
		case "look":
			look++
		default:
			know++
		}
	}
	return broken, look, know
}

// ShowSpan shows a time range with some context, and moves the cursor to its start. A
// range that covers more than half of the span leaves the window unchanged.
func (f *Findings) ShowSpan(start, end pcp.Time) { f.showSpan(start, end, 0, start) }

// ShowSample does so for the time between two records, and moves the cursor to the second
// one, which has the value.
func (f *Findings) ShowSample(start, end pcp.Time) { f.showSpan(start, end, 0, end) }

// showSpan does so with at least this much context.
func (f *Findings) showSpan(start, end, around, cursor pcp.Time) {
	around = max(around, (end-start)/2, 60e9)
	if int64(end-start) < f.tab.Whole().Len()/2 {
		f.tab.Zoom(start-around, end+around)
	}
	f.tab.app.Cursor.Set(max(cursor, f.tab.Window.Start))
}

// ShowWorst shows the worst occurrence, with enough context that its metrics have values
// there. Of levels, the cursor is at the first record within; else behind it: at the one
// before, and at the first of all, rates are those of another time, or none.
func (findings *Findings) ShowWorst(f api.Finding) {
	tab := findings.tab
	at := pcp.Span{Start: f.Start, End: f.End}
	if f.Worst != nil {
		at = *f.Worst
	}
	tab.app.work(func() func() {
		rarest := int64(0)
		for _, often := range tab.data.cadences(f.Metrics) {
			rarest = max(rarest, int64(often.Usual))
		}
		inside := at.Start
		if tab.hasRates(f.Metrics) {
			inside = min(at.End, at.Start+pcp.Time(rarest+rarest/4))
		}
		return func() { findings.showSpan(at.Start, at.End, pcp.Time(3*rarest), inside) }
	})
}

// hasRates reports whether one of a finding's metrics is of the time since the previous
// record: a counter, or a real number, which may be a rate or a share of time. Metrics may
// be those of an instance: "filesys.full[/dev/sda1]".
func (tab *Tab) hasRates(metrics []string) bool {
	return slices.ContainsFunc(metrics, func(one string) bool {
		name, _, _ := strings.Cut(one, "[")
		m := tab.Metric(name)
		return m == nil || m.Semantics == "counter" || m.Type == "float" || m.Type == "double"
	})
}

// Explain explains the worst occurrence.
func (findings *Findings) Explain(f api.Finding) {
	at := pcp.Span{Start: f.Start, End: f.End}
	if f.Worst != nil {
		at = *f.Worst
	}
	findings.tab.Explain.Of(at.Start, at.End)
}

// Show shows an occurrence, on the dashboard it belongs to.
func (findings *Findings) Show(f api.Finding) {
	tab := findings.tab
	tab.app.Layout.Sheet = ""
	findings.ShowWorst(f)
	if f.Dashboard != "" && (tab.Dashboard.Shown == nil || tab.Dashboard.Shown.ID != f.Dashboard) {
		for _, b := range tab.Dashboard.List {
			if b.ID == f.Dashboard && b.Available {
				tab.Dashboard.Open(b.ID)
			}
		}
	}
}
