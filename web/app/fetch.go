package app

import (
	"context"
	"runtime"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/panel"
	"pcpscope/web/timeline"
)

// A Fetcher asks the engine for the values of a source, and remembers what makes
// that quick.
type Fetcher struct {
	instances map[string][]api.Instance // by instance domain
	cadence   map[string]cadence        // by metric
	colours   map[string]int            // of instances, by name: the same in all panels
	replaced  int                       // bytes of values that panels no longer show, since they were last collected
	partial   bool                      // not all of the source has been read
	tab       *Tab
}

// maxReplaced is how many bytes of replaced values may wait for Go's collector.
// They lie in ArrayBuffers, which the browser frees once Go has dropped its
// references; to Go these are a few bytes each, and no reason to collect.
const maxReplaced = 16 << 20

// forget drops what is known of how often metrics are logged and which instances
// there are, since more of the source has been read. Answers that are on their
// way tell of what there was before, and go into the maps of before.
func (f *Fetcher) forget() {
	f.instances, f.cadence = map[string][]api.Instance{}, map[string]cadence{}
}

// fetch asks for the values of a panel. What it shows stays until they come.
// A panel that is not on the screen waits until it is.
func (f *Fetcher) fetch(p *Panel) {
	tab := f.tab
	p.forget()
	if p.stale = p.away; p.away {
		return
	}
	ctx, cancel := context.WithCancel(tab.ctx)
	p.cancel, p.Loading = cancel, true
	n, window, metrics := p.asked, tab.Window, append(slices.Clone(p.Metrics), p.Limits()...)
	settings, holes, gaps, partial := p.Settings, tab.holes(), timeline.Gaps(&tab.Source), f.partial
	perCPU, breakdown := p.PerCPU || p.Unit == "% of all CPUs", p.Breakdown != nil
	var moment *pcp.Time
	if p.Style == "table" {
		m := f.moment()
		moment, p.moment = &m, m
	}
	collect := f.replaced > maxReplaced
	if collect {
		f.replaced = 0
	}
	tab.app.work(func() func() {
		if collect {
			runtime.GC() // the page waits for an answer anyhow
		}
		if perCPU {
			f.countCPUs()
		}
		answer := panel.Answer{Window: window}
		var query api.Query
		if !breakdown {
			query, answer.Step, answer.Near = f.plan(metrics, window, gridOf(&settings), moment)
		}
		query.Source, query.Partial = tab.Source.ID, query.Partial || partial
		wide := func(name string) bool { m := tab.Metric(name); return m != nil && m.InDom != nil }
		made, err := rpc.Invoke(ctx, tab.app.Engine, rpc.Chart, settings.Ask(query, answer.Step, window, holes, gaps, wide), nil)
		if breakdown && err == nil {
			answer.Step = timeline.Usual(timeline.Between(&made.Frame))
		}
		return func() {
			if n != p.asked {
				return // something newer has been asked for
			}
			p.Loading = false
			defer p.tellArrived()
			if err != nil {
				tab.app.failed(err)
				p.fail(err)
				return
			}
			f.replaced += p.values.Size()
			p.values = &made
			answer.Frame, answer.Known, answer.Others, answer.LeftOut, answer.Reason, answer.Cut = &made.Frame, made.Lines, made.Others, made.LeftOut, made.Reason, made.Cut
			answer.Load, answer.Band, answer.Total, answer.Unreadable = loader(&made), bands(&made), made.Total, made.Unreadable
			f.take(p, answer)
		}
	})
}

// loader reads columns from where they are, each once.
func loader(made *rpc.Charted) func(column int) ([]float64, []uint8) {
	type read struct {
		values []float64
		why    []uint8
	}
	known := map[int]read{}
	return func(column int) ([]float64, []uint8) {
		r, ok := known[column]
		if !ok {
			r = read{made.Values[column].Load(), made.Why[column].Load()}
			known[column] = r
		}
		return r.values, r.why
	}
}

// bands reads the extremes of columns from where they are.
func bands(made *rpc.Charted) func(column int) (low, high []float64) {
	return func(column int) (low, high []float64) {
		if column >= len(made.High) {
			return nil, nil
		}
		return made.Low[column].Load(), made.High[column].Load()
	}
}

// take shows an answer in its panel.
func (f *Fetcher) take(p *Panel, answer panel.Answer) {
	p.answer = answer
	f.show(p)
	if len(p.Metrics) == 1 { // instances have their colours in other panels too
		for i := range p.Series {
			if s := &p.Series[i]; s.Instance != "" && f.colours[s.Instance] == 0 {
				f.colours[s.Instance] = s.Colour
			}
		}
	}
	if p.Dots {
		f.observe(p)
	}
}

// show works out what a panel shows of its last answer.
func (f *Fetcher) show(p *Panel) {
	tab := f.tab
	if p.answer.Frame == nil {
		return
	}
	p.show(panel.Show(p.Settings, p.answer, panel.Context{
		Holes: tab.holes(), Gaps: timeline.Gaps(&tab.Source), Metric: tab.Metric, Rates: tab.Rates(), CPUs: tab.CPUs, Only: tab.Dashboard.Only, Colours: f.colours,
		Once: func(name string) bool {
			often, known := f.cadence[name]
			return known && often.usual == 0 && tab.Source.Loaded >= 1
		},
	}))
}

// countCPUs asks how many CPUs the host has, once. It is slow work.
func (fetcher *Fetcher) countCPUs() {
	tab := fetcher.tab
	tab.app.Loop.Lock()
	known := tab.CPUs > 0 || tab.Metric("hinv.ncpu") == nil
	tab.app.Loop.UnlockOnly()
	if known {
		return
	}
	f, err := fetcher.query(tab.ctx, api.Query{Metrics: []string{"hinv.ncpu"}, Mode: "raw"})
	if err != nil || len(f.Columns) == 0 {
		return
	}
	tab.app.Loop.Lock()
	defer tab.app.Loop.UnlockOnly()
	for _, n := range f.Columns[0].Values {
		if n > float64(tab.CPUs) {
			tab.CPUs = int(n)
		}
	}
}

// instancesOf returns the instances of an indom, asking the engine once. It
// is called from slow work, without the lock.
func (f *Fetcher) instancesOf(indom string) []api.Instance {
	tab := f.tab
	tab.app.Loop.Lock()
	known := f.instances
	list, ok := known[indom]
	tab.app.Loop.UnlockOnly()
	if ok {
		return list
	}
	list, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Instances, rpc.InstancesRequest{Source: tab.Source.ID, InDom: indom}, nil)
	if err != nil {
		return nil
	}
	tab.app.Loop.Lock()
	known[indom] = list
	tab.app.Loop.UnlockOnly()
	return list
}
