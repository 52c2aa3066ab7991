package ui

import (
	"strconv"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/app"
	"pcpscope/web/format"
)

// byDay is a small calendar of a finding: how long it lasted on each day.
func byDay(list []app.Day, clock format.Clock, f api.Finding) (days []DayMarks, box, on string) {
	spans := f.Spans
	if len(spans) == 0 {
		spans = []pcp.Span{{Start: f.Start, End: f.End}}
	}
	if len(list) < 3 || len(spans) < 2 {
		return nil, "", ""
	}
	grades := []string{"", "", ""} // less than an hour, less than six, more
	var hit []app.Day
	at := 0
	for i, day := range list {
		for at < len(spans) && spans[at].End < day.Start {
			at++
		}
		lasted, some := pcp.Time(0), false
		for _, s := range spans[at:] {
			if s.Start >= day.End {
				break
			}
			some = true
			lasted += max(0, min(s.End, day.End)-max(s.Start, day.Start))
		}
		if !some {
			continue
		}
		hit = append(hit, day)
		grade := 0
		switch {
		case lasted >= 6*3600e9:
			grade = 2
		case lasted >= 3600e9:
			grade = 1
		}
		grades[grade] += "M" + strconv.Itoa(i) + " 0h.85v1h-.85z"
	}
	for i, path := range grades {
		if path != "" {
			days = append(days, DayMarks{"grade" + strconv.Itoa(i+1), path})
		}
	}
	return days, "0 0 " + strconv.Itoa(len(list)) + " 1", "on " + format.Plural(len(hit), "day") + ": " + app.DaysText(clock, hit)
}

// An EventView is one row of the host's history.
type EventView struct {
	api.Event
	When, Class string
}

// maxEvents is the maximum number of rows of the history.
const maxEvents = 100

// History is the host's history: reboots, changes of hardware and software. What was not
// recorded is listed above it.
func (c *FindingList) History() []EventView {
	tab := c.App.Current()
	if c.RulesOpen() || tab == nil || tab.Findings.Overview == nil {
		return nil
	}
	var list []EventView
	for _, e := range tab.Findings.Overview.History {
		v := EventView{Event: e, When: moment(tab, e.At), Class: "mark know"}
		switch e.Kind {
		case "outage", "boot":
			v.Class = "mark look"
		}
		if len(list) < maxEvents {
			list = append(list, v)
		}
	}
	return list
}

// HistoryHead counts the events of each kind.
func (c *FindingList) HistoryHead() string {
	tab := c.App.Current()
	if len(c.History()) == 0 {
		return ""
	}
	names := [][2]string{{"boot", "reboot"}, {"outage", "outage"}, {"clock", "clock change"}, {"hardware", "hardware change"}, {"kernel", "kernel change"}, {"packages", "package change"}, {"limits", "changed limit"}}
	count := map[string]int{}
	for _, e := range tab.Findings.Overview.History {
		count[e.Kind]++
	}
	var parts []string
	for _, n := range names {
		if count[n[0]] > 0 {
			parts = append(parts, format.Plural(count[n[0]], n[1]))
		}
	}
	return strings.Join(parts, ", ")
}

// ShowEvent shows the time of an event.
func (c *FindingList) ShowEvent(e EventView) {
	tab := c.App.Current()
	if tab == nil {
		return
	}
	c.App.Layout.Sheet = ""
	end := e.At
	if e.Until != nil {
		end = *e.Until
	}
	tab.Findings.ShowSpan(e.At, end)
}
