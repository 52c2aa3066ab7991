package when

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"

	"pcpscope/core/pcp"
)

// units of an interval as pmParseInterval(3) knows them, in seconds. A plural s
// has been removed. Those of metrics are in core/pcp (SecondsIn).
var units = map[string]float64{
	"": 1, "second": 1, "sec": 1, "s": 1,
	"nanosecond": 1e-9, "nsec": 1e-9, "microsecond": 1e-6, "usec": 1e-6, "millisecond": 1e-3, "msec": 1e-3,
	"minute": 60, "min": 60, "m": 60, "hour": 3600, "hr": 3600, "h": 3600, "day": 86400, "d": 86400,
}

// hints are for units that people try and PCP does not have.
var hints = map[string]string{
	"u": "usec", "n": "nsec", "w": "day", "week": "day", "wk": "day", "month": "day", "year": "day",
	"hou": "hour", "minut": "minute", "millisec": "msec", "microsec": "usec", "nanosec": "nsec",
}

// ParseInterval parses a length of time, such as "1h30m" or "4 days 6 hours",
// in nanoseconds; a number alone is seconds. Note that "5ms" is five minutes,
// as in PCP: milliseconds are "msec". See spec/interp.md section 15.1.
func ParseInterval(text string) (nanos int64, err error) {
	seconds, fault := interval(text)
	if fault != nil {
		return 0, fault
	}
	if seconds > math.MaxInt64/1e9-1 {
		return 0, pcp.Faultf(pcp.BadArgument, "%q is longer than 292 years.", text)
	}
	whole := math.Floor(seconds)
	return int64(whole)*1e9 + int64(math.Round((seconds-whole)*1e9)), nil
}

func interval(text string) (seconds float64, fault *pcp.Fault) {
	if text == "" {
		return 0, pcp.Faultf(pcp.BadArgument, "No length of time was given.")
	}
	fail := func(at, n int, format string, args ...any) (float64, *pcp.Fault) {
		f := pcp.Faultf(pcp.BadArgument, format, args...)
		f.Span = &[2]int{utf16Len(text[:at]), utf16Len(text[:at+n])}
		return 0, f
	}
	for i := skipBlanks(text, 0); i < len(text); i = skipBlanks(text, i) {
		n := numberLen(text[i:])
		if n == 0 {
			return fail(i, len(text)-i, "%q is not a length of time: expected a number at %q.", text, text[i:])
		}
		v, err := strconv.ParseFloat(hexFloat(text[i:i+n]), 64)
		if err != nil {
			return fail(i, n, "%q is not a length of time: the number %q is too large.", text, text[i:i+n])
		}
		i = skipBlanks(text, i+n)
		word := text[i : i+lettersLen(text[i:])]
		factor, ok := units[singular(word)]
		if !ok {
			hint := ""
			if h, ok := hints[singular(word)]; ok {
				hint = "; write it in \"" + h + "\""
			}
			return fail(i, len(word), "%q is not a length of time: the unit %q is not known%s.", text, word, hint)
		}
		seconds += v * factor
		i += len(word)
	}
	return seconds, nil
}

// singular returns a unit in lower case without the plural's s.
func singular(word string) string {
	word = strings.ToLower(word)
	if len(word) > 1 {
		word = strings.TrimSuffix(word, "s")
	}
	return word
}

// numberLen returns how many bytes a C floating constant takes at the start of
// s: decimal or hexadecimal, without a sign.
func numberLen(s string) int {
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	mark := byte('e')
	at := 0
	if len(s) > 2 && s[0] == '0' && s[1]|32 == 'x' {
		digit = func(c byte) bool { return c >= '0' && c <= '9' || c|32 >= 'a' && c|32 <= 'f' }
		mark, at = 'p', 2
	}
	i, digits := at, 0
	for dot := false; i < len(s) && (digit(s[i]) || s[i] == '.' && !dot); i++ {
		if s[i] == '.' {
			dot = true
		} else {
			digits++
		}
	}
	if digits == 0 {
		if at == 2 {
			return 1 // the 0 before an x that does not belong to the number
		}
		return 0
	}
	if i < len(s) && s[i]|32 == mark {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		k := j
		for k < len(s) && s[k] >= '0' && s[k] <= '9' {
			k++
		}
		if k > j {
			i = k
		}
	}
	return i
}

// hexFloat adds the exponent that Go requires to a hexadecimal constant.
func hexFloat(s string) string {
	if len(s) > 2 && s[1]|32 == 'x' && !strings.ContainsAny(s, "pP") {
		return s + "p0"
	}
	return s
}

func skipBlanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] >= '\t' && s[i] <= '\r') {
		i++
	}
	return i
}

func lettersLen(s string) int {
	n := 0
	for n < len(s) && (s[n] >= 'a' && s[n] <= 'z' || s[n] >= 'A' && s[n] <= 'Z') {
		n++
	}
	return n
}

func utf16Len(s string) int { return len(utf16.Encode([]rune(s))) }
