package app

import (
	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
)

// Boots are when the host started, as far as known.
func (f *Findings) Boots() []pcp.Time {
	if f.Overview == nil {
		return nil
	}
	return f.Overview.Boots
}

// Findings are what is known of a source beyond its values.
type Findings struct {
	Overview  *api.Overview // nil until the source has been read
	Inspected               // what an inspection found
	SparkRev  int           // changes with the small charts

	weights  map[string]api.Activity // how much room metrics take, by name; nil while not known
	largest  []api.Activity          // the same by size, each metric once
	allBytes int64                   // that all of them take
	asking   bool                    // the overview is under way
	tab      *Tab
}

// start asks what is known of the source and shows its first dashboard.
func (f *Findings) start() {
	tab := f.tab
	tab.app.work(func() func() {
		boards, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Dashboards, rpc.SourceRequest{Source: tab.Source.ID}, nil)
		board := api.Dashboard{}
		if id := firstDashboard(boards); err == nil && id != "" {
			board, err = rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Dashboard, rpc.DashboardRequest{Source: tab.Source.ID, ID: id}, nil)
		}
		return func() {
			tab.Dashboard.List = boards
			f.SparkRev++
			if len(tab.Dashboard.Panels) == 0 && !tab.resuming { // nothing was added or brought back meanwhile
				if err != nil || len(board.Panels) == 0 || tab.Source.Kind == "mmv" { // one moment has no rates, which dashboards are made of
					overview(tab)
				} else {
					tab.Dashboard.set(&board)
				}
			}
			f.load()
		}
	})
}

// firstDashboard is the dashboard to begin with: the system overview where there
// is one, else the one that has most to show of what was logged. How the
// collector fared, and what the tools print, is not what users ask first.
func firstDashboard(list []api.DashboardInfo) string {
	first, most := "", -1
	for _, b := range list {
		n := b.Panels
		switch {
		case !b.Available:
			continue
		case b.ID == "overview":
			return b.ID
		case b.ID == "collector" || b.Group == toolBoards:
			n = 0
		}
		if n > most {
			first, most = b.ID, n
		}
	}
	return first
}

// toolBoards heads the dashboards that print what tools do.
const toolBoards = "Tool layouts"

// load asks for the overview of a source that has been read, and then for
// the dashboards again: they have headlines then, and leave out what has no
// values.
func (f *Findings) load() {
	if f.tab.Source.Loaded < 1 || f.Overview != nil || f.asking {
		return
	}
	f.assess()
}

// assess asks for what rests on the whole of a source, and on its rules.
func (f *Findings) assess() {
	tab := f.tab
	f.asking = true
	tab.app.work(func() func() {
		o, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Overview, rpc.SourceRequest{Source: tab.Source.ID}, nil)
		var boards []api.DashboardInfo
		var board api.Dashboard
		if err == nil {
			boards, err = rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Dashboards, rpc.SourceRequest{Source: tab.Source.ID}, nil)
		}
		shown := f.shownBoard()
		if err == nil && shown != "" {
			board, err = rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Dashboard, rpc.DashboardRequest{Source: tab.Source.ID, ID: shown}, nil)
		}
		return func() {
			f.asking = false
			if err != nil {
				tab.app.failed(err)
				return
			}
			f.Overview, tab.Dashboard.List = &o, boards
			f.SparkRev++
			tab.app.windowChanged() // findings lie on the time axis
			if tab.Dashboard.Shown != nil && shown != "" && tab.Dashboard.Shown.ID == board.ID {
				tab.Dashboard.adopt(&board)
			}
		}
	})
}

func (f *Findings) shownBoard() string {
	f.tab.app.Loop.Lock()
	defer f.tab.app.Loop.UnlockOnly()
	if f.tab.Dashboard.Shown == nil {
		return ""
	}
	return f.tab.Dashboard.Shown.ID
}

// List are what happened, as far as is known.
func (f *Findings) List() []api.Finding {
	if f.Overview == nil {
		return nil
	}
	return f.Overview.Findings
}

// Count counts those that deserve a look, and those that are good to
// know.
func (findings *Findings) Count() (look, know int) {
	for _, f := range findings.List() {
		if f.Level == "know" {
			know++
		} else {
			look++
		}
	}
	return look, know
}

// ShowSpan shows a stretch with what is around it, and puts the cursor to its
// start. What covers more than half of the span leaves the window alone.
func (f *Findings) ShowSpan(start, end pcp.Time) { f.showSpan(start, end, 0) }

// showSpan shows at least so much around it.
func (f *Findings) showSpan(start, end, around pcp.Time) {
	around = max(around, (end-start)/2, 60e9)
	if int64(end-start) < f.tab.Whole().Len()/2 {
		f.tab.Zoom(start-around, end+around)
	}
	f.tab.app.Cursor.Set(max(start, f.tab.Window.Start))
}

// ShowWorst shows where something was worst, with enough around it that
// the metrics it is about have values there.
func (findings *Findings) ShowWorst(f api.Finding) {
	tab := findings.tab
	at := pcp.Span{Start: f.Start, End: f.End}
	if f.Worst != nil {
		at = *f.Worst
	}
	tab.app.work(func() func() {
		rarest := int64(0)
		for _, name := range f.Metrics {
			if m := tab.Metric(name); m != nil {
				rarest = max(rarest, tab.data.cadenceOf(m).usual)
			}
		}
		return func() { findings.showSpan(at.Start, at.End, pcp.Time(3*rarest)) }
	})
}

// Show shows where something happened, on the dashboard that it
// belongs to.
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
