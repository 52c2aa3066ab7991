package app

import (
	"context"

	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/export"
	"pcpscope/web/format"
	"pcpscope/web/panel"
)

// A Panel is one chart, or one table of texts: its settings, what it shows, and
// what it waits for.
type Panel struct {
	ID int // unlike that of any other panel of any source
	panel.Settings
	panel.View // what follows from the last answer

	Rev      int                           // grows with whatever the panel shows: settings, values
	Observed map[string]panel.Observations // by key of series, where asked for
	Loading  bool

	answer   panel.Answer // the last one
	values   *rpc.Charted // of the last answer
	away     bool         // not on the screen
	stale    bool         // to be fetched when it is on the screen
	arrived  []func()     // to be called when it has its values
	asked    int          // number of the last fetch; older answers are dropped
	moment   pcp.Time     // what a table of one moment was asked for
	cancel   context.CancelFunc
	words    string
	wordsRev int // of words
}

// Column is where the values of a column are, and the reasons why there are
// none.
func (p *Panel) Column(i int) (rpc.Numbers, rpc.Octets) {
	if p.values == nil || i >= len(p.values.Values) {
		return rpc.Numbers{}, rpc.Octets{}
	}
	return p.values.Values[i], p.values.Why[i]
}

// Band is where the extremes of a column's steps are; Total those of all areas
// together. Both are empty where every point tells all there is.
func (p *Panel) Band(i int) (low, high rpc.Numbers) {
	if p.values == nil || i < 0 || i >= len(p.values.High) {
		return rpc.Numbers{}, rpc.Numbers{}
	}
	return p.values.Low[i], p.values.High[i]
}

// Waiting says that the first values of a panel are on their way. Where there
// are some already, nothing shows that others are.
func (p *Panel) Waiting() bool { return p.Frame == nil && p.Loading }

// OutOfSight says that a panel is neither on the screen nor near it.
func (p *Panel) OutOfSight() bool { return p.away }

// set gives the panel other settings.
func (p *Panel) set(s panel.Settings) {
	p.Settings = s
	p.Rev++
}

// change alters the settings.
func (p *Panel) change(change func(s *panel.Settings)) {
	change(&p.Settings)
	p.Rev++
}

// show takes over what there is to see.
func (p *Panel) show(v panel.View) {
	p.View = v
	p.Rev++
}

// fail says why there is nothing to see.
func (p *Panel) fail(err error) {
	p.answer, p.values = panel.Answer{}, nil
	p.show(panel.View{Fault: pcp.AsFault(err).Message})
}

// forget gives up on what is under way.
func (p *Panel) forget() {
	p.asked++
	if p.cancel != nil {
		p.cancel()
		p.cancel = nil
	}
}

// tellArrived tells those who waited for the panel's values.
func (p *Panel) tellArrived() {
	waiting := p.arrived
	p.arrived = nil
	for _, done := range waiting {
		done()
	}
}

// Words reports what the lines do, for those who cannot see them.
func (p *Panel) Words(clock format.Clock) string {
	if p.wordsRev != p.Rev || p.words == "" {
		p.words, p.wordsRev = panel.Words(&p.Settings, &p.View, clock), p.Rev
	}
	return p.words
}

// exported is the panel as it is written for others.
func (p *Panel) exported() export.Panel { return export.Panel{Settings: &p.Settings, View: &p.View} }
