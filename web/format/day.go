package format

import (
	"time"

	"pcpscope/core/pcp"
)

// Typed writes a time as it can be typed: "2018-04-16 10:01:25.5"; with its distance from
// UTC if it occurs twice, "2018-11-04 01:30:00 -05:00", so that it is read as the same one.
func (c Clock) Typed(t pcp.Time) string {
	if c.Repeats(t, t) {
		return t.Std().In(time.FixedZone("", c.At(t))).Format(typed + " -07:00")
	}
	return c.local(t).Format(typed)
}

const typed = "2006-01-02 15:04:05.999999"

// Full writes a stretch of time with both dates and the distance from UTC, to be copied:
// "2018-04-16 10:01:25 to 2018-04-16 14:32:47 UTC−4".
func (c Clock) Full(from, to pcp.Time) string {
	return c.local(from).Format(typed) + " to " + c.local(to).Format(typed) + " " + c.Offsets(from, to)
}

// Midnight is when the day of t began on this clock, or the first moment of
// the day if summer time skips midnight.
func (c Clock) Midnight(t pcp.Time) pcp.Time {
	local := c.local(t)
	day := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC).UnixNano()
	at := func(t pcp.Time) pcp.Time { return pcp.Time(day) - pcp.Time(c.At(t))*1e9 }
	return at(at(t)) // the UTC offset may differ there
}

// NextDay is when the day after that of t begins.
func (c Clock) NextDay(t pcp.Time) pcp.Time { return c.Midnight(c.Midnight(t) + 30*3600e9) }

// Day writes the day and month of a time: "16 Apr", with the year if it needs one.
func (c Clock) Day(t pcp.Time) string {
	if c.Years {
		return c.Date(t)
	}
	return c.local(t).Format("2 Jan")
}

// Weekday writes the day of a time with its weekday: "Mon 16 Apr".
func (c Clock) Weekday(t pcp.Time) string { return c.local(t).Format("Mon ") + c.Day(t) }

// WeekdayOf is the weekday of a time, 0 for Sunday.
func (c Clock) WeekdayOf(t pcp.Time) int { return int(c.local(t).Weekday()) }

// Month is the beginning of the month that is the given number of months
// after that of t.
func (c Clock) Month(t pcp.Time, after int) pcp.Time {
	local := c.local(t)
	first := time.Date(local.Year(), local.Month()+time.Month(after), 1, 12, 0, 0, 0, time.UTC)
	return c.Midnight(pcp.FromStd(first) - pcp.Time(c.At(t))*1e9)
}

// MonthName writes the month of a time: "April 2018".
func (c Clock) MonthName(t pcp.Time) string { return c.local(t).Format("January 2006") }

// Digits writes the day of a time as in archive names: "20180416".
func (c Clock) Digits(t pcp.Time) string { return c.local(t).Format("20060102") }
