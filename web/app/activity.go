package app

import (
	"context"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/metric"
)

// sparkPoints is the number of points in a sparkline: one per pixel of its canvas.
const sparkPoints = 48

// maxSparks limits one request for sparklines, so that the engine can answer other
// requests in between.
const maxSparks = 40

// Sparks are the sparklines next to metric names, fetched as they scroll into view.
type Sparks struct {
	Lines map[string][]float64 // by metric or expression; empty if there are no numbers
	Rev   int                  // incremented whenever Lines changes

	asking bool     // a request for lines is under way
	span   pcp.Span // of the source when activity was requested
	ctx    context.Context
	cancel context.CancelFunc
	tab    *Tab
}

// FetchVisible requests what the tree and the search lack for the metrics on screen. It is
// called after each drawing, under the lock.
func (a *App) FetchVisible() {
	tab := a.current
	if tab == nil || len(tab.Metrics) == 0 || tab.Source.Loaded < 1 {
		return
	}
	s := &tab.Sparks
	if span := (pcp.Span{Start: tab.Source.Start, End: tab.Source.End}); s.ctx == nil || s.span != span {
		if s.cancel != nil {
			s.cancel()
		}
		*s = Sparks{tab: tab, Lines: map[string][]float64{}, Rev: s.Rev + 1, span: span}
		s.ctx, s.cancel = context.WithCancel(tab.ctx)
		tab.data.afterPanels(tab.Sparks.askActivity)
	}
	if _, known := tab.Tree.ActivityKnown(); known && !s.asking && tab.Rates() {
		if names := tab.Sparks.missing(a); len(names) > 0 {
			s.asking = true
			tab.Sparks.ask(names)
		}
	}
}

func (s *Sparks) askActivity() {
	tab := s.tab
	ctx, id, metrics, byName, rates := s.ctx, tab.Source.ID, tab.Metrics, tab.byName, tab.Rates()
	tab.app.work(func() func() {
		list, err := rpc.Invoke(ctx, tab.app.Engine, rpc.Activity, rpc.SourceRequest{Source: id}, nil)
		if err != nil {
			list = nil
		}
		states := make(map[string]string, len(list)) // not nil, so that unknown states are not requested again
		for i, a := range list {
			if i%1000 == 0 {
				rpc.Yield(tab.app.Engine)
			}
			if rates || a.State == "empty" { // a single record does not tell what is constant
				states[a.Metric] = a.State
			}
		}
		w := weigh(list, func(name string) string {
			if i, ok := byName[name]; ok {
				return metrics[i].PMID
			}
			return ""
		}, func() { rpc.Yield(tab.app.Engine) })
		return func() {
			if ctx.Err() != nil {
				return
			}
			if err == nil {
				tab.Findings.weights, tab.Findings.largest, tab.Findings.allBytes = w.by, w.largest, w.all
			}
			tab.Tree.SetActivity(states)
		}
	})
}

// missing lists the metrics on screen without a sparkline.
func (s *Sparks) missing(a *App) []string {
	var names []string
	want := func(name string) {
		if _, known := s.Lines[name]; !known && len(names) < maxSparks {
			names = append(names, name)
		}
	}
	for _, r := range s.tab.Tree.Visible(a.Layout.TreeRows) {
		if r.Metric != nil && !r.Constant && metric.Numeric(r.Metric) {
			want(r.Path)
		}
	}
	if a.Search.Open && len(a.Search.Hits) > 0 {
		for _, l := range a.Search.Lines() {
			if l.Hit != nil {
				if name := s.sparkOf(l.Hit); name != "" {
					want(name)
				}
			}
		}
	}
	return names
}

// sparkOf names the sparkline of a hit; "" where it has none.
func (s *Sparks) sparkOf(h *api.Hit) string {
	m := s.tab.Metric(h.Metric)
	if m == nil || !metric.Numeric(m) || s.tab.Tree.IsConstant(m.Name) {
		return ""
	}
	if h.Instance != nil {
		return h.Metric + "[" + h.Instance.Name + "]"
	}
	return h.Metric
}

// Of returns the sparkline of a metric, "" until it has arrived.
func (s *Sparks) Of(name string) string {
	if len(s.Lines[name]) == 0 {
		return ""
	}
	return name
}

// OfHit does the same for a search hit.
func (s *Sparks) OfHit(h *api.Hit) string { return s.Of(s.sparkOf(h)) }

func (sparks *Sparks) ask(names []string) {
	ctx, id := sparks.ctx, sparks.tab.Source.ID
	sparks.tab.app.work(func() func() {
		list, err := rpc.Invoke(ctx, sparks.tab.app.Engine, rpc.Sparklines, rpc.SparklinesRequest{Source: id, Names: names, Points: sparkPoints}, nil)
		return func() {
			if ctx.Err() != nil {
				return
			}
			s := sparks
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
