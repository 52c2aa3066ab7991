// Package report writes what is known of a source, and what the panels of a
// view show, for people who have neither the archive nor this program: as one
// page of HTML with charts, and as a text that fits a terminal. The page prints
// the same, and the program pcpscope writes the same.
package report

import (
	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/compare"
	"pcpscope/web/format"
	"pcpscope/web/panel"
	"pcpscope/web/session"
	"pcpscope/web/timeline"
)

// A Report is all that is said.
type Report struct {
	Version         string // of pcpscope
	Title, Subtitle string
	Source          string   // name of the archive
	Files           []string // that it was read from
	Bytes           int64    // that these have
	Window          timeline.Window
	Facts           [][2]string
	Fingerprint     string
	Missing         string // what is not recorded, in sentences; "" where nothing is missing
	Problems        []pcp.Fault
	Overview        *api.Overview // nil where there is none
	Notes           []session.Note
	Compare         *compare.State // where two windows are compared
	Utilisation     func(metric string) bool
	Rules           []api.Rule
	Clock           format.Clock
	Replace         func(text string) string // puts others in place of texts from anywhere; nil keeps them

	View   string  // what the panels are called together
	Panels []Panel // in order; none in a text
	Breaks []Break // where lines end
	Days   *Days   // nil where days are not compared
}

// A Panel is a panel with what it shows.
type Panel struct {
	*panel.Settings
	*panel.View
}

// A Break is a stretch for which there can be no value, or a moment that no line
// crosses, where Start is End.
type Break struct {
	Start, End pcp.Time
	Label      string
}

// Days are the days of the source by one measure.
type Days struct {
	Name    string
	Shown   format.Shown
	Highest bool // cells are coloured by the highest value of their hour, not its mean
	Result  *api.Days
	Unusual []api.UnusualDay
}

// Texts lists all texts of the page that come from anywhere; the text has some
// of them.
func (about *Report) Texts() []string {
	var list []string
	all := *about
	all.Replace = func(text string) string {
		list = append(list, text)
		return text
	}
	all.HTML()
	all.Text(true)
	return list
}

// own puts another text in place of one from anywhere, if that is asked for.
func (about *Report) own(text string) string {
	if about.Replace == nil || text == "" {
		return text
	}
	return about.Replace(text)
}

// levels are what findings are called, but those that are good to know.
var levels = map[string]string{"broken": "Broken", "look": "Warning"}

// moments is a stretch of time, or one moment, with the zone's offset.
func (about *Report) moments(from, to pcp.Time) string {
	c := about.Clock
	if from == to {
		return c.DateTime(from) + " " + c.Offset(from)
	}
	text := c.Range(from, to) // with dates, where there are two
	if c.Date(from) == c.Date(to) {
		text = c.Date(from) + " " + c.Time(from) + " – " + c.Time(to)
	}
	return text + " " + c.Offset(from)
}

// shown is the window that the panels are of.
func (about *Report) shown() string {
	w := about.Window
	return about.Clock.Dated(w.Start, w.End) + " " + about.Clock.Offset(w.Start)
}

// changedRules are those whose limits somebody has set.
func (about *Report) changedRules() []api.Rule {
	var list []api.Rule
	for _, r := range about.Rules {
		if r.Value != r.Usual {
			list = append(list, r)
		}
	}
	return list
}

// events are what became of the host, but for outages, which are told as such.
func (about *Report) events() []api.Event {
	if about.Overview == nil {
		return nil
	}
	var list []api.Event
	for _, e := range about.Overview.History {
		if e.Kind != "outage" {
			list = append(list, e)
		}
	}
	return list
}
