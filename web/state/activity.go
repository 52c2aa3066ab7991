package state

import (
	"context"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// sparkPoints is how many points a sparkline has: one a pixel of its canvas.
const sparkPoints = 48

// mostSparks bounds one question for sparklines, so that the engine answers
// other questions in between.
const mostSparks = 40

// Sparks are the small charts of metrics beside their names, asked for as
// they come on screen.
type Sparks struct {
	Lines map[string][]float64 // by metric or expression; empty where it has no numbers
	Rev   int                  // grows with Lines

	asking bool     // for lines
	span   pcp.Span // of the source when it was asked for the activity
	ctx    context.Context
	cancel context.CancelFunc
}

// Attend asks for what the tree and the search lack about the metrics that
// they show. It is called after each drawing, under the lock.
func (a *App) Attend() {
	w := a.current
	if w == nil || len(w.Metrics) == 0 || w.Source.Loaded < 1 || !w.rates() {
		return
	}
	s := &w.Tree.Sparks
	if span := (pcp.Span{Start: w.Source.Start, End: w.Source.End}); s.ctx == nil || s.span != span {
		if s.cancel != nil {
			s.cancel()
		}
		*s = Sparks{Lines: map[string][]float64{}, Rev: s.Rev + 1, span: span}
		s.ctx, s.cancel = context.WithCancel(w.ctx)
		w.askActivity()
	}
	if names := w.lacking(a); len(names) > 0 && !s.asking && w.Tree.states != nil {
		s.asking = true
		w.askSparks(names)
	}
}

func (w *Work) askActivity() {
	ctx, id := w.Tree.Sparks.ctx, w.Source.ID
	w.app.work(func() func() {
		list, err := w.app.Engine.Activity(ctx, id)
		return func() {
			if ctx.Err() != nil {
				return
			}
			states := make(map[string]string, len(list)) // not nil: what is not known is not asked again
			if err == nil {
				for _, a := range list {
					states[a.Metric] = a.State
				}
				w.weigh(list)
			}
			w.Tree.SetActivity(states)
		}
	})
}

// lacking lists what is on screen without its sparkline.
func (w *Work) lacking(a *App) []string {
	var names []string
	want := func(name string) {
		if _, known := w.Tree.Sparks.Lines[name]; !known && len(names) < mostSparks {
			names = append(names, name)
		}
	}
	for _, r := range w.Tree.Visible(a.TreeRows) {
		if r.Metric != nil && !r.Still && numeric(r.Metric) {
			want(r.Path)
		}
	}
	if a.Search.Open && len(a.Search.Hits) > 0 {
		for _, l := range a.SearchLines() {
			if l.Hit != nil {
				if name := w.sparkOf(l.Hit); name != "" {
					want(name)
				}
			}
		}
	}
	return names
}

// sparkOf names the sparkline of a hit; "" where it has none.
func (w *Work) sparkOf(h *api.Hit) string {
	m := w.Metric(h.Metric)
	if m == nil || !numeric(m) || w.Tree.still(m.Name) {
		return ""
	}
	if h.Instance != nil {
		return h.Metric + "[" + h.Instance.Name + "]"
	}
	return h.Metric
}

// Spark names the sparkline of a metric once it is there; "" before.
func (w *Work) Spark(name string) string {
	if len(w.Tree.Sparks.Lines[name]) == 0 {
		return ""
	}
	return name
}

// SparkOf does the same for what a search found.
func (w *Work) SparkOf(h *api.Hit) string { return w.Spark(w.sparkOf(h)) }

func (w *Work) askSparks(names []string) {
	ctx, id := w.Tree.Sparks.ctx, w.Source.ID
	w.app.work(func() func() {
		list, err := w.app.Engine.Sparklines(ctx, id, names, sparkPoints)
		return func() {
			if ctx.Err() != nil {
				return
			}
			s := &w.Tree.Sparks
			s.asking = false
			s.Rev++
			for _, name := range names {
				s.Lines[name] = nil
			}
			if err != nil {
				return
			}
			for _, line := range list {
				s.Lines[line.Metric] = line.Values
			}
		}
	})
}
