package app

import (
	"context"
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/export"
	"pcpscope/web/format"
	"pcpscope/web/panel"
)

// A Panel is one chart or table of strings: its settings, what it shows, and its pending
// requests.
type Panel struct {
	ID int // unique among all panels of all sources
	panel.Settings
	panel.View // computed from the last reply

	Rev      int                           // incremented when anything shown changes: settings, values
	Observed map[string]panel.Observations // by series key, if requested
	Loading  bool

	answer   panel.Answer // the last one
	values   *rpc.Charted // of the last reply
	away     bool         // off screen
	stale    bool         // to be fetched when it comes on screen
	arrived  []func()     // called when its values arrive
	asked    int          // number of the last request; replies to older ones are dropped
	moment   pcp.Time     // the time for which a single-time table was requested
	cancel   context.CancelFunc
	words    string
	wordsRev int // the revision that words describe
	states   []string
}

// State numbers a text that is drawn as a state. It keeps its number, and so its colour, in
// every window.
func (p *Panel) State(text string) int {
	n := slices.Index(p.states, text)
	if n < 0 {
		n = len(p.states)
		p.states = append(p.states, text)
	}
	return n
}

// States are the texts by their numbers.
func (p *Panel) States() []string { return p.states }

// Column locates a column's values, and the reasons for missing ones.
func (p *Panel) Column(i int) (rpc.Numbers, rpc.Octets) {
	if p.values == nil || i >= len(p.values.Values) {
		return rpc.Numbers{}, rpc.Octets{}
	}
	return p.values.Values[i], p.values.Why[i]
}

// Band locates the minima and maxima of a column's steps; Total those of the whole stack.
// Both are empty if every point is a single observation.
func (p *Panel) Band(i int) (low, high rpc.Numbers) {
	if p.values == nil || i < 0 || i >= len(p.values.High) {
		return rpc.Numbers{}, rpc.Numbers{}
	}
	return p.values.Low[i], p.values.High[i]
}

// Waiting reports whether a panel's first values are on their way. If it already shows
// values, loading others is not indicated.
func (p *Panel) Waiting() bool { return p.Frame == nil && p.Loading }

// Offscreen reports whether a panel is neither on nor near the screen.
func (p *Panel) Offscreen() bool { return p.away }

// set replaces the panel's settings.
func (p *Panel) set(s panel.Settings) {
	p.Settings = s
	p.Rev++
}

// change modifies the settings.
func (p *Panel) change(change func(s *panel.Settings)) {
	change(&p.Settings)
	p.Rev++
}

// show takes over a computed view.
func (p *Panel) show(v panel.View) {
	p.View = v
	p.Rev++
}

// fail shows why there is nothing to see.
func (p *Panel) fail(err error) {
	p.answer, p.values = panel.Answer{}, nil
	p.show(panel.View{Fault: pcp.AsFault(err).Message})
}

// forget cancels pending requests.
func (p *Panel) forget() {
	p.asked++
	if p.cancel != nil {
		p.cancel()
		p.cancel = nil
	}
}

// notifyArrived notifies those waiting for the panel's values.
func (p *Panel) notifyArrived() {
	waiting := p.arrived
	p.arrived = nil
	for _, done := range waiting {
		done()
	}
}

// Describe describes the lines in words, for screen readers.
func (p *Panel) Describe(clock format.Clock) string {
	if p.wordsRev != p.Rev || p.words == "" {
		p.words, p.wordsRev = panel.Describe(&p.Settings, &p.View, clock), p.Rev
	}
	return p.words
}

// exported is the panel in the form used for exports.
func (p *Panel) exported() export.Panel { return export.Panel{Settings: &p.Settings, View: &p.View} }
