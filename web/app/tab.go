package app

import (
	"context"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/metric"
	"pcpscope/web/session"
	"pcpscope/web/timeline"
)

// HasCgroups reports whether the cgroups of processes are known.
func (tab *Tab) HasCgroups() bool {
	for _, name := range []string{"proc.psinfo.cgroups", "proc.id.container", "hotproc.psinfo.cgroups", "hotproc.id.container"} {
		if tab.Metric(name) != nil {
			return true
		}
	}
	return false
}

// WithBreaks returns the times of a frame with an extra one in each hole and gap of the
// source: see timeline.WithBreaks.
func (tab *Tab) WithBreaks(f *api.Frame) (times []float64, rows []int) {
	return timeline.WithBreaks(f, tab.holes(), timeline.Gaps(&tab.Source))
}

// Moment formats a time in the window.
func (tab *Tab) Moment(t pcp.Time) string {
	return tab.Clock.Within(t, tab.Window.Start, tab.Window.End)
}

// utilisation reports whether a metric is shown as utilisation.
func (tab *Tab) utilisation(name string) bool {
	m := tab.Metric(name)
	return m != nil && metric.Utilisation(m, tab.Rates())
}

// asked are the facts that people look for: if one is missing, the page says so.
var asked = []string{"kernel", "CPUs", "memory", "disks"}

// Facts are names and values: first of the host, then of time.
func (tab *Tab) Facts() [][2]string {
	var list [][2]string
	if tab.Findings.Overview != nil {
		known := map[string]bool{}
		for _, f := range tab.Findings.Overview.Who {
			known[f.Name] = true
			list = append(list, [2]string{f.Name, f.Value})
		}
		for _, name := range asked {
			if !known[name] && tab.Source.Kind == "archive" {
				list = append(list, [2]string{name, "not logged"})
			}
		}
	}
	s := tab.Source
	stamp := func(t pcp.Time) string {
		text := tab.Clock.DateTime(t) + " " + tab.Clock.Offset(t)
		if tab.Clock.At(t) != 0 {
			text += ", " + format.UTC.DateTime(t) + " UTC"
		}
		return text
	}
	list = append(list, [2]string{"from", stamp(s.Start)}, [2]string{"to", stamp(s.End)}, [2]string{"zone", tab.Clock.Name})
	if tab.Findings.Overview != nil && s.Kind == "archive" {
		boots := []string{}
		for _, b := range tab.Findings.Boots() {
			boots = append(boots, stamp(b))
		}
		if len(boots) == 0 {
			boots = []string{"not logged"}
		}
		list = append(list, [2]string{"started", strings.Join(boots, "; ")})
	}
	return list
}

// When is the span of a source with dates and zone.
func (tab *Tab) When() string {
	s := tab.Source
	return tab.Clock.Dated(s.Start, s.End) + " " + tab.Clock.Offsets(s.Start, s.End)
}

// DisplayName is the display name of an instance, as far as panels and the search know it.
func (tab *Tab) DisplayName(instance string) string {
	if instance == "" {
		return ""
	}
	for _, p := range tab.Dashboard.Panels {
		if called := p.DisplayName(instance); called != instance {
			return called
		}
	}
	for i := range tab.app.Search.Hits {
		if h := &tab.app.Search.Hits[i]; h.Instance != nil && h.Instance.Name == instance && h.Title != "" {
			return h.Title
		}
	}
	return instance
}

// Rates reports whether counters are shown as rates. A source with a single sample has
// none.
func (tab *Tab) Rates() bool { return tab.Source.End > tab.Source.Start }

// A Tab is the state of one open source: what is known, what is shown, and how far it has
// been read.
type Tab struct {
	app    *App
	ctx    context.Context
	cancel context.CancelFunc

	files   []File // the files it was opened from, possibly with others
	Source  api.Source
	Clock   format.Clock
	Metrics []api.Metric // sorted by name, see metricList
	byName  map[string]int
	Left    int         // number of metrics beyond those
	CPUs    int         // of the host, the most if it was resized; 0 if not logged
	Resized bool        // the number of CPUs that was logged changed
	Fault   *pcp.Fault  // why the metadata could not be fetched
	scratch *api.Metric // the metric being edited; its name is an expression

	Window   timeline.Window
	moving   bool   // the window has moved, and its new part is still to be fetched
	Selected string // the metric shown in the details
	Detail   *Detail
	Notes    []session.Note // in order of time
	NotesRev int            // incremented when they change
	resuming bool           // a session is being restored

	Dashboard Dashboard  // the panels
	History   History    // of the view: undo and redo
	Tree      Tree       // of metrics
	Sparks    Sparks     // the sparklines in it
	Pulse     Pulse      // the overview strip
	Findings  Findings   // results of the analysis
	Rules     Rules      // thresholds of the analysis
	Compare   Comparison // windows A and B
	Drawer    Drawer     // the tables at the bottom
	Days      Days       // days at a glance
	Story     Story      // what happened in the whole recording
	Explain   Explain    // what was unusual in the window
	Moves     Moves      // what moves with a series
	Lanes     Lanes      // the user's rules, and when they were true
	Times     Times      // the time menu, and playing the cursor
	Reports   Reports    // reports and prints
	Follow    Follow     // following the MMV file of a running program
	Loading   Loading    // how far the source has been read
	data      Fetcher    // fetches values from the engine
}

func (a *App) newTab(s api.Source) *Tab {
	tab := &Tab{app: a, byName: map[string]int{}}
	tab.data = Fetcher{tab: tab, colours: map[string]int{}, partial: s.OnDemand || s.Loaded < 1}
	tab.data.forget()
	tab.Tree.tab = tab
	tab.Dashboard.tab, tab.History.tab, tab.Sparks.tab, tab.Pulse.tab, tab.Findings.tab, tab.Rules.tab = tab, tab, tab, tab, tab, tab
	tab.Reports.tab = tab
	tab.Days = Days{tab: tab, Picked: -1}
	tab.Explain.tab, tab.Moves.tab, tab.Story.tab, tab.Lanes.tab = tab, tab, tab, tab
	tab.Compare.tab, tab.Drawer.tab, tab.Times.tab, tab.Follow.tab, tab.Loading.tab = tab, tab, tab, tab, tab
	tab.ctx, tab.cancel = context.WithCancel(context.Background())
	tab.setSource(s)
	tab.Window = tab.Whole()
	return tab
}

func (tab *Tab) stop() { tab.cancel() }

func (tab *Tab) setSource(s api.Source) {
	tab.Source, tab.Loading.members = s, nil
	tab.Clock, _ = tab.Times.clockIn(tab.Times.Zone)
}

// clock finds the host's clock: by the name of its zone, else by its TZ string, else UTC.
func (a *App) clock(s api.Source) format.Clock {
	for _, name := range []string{s.Zoneinfo, s.Timezone} {
		name = strings.TrimPrefix(name, ":")
		if name == "" {
			continue
		}
		if f, ok := format.OffsetOf(name); ok {
			return format.NewClock(name, f, s.Start, s.End)
		}
		if a.Page.Resolve == nil {
			continue
		}
		if f, ok := a.Page.Resolve(name); ok {
			return format.NewClock(name, f, s.Start, s.End)
		}
	}
	return format.UTC
}

// start requests everything the page shows of a newly opened source.
func (tab *Tab) start() {
	tab.app.work(func() func() {
		tab.app.Definitions.applyTo(tab)
		list, err := tab.listMetrics()
		return func() {
			if err != nil {
				tab.Fault = pcp.AsFault(err)
				tab.app.failed(err)
				return
			}
			tab.setMetrics(list)
			tab.Loading.askFacts()
			tab.app.resume(tab)
			tab.Findings.start()
			tab.Pulse.load()
			tab.Follow.settle()
		}
	})
}

// loaded takes over what is known once the whole source has been read.
func (tab *Tab) loaded(s api.Source) {
	whole := tab.Window == tab.Whole()
	grown := s.End != tab.Source.End || s.Start != tab.Source.Start || tab.Source.Loaded < 1
	tab.setSource(s)
	tab.data.forget()
	if whole {
		tab.Window = tab.Whole()
	}
	if grown {
		tab.app.windowChanged()
		tab.data.refresh()
		tab.Findings.load()
		tab.Pulse.load()
		if tab.Selected != "" {
			tab.Select(tab.Selected)
		}
		if tab.Compare.Off != nil && tab.Compare.wanted == "" {
			tab.Compare.run()
		}
	}
	for _, o := range tab.app.Tabs {
		o.Compare.awaitOther()
	}
}

// Metric finds a metric by name; nil if there is none.
func (tab *Tab) Metric(name string) *api.Metric {
	if tab.scratch != nil && tab.scratch.Name == name {
		return tab.scratch
	}
	if i, ok := tab.byName[name]; ok {
		return &tab.Metrics[i]
	}
	return nil
}

// Title is a short name of the source: its host, or its own name if it has none.
func (tab *Tab) Title() string {
	if tab.Source.Host != "" {
		return tab.Source.Host
	}
	return tab.Source.Name
}

// Subtitle is the time range of the source.
func (tab *Tab) Subtitle() string {
	s := tab.Source
	if s.Kind == "mmv" {
		return "MMV, live values"
	}
	return format.Span(int64(s.End-s.Start)) + " · " + tab.Clock.Date(s.Start)
}

func (tab *Tab) holes() []timeline.Hole { return timeline.Holes(&tab.Source, tab.Whole()) }

// Holes lists where data of the source was lost.
func (tab *Tab) Holes() []timeline.Hole { return tab.holes() }

// Lost is how much of the span could not be read, in nanoseconds.
func (tab *Tab) Lost() int64 { return timeline.Lost(tab.holes()) }
