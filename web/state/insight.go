package state

import (
	"context"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// An Insight answers what can be found out about a source beyond its values.
// Calls block; errors are *pcp.Fault.
type Insight interface {
	Overview(ctx context.Context, id api.SourceID, progress func(api.Progress)) (api.Overview, error)
	Dashboards(ctx context.Context, id api.SourceID) ([]api.DashboardInfo, error)
	Dashboard(ctx context.Context, id api.SourceID, name string) (api.Dashboard, error)
	Processes(ctx context.Context, q api.ProcessQuery) (api.ProcessTable, error)
	Consumers(ctx context.Context, q api.ConsumerQuery) (api.Consumers, error)
	Summary(ctx context.Context, q api.SummaryQuery) ([]api.Summary, error)
	Compare(ctx context.Context, q api.CompareQuery) (api.Comparison, error)
}

// Insights are what the page knows of a source beyond its values.
type Insights struct {
	Boards   []api.DashboardInfo // all dashboards; nil while they are not known
	Board    *api.Dashboard      // the one that is shown; nil where the panels are the user's alone
	Overview *api.Overview       // nil until the source has been read
	Drawer   Drawer              // the tables below
	Compare  Compare             // windows A and B

	weights  map[string]api.Activity // of all metrics, by name; nil while not known
	largest  []api.Activity          // the same by size, each metric once
	allBytes int64                   // that all of them take
	Inspected
	Ruling
	Times    Times          // what the menu of times holds
	SparkRev int            // changes with the small charts
	colours  map[string]int // of instances, by name: the same in all panels
	asking   bool           // what was found out is under way
}

// insights asks what is known of the source and shows its first dashboard.
func (w *Work) insights() {
	if w.app.Insight == nil {
		if len(w.Panels) == 0 {
			w.overview()
		}
		return
	}
	w.app.work(func() func() {
		boards, err := w.app.Insight.Dashboards(w.ctx, w.Source.ID)
		board := api.Dashboard{}
		if id := firstBoard(boards); err == nil && id != "" {
			board, err = w.app.Insight.Dashboard(w.ctx, w.Source.ID, id)
		}
		return func() {
			w.Boards = boards
			w.SparkRev++
			if len(w.Panels) == 0 && !w.resuming { // nothing was added or brought back meanwhile
				if err != nil || len(board.Panels) == 0 || w.Source.Kind == "mmv" { // one moment has no rates, which dashboards are made of
					w.overview()
				} else {
					w.setBoard(&board)
				}
			}
			w.findOut()
		}
	})
}

// firstBoard is the dashboard to begin with: the system overview where there
// is one, else the first that has anything.
func firstBoard(list []api.DashboardInfo) string {
	for _, b := range list {
		if b.Available && b.Group == "" {
			return b.ID
		}
	}
	for _, b := range list {
		if b.Available {
			return b.ID
		}
	}
	return ""
}

// findOut asks for the overview of a source that has been read, and then for
// the dashboards again: they have headlines then, and leave out what has no
// values.
func (w *Work) findOut() {
	if w.app.Insight == nil || w.Source.Loaded < 1 || w.Overview != nil || w.asking {
		return
	}
	w.assess()
}

// assess asks for what rests on the whole of a source, and on its rules.
func (w *Work) assess() {
	w.asking = true
	w.app.work(func() func() {
		o, err := w.app.Insight.Overview(w.ctx, w.Source.ID, nil)
		var boards []api.DashboardInfo
		var board api.Dashboard
		if err == nil {
			boards, err = w.app.Insight.Dashboards(w.ctx, w.Source.ID)
		}
		shown := w.shownBoard()
		if err == nil && shown != "" {
			board, err = w.app.Insight.Dashboard(w.ctx, w.Source.ID, shown)
		}
		return func() {
			w.asking = false
			if err != nil {
				w.app.failed(err)
				return
			}
			w.Overview, w.Boards = &o, boards
			w.SparkRev++
			w.app.windowChanged() // findings lie on the time axis
			if w.Board != nil && shown != "" && w.Board.ID == board.ID {
				w.adopt(&board)
			}
		}
	})
}

func (w *Work) shownBoard() string {
	w.app.Loop.Lock()
	defer w.app.Loop.UnlockOnly()
	if w.Board == nil {
		return ""
	}
	return w.Board.ID
}

// Findings are what happened, as far as is known.
func (w *Work) Findings() []api.Finding {
	if w.Overview == nil {
		return nil
	}
	return w.Overview.Findings
}

// CountFindings counts those that deserve a look, and those that are good to
// know.
func (w *Work) CountFindings() (look, know int) {
	for _, f := range w.Findings() {
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
func (w *Work) ShowSpan(start, end pcp.Time) {
	around := max((end-start)/2, 60e9)
	if int64(end-start) < w.Whole().Len()/2 {
		w.Zoom(start-around, end+around)
	}
	w.app.SetCursor(max(start, w.Window.Start))
}

// ShowFinding shows where something happened, on the dashboard that it
// belongs to.
func (w *Work) ShowFinding(f api.Finding) {
	w.app.Sheet = ""
	w.ShowSpan(f.Start, f.End)
	if f.Dashboard != "" && (w.Board == nil || w.Board.ID != f.Dashboard) {
		for _, b := range w.Boards {
			if b.ID == f.Dashboard && b.Available {
				w.ShowBoard(b.ID)
			}
		}
	}
}
