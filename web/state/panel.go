package state

import (
	"context"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
)

// MostLines is how many lines a panel draws: beyond it colours cannot be told
// apart, and the largest are drawn.
const MostLines = 8

// A Panel is one chart, or one table of texts, with its legend.
type Panel struct {
	ID      int      // unlike that of any other panel of any source
	Title   string   // "" for the names of its metrics
	What    string   // one line: what this is
	Metrics []string // in the order they were added
	Tall    bool
	Log     bool            // a logarithmic scale
	Stack   bool            // areas upon each other, in the order of Metrics from below
	PerCPU  bool            // time of all CPUs, shown as a share of all of them
	Hidden  map[string]bool // series by key; of those that are not drawn at first: shown
	Solo    string          // key of the only series to be drawn
	Look

	// What the last fetch brought.
	Frame    *api.Frame
	Series   []Series
	Left     []Series // that are too many to draw
	Texts    []Text   // of metrics whose values are texts
	Shown    format.Shown
	Step     int64 // nanoseconds between grid points
	Near     bool  // Frame has only values about one moment
	Fault    string
	Rev      int // changes with everything that the chart shows
	words    string
	wordsRev int // of words
	Levels   []Limit
	Observed map[string]Observations // by key of series, where asked for
	All      int                     // series there are, of which Series are drawn
	LeftOut  int                     // samples of the window: more time was counted than passed; events: they happened at another time
	Matching int                     // of these, how many the filter lets through
	Alone    bool                    // of the instances only Work.Only is drawn
	units    string                  // of the first series, as pmUnitsStr
	window   Window                  // that the values are of
	far      bool                    // not on the screen

	Loading bool
	asking  *asking
}

// asking is what no view of a panel shows: it lies apart, so that a panel that
// waits out of sight is the same as before.
type asking struct {
	stale  bool     // to be fetched when it is on the screen
	asked  int      // number of the last fetch; older answers are dropped
	moment pcp.Time // what a table of one moment was asked for
	cancel context.CancelFunc
}

// waits is what the panel waits for.
func (p *Panel) waits() *asking {
	if p.asking == nil {
		p.asking = &asking{}
	}
	return p.asking
}

// Waiting says that the first values of a panel are on their way. Where there
// are some already, nothing shows that others are.
func (p *Panel) Waiting() bool { return p.Frame == nil && p.Loading }

// A Series is one line: a metric, or one of its instances.
type Series struct {
	Key      string
	Label    string
	Metric   string
	Instance string
	Called   string // what people call the instance
	Column   int    // in the frame
	Colour   int    // 1 to 10; 0: not drawn
	Stats    Stats
	Fault    string
	Stroke
	Kind  string       // of a sum: "others", "in no sample"
	Shown format.Shown // differs from the panel's where the line has a scale of its own
}

// A Text is one value of a metric that is no number.
type Text struct {
	At    pcp.Time
	Who   string
	Value string
}

func (p *Panel) settings() Panel {
	s := Panel{ID: p.ID, Title: p.Title, What: p.What, Metrics: slices.Clone(p.Metrics), Tall: p.Tall, Log: p.Log, Stack: p.Stack, PerCPU: p.PerCPU, Solo: p.Solo, Look: p.Look, Hidden: map[string]bool{}}
	for k, v := range p.Hidden {
		s.Hidden[k] = v
	}
	return s
}

func (p *Panel) apply(s Panel) {
	p.Title, p.What, p.Metrics, p.Tall, p.Solo = s.Title, s.What, slices.Clone(s.Metrics), s.Tall, s.Solo
	p.Stack, p.PerCPU, p.Log = s.Stack, s.PerCPU, s.Log
	p.Look = s.Look
	p.Hidden = map[string]bool{}
	for k, v := range s.Hidden {
		p.Hidden[k] = v
	}
	p.Rev++
}

// Streams says whether the panel shows bytes in a time, or bits.
func (p *Panel) Streams() bool { return format.Streams(p.units) }

// Heading is the panel's title.
func (p *Panel) Heading() string {
	if p.Title != "" {
		return p.Title
	}
	return strings.Join(p.Metrics, ", ")
}

// Drawn says whether the chart has a line for s now.
func (p *Panel) Drawn(s *Series) bool {
	if s.Colour == 0 {
		return false
	}
	if p.Solo != "" {
		return p.Solo == s.Key
	}
	return p.Hidden[s.Key] == s.Quiet
}

// Span is the stretch of time that the panel's values are of: after the window
// was moved the one before, until they come.
func (p *Panel) Span() Window { return p.window }

// Lines counts the lines of the panels in sight, drawn or hidden.
func (w *Work) Lines() int {
	n := 0
	for _, p := range w.Panels {
		if !p.OutOfSight() {
			n += p.Lines()
		}
	}
	return n
}

// Lines counts the lines, drawn or hidden.
func (p *Panel) Lines() int {
	n := 0
	for i := range p.Series {
		if p.Series[i].Colour > 0 {
			n++
		}
	}
	return n
}

// Rest counts the series that are too many to draw.
func (p *Panel) Rest() int { return p.All - p.Lines() }

// Points counts the values on screen.
func (p *Panel) Points() int {
	if p.Frame == nil {
		return 0
	}
	return len(p.Frame.Times) * p.Lines()
}

// find returns the panel with an ID; nil if it is gone.
func (w *Work) find(id int) *Panel {
	for _, p := range w.Panels {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// Showing reports whether a panel has the metric.
func (w *Work) Showing(metric string) bool {
	for _, p := range w.Panels {
		if slices.Contains(p.Metrics, metric) {
			return true
		}
	}
	return false
}

// Add shows a metric: in the active panel where the units allow it, else in a
// new one.
func (w *Work) Add(metric string) {
	m := w.Metric(metric)
	if m == nil {
		return
	}
	p := w.find(w.Active)
	if p == nil && len(w.Panels) > 0 {
		p = w.Panels[len(w.Panels)-1]
	}
	if p == nil || p.Title != "" || slices.Contains(p.Metrics, metric) || w.family(p) != w.familyOf(m) {
		w.AddPanel(metric)
		return
	}
	w.remember()
	p.Metrics = append(p.Metrics, metric)
	w.Active = p.ID
	w.fetch(p)
}

// AddPanel shows metrics in a new panel below the others. A panel that shows
// just these already becomes the active one instead.
func (w *Work) AddPanel(metrics ...string) {
	for _, p := range w.Panels {
		if slices.Equal(p.Metrics, metrics) {
			w.Active = p.ID
			return
		}
	}
	w.remember()
	w.Active = w.addPanel(Panel{Metrics: metrics}).ID
}

func (w *Work) addPanel(settings Panel) *Panel {
	w.app.lastPanel++
	settings.ID = w.app.lastPanel
	p := &Panel{}
	p.ID = settings.ID
	p.apply(settings)
	w.Panels = append(w.Panels, p)
	w.fetch(p)
	return p
}

// Toggle adds a metric that is not shown and removes one that is.
func (w *Work) Toggle(metric string) {
	if !w.Showing(metric) {
		w.Add(metric)
		return
	}
	w.remember()
	for _, p := range slices.Clone(w.Panels) {
		w.without(p, metric)
	}
}

// RemoveMetric takes a metric out of a panel, and the panel with its last one.
func (w *Work) RemoveMetric(panel int, metric string) {
	if p := w.find(panel); p != nil {
		w.remember()
		w.without(p, metric)
	}
}

func (w *Work) without(p *Panel, metric string) {
	i := slices.Index(p.Metrics, metric)
	if i < 0 {
		return
	}
	p.Metrics = slices.Delete(slices.Clone(p.Metrics), i, i+1)
	if len(p.Metrics) == 0 {
		w.drop(p)
		return
	}
	w.fetch(p)
}

// RemovePanel takes a panel away.
func (w *Work) RemovePanel(id int) {
	if p := w.find(id); p != nil {
		w.remember()
		w.drop(p)
	}
}

func (w *Work) drop(p *Panel) {
	p.forget()
	i := slices.Index(w.Panels, p)
	w.Panels = slices.Delete(w.Panels, i, i+1)
	if w.Active == p.ID {
		w.Active = 0
		if len(w.Panels) > 0 {
			w.Active = w.Panels[min(i, len(w.Panels)-1)].ID
		}
	}
}

// MovePanel moves a panel by up or down places.
func (w *Work) MovePanel(id, by int) {
	i := slices.IndexFunc(w.Panels, func(p *Panel) bool { return p.ID == id })
	j := i + by
	if i < 0 || j < 0 || j >= len(w.Panels) {
		return
	}
	w.remember()
	w.Panels[i], w.Panels[j] = w.Panels[j], w.Panels[i]
	// The charts stay where they are in the page: each must draw the other's data.
	w.Panels[i].Rev++
	w.Panels[j].Rev++
}

// SetTall chooses between the two heights of a panel.
func (w *Work) SetTall(id int, tall bool) {
	if p := w.find(id); p != nil && p.Tall != tall {
		w.remember()
		p.Tall = tall
	}
}

// SoloSeries draws one series alone, or all again when it is alone already.
func (w *Work) SoloSeries(id int, key string) {
	if p := w.find(id); p != nil {
		w.remember()
		if p.Solo == key {
			key = ""
		} else {
			delete(p.Hidden, key)
		}
		p.Solo = key
		p.Rev++
	}
}

// HideSeries hides a series, or shows it again.
func (w *Work) HideSeries(id int, key string) {
	if p := w.find(id); p != nil {
		w.remember()
		if p.Hidden[key] {
			delete(p.Hidden, key)
		} else {
			p.Hidden[key] = true
		}
		p.Solo = ""
		p.Rev++
	}
}

// Activate makes a panel the one that new metrics go to.
func (w *Work) Activate(id int) { w.Active = id }

// Utilisation reports whether a metric, as shown, is a share of time: a
// counter of time as a rate.
func (w *Work) Utilisation(m *api.Metric) bool {
	if m.Semantics != "counter" || !w.rates() {
		return false
	}
	switch m.Units {
	case "nanosec", "microsec", "millisec", "sec", "min", "hour":
		return true
	}
	return false
}

// rates says whether counters are shown as rates. A source of one moment has
// none.
func (w *Work) rates() bool { return w.Source.End > w.Source.Start }

// ShownUnits is the unit of a metric as panels show it, in PCP's words.
func (w *Work) ShownUnits(m *api.Metric) string {
	if m.Semantics == "counter" && w.rates() {
		if m.Units == "" || m.Units == "none" {
			return "count / sec"
		}
		return m.Units + " / sec"
	}
	return m.Units
}

func (w *Work) familyOf(m *api.Metric) string {
	switch {
	case m.Type == "STRING":
		return "text"
	case Eventful(m.Type):
		return "events"
	}
	return format.Family(w.ShownUnits(m), w.Utilisation(m))
}

func (w *Work) family(p *Panel) string {
	for _, name := range p.Metrics {
		if m := w.Metric(name); m != nil {
			return w.familyOf(m)
		}
	}
	return ""
}

// SetPanels shows panels in place of those there are. Metrics that the source
// does not have are left out, and panels without any.
func (w *Work) SetPanels(panels [][]string) {
	w.remember()
	for len(w.Panels) > 0 {
		w.drop(w.Panels[0])
	}
	for _, metrics := range panels {
		metrics = slices.DeleteFunc(slices.Clone(metrics), func(name string) bool { return w.Metric(name) == nil })
		if len(metrics) > 0 {
			w.Active = w.addPanel(Panel{Metrics: metrics}).ID
		}
	}
}
