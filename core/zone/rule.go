package zone

import "strings"

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// A rule parses a POSIX TZ string: std offset [dst [offset]
// [,start[/time],end[/time]]].
type rule struct {
	rest string
	bad  bool
}

// validRule reports whether a TZ string is a rule. Hours go up to 167, as in
// the standard library.
func validRule(s string) bool {
	r := rule{rest: s}
	r.name()
	r.offset()
	if r.rest == "" || r.bad {
		return !r.bad
	}
	r.name()
	if r.rest != "" && r.rest[0] != ',' {
		r.offset()
	}
	if r.rest == "" { // without dates those of the United States apply
		return !r.bad
	}
	for range 2 {
		r.char(',')
		r.date()
	}
	return !r.bad && r.rest == ""
}

// ruleStart returns offset and abbreviation of standard time.
func ruleStart(s string) (east int, name string) {
	r := rule{rest: s}
	name = r.name()
	return -r.offset(), name
}

func (r *rule) name() string {
	n, text := 0, ""
	if r.rest != "" && r.rest[0] == '<' {
		n = 1
		for n < len(r.rest) && r.rest[n] != '>' {
			c := r.rest[n]
			r.bad = r.bad || !(c == '+' || c == '-' || c >= '0' && c <= '9' || lettersLen(r.rest[n:n+1]) == 1)
			n++
		}
		text = r.rest[1:n]
		r.bad = r.bad || n == len(r.rest)
		n = min(n+1, len(r.rest))
	} else {
		n = lettersLen(r.rest)
		text = r.rest[:n]
	}
	r.bad = r.bad || len(text) < 3 || len(text) > 20
	r.rest = r.rest[n:]
	return text
}

// offset parses [+-]hh[:mm[:ss]] and returns seconds.
func (r *rule) offset() int {
	sign := 1
	if r.rest != "" && (r.rest[0] == '+' || r.rest[0] == '-') {
		if r.rest[0] == '-' {
			sign = -1
		}
		r.rest = r.rest[1:]
	}
	sec := 3600 * r.number(0, 167)
	for _, factor := range []int{60, 1} {
		if r.rest == "" || r.rest[0] != ':' {
			break
		}
		r.rest = r.rest[1:]
		sec += factor * r.number(0, 59)
	}
	return sign * sec
}

// date parses Jn, n or Mm.w.d, and a time after a slash.
func (r *rule) date() {
	switch {
	case r.rest != "" && r.rest[0] == 'J':
		r.rest = r.rest[1:]
		r.number(1, 365)
	case r.rest != "" && r.rest[0] == 'M':
		r.rest = r.rest[1:]
		r.number(1, 12)
		r.char('.')
		r.number(1, 5)
		r.char('.')
		r.number(0, 6)
	default:
		r.number(0, 365)
	}
	if r.rest != "" && r.rest[0] == '/' {
		r.rest = r.rest[1:]
		r.offset()
	}
}

func (r *rule) char(c byte) {
	if r.rest == "" || r.rest[0] != c {
		r.bad = true
		return
	}
	r.rest = r.rest[1:]
}

func (r *rule) number(low, high int) int {
	n, digits := 0, 0
	for digits < len(r.rest) && digits < 4 && r.rest[digits] >= '0' && r.rest[digits] <= '9' {
		n = 10*n + int(r.rest[digits]-'0')
		digits++
	}
	r.bad = r.bad || digits == 0 || n < low || n > high
	r.rest = r.rest[digits:]
	return n
}

// lettersLen counts the letters that a text begins with.
func lettersLen(s string) int { return len(s) - len(strings.TrimLeft(s, letters)) }
