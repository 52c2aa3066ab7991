package state

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/sorting"
	"pcpscope/web/format"
)

// Work is what the page remembers about one open source.
type Work struct {
	app    *App
	ctx    context.Context
	cancel context.CancelFunc

	files   []File // that it was opened from, with others perhaps
	Source  api.Source
	Clock   format.Clock
	Metrics []api.Metric // by name
	byName  map[string]int
	CPUs    int        // of the host; 0 where that was not logged
	Fault   *pcp.Fault // the metadata could not be had

	Tree     Tree
	Selected string // the metric whose details are shown
	Detail   *Detail

	Window       Window
	Panels       []*Panel
	Active       int    // ID of the panel that new metrics go to
	Only         string // the instance that alone is drawn in panels that have it; "" for all
	past, future []view

	Imported  []api.Dashboard // of files of pmchart and pmrep
	resuming  bool            // what a session kept is being brought back
	Remarks   []Remark        // notes on the time axis, in order of time
	RemarkRev int             // changes with them
	Watch     Watch
	scratch   *api.Metric // what is being derived; its name is an expression

	facts    []Known          // of the host, while it is being read
	progress api.Progress     // of the reading
	reads    []api.SourceFile // how far its files have been read, as of then
	grown    time.Time        // when what was read last was shown
	halted   bool             // the reading was cancelled
	moving   bool             // the window has moved; for what is new in it is to be asked

	Insights  // what was found out (insight.go)
	Pulse     Pulse
	instances map[string][]api.Instance
	cadence   map[string]int64 // nanoseconds between observations, by metric
}

func (a *App) newWork(s api.Source) *Work {
	w := &Work{app: a, instances: map[string][]api.Instance{}, cadence: map[string]int64{}, byName: map[string]int{}, Insights: Insights{colours: map[string]int{}}}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	w.setSource(s)
	w.Window = w.Whole()
	return w
}

func (w *Work) stop() { w.cancel() }

func (w *Work) setSource(s api.Source) {
	w.Source = s
	w.Clock, _ = w.clockIn(w.Times.Zone)
}

// clock finds the clock on the wall of the source's host: by the name of its
// zone, else by its TZ text, else UTC.
func (a *App) clock(s api.Source) format.Clock {
	for _, name := range []string{s.Zoneinfo, s.Timezone} {
		name = strings.TrimPrefix(name, ":")
		if name == "" {
			continue
		}
		if f, ok := format.OffsetOf(name); ok {
			return format.NewClock(name, f, s.Start, s.End)
		}
		if a.Resolve == nil {
			continue
		}
		if f, ok := a.Resolve(name); ok {
			return format.NewClock(name, f, s.Start, s.End)
		}
	}
	return format.UTC
}

// start asks for all that the page shows of a newly opened source.
func (w *Work) start() {
	id := w.Source.ID
	w.app.work(func() func() {
		w.app.bringDefinitions(w)
		list, err := w.app.Engine.Metrics(w.ctx, id)
		return func() {
			if err != nil {
				w.Fault = pcp.AsFault(err)
				w.app.failed(err)
				return
			}
			w.setMetrics(list)
			w.learn()
			w.app.resume(w)
			w.insights()
			w.loadPulse()
			w.app.settle(w)
		}
	})
}

func (w *Work) setMetrics(list []api.Metric) {
	w.Metrics = list
	for i := range list {
		w.byName[list[i].Name] = i
	}
	w.Tree = NewTree(list)
	w.Tree.HideStill = w.app.HideStill
}

// loaded takes over what is known once all of the source has been read.
func (w *Work) loaded(s api.Source) {
	whole := w.Window == w.Whole()
	grown := s.End != w.Source.End || s.Start != w.Source.Start || w.Source.Loaded < 1
	w.setSource(s)
	clear(w.instances)
	clear(w.cadence)
	if whole {
		w.Window = w.Whole()
	}
	if grown {
		w.app.windowChanged()
		w.refresh()
		w.findOut()
		w.loadPulse()
		if w.Selected != "" {
			w.Select(w.Selected)
		}
		if w.Compare.Off != nil && w.Compare.wanted == "" {
			w.compare()
		}
	}
	for _, o := range w.app.Works {
		o.compareWanted()
	}
}

// countCPUs asks how many CPUs the host has, once. It is slow work.
func (w *Work) countCPUs() {
	w.app.Loop.Lock()
	known := w.CPUs > 0 || w.Metric("hinv.ncpu") == nil
	w.app.Loop.UnlockOnly()
	if known {
		return
	}
	f, err := w.app.Engine.Fetch(w.ctx, api.Query{Source: w.Source.ID, Metrics: []string{"hinv.ncpu"}, Mode: "raw"}, nil)
	if err != nil || len(f.Columns) == 0 {
		return
	}
	w.app.Loop.Lock()
	defer w.app.Loop.UnlockOnly()
	for _, n := range f.Columns[0].Values {
		if n > float64(w.CPUs) {
			w.CPUs = int(n)
		}
	}
}

// A Hole is a stretch of which data were lost.
type Hole struct {
	Start, End pcp.Time
	Why        series.Why
	Label      string
}

// Holes lists what was lost: missing volumes and damage. Problems that cost
// the same stretch as a missing volume are not listed twice.
func (w *Work) Holes() []Hole {
	var list []Hole
	for _, g := range w.Source.Gaps {
		if g.Why == "missing volume" {
			list = append(list, Hole{g.Start, g.End, series.VolumeMissing, "a volume is missing"})
		}
	}
	whole := w.Whole()
	for _, p := range w.Source.Problems {
		if p.Lost == nil {
			continue
		}
		h := Hole{max(p.Lost.Start, whole.Start), min(p.Lost.End, whole.End), series.DataDamaged, "damaged"}
		if !slices.ContainsFunc(list, func(o Hole) bool { return o.Start <= h.Start && h.End <= o.End }) {
			list = append(list, h)
		}
	}
	return list
}

// Metric finds a metric by name; nil if the source has none such.
func (w *Work) Metric(name string) *api.Metric {
	if w.scratch != nil && w.scratch.Name == name {
		return w.scratch
	}
	if i, ok := w.byName[name]; ok {
		return &w.Metrics[i]
	}
	return nil
}

// Lost is how much of the span could not be read, in nanoseconds. Marks and
// the time between archives are nobody's loss.
func (w *Work) Lost() int64 {
	holes := w.Holes()
	sorting.Stable(holes, func(a, b Hole) int { return cmp.Compare(a.Start, b.Start) })
	var lost, end pcp.Time
	end = pcp.MinTime
	for _, h := range holes {
		if h.End > max(end, h.Start) {
			lost += h.End - max(end, h.Start)
			end = h.End
		}
	}
	return int64(lost)
}

// Title is the source in a few words: its host, or its name where it has none.
func (w *Work) Title() string {
	if w.Source.Host != "" {
		return w.Source.Host
	}
	return w.Source.Name
}

// Subtitle says which time the source covers.
func (w *Work) Subtitle() string {
	s := w.Source
	if s.Kind == "mmv" {
		return "MMV, live values"
	}
	return format.Span(int64(s.End-s.Start)) + " · " + w.Clock.Date(s.Start)
}

// instancesOf returns the instances of an indom, asking the engine once. It
// is called from slow work, without the lock.
func (w *Work) instancesOf(indom string) []api.Instance {
	w.app.Loop.Lock()
	list, ok := w.instances[indom]
	w.app.Loop.UnlockOnly()
	if ok {
		return list
	}
	list, err := w.app.Engine.Instances(w.ctx, w.Source.ID, indom)
	if err != nil {
		return nil
	}
	w.app.Loop.Lock()
	w.instances[indom] = list
	w.app.Loop.UnlockOnly()
	return list
}
