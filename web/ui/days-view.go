package ui

import (
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/web/app"
	"pcpscope/web/format"
)

func (c *DaysView) days() *app.Days {
	if tab := c.App.Current(); tab != nil {
		return &tab.Days
	}
	return nil
}

// Open reports whether the days are visible.
func (c *DaysView) Open() bool {
	d := c.days()
	return d != nil && d.Visible() && c.App.Current().Findings.Overview != nil
}

// Message replaces the calendar if there is none.
func (c *DaysView) Message() string {
	switch d := c.days(); {
	case d == nil || !c.Open() || len(d.Result.Days) > 0:
		return ""
	case d.Fault != "":
		return d.Fault
	}
	return "Aggregating hours…"
}

// Measures are the measures to choose from.
func (c *DaysView) Measures() []Choice {
	if !c.Open() {
		return nil
	}
	d := c.days()
	var list []Choice
	for _, m := range d.Measures() {
		list = append(list, Choice{"", m.Name, m.Name, chosen(m.Name == d.Measure.Name)})
	}
	return list
}

// Choose shows another measure.
func (c *DaysView) Choose(name string) { c.days().Choose(name) }

// SetHighest colours cells by the highest value of their hour, or by the mean.
func (c *DaysView) SetHighest(on bool) { c.days().SetHighest(on) }

func (c *DaysView) MeanClass() string { return chosen(c.days() != nil && !c.days().Highest) }

func (c *DaysView) HighestClass() string { return chosen(c.days() != nil && c.days().Highest) }

// Sentence describes the calendar in words.
func (c *DaysView) Sentence() string {
	d := c.days()
	if d == nil || len(d.Result.Days) == 0 {
		return "Calendar"
	}
	return d.Measure.Name + " by days and hours, " + format.Plural(d.Result.Observed, "day") + " with data of " + format.Count(len(d.Result.Days)) + "."
}

// observed reports whether there is any value.
func observed(values []float64) bool {
	for _, v := range values {
		if v == v {
			return true
		}
	}
	return false
}

// Day says which days the picked one is compared with.
func (c *DaysView) Day() string {
	d := c.days()
	if d == nil || d.Picked < 0 || d.Picked >= len(d.Result.Days) {
		return ""
	}
	r := &d.Result
	day, others := r.Days[d.Picked], 0
	for i, o := range r.Days {
		if i != d.Picked && o.Weekday == day.Weekday && observed(r.Average[24*i:24*i+24]) {
			others++
		}
	}
	text := c.App.Current().Clock.Weekday(day.Start)
	if unit := d.Shown.Name(); unit != "" {
		text += ", " + unit
	}
	text += ": hourly mean, lowest to highest"
	if others > 0 {
		text += "; grey: " + format.Plural(others, "other "+time.Weekday(day.Weekday).String())
	}
	if observed(r.Median[24*day.Weekday : 24*day.Weekday+24]) {
		text += ", median, and 10 to 90 % of all " + time.Weekday(day.Weekday).String() + "s"
	}
	return text
}

// An UnusualView is one row of the unusual days.
type UnusualView struct {
	Name, Text, Title string
	day               api.UnusualDay
}

// maxUnusual is how many unusual days are listed.
const maxUnusual = 4

// Unusual are the unusual days, in any of the usual measures.
func (c *DaysView) Unusual() []UnusualView {
	if !c.Open() {
		return nil
	}
	d, tab := c.days(), c.App.Current()
	var list []UnusualView
	for _, u := range d.Unusual[:min(len(d.Unusual), maxUnusual)] {
		v := UnusualView{Name: tab.Clock.Weekday(u.Start), Text: u.Text, day: u}
		var reasons []string
		for _, r := range u.Reasons {
			reasons = append(reasons, r.Text)
		}
		if v.Title = strings.Join(reasons, "\n"); len(reasons) > 0 {
			v.Text = reasons[0]
			if n := len(reasons) - 1; n > 0 {
				v.Text += "; " + format.Count(n) + " more"
			}
		}
		list = append(list, v)
	}
	return list
}

// UnusualHead is their heading.
func (c *DaysView) UnusualHead() string {
	d := c.days()
	switch {
	case d == nil || !d.UnusualKnown:
		return "Unusual days: comparing…"
	case len(d.Unusual) == 0:
		return "No unusual days."
	case len(d.Unusual) > maxUnusual:
		return "Unusual days, " + format.Count(maxUnusual) + " of " + format.Count(len(d.Unusual))
	}
	return "Unusual days"
}

// Show shows what made a day unusual.
func (c *DaysView) Show(u UnusualView) { c.days().ShowUnusual(u.day) }
