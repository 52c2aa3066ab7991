package ui

import (
	"strconv"

	"github.com/vugu/vugu"

	"pcpscope/core/pcp"
	"pcpscope/web/app"
)

// A CalendarDay is one button of the calendar; without text it is a spacer
// before the first of the month.
type CalendarDay struct {
	Text, Title, Class string
	Off                bool
	start, end         pcp.Time
}

// shown returns the tab whose days are shown, and the window that they are chosen
// for; nil if there is none.
func (c *Calendar) shown() (of *app.Tab, start, end pcp.Time) {
	if c.Of == "" {
		if tab := c.App.Current(); tab != nil {
			return tab, tab.Window.Start, tab.Window.End
		}
	} else if tab := comparing(c.App); tab != nil {
		of, w := tab.Compare.Side(c.Of)
		return of, w.Start, w.End
	}
	return nil, 0, 0
}

// SingleDay reports whether there are no days to choose from: the source has only one.
func (c *Calendar) SingleDay() bool {
	tab, _, _ := c.shown()
	return tab == nil || tab.Clock.Date(tab.Whole().Start) == tab.Clock.Date(tab.Whole().End)
}

// Weekdays are the headings of its columns.
func (c *Calendar) Weekdays() []string { return []string{"Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"} }

// first returns the start of a month, counted from the one shown.
func (c *Calendar) first(by int) pcp.Time {
	tab, start, _ := c.shown()
	if start != c.from { // the window has moved: its own month is shown
		c.from, c.month = start, 0
	}
	return tab.Clock.Month(start, c.month+by)
}

// MonthName names the month shown.
func (c *Calendar) MonthName() string {
	if c.SingleDay() {
		return ""
	}
	tab, _, _ := c.shown()
	return tab.Clock.MonthName(c.first(0))
}

// HasMonth reports whether the source extends into the previous or next month.
func (c *Calendar) HasMonth(by int) bool {
	if c.SingleDay() {
		return false
	}
	tab, _, _ := c.shown()
	whole := tab.Whole()
	return c.first(by+1) > whole.Start && c.first(by) < whole.End
}

// Turn shows another month.
func (c *Calendar) Turn(by int) {
	if c.HasMonth(by) {
		c.month += by
	}
}

// Days are the days of the month shown.
func (c *Calendar) Days() []CalendarDay {
	if c.SingleDay() {
		return nil
	}
	tab, from, to := c.shown()
	whole, first, end := tab.Whole(), c.first(0), c.first(1)
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
		if d.end > from && day < to {
			d.Class += " on"
		}
		list = append(list, d)
		day = d.end
	}
	return list
}

// Show moves the window to a day; with shift extends it up to that day.
func (c *Calendar) Show(d CalendarDay, event vugu.DOMEvent) {
	tab, from, to := c.shown()
	if tab == nil || d.Off {
		return
	}
	start, end := d.start, d.end
	if event.PropBool("shiftKey") {
		start, end = min(start, from), max(end, to)
	}
	if c.Of == "" {
		tab.Zoom(start, end)
	} else if of := comparing(c.App); of != nil {
		of.Compare.Set(c.Of, start, end)
	}
}
