package ui

import (
	"strconv"

	"github.com/vugu/vugu"

	"pcpscope/core/pcp"
)

// A CalendarDay is a button of the small calendar; without text it is a gap before the
// first of the month.
type CalendarDay struct {
	Text, Title, Class string
	Off                bool
	start, end         pcp.Time
}

// NoCalendar reports whether the source is within a single day.
func (c *TimeMenu) NoCalendar() bool {
	tab := c.work()
	return tab == nil || tab.Clock.Date(tab.Whole().Start) == tab.Clock.Date(tab.Whole().End)
}

// Weekdays are the column headers.
func (c *TimeMenu) Weekdays() []string { return []string{"Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"} }

// first is the start of a month, counted from the window's.
func (c *TimeMenu) first(months int) pcp.Time {
	tab := c.work()
	return tab.Clock.Month(tab.Window.Start, months)
}

// MonthName is the month that is shown.
func (c *TimeMenu) MonthName() string {
	if c.NoCalendar() {
		return ""
	}
	return c.work().Clock.MonthName(c.first(c.month))
}

// HasMonth reports whether the source extends into the previous or next month.
func (c *TimeMenu) HasMonth(by int) bool {
	if c.NoCalendar() {
		return false
	}
	whole := c.work().Whole()
	return c.first(c.month+by+1) > whole.Start && c.first(c.month+by) < whole.End
}

// Turn shows another month.
func (c *TimeMenu) Turn(by int) {
	if c.HasMonth(by) {
		c.month += by
	}
}

// CalendarDays are the days of the month shown.
func (c *TimeMenu) CalendarDays() []CalendarDay {
	if c.NoCalendar() {
		return nil
	}
	tab := c.work()
	whole, first, end := tab.Whole(), c.first(c.month), c.first(c.month+1)
	empty := map[pcp.Time]bool{}
	for _, d := range tab.Findings.EmptyDays() {
		empty[d.Start] = true
	}
	list := make([]CalendarDay, (tab.Clock.WeekdayOf(first)+6)%7)
	for i := range list {
		list[i].Off, list[i].Class = true, "room"
	}
	for n, day := 1, first; day < end; n++ {
		d := CalendarDay{Text: strconv.Itoa(n), Title: tab.Clock.Weekday(day), start: day, end: tab.Clock.NextDay(day)}
		switch {
		case d.end <= whole.Start || day >= whole.End:
			d.Off, d.Title = true, d.Title+": not in this source"
		case empty[day]:
			d.Class, d.Title = "empty", d.Title+": nothing recorded"
		}
		if d.end > tab.Window.Start && day < tab.Window.End {
			d.Class += " on"
		}
		list = append(list, d)
		day = d.end
	}
	return list
}

// ShowDay shows a day; with shift, the range from the current window to it.
func (c *TimeMenu) ShowDay(d CalendarDay, event vugu.DOMEvent) {
	tab := c.work()
	if tab == nil || d.Off {
		return
	}
	start, end := d.start, d.end
	if event.PropBool("shiftKey") {
		start, end = min(start, tab.Window.Start), max(end, tab.Window.End)
	}
	c.own = false
	tab.Zoom(start, end)
	c.month = 0
}
