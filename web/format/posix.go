package format

import (
	"strconv"
	"strings"
	"time"
)

// ParsePosixTZ reads a zone as the TZ variable of POSIX writes it, which is
// what version 2 archives carry: "EST5EDT,M3.2.0,M11.1.0", "AEDT-11",
// "<+03>-3". Distances are west of Greenwich there. It reports false for
// anything else, such as names of the zone database.
func ParsePosixTZ(s string) (OffsetFunc, bool) {
	p := posix{rest: strings.TrimPrefix(s, ":"), ok: true}
	if p.rest == "UTC" || p.rest == "GMT" || p.rest == "UCT" {
		return func(int64) int { return 0 }, true
	}
	if p.name() == "" || p.rest == "" {
		return nil, false
	}
	std := -p.hms()
	if p.rest == "" {
		return func(int64) int { return std }, p.ok
	}
	if p.name() == "" {
		return nil, false
	}
	dst := std + 3600
	if p.rest != "" && p.rest[0] != ',' {
		dst = -p.hms()
	}
	if p.rest == "" {
		p.rest = ",M3.2.0,M11.1.0" // what glibc takes where no rule is given
	}
	on, off := p.rule(), p.rule()
	if !p.ok || p.rest != "" {
		return nil, false
	}
	return func(unix int64) int {
		year := time.Unix(unix+int64(std), 0).UTC().Year()
		start, end := on.unix(year)-int64(std), off.unix(year)-int64(dst)
		summer := unix >= start && unix < end
		if start > end { // south of the equator
			summer = unix >= start || unix < end
		}
		if summer {
			return dst
		}
		return std
	}, true
}

type posix struct {
	rest string
	ok   bool
}

func (p *posix) name() string {
	if strings.HasPrefix(p.rest, "<") {
		i := strings.IndexByte(p.rest, '>')
		if i < 0 {
			return ""
		}
		name := p.rest[1:i]
		p.rest = p.rest[i+1:]
		return name
	}
	i := 0
	for i < len(p.rest) && (p.rest[i]|32 >= 'a' && p.rest[i]|32 <= 'z') {
		i++
	}
	name := p.rest[:i]
	if i < 3 {
		return ""
	}
	p.rest = p.rest[i:]
	return name
}

func (p *posix) number() int {
	i := 0
	for i < len(p.rest) && p.rest[i] >= '0' && p.rest[i] <= '9' {
		i++
	}
	n, err := strconv.Atoi(p.rest[:i])
	if err != nil || n > 1000 {
		p.ok = false
		return 0
	}
	p.rest = p.rest[i:]
	return n
}

func (p *posix) eat(s string) bool {
	rest, ok := strings.CutPrefix(p.rest, s)
	p.rest = rest
	return ok
}

// hms reads [+-]h[:mm[:ss]] as seconds.
func (p *posix) hms() int {
	sign := 1
	if p.eat("-") {
		sign = -1
	} else {
		p.eat("+")
	}
	sec := p.number() * 3600
	if p.eat(":") {
		sec += p.number() * 60
		if p.eat(":") {
			sec += p.number()
		}
	}
	return sign * sec
}

// A posixRule is a day of the year and a time of that day, in seconds.
type posixRule struct {
	kind          byte // 'M', 'J' (never counts 29 February) or 0 (counts it)
	month, week   int
	day, timeOfIt int
}

func (p *posix) rule() posixRule {
	r := posixRule{timeOfIt: 2 * 3600}
	if !p.eat(",") {
		p.ok = false
		return r
	}
	switch {
	case p.eat("M"):
		r.kind, r.month = 'M', p.number()
		p.ok = p.eat(".") && p.ok
		r.week = p.number()
		p.ok = p.eat(".") && p.ok
		r.day = p.number()
		p.ok = p.ok && r.month >= 1 && r.month <= 12 && r.week >= 1 && r.week <= 5 && r.day <= 6
	case p.eat("J"):
		r.kind, r.day = 'J', p.number()
	default:
		r.day = p.number()
	}
	if p.eat("/") {
		r.timeOfIt = p.hms()
	}
	return r
}

// unix returns the rule's moment in year, in seconds of wall-clock time taken
// as if it were UTC.
func (r posixRule) unix(year int) int64 {
	jan1 := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
	var day time.Time
	switch r.kind {
	case 'M':
		first := time.Date(year, time.Month(r.month), 1, 0, 0, 0, 0, time.UTC)
		n := (r.day-int(first.Weekday())+7)%7 + 7*(r.week-1)
		for day = first.AddDate(0, 0, n); day.Month() != first.Month(); {
			day = day.AddDate(0, 0, -7)
		}
	case 'J':
		n := r.day - 1
		if leap := time.Date(year, 2, 29, 0, 0, 0, 0, time.UTC).Month() == 2; leap && r.day >= 60 {
			n++
		}
		day = jan1.AddDate(0, 0, n)
	default:
		day = jan1.AddDate(0, 0, r.day)
	}
	return day.Unix() + int64(r.timeOfIt)
}

// ParseGMT reads a distance as browsers write it, "GMT-04:00" or "GMT", as
// seconds east of Greenwich.
func ParseGMT(s string) int {
	rest, ok := strings.CutPrefix(s, "GMT")
	if !ok || rest == "" {
		return 0
	}
	p := posix{rest: strings.Replace(rest, Minus, "-", 1), ok: true}
	return p.hms()
}
