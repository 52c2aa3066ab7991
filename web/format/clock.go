package format

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"time"

	"pcpscope/core/pcp"
)

// A Clock writes times in the host's local time.
type Clock struct {
	Name     string    // as users know it: "Europe/Prague", "EST5EDT", "UTC"
	Segments []Segment // by From; the first also applies to all earlier times
	Dates    bool      // the data span more than a day, so that times need a date
	Years    bool      // and fall into several years, so that dates need theirs

	// Of times before and after the segments, which may be typed; nil if the first and the last
	// apply to all of them.
	beyond   OffsetFunc
	from, to int64
}

// A Segment is a time range with one UTC offset.
type Segment struct {
	From   pcp.Time
	Offset int // seconds east of Greenwich
}

// An OffsetFunc returns seconds east of UTC at a Unix time.
type OffsetFunc func(unix int64) int

// UTC is the clock used if no zone is known.
var UTC = Clock{Name: "UTC", Segments: []Segment{{pcp.MinTime, 0}}}

// NewClock makes the clock for the times from start to end. It samples offset
// every fortnight and bisects where the answer changes; no zone in use
// changes twice within a fortnight.
func NewClock(name string, offset OffsetFunc, start, end pcp.Time) Clock {
	const fortnight = 14 * 24 * 3600
	from, _ := start.Split()
	to, _ := end.Split()
	from, to = from-fortnight, to+fortnight
	if (to-from)/fortnight > 26*60 { // more than 60 years of data means damaged times
		to = from + fortnight*26*60
	}
	c := Clock{Name: name, Segments: []Segment{{pcp.MinTime, offset(from)}}, beyond: offset, from: from, to: to}
	for t := from; t < to; t += fortnight {
		was := offset(t)
		now := offset(t + fortnight)
		if was == now {
			continue
		}
		i := sort.Search(fortnight, func(i int) bool { return offset(t+int64(i)) != was })
		c.Segments = append(c.Segments, Segment{pcp.MakeTime(t+int64(i), 0), now})
	}
	return c
}

// At returns the distance from UTC at t, in seconds east.
func (c Clock) At(t pcp.Time) int {
	if unix, _ := t.Split(); c.beyond != nil && (unix < c.from || unix > c.to) {
		return c.beyond(unix)
	}
	i := sort.Search(len(c.Segments), func(i int) bool { return c.Segments[i].From > t })
	if i == 0 {
		if len(c.Segments) == 0 {
			return 0
		}
		return c.Segments[0].Offset
	}
	return c.Segments[i-1].Offset
}

// Same lists the moments at which the clock shows what it shows at t, in order: two
// in the hour that is repeated when summer time ends.
func (c Clock) Same(t pcp.Time) []pcp.Time {
	var list []pcp.Time
	offset := c.At(t)
	for i, s := range c.Segments {
		at := t + pcp.Time(offset-s.Offset)*pcp.Time(time.Second)
		if (i == 0 || at >= s.From) && (i+1 == len(c.Segments) || at < c.Segments[i+1].From) {
			list = append(list, at)
		}
	}
	return list
}

func (c Clock) local(t pcp.Time) time.Time {
	return t.Std().Add(time.Duration(c.At(t)) * time.Second)
}

// Time writes HH:MM:SS.
func (c Clock) Time(t pcp.Time) string { return c.local(t).Format("15:04:05") }

// TimeFine writes HH:MM:SS with as many digits of the fraction as it has, up
// to the microsecond.
func (c Clock) TimeFine(t pcp.Time) string { return c.local(t).Format("15:04:05.999999") }

// Date writes "16 Apr 2018".
func (c Clock) Date(t pcp.Time) string { return c.local(t).Format("2 Jan 2006") }

// DateTime writes "16 Apr 2018 10:01:25".
func (c Clock) DateTime(t pcp.Time) string { return c.local(t).Format("2 Jan 2006 15:04:05") }

// Year is the year of a time.
func (c Clock) Year(t pcp.Time) int { return c.local(t).Year() }

// fine writes HH:MM:SS, with milliseconds if seconds do not tell the times of a range of
// that length apart.
func (c Clock) fine(t, length pcp.Time) string {
	const few = 2e9
	if 0 < length && length < few {
		return c.local(t).Format("15:04:05.000")
	}
	return c.Time(t)
}

// times writes a stretch of time within a day: "10:01:25 – 14:32:47", or one
// time if that is all there is.
func (c Clock) times(from, to pcp.Time) string {
	if from == to {
		return c.Time(from)
	}
	return c.fine(from, to-from) + " – " + c.fine(to, to-from)
}

// Range writes a stretch of time: "10:01:25 – 14:32:47", with the dates where
// it covers more than one day, and with the distance from UTC where one of the times
// occurs twice.
func (c Clock) Range(from, to pcp.Time) string {
	if c.Repeats(from, from) || c.Repeats(to, to) {
		return c.RangeOnly(from, to) + " " + c.Offsets(from, to)
	}
	return c.RangeOnly(from, to)
}

// RangeOnly is Range where the distance from UTC is beside it.
func (c Clock) RangeOnly(from, to pcp.Time) string {
	if c.Date(from) == c.Date(to) {
		text := c.times(from, to)
		if c.Dates {
			return c.Day(from) + " " + text
		}
		return text
	}
	return c.Day(from) + c.local(from).Format(" 15:04") + " – " + c.Day(to) + c.local(to).Format(" 15:04")
}

// Dated writes a stretch of time with its date, "16 Apr 2018, 10:01:25 –
// 14:32:47", or with both: "16 Apr 2018 10:01 – 17 Apr 14:32".
func (c Clock) Dated(from, to pcp.Time) string {
	if c.Date(from) == c.Date(to) {
		return c.Date(from) + ", " + c.times(from, to)
	}
	end := "2 Jan 15:04"
	if c.local(from).Year() != c.local(to).Year() {
		end = "2 Jan 2006 15:04"
	}
	return c.local(from).Format("2 Jan 2006 15:04") + " – " + c.local(to).Format(end)
}

// Day is the longest range in which a time of day is unambiguous.
const Day = 24 * 3600e9

// Within writes a time within a range: "10:01:25", or if the range is too long
// for that, "16 Apr 10:01" or "16 Apr 2018". A time of day that occurs twice has its
// distance from UTC: "02:30:00 UTC+1".
func (c Clock) Within(t, from, to pcp.Time) string {
	switch {
	case to-from <= Day && c.Dates:
		return c.ShortDateTime(t)
	case to-from <= Day:
		return c.Time(t) + c.which(t)
	case c.local(from).Year() == c.local(to).Year():
		return c.local(t).Format("2 Jan 15:04") + c.which(t)
	}
	return c.Date(t)
}

// Offset writes the distance from UTC at t: "UTC", "UTC−4", "UTC+5:30".
func (c Clock) Offset(t pcp.Time) string { return offsetName(c.At(t)) }

// which writes the distance from UTC, after a space, if the clock shows twice what it
// shows at t.
func (c Clock) which(t pcp.Time) string {
	if c.Repeats(t, t) {
		return " " + c.Offset(t)
	}
	return ""
}

// Offsets writes the distance from UTC of a stretch of time: "UTC+1", or "UTC+1 to UTC+2" if
// it is another one at its end.
func (c Clock) Offsets(from, to pcp.Time) string {
	first, last := c.Offset(from), c.Offset(to)
	if first == last {
		return first
	}
	return first + " to " + last
}

// Changes reports whether the clock is put forward or back after the first of two times,
// and not after the second.
func (c Clock) Changes(from, to pcp.Time) bool {
	i := sort.Search(len(c.Segments), func(i int) bool { return c.Segments[i].From > from })
	return i < len(c.Segments) && c.Segments[i].From <= to
}

// Repeats reports whether a range has times that the clock shows twice.
func (c Clock) Repeats(from, to pcp.Time) bool {
	for i := 1; i < len(c.Segments); i++ {
		back := pcp.Time(c.Segments[i-1].Offset-c.Segments[i].Offset) * pcp.Time(time.Second)
		if change := c.Segments[i].From; to >= change-back && from < change+back {
			return true
		}
	}
	return false
}

func offsetName(sec int) string {
	if sec == 0 {
		return "UTC"
	}
	sign := "+"
	if sec < 0 {
		sign, sec = Minus, -sec
	}
	s := fmt.Sprintf("UTC%s%d", sign, sec/3600)
	if m := sec % 3600 / 60; m != 0 {
		s += fmt.Sprintf(":%02d", m)
	}
	return s
}

// Span writes a length of time with its two largest units: "4 h 31 min",
// "59 min 30 s", "12.5 s".
func Span(nanos int64) string {
	d := time.Duration(nanos)
	if d < 0 {
		return Minus + Span(-max(nanos, -math.MaxInt64))
	}
	part := func(n time.Duration, unit string) string { return fmt.Sprintf("%d %s", int64(n), unit) }
	two := func(big time.Duration, b string, small time.Duration, s string) string {
		d := d.Round(small)
		if r := d % big / small; r != 0 {
			return part(d/big, b) + " " + part(r, s)
		}
		return part(d/big, b)
	}
	const day = 24 * time.Hour
	switch { // by what it is rounded to: 59.97 s is 1 min, and not 60 s
	case d.Round(time.Minute) >= day:
		return two(day, "d", time.Hour, "h")
	case d.Round(time.Second) >= time.Hour:
		return two(time.Hour, "h", time.Minute, "min")
	case d.Round(time.Second/10) >= time.Minute:
		return two(time.Minute, "min", time.Second, "s")
	case d.Round(time.Millisecond/10) >= time.Second:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Seconds()), ".0") + " s"
	case d >= time.Millisecond:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(d)/1e6), ".0") + " ms"
	case d == 0:
		return "0 s"
	}
	return fmt.Sprintf("%d \u00b5s", d/time.Microsecond)
}

// ShortDateTime writes "16 Apr 10:01:25", with the year if it needs one, and with the
// distance from UTC if it occurs twice.
func (c Clock) ShortDateTime(t pcp.Time) string {
	return c.Day(t) + c.local(t).Format(" 15:04:05") + c.which(t)
}
