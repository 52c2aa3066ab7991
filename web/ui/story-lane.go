package ui

import (
	"fmt"
	"strconv"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/app"
	"pcpscope/web/format"
)

// An IncidentView is an incident in the lane and in the list.
type IncidentView struct {
	When, Long string
	Text       string // what changed most
	More       string // everything else that is known
	X, Width   string // in the lane, of 10,000
	Title      string
	incident   *api.Incident
}

// incidentsOf returns the incidents of the source on screen.
func incidentsOf(tab *app.Tab) []IncidentView {
	if tab == nil || tab.Story.Result == nil {
		return nil
	}
	list := make([]IncidentView, 0, len(tab.Story.Result.Incidents))
	whole := tab.Whole()
	for i := range tab.Story.Result.Incidents {
		in := &tab.Story.Result.Incidents[i]
		v := IncidentView{When: tab.Clock.Within(in.At, whole.Start, whole.End), incident: in}
		end := in.At
		if in.Until != nil {
			end = *in.Until
			v.Long = format.Span(int64(end - in.At))
		}
		var parts []string
		for _, c := range in.Changes {
			parts = append(parts, c.Text)
		}
		v.Text = strings.Join(parts[:min(2, len(parts))], "; ")
		v.More = moreOf(in)
		v.Title = v.When + ": " + in.Text
		share := func(t pcp.Time) float64 { return 10_000 * float64(t-whole.Start) / float64(max(1, whole.Len())) }
		const least = 40 // wide enough to click
		from := min(share(in.At), 10_000-least)
		v.X, v.Width = fmt.Sprintf("%.1f", from), fmt.Sprintf("%.1f", max(least, share(end)-from))
		list = append(list, v)
	}
	return list
}

// moreOf says what else is known of an incident.
func moreOf(in *api.Incident) string {
	parts := []string{fmt.Sprintf("%d series changed", in.Series)}
	if len(in.Began) > 0 {
		parts = append(parts, "started with it: "+strings.Join(in.Began, ", "))
	}
	if in.After != "" {
		parts = append(parts, "just before: "+in.After)
	}
	if in.During != "" {
		parts = append(parts, "meanwhile: "+in.During)
	}
	return strings.Join(parts, "; ")
}

// Incidents are the incidents in the lane.
func (c *StoryLane) Incidents() []IncidentView { return incidentsOf(c.App.Current()) }

// Empty hides the lane.
func (c *StoryLane) Empty() bool {
	tab := c.App.Current()
	return tab == nil || len(tab.Story.Incidents()) == 0
}

// ElementID is the ID of an incident's element, ActiveID that of the one selected
// with the keyboard.
func (c *StoryLane) ElementID(i int) string { return "incident-" + strconv.Itoa(i) }

func (c *StoryLane) ActiveID() string {
	if c.Empty() {
		return ""
	}
	return c.ElementID(c.App.Current().Story.At)
}

// Selected is for screen readers and the style.
func (c *StoryLane) Selected(i int) string {
	return strconv.FormatBool(!c.Empty() && c.App.Current().Story.At == i)
}

// NoStoryText reports whether there is nothing to copy.
func (c *FindingList) NoStoryText() bool { return c.NoStory() || c.App.Current().Story.Text() == "" }

// CopyStory copies what happened as text.
func (c *FindingList) CopyStory() { c.App.Current().Story.Copy() }

// Label is the lane for screen readers; the list has the same as buttons.
func (c *StoryLane) Label() string {
	if c.Empty() {
		return format.Plural(0, "incident")
	}
	return format.Plural(len(c.App.Current().Story.Incidents()), "incident")
}

// Show zooms to an incident, and explains it.
func (c *StoryLane) Show(v IncidentView) { c.App.Current().Story.Show(v.incident) }

// Incidents are the incidents in the list.
func (c *FindingList) Incidents() []IncidentView {
	if c.RulesOpen() {
		return nil
	}
	return incidentsOf(c.App.Current())
}

// ShowIncident zooms to an incident, and explains it.
func (c *FindingList) ShowIncident(v IncidentView) { c.App.Current().Story.Show(v.incident) }

// Recurring describes the recurring jobs.
func (c *FindingList) Recurring() []string {
	tab := c.App.Current()
	if c.RulesOpen() || tab == nil || tab.Story.Result == nil {
		return nil
	}
	var list []string
	for _, r := range tab.Story.Result.Recurring {
		list = append(list, r.Text)
	}
	return list
}

// NoStory hides the part of the list: nothing is known yet, or the thresholds
// are shown.
func (c *FindingList) NoStory() bool {
	tab := c.App.Current()
	return c.RulesOpen() || tab == nil || tab.Story.Result == nil
}

// StoryWord is shown if there are no incidents.
func (c *FindingList) StoryWord() string {
	if c.NoStory() || len(c.Incidents()) > 0 {
		return ""
	}
	r := c.App.Current().Story.Result
	if r.Why != "" {
		return r.Why
	}
	if len(r.Text) > 0 {
		return r.Text[0]
	}
	return ""
}
