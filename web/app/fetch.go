package app

import (
	"context"
	"runtime"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
	"pcpscope/wasm/rpc"
	"pcpscope/web/panel"
	"pcpscope/web/timeline"
)

// A Fetcher fetches the values of a source from the engine, and caches what makes that
// faster.
type Fetcher struct {
	instances    map[string][]api.Instance // by instance domain
	cadence      map[string]api.Cadence    // by metric or expression
	colours      map[string]int            // by instance name: the same in all panels
	replaced     int                       // bytes of values no longer shown, since the last collection
	partial      bool                      // the source has not been read completely
	pending      int                       // panels that wait for an answer
	waiting      []func()                  // what is done once there are none
	counting     chan struct{}             // closed once the CPUs have been counted; nil if nobody counts
	countedWhole bool                      // the number of CPUs is that of the whole source
	tab          *Tab
}

// maxReplaced is how many bytes of replaced values may wait for Go's garbage collector.
// They are in ArrayBuffers, which the browser frees only once Go has dropped its
// references; Go sees only a few bytes each, and no reason to collect.
const maxReplaced = 16 << 20

// forget drops what is known about logging intervals and instances, after more of the
// source has been read. Replies still under way describe the earlier state, and go into
// the old maps.
func (f *Fetcher) forget() {
	f.instances, f.cadence = map[string][]api.Instance{}, map[string]api.Cadence{}
}

// fetch requests the values of a panel. It keeps showing the old ones until they arrive. A
// panel that is off screen is fetched when it is scrolled into view.
func (f *Fetcher) fetch(p *Panel) {
	tab := f.tab
	p.forget()
	if p.stale = p.away; p.away {
		return
	}
	ctx, cancel := context.WithCancel(tab.ctx)
	p.cancel, p.Loading = cancel, true
	f.pending++
	n, window, metrics := p.asked, tab.Window, append(slices.Clone(p.Metrics), p.Limits()...)
	settings, holes, gaps, partial := p.Settings, tab.holes(), timeline.Gaps(&tab.Source), f.partial
	perCPU, breakdown := p.PerCPU || p.Unit == "% of all CPUs", p.Breakdown != nil
	complete, end := tab.Source.Loaded >= 1 && tab.Follow.From == 0, tab.Source.End
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
			runtime.GC() // the page is waiting for a reply anyway
		}
		answer := panel.Answer{Window: window}
		counted := make(chan struct{})
		if perCPU { // only needed to show the values
			go func() { f.countCPUs(); close(counted) }()
		}
		var query api.Query
		if !breakdown {
			query, answer.Step, answer.Near = f.plan(metrics, window, gridOf(&settings), moment)
			answer.Once = answer.Step > 0 && f.once(metrics)
		}
		query.Source, query.Partial = tab.Source.ID, query.Partial || partial
		wide := func(name string) bool { m := tab.Metric(name); return m != nil && m.InDom != nil }
		question := settings.ChartQuery(query, answer.Step, window, holes, gaps, wide)
		if query.Reduce != "" && !answer.Near && complete {
			question.Until = &end
		}
		made, err := rpc.Invoke(ctx, tab.app.Engine, rpc.Chart, question, nil)
		if breakdown && err == nil {
			answer.Step = timeline.Usual(&made.Frame)
		}
		if perCPU {
			<-counted
		}
		return func() {
			defer f.answered()
			if n != p.asked {
				return // superseded by a newer request
			}
			p.Loading = false
			defer p.notifyArrived()
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

// answered notes that a panel has been answered.
func (f *Fetcher) answered() {
	if f.pending--; f.pending > 0 {
		return
	}
	waiting := f.waiting
	f.waiting = nil
	for _, do := range waiting {
		do()
	}
}

// afterPanels does something once no panel waits for values: what is not on screen comes
// after what is.
func (f *Fetcher) afterPanels(do func()) {
	if f.pending == 0 {
		do()
		return
	}
	f.waiting = append(f.waiting, do)
}

// loader reads columns from the reply's buffer, each once.
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

// bands reads the minima and maxima of columns from the reply's buffer.
func bands(made *rpc.Charted) func(column int) (low, high []float64) {
	return func(column int) (low, high []float64) {
		if column >= len(made.High) {
			return nil, nil
		}
		return made.Low[column].Load(), made.High[column].Load()
	}
}

// take shows a reply in its panel.
func (f *Fetcher) take(p *Panel, answer panel.Answer) {
	p.answer = answer
	f.show(p)
	if len(p.Metrics) == 1 { // instances keep their colours in other panels
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

// show computes what a panel shows of its last reply.
func (f *Fetcher) show(p *Panel) {
	tab := f.tab
	if p.answer.Frame == nil {
		return
	}
	p.show(panel.Show(p.Settings, p.answer, panel.Context{
		Holes: tab.holes(), Gaps: timeline.Gaps(&tab.Source), Metric: tab.Metric, Rates: tab.Rates(), CPUs: tab.CPUs, Resized: resized(tab), Only: tab.Dashboard.Only, Colours: f.colours,
		Once: func(name string) bool {
			often, known := f.cadence[name]
			return known && often.Usual == 0 && tab.Source.Loaded >= 1
		},
	}))
}

// countCPUs requests the host's number of CPUs, and once more when all has been read: of few
// records, damaged ones may be the larger part. It is slow work.
func (fetcher *Fetcher) countCPUs() {
	tab := fetcher.tab
	tab.app.Loop.Lock()
	whole := !fetcher.partial
	known, counting := tab.CPUs > 0 && (fetcher.countedWhole || !whole) || tab.Metric("hinv.ncpu") == nil, fetcher.counting
	if !known && counting == nil {
		fetcher.counting = make(chan struct{})
	}
	tab.app.Loop.UnlockOnly()
	if known {
		return
	}
	if counting != nil {
		<-counting
		return
	}
	f, err := fetcher.query(tab.ctx, api.Query{Metrics: []string{"hinv.ncpu"}, Mode: "raw"})
	tab.app.Loop.Lock()
	defer tab.app.Loop.UnlockOnly()
	close(fetcher.counting)
	fetcher.counting = nil
	if err != nil || len(f.Columns) == 0 {
		return
	}
	if n := sorting.RobustMax(f.Columns[0].Values); n > 0 { // damaged records may have any number
		tab.CPUs, fetcher.countedWhole = int(n), whole
		tab.Resized = slices.ContainsFunc(f.Columns[0].Values, func(v float64) bool { return v > 0 && v < n })
	}
}

// counted is a measure once the CPUs have been counted: how their time is related to all of it
// depends on whether their number changed. It is slow work.
func (f *Fetcher) counted(m measure) measure {
	if m.name != busyName {
		return m
	}
	f.countCPUs()
	f.tab.app.Loop.Lock()
	defer f.tab.app.Loop.UnlockOnly()
	if x := busyExpression(f.tab); x != "" {
		m.expression = x
	}
	return m
}

// instancesOf returns the instances of an instance domain, requesting them once. It is
// called from slow work, without the lock.
func (f *Fetcher) instancesOf(indom string) []api.Instance {
	tab := f.tab
	tab.app.Loop.Lock()
	known := f.instances
	list, ok := known[indom]
	tab.app.Loop.UnlockOnly()
	if ok {
		return list
	}
	for {
		part, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.InstancePart, rpc.InstancePartRequest{Source: tab.Source.ID, InDom: indom, From: len(list)}, nil)
		if err != nil {
			return nil
		}
		list = append(list, part.Instances...)
		if len(part.Instances) == 0 || len(list) >= part.Total {
			break
		}
	}
	tab.app.Loop.Lock()
	known[indom] = list
	tab.app.Loop.UnlockOnly()
	return list
}
