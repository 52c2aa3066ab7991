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

// fields of a calendar time, from the highest to the lowest.
const (
	year = iota
	month
	day
	hour
	minute
	second
)

// ctime reads the form of 15.4, "Tue Mar 5 14:00 1996" with nearly everything
// optional. What is missing above is taken from ref, what is missing below is
// 0. ok is false where the text has another form or says too little.
func ctime(text string, ref time.Time) (t time.Time, ok bool) {
	c := ctimeText{rest: text, f: [6]int{absent, absent, absent, absent, absent, absent}}
	if !c.read() {
		return time.Time{}, false
	}
	f := c.f
	lowest, highest := year, absent
	for i, v := range f {
		if v != absent {
			lowest = i
			if i > year && highest == absent {
				highest = i
			}
		}
	}
	now := [6]int{ref.Year(), int(ref.Month()), ref.Day(), ref.Hour(), ref.Minute(), ref.Second()}
	zero := [6]int{0, 1, 1, 0, 0, 0}
	for i, v := range f {
		if v != absent {
			continue
		}
		if i > lowest || c.f[year] != absent {
			f[i] = zero[i]
		} else {
			f[i] = now[i]
		}
	}
	if c.f[year] == absent && highest != absent && f[highest] < now[highest] {
		f[highest-1]++
	}
	return time.Date(f[year], time.Month(f[month]), f[day], f[hour], f[minute], f[second], c.nanos, ref.Location()), true
}

type ctimeText struct {
	rest  string
	f     [6]int
	nanos int
}

// read fills the fields; false if the text is of another form.
func (c *ctimeText) read() bool {
	c.blanks()
	weekday := isDay(c.peekWord())
	if weekday {
		c.word()
	}
	if m := monthOf(c.peekWord()); m > 0 {
		c.word()
		c.f[month] = m
	}
	n, digits := c.number()
	if digits > 0 && n >= 1900 { // nothing but a year is that large
		return c.setYear(n)
	}
	if digits > 0 {
		colon := strings.HasPrefix(c.rest, ":")
		more := c.rest != "" && c.rest[0] >= '0' && c.rest[0] <= '9'
		switch {
		case colon && n <= 23:
			c.f[hour] = n
		case !colon && c.f[month] == absent && !more && n <= 23: // alone
			c.f[hour] = n
		case n <= 31:
			c.f[day] = n
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
	if c.rest != "" {
		n, digits := c.number()
		return digits > 0 && c.setYear(n)
	}
	// A weekday alone says which day, but not to this form.
	return c.f[month] != absent || c.f[day] != absent || c.f[minute] != absent && !weekday
}

// clock reads what follows the hour: minutes, seconds, am or pm.
func (c *ctimeText) clock() bool {
	for _, field := range []int{minute, second} {
		if !strings.HasPrefix(c.rest, ":") {
			break
		}
		c.rest = c.rest[1:]
		c.blanks()
		if c.f[hour] == absent {
			c.f[hour] = 0
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

func (c *ctimeText) blanks() { c.rest = c.rest[skipBlanks(c.rest, 0):] }

// number takes off a whole number and the blanks behind it. A fraction's
// point stays where it is.
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
