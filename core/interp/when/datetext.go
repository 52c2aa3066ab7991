package when

import (
	"strings"
	"time"

	"pcpscope/core/pcp"
)

// A dateText is the meaning of free date text, collected item by item. See
// spec/interp.md section 15.5.
type dateText struct {
	tokens []token

	times, dates, zones, days, rels int

	hour, minute, second int
	year, month, day     int // year is absent in dates without one
	zoned                bool
	west                 int // minutes
	weekday, nth         int
	secs                 int64 // relative
	months               int
}

// freeDate parses free date text, completed from ref. If the text leaves the
// day open, it means the last such time up to ref, if there is one from first
// on. The result has whole seconds.
func freeDate(text string, first, ref time.Time) (t time.Time, fault *pcp.Fault) {
	d := dateText{tokens: lexDate(text)}
	for d.tokens[0].kind != end {
		if !d.item() {
			word := d.tokens[0].text
			if word == "" {
				return t, pcp.Faultf(pcp.BadArgument, "%q is not a date or time: something is missing at its end.", text)
			}
			if word == strings.TrimSpace(text) {
				return t, pcp.Faultf(pcp.BadArgument, "%q is not a date or time.", text)
			}
			return t, pcp.Faultf(pcp.BadArgument, "%q is not a date or time: %q is not understood there.", text, word)
		}
	}
	if d.times > 1 || d.dates > 1 || d.zones > 1 || d.days > 1 {
		return t, pcp.Faultf(pcp.BadArgument, "%q is not a date or time: it names the same thing twice.", text)
	}
	if d.times+d.dates+d.days+d.rels == 0 {
		return t, pcp.Faultf(pcp.BadArgument, "%q is not a date or time.", text)
	}
	resolve := func(back int) (time.Time, bool) {
		t, ok := d.resolve(ref, back)
		if ok && d.rels == 0 && !d.zoned {
			t = within(t, first, ref)
		}
		return t, ok
	}
	t, ok := resolve(0)
	if ok && t.After(ref) { // the day, the week or the year before
		if earlier, ok := resolve(-1); ok && !earlier.Before(first) && !earlier.After(ref) {
			return earlier, nil
		}
	}
	if !ok {
		return t, pcp.Faultf(pcp.BadArgument, "%q is not a date or time: there is no such day or hour.", text)
	}
	return t, nil
}

// item consumes one item: a time, date, zone, weekday, relative time or number.
func (d *dateText) item() bool {
	switch a := d.tokens[0]; a.kind {
	case number:
		return d.startsWithNumber(a.val)
	case ordinal:
		switch next := d.tokens[1]; next.kind {
		case dayWord:
			d.setDay(next.val, a.val)
		case unitWord:
			d.shift(a.val, next.val)
		default:
			d.take(1)
			return false
		}
		d.take(2)
		return d.ago()
	case signed:
		if d.tokens[1].kind != unitWord {
			d.take(1)
			return false
		}
		d.shift(a.val, d.tokens[1].val)
		d.take(2)
		return d.ago()
	case unitWord:
		d.shift(1, a.val)
		d.take(1)
		return d.ago()
	case relative:
		d.shift(a.val, 86400)
		d.take(1)
		return d.ago()
	case monthWord:
		return d.startsWithMonth(a.val)
	case dayWord:
		d.setDay(a.val, 1)
		d.take(1)
		if d.is(0, ',') {
			d.take(1)
		}
		return true
	case zoneWord, summer:
		d.zones++
		d.zoned = true
		d.west = a.val
		d.take(1)
		if a.kind == summer {
			d.west -= 60
		} else if d.tokens[0].kind == dst {
			d.west -= 60
			d.take(1)
		}
		return true
	}
	return false
}

// ago negates the shifts so far.
func (d *dateText) ago() bool {
	if d.tokens[0].kind == ago {
		d.secs, d.months = -d.secs, -d.months
		d.take(1)
	}
	return true
}

func (d *dateText) startsWithMonth(m int) bool {
	if d.tokens[1].kind != number {
		d.take(1)
		return false
	}
	d.dates++
	d.year, d.month, d.day = absent, m, d.tokens[1].val
	d.take(2)
	if d.is(0, ',') {
		if d.tokens[1].kind != number {
			d.take(1)
			return false
		}
		d.year = fullYear(d.tokens[1].val)
		d.take(2)
	}
	return true
}

func (d *dateText) startsWithNumber(n int) bool {
	switch next := d.tokens[1]; {
	case next.kind == meridian:
		d.setTime(n, 0, 0, next.val)
		d.take(2)
		return true
	case d.is(1, ':'):
		return d.clock(n)
	case d.is(1, '/'):
		return d.slashes(n)
	case next.kind == dayWord && n < 60: // "third Tue" as "3 Tue"
		d.setDay(next.val, n)
		d.take(2)
		return true
	case next.kind == unitWord:
		d.shift(n, next.val)
		d.take(2)
		return d.ago()
	case next.kind == monthWord:
		d.dates++
		d.year, d.month, d.day = absent, next.val, n
		d.take(2)
		if y := d.tokens[0]; y.kind == number || y.kind == signed {
			d.year = fullYear(max(y.val, -y.val))
			d.take(1)
		}
		return true
	case next.kind == signed: // 1996-03-05
		if d.tokens[2].kind != signed {
			d.take(2)
			return false
		}
		d.dates++
		d.year, d.month, d.day = fullYear(n), max(next.val, -next.val), max(d.tokens[2].val, -d.tokens[2].val)
		d.take(3)
		return true
	}
	d.plain(n)
	d.take(1)
	return true
}

// plain interprets a number on its own.
func (d *dateText) plain(n int) {
	switch {
	case d.times > 0 && d.dates > 0 && d.rels == 0:
		d.year = fullYear(n)
	case n > 10000:
		d.dates++
		d.year, d.month, d.day = n/10000, n/100%100, n%100
	case n < 100:
		d.setTime(n, 0, 0, absent)
	default:
		d.setTime(n/100, n%100, 0, absent)
	}
}

// clock reads the rest of HH:MM[:SS] [am|pm|+hhmm].
func (d *dateText) clock(h int) bool {
	if d.tokens[2].kind != number {
		d.take(2)
		return false
	}
	m, s := d.tokens[2].val, 0
	d.take(3)
	if d.is(0, ':') {
		if d.tokens[1].kind != number {
			d.take(1)
			return false
		}
		s = d.tokens[1].val
		d.take(2)
	}
	half := absent
	switch t := d.tokens[0]; {
	case t.kind == meridian:
		half = t.val
		d.take(1)
	case t.kind == signed && d.tokens[1].kind != unitWord: // a zone, unless it is "-1 hour"
		d.zoned = true // a named zone may still replace it
		d.west = -(t.val/100*60 + t.val%100)
		d.take(1)
		if d.is(0, ':') && d.tokens[1].kind == number { // as ISO 8601 has it
			minutes := d.tokens[1].val
			if t.val < -15 || t.val > 15 || minutes > 59 {
				return false
			}
			if t.text[0] == '-' {
				minutes = -minutes
			}
			d.west = -(t.val*60 + minutes)
			d.take(2)
		}
	}
	d.setTime(h, m, s, half)
	return true
}

// slashes reads the rest of MM/DD, MM/DD/YY or YYYY/MM/DD.
func (d *dateText) slashes(a int) bool {
	if d.tokens[2].kind != number {
		d.take(2)
		return false
	}
	b := d.tokens[2].val
	d.dates++
	d.year, d.month, d.day = absent, a, b
	d.take(3)
	if !d.is(0, '/') {
		return true
	}
	if d.tokens[1].kind != number {
		d.take(1)
		return false
	}
	c := d.tokens[1].val
	if a >= 1000 {
		d.year, d.month, d.day = a, b, c
	} else {
		d.year = fullYear(c)
	}
	d.take(2)
	return true
}

func (d *dateText) take(n int) { d.tokens = d.tokens[min(n, len(d.tokens)-1):] }

func (d *dateText) is(i int, c byte) bool {
	return i < len(d.tokens) && d.tokens[i].kind == sign && d.tokens[i].val == int(c)
}

func (d *dateText) shift(n, unit int) {
	d.rels++
	if unit < 0 {
		d.months += n * -unit
	} else {
		d.secs += int64(n) * int64(unit)
	}
}

func (d *dateText) setDay(weekday, nth int) {
	d.days++
	d.weekday, d.nth = weekday, nth
}

// setTime sets the time of day; half is absent, 0 for am, 12 for pm. Impossible
// times get an hour that resolve rejects.
func (d *dateText) setTime(h, m, s, half int) {
	d.times++
	if half != absent {
		if h < 1 || h > 12 {
			h = 99
		} else {
			h = h%12 + half
		}
	}
	d.hour, d.minute, d.second = h, m, s
}

func fullYear(y int) int {
	switch {
	case y < 69:
		return y + 2000
	case y < 100:
		return y + 1900
	}
	return y
}

// resolve computes the time. back shifts what ref had to supply - the day, the
// week or the year - by that many.
func (d *dateText) resolve(ref time.Time, back int) (t time.Time, ok bool) {
	t = ref.Truncate(time.Second)
	if d.times+d.dates+d.days > 0 {
		y, m, day := ref.Date()
		if d.dates > 0 {
			m, day = time.Month(d.month), d.day
			if d.year != absent {
				y, back = d.year, 0
			} else {
				y += back
			}
			if m < 1 || m > 12 || day < 1 || day > time.Date(y, m+1, 0, 0, 0, 0, 0, time.UTC).Day() || y < 1970 || y > 2261 {
				return t, false
			}
		}
		if d.hour > 23 || d.minute > 59 || d.second > 59 {
			return t, false
		}
		loc := ref.Location()
		if d.zoned {
			loc = time.FixedZone("", -60*d.west)
		}
		t = time.Date(y, m, day, d.hour, d.minute, d.second, 0, loc)
	}
	if d.days > 0 && d.dates == 0 {
		ahead := (d.weekday - int(t.Weekday()) + 7) % 7
		weeks := d.nth
		if weeks > 0 {
			weeks--
		}
		if d.nth == 1 {
			weeks += back
		}
		t = t.AddDate(0, 0, ahead+7*weeks)
	} else if d.dates == 0 && d.times > 0 && d.rels == 0 {
		t = t.AddDate(0, 0, back)
	}
	if d.months != 0 {
		t = addMonths(t, d.months)
	}
	if d.secs > 1<<33 || d.secs < -(1<<33) || d.months > 4000 || d.months < -4000 {
		return t, false
	}
	return t.Add(time.Duration(d.secs) * time.Second), true
}

// addMonths moves t by months; a day that the month does not have becomes its
// last.
func addMonths(t time.Time, n int) time.Time {
	y, m, day := t.Date()
	last := time.Date(y, m+time.Month(n)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return time.Date(y, m+time.Month(n), min(day, last), t.Hour(), t.Minute(), t.Second(), 0, t.Location())
}

// relativeToStart reports whether free date text is relative to the start of
// the window: it contains a length of time, and does not look back. See
// spec/interp.md section 15.5.
func relativeToStart(text string) bool {
	low := strings.ToLower(text)
	if strings.Contains(low, "last") || strings.Contains(low, "ago") || strings.HasPrefix(low, "-") {
		return false
	}
	for _, u := range []string{"year", "month", "fortnight", "week", "day", "hour", "minute", "min", "second", "sec"} {
		if strings.Contains(low, " "+u) {
			return true
		}
	}
	return false
}
