// Package report writes what is known of a source, and what the panels of a
// view show, for people who have neither the archive nor this program: as one
// HTML page with charts, and as text for a terminal. The page's print and the
// command line program pcpscope use the same.
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

// A Report is the content of a report.
type Report struct {
	Version         string // of pcpscope
	Title, Subtitle string
	Source          string   // name of the archive
	Files           []string // that it was read from
	Bytes           int64    // total size of Files
	Window, Whole   timeline.Window
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
	Replace         func(text string) string // replaces texts that come from outside; nil keeps them

	View   string  // title of the panels
	Panels []Panel // in order; none in a text
	Breaks []Break // where lines end
	Days   *Days   // nil if days are not compared
}

// A Panel is a panel with its values.
type Panel struct {
	*panel.Settings
	*panel.View
}

// A Break is a time range for which there can be no value, or, if Start is End,
// a moment that no line crosses.
type Break struct {
	Start, End pcp.Time
	Label      string
}

// Days is the calendar of the source for one measure.
type Days struct {
	Name    string
	Shown   format.Shown
	Highest bool // cells are coloured by the highest value of their hour, not its mean
	Result  *api.Days
	Unusual []api.UnusualDay
}

// Texts lists all texts on the HTML page that come from outside; the text
// report has some of them.
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

// own replaces a text from outside, if requested.
func (about *Report) own(text string) string {
	if about.Replace == nil || text == "" {
		return text
	}
	return about.Replace(text)
}

// levels are the names of finding levels, apart from mere information.
var levels = map[string]string{"broken": "Error", "look": "Warning"}

// moments writes a time range, or one moment, with the zone's offset.
func (about *Report) moments(from, to pcp.Time) string {
	c := about.Clock
	if from == to {
		return c.DateTime(from) + " " + c.Offset(from)
	}
	text := c.Range(from, to) // with dates if it spans two days
	if c.Date(from) == c.Date(to) {
		c.Dates = false
		text = c.Date(from) + " " + c.RangeOnly(from, to)
	}
	return text + " " + c.Offsets(from, to)
}

// shown is the window of the panels.
func (about *Report) shown() string {
	w := about.Window
	return about.Clock.Dated(w.Start, w.End) + " " + about.Clock.Offsets(w.Start, w.End)
}

// ofWhole says that findings and worst cases are not those of the window alone.
func (about *Report) ofWhole() string {
	if about.Window == about.Whole {
		return ""
	}
	return " in the whole recording"
}

// changedRules are the rules whose limits the user has changed.
func (about *Report) changedRules() []api.Rule {
	var list []api.Rule
	for _, r := range about.Rules {
		if r.Value != r.Usual {
			list = append(list, r)
		}
	}
	return list
}

// events are those of the host, without outages, which are reported
// separately.
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
