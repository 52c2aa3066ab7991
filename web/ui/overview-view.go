package ui

import (
	"slices"
	"strconv"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/app"
	"pcpscope/web/format"
)

// Open reports whether the overview is above the panels: on the overview dashboard, once
// the source has been read.
func (c *OverviewView) Open() bool {
	tab := c.App.Current()
	return tab != nil && tab.Findings.Overview != nil && tab.Dashboard.Shown != nil && tab.Dashboard.Shown.ID == "overview" && len(tab.Findings.Overview.Tiles) > 0
}

// Unlogged reports whether no resource was logged: all that could be said of each is that.
func (c *OverviewView) Unlogged() bool {
	return c.Open() && unlogged(c.App.Current().Findings.Overview.Tiles)
}

func unlogged(tiles []api.Tile) bool {
	return !slices.ContainsFunc(tiles, func(t api.Tile) bool { return !notLogged([]api.TileCell{t.Utilisation, t.Saturation, t.Errors}) })
}

// A TileView is one tile: a resource with three judgements.
type TileView struct {
	Resource, Dashboard, Title string
	Cells                      []CellView
}

// A CellView is one judgement.
type CellView struct {
	api.TileCell
	Class, Title, Icon string
	Name               string // before the text, cut where there is no room
	dashboard          string
}

// Tiles are the resources. Pressure and cgroups have a tile only if they were logged,
// kernel tables only if one fills up.
func (c *OverviewView) Tiles() []TileView {
	if !c.Open() {
		return nil
	}
	tab := c.App.Current()
	var list []TileView
	for _, t := range tab.Findings.Overview.Tiles {
		cells := []api.TileCell{t.Utilisation, t.Saturation, t.Errors}
		switch {
		case (t.Resource == "Pressure" || t.Resource == "Cgroups") && notLogged(cells), t.Resource == "Kernel tables" && t.Utilisation.State != "look":
			continue
		}
		v := TileView{Resource: t.Resource, Dashboard: t.Dashboard, Title: "Show the dashboard"}
		for _, cell := range cells {
			v.Cells = append(v.Cells, c.cell(tab, cell, t.Dashboard))
		}
		list = append(list, v)
	}
	return list
}

func notLogged(cells []api.TileCell) bool {
	for _, c := range cells {
		if c.State != "not logged" {
			return false
		}
	}
	return true
}

func (c *OverviewView) cell(tab *app.Tab, t api.TileCell, dashboard string) CellView {
	v := CellView{TileCell: t, Class: "plain cell", Title: t.Why, Icon: "tri none", dashboard: dashboard}
	if v.Text == "" {
		v.Text = t.State
	}
	switch t.State {
	case "look":
		v.Class, v.Icon = "plain cell look", "tri"
	case "broken":
		v.Class, v.Icon = "plain cell broken", "tri broken"
	case "cannot judge", "not logged":
		v.Class = "plain cell unknown"
	}
	if t.When != nil {
		v.Title = v.Text + ", " + tab.Clock.Range(t.When.Start, t.When.End)
		if t.Why != "" {
			v.Title += ": " + t.Why
		}
	}
	v.Name, v.Text = format.TileText(v.Text)
	return v
}

// ShowDashboard opens the dashboard of a resource.
func (c *OverviewView) ShowDashboard(id string) {
	if tab := c.App.Current(); tab != nil && id != "" {
		tab.Dashboard.Open(id)
	}
}

// ShowCell shows the worst moment.
func (c *OverviewView) ShowCell(v CellView) {
	if tab := c.App.Current(); tab != nil && v.When != nil {
		tab.Findings.ShowSample(v.When.Start, v.When.End)
	}
}

// A FindingView is one row of the findings.
type FindingView struct {
	api.Finding
	Mark, At, Long string
	Often          string     // how often, how long in total, and when it was worst
	Days           []DayMarks // on which days, if the source has several
	DaysBox        string     // view box of these
	On             string     // these days in words
}

// DayMarks are the days on which something lasted about equally long, as an SVG path
// with one unit per day.
type DayMarks struct{ Class, Path string }

// Minute is the time without seconds, for narrow pages.
func (v FindingView) Minute() string {
	if strings.Count(v.At, ":") < 2 {
		return v.At // it has none
	}
	return v.At[:strings.LastIndexByte(v.At, ':')]
}

func findings(tab *app.Tab) []FindingView {
	if tab == nil {
		return nil
	}
	var list []FindingView
	calendar := tab.Findings.Days()
	for _, f := range tab.Findings.List() {
		v := FindingView{Finding: f, Mark: "mark " + f.Level, At: moment(tab, f.Start)}
		if f.End > f.Start {
			v.Long = format.Span(int64(f.End - f.Start))
		}
		if f.Times > 1 {
			v.Long, v.Often = "", format.Count(f.Times)+" times"
			if f.Lasted > 0 {
				v.Often += ", " + format.Span(int64(f.Lasted*1e9)) + " in all"
			}
			if f.Worst != nil {
				v.At = moment(tab, f.Worst.Start)
				v.Often += ", worst " + v.At
			}
		}
		v.Days, v.DaysBox, v.On = byDay(calendar, tab.Clock, f)
		list = append(list, v)
	}
	return list
}

// moment is a time of a finding or an event, to the second, with its day if there are
// several.
func moment(tab *app.Tab, t pcp.Time) string {
	if tab.Clock.Date(tab.Source.Start) != tab.Clock.Date(tab.Source.End) {
		return tab.Clock.ShortDateTime(t)
	}
	return tab.Clock.Within(t, tab.Source.Start, tab.Source.End)
}

// First are the findings that fit in the overview.
func (c *OverviewView) First() []FindingView {
	list := ofEachKind(findings(c.App.Current()))
	return list[:min(len(list), 3)]
}

// ofEachKind returns the first finding of each rule, and the number of all, which may be
// of other objects: otherwise forty disks would fill the overview.
func ofEachKind(list []FindingView) []FindingView {
	var first []FindingView
	times := map[string]int{}
	for _, f := range list {
		if times[f.Rule]++; times[f.Rule] == 1 {
			first = append(first, f)
		}
	}
	for i := range first {
		if n := times[first[i].Rule]; n > 1 {
			first[i].Text = "1 of " + format.Count(n) + ": " + first[i].Text
		}
	}
	return first
}

// Counts counts the findings.
func (c *OverviewView) Counts() string { return counts(c.App.Current()) }

func counts(tab *app.Tab) string {
	if tab == nil || tab.Findings.Overview == nil {
		return ""
	}
	broken, look, know := tab.Findings.Count()
	switch {
	case broken+look+know == 0:
		return "none"
	case broken+look == 0:
		return format.Plural(know, "note") + ", no warnings"
	}
	text := format.Plural(look, "warning") + ", " + format.Plural(know, "note")
	if broken > 0 {
		text = format.Plural(broken, "error") + ", " + text
	}
	return text
}

// ShowAll lists all findings in the left pane.
func (c *OverviewView) ShowAll() {
	c.App.Layout.Rail = "findings"
	if c.App.Layout.Sheet == "" {
		c.App.Layout.Sheet = "rail"
	}
}

// ShowFinding shows a finding's time and dashboard.
func (c *OverviewView) ShowFinding(f FindingView) {
	if tab := c.App.Current(); tab != nil {
		tab.Findings.ShowWorst(f.Finding)
	}
}

// Controls are the comparison's, above the findings.
func (c *FindingList) Controls() *ComparedWith {
	c.controls.App = c.App
	return &c.controls
}

// All are the findings.
func (c *FindingList) All() []FindingView {
	if c.RulesOpen() {
		return nil
	}
	return findings(c.App.Current())
}

// RulesOpen reports whether the rules are listed instead of the findings.
func (c *FindingList) RulesOpen() bool {
	tab := c.App.Current()
	return tab != nil && tab.Rules.Open
}

// Expanded is the same for screen readers.
func (c *FindingList) Expanded() string { return strconv.FormatBool(c.RulesOpen()) }

// RulesText is the label of the button.
func (c *FindingList) RulesText() string {
	if c.RulesOpen() {
		return "Findings"
	}
	return "Thresholds…"
}

// ToggleRules switches between rules and findings.
func (c *FindingList) ToggleRules() {
	if tab := c.App.Current(); tab != nil {
		tab.Rules.Toggle()
	}
}

// A RuleView is one row of the rules.
type RuleView struct{ Name, Text, From, Class, Value, Unit, Title string }

// Rules are the thresholds, with the source of their defaults.
func (c *FindingList) Rules() []RuleView {
	if !c.RulesOpen() {
		return nil
	}
	var list []RuleView
	for _, r := range c.App.Current().Rules.List {
		v := RuleView{Name: r.Name, Text: strings.ToUpper(r.Text[:1]) + r.Text[1:], From: r.From, Class: "t3", Unit: r.Unit, Value: strconv.FormatFloat(r.Value, 'f', -1, 64), Title: r.Pmie + r.Why}
		if r.Value != r.Usual {
			v.From, v.Class = "changed; default is "+strconv.FormatFloat(r.Usual, 'f', -1, 64), "look"
		}
		list = append(list, v)
	}
	return list
}

// ShowLanes shows the thresholds as rules of pmie(1), with when each was exceeded.
func (c *FindingList) ShowLanes() {
	if tab := c.App.Current(); tab != nil {
		c.App.Layout.Sheet = ""
		tab.Lanes.ShowThresholds()
	}
}

// SetRule changes a rule.
func (c *FindingList) SetRule(name, text string) { c.App.Current().Rules.Change(name, text) }

// Word is shown if the list is empty.
func (c *FindingList) Word() string {
	tab := c.App.Current()
	switch {
	case tab == nil:
		return ""
	case tab.Findings.Overview == nil && tab.Source.Loaded < 1:
		return "Findings appear once the whole source has been read."
	case tab.Findings.Overview == nil:
		return "Looking…"
	case len(tab.Findings.Overview.Findings) == 0:
		return "No warnings or notes."
	}
	return ""
}

// Show shows a finding's time, on its dashboard.
func (c *FindingList) Show(f FindingView) {
	if tab := c.App.Current(); tab != nil {
		tab.Findings.Show(f.Finding)
	}
}

// Compare starts comparing two windows.
func (c *FindingList) Compare() {
	if tab := c.App.Current(); tab != nil {
		c.App.Layout.Sheet = ""
		tab.Compare.Start()
	}
}
