package state

import (
	"strings"

	"pcpscope/core/api"
)

// Search is the field at the top: names, help, instances, labels, units.
type Search struct {
	Text string
	Open bool
	Hits []api.Hit
	At   int
	For  string // the text that Hits belong to
}

// SearchFor looks for a text as it is typed.
func (a *App) SearchFor(text string) {
	s := &a.Search
	s.Text, s.Open, s.At = text, true, 0
	w := a.current
	text = strings.TrimSpace(text)
	if w == nil || text == "" {
		s.Hits, s.For = nil, ""
		return
	}
	a.work(func() func() {
		hits, err := a.Engine.Search(w.ctx, w.Source.ID, text, 50)
		return func() {
			if strings.TrimSpace(a.Search.Text) != text || a.current != w {
				return // typed on
			}
			if err != nil {
				hits = nil
			}
			a.Search.Hits, a.Search.For = hits, text
		}
	})
}

// SearchMove moves along the hits.
func (a *App) SearchMove(by int) {
	if n := len(a.Search.Hits); n > 0 {
		a.Search.At = (a.Search.At + by + n) % n
	}
}

// SearchPick adds the hit to the panels, in a panel of its own where asked.
func (a *App) SearchPick(i int, own bool) {
	w := a.current
	if w == nil || i < 0 || i >= len(a.Search.Hits) {
		return
	}
	name := a.Search.Hits[i].Metric
	if own {
		w.AddPanel(name)
	} else {
		w.Add(name)
	}
	w.Tree.Reveal(name)
	w.Select(name)
	a.CloseSearch()
}

// CloseSearch puts the list of hits away.
func (a *App) CloseSearch() { a.Search.Open = false }
