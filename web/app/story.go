package app

import (
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/format"
)

// Story is what happened in the whole recording: incidents, recurring jobs.
type Story struct {
	Result *api.Story // nil until it is known
	At     int        // the incident selected with the keyboard

	tab    *Tab
	asking bool
}

// load requests it once the source has been read, after all other requests.
func (s *Story) load() {
	tab := s.tab
	if s.asking || s.Result != nil || tab.Source.Kind != "archive" || tab.Source.Loaded < 1 || !tab.Rates() {
		return
	}
	s.asking = true
	q := api.StoryQuery{Source: tab.Source.ID, Zone: tab.Times.Zone}
	tab.app.work(func() func() {
		r, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Story, q, nil)
		return func() {
			if s.asking = false; err == nil { // without it there is no story, but nothing else fails
				s.Result = &r
			}
		}
	})
}

// Incidents are the known incidents.
func (s *Story) Incidents() []api.Incident {
	if s.Result == nil {
		return nil
	}
	return s.Result.Incidents
}

// press handles a key in the lane.
func (s *Story) press(k Key) bool {
	list := s.Incidents()
	if len(list) == 0 {
		return false
	}
	last := len(list) - 1
	switch k.Name {
	case "ArrowLeft", "ArrowUp":
		s.At--
	case "ArrowRight", "ArrowDown":
		s.At++
	case "Home":
		s.At = 0
	case "End":
		s.At = last
	case "Enter", " ":
		s.Show(&list[min(s.At, last)])
	}
	s.At = max(0, min(s.At, last))
	return true
}

// Text is the story as copied into a ticket.
func (s *Story) Text() string {
	r, tab := s.Result, s.tab
	if r == nil || len(r.Text) == 0 {
		return ""
	}
	lines := append([]string{tab.Source.Host + ", " + tab.Clock.Full(r.Start, r.End)}, r.Text...)
	for i := range r.History {
		lines = append(lines, tab.Clock.Typed(r.History[i].At)+": "+r.History[i].Text)
	}
	return copied(lines)
}

// copied joins lines of text for pasting into a ticket.
func copied(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(format.Copied(line) + "\n")
	}
	return b.String()
}

// Copy copies it.
func (s *Story) Copy() {
	if copy := s.tab.app.Page.Copy; copy != nil {
		copy(s.Text())
	}
}

// shownSteps is how many steps are shown of an incident that has no end, or a
// distant one.
const shownSteps = 60

// Show zooms to an incident, and explains it. Of one that lasts for most of the
// recording, the beginning is shown.
func (s *Story) Show(in *api.Incident) {
	tab := s.tab
	whole := tab.Whole()
	step := pcp.Time(s.Result.Step * 1e9)
	end := min(whole.End, in.At+shownSteps*step)
	if in.Until != nil && int64(*in.Until-in.At) < whole.Len()/4 {
		end = max(*in.Until, in.At+2*step)
	}
	tab.app.Layout.Sheet = ""
	tab.Zoom(in.At-step, end)
	tab.app.Cursor.Set(in.At)
	if tab.Explain.Available() && !tab.Explain.Open {
		tab.Explain.Toggle()
	}
}
