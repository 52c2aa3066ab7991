package when

import (
	"strconv"
	"strings"
	"time"
)

var (
	monthNames = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}
	dayNames   = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}
)

const absent = -1

// Fields of a calendar time, from the most significant to the least.
const (
	year = iota
	month
	day
	hour
	minute
	second
)

// ctime parses the form of section 15.4, "Tue Mar 5 14:00 1996" with nearly
// everything optional. Missing fields above the given ones come from ref,
// missing ones below them are the minimum; an empty text means ref. ok is false
// if the text has another form or is too incomplete.
func ctime(text string, ref time.Time) (t time.Time, ok bool) {
	c := ctimeText{rest: text, f: [6]int{absent, absent, absent, absent, absent, absent}}
	if !c.read() {
		return time.Time{}, false
	}
	now := [6]int{ref.Year(), int(ref.Month()), ref.Day(), ref.Hour(), ref.Minute(), ref.Second()}
	zero := [6]int{0, 1, 1, 0, 0, 0}
	f := now
	for highest, v := range c.f {
		if v == absent {
			continue
		}
		f = zero
		copy(f[:highest], now[:highest])
		for i := highest; i < len(f); i++ {
			if c.f[i] != absent {
				f[i] = c.f[i]
			}
		}
		if highest > year && v < now[highest] {
			f[highest-1]++
		}
		return date(f, c.nanos, ref.Location()), true
	}
	return ref, true
}

func date(f [6]int, nanos int, zone *time.Location) time.Time {
	return time.Date(f[year], time.Month(f[month]), f[day], f[hour], f[minute], f[second], nanos, zone)
}

type ctimeText struct {
	rest  string
	f     [6]int
	nanos int
}

// read fills the fields; false if the text is of another form.
func (c *ctimeText) read() bool {
	c.blanks()
	if c.rest == "" {
		return true
	}
	weekday := isDay(c.peekWord())
	if weekday {
		c.word()
	}
	if m := monthOf(c.peekWord()); m > 0 {
		c.word()
		c.f[month] = m
	}
	n, digits := c.number()
	if digits > 0 && n >= 1900 { // only a year is that large
		return c.setYear(n) && !(weekday && c.f[month] == absent)
	}
	if digits > 0 {
		colon := strings.HasPrefix(c.rest, ":")
		more := c.rest != "" && c.rest[0] >= '0' && c.rest[0] <= '9'
		switch {
		case colon && n <= 23:
			c.f[hour] = n
		case !colon && c.f[month] == absent && !more && n <= 23: // alone
			c.f[hour] = n
		case c.f[month] == absent && n <= 23 && c.startsWithYear():
			if weekday {
				return false
			}
			c.f[hour] = n
		case n <= 31:
			if n > 0 { // 0 counts as missing
				c.f[day] = n
			}
			if v, d := c.number(); d > 0 && v >= 1900 {
				return c.setYear(v)
			} else if d > 0 {
				if v > 23 {
					return false
				}
				c.f[hour] = v
			}
		default:
			return false
		}
	}
	if !c.clock() {
		return false
	}
	if weekday && c.f[month] == absent && c.f[day] == absent {
		return false // it names a day, but not in this form
	}
	if c.rest != "" {
		n, digits := c.number()
		return digits > 0 && c.setYear(n)
	}
	return c.f[month] != absent || c.f[day] != absent || c.f[minute] != absent
}

// clock reads what follows the hour: minutes, seconds, am or pm.
func (c *ctimeText) clock() bool {
	for _, field := range []int{minute, second} {
		if !strings.HasPrefix(c.rest, ":") {
			break
		}
		c.rest = c.rest[1:]
		if c.f[hour] == absent {
			c.f[hour] = 0
		}
		if skipBlanks(c.rest, 0) > 0 {
			if c.blanks(); c.startsWithYear() {
				break
			}
		}
		n, _ := c.number()
		if field == minute && n > 59 || n > 61 {
			return false
		}
		c.f[field] = n
		if field == second && strings.HasPrefix(c.rest, ".") && !c.fraction() {
			return false
		}
	}
	switch strings.ToLower(c.peekWord()) {
	case "am", "pm":
		if c.f[hour] == absent || c.f[hour] > 12 {
			return false
		}
		c.f[hour] %= 12
		if strings.EqualFold(c.peekWord(), "pm") {
			c.f[hour] += 12
		}
		c.word()
	}
	return true
}

func (c *ctimeText) fraction() bool {
	i := 1
	for i < len(c.rest) && c.rest[i] >= '0' && c.rest[i] <= '9' {
		i++
	}
	digits := (c.rest[1:i] + "000000000")[:9]
	n, err := strconv.Atoi(digits)
	c.nanos = n
	c.rest = c.rest[i:]
	c.blanks()
	return err == nil
}

func (c *ctimeText) setYear(n int) bool {
	c.f[year] = n
	return n >= 1900 && n <= 9999 && c.rest == ""
}

// startsWithYear reports whether the rest begins with a number that only a year can be.
func (c *ctimeText) startsWithYear() bool {
	n, err := strconv.Atoi(c.rest[:min(4, len(c.rest))])
	return err == nil && n >= 1900
}

func (c *ctimeText) blanks() { c.rest = c.rest[skipBlanks(c.rest, 0):] }

// number consumes a whole number and the blanks after it, but not the point of
// a fraction.
func (c *ctimeText) number() (n, digits int) {
	for digits < len(c.rest) && c.rest[digits] >= '0' && c.rest[digits] <= '9' {
		digits++
	}
	n, err := strconv.Atoi(c.rest[:digits])
	if digits > 0 && err != nil {
		n = 1 << 30 // fits no field
	}
	c.rest = c.rest[digits:]
	c.blanks()
	return n, digits
}

func (c *ctimeText) peekWord() string { return c.rest[:lettersLen(c.rest)] }

func (c *ctimeText) word() {
	c.rest = c.rest[lettersLen(c.rest):]
	c.blanks()
}

// monthOf returns the number of a month of exactly three letters, 0 for others.
func monthOf(word string) int {
	for i, m := range monthNames {
		if strings.EqualFold(word, m[:3]) {
			return i + 1
		}
	}
	return 0
}

func isDay(word string) bool {
	for _, d := range dayNames {
		if strings.EqualFold(word, d[:3]) {
			return true
		}
	}
	return false
}
