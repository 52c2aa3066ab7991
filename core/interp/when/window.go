package when

import (
	"strings"
	"time"

	"pcpscope/core/pcp"
)

// later adds nanoseconds to a time, without overflowing.
func later(t pcp.Time, nanos int64) pcp.Time {
	switch sum := t + pcp.Time(nanos); {
	case nanos >= 0 && sum < t:
		return pcp.MaxTime
	case nanos < 0 && sum > t:
		return pcp.MinTime
	default:
		return sum
	}
}

// ParsePoint parses a point in time as -S, -T and -O do: an interval after
// start, with "-" one before end, or after "@" a calendar time; or one of ISO
// 8601, with or without "@". Free date text is also accepted without "@". A
// local time that occurs twice is the first one from start to end. See
// spec/interp.md section 15.3.
func ParsePoint(text string, start, end pcp.Time, zone *time.Location) (pcp.Time, error) {
	if zone == nil {
		zone = time.UTC
	}
	body := text[skipBlanks(text, 0):]
	if body == "" {
		return 0, pcp.Faultf(pcp.BadArgument, "No point in time was given.")
	}
	from, to := start.Std().In(zone), end.Std().In(zone)
	if t, is, err := iso(strings.TrimPrefix(body, "@"), from, to); is {
		if f := pcp.AsFault(err); err != nil {
			f.Span = &[2]int{0, utf16Len(text)}
			return 0, f
		}
		return t, nil
	}
	var first error // the error for the form that the text resembles
	if rest, ok := strings.CutPrefix(body, "@"); ok {
		body = rest
		if t, ok := ctime(body, from); ok {
			return pcp.FromStd(within(t, from, to)), nil
		}
	} else {
		rest, minus := strings.CutPrefix(body, "-")
		if !minus {
			rest = strings.TrimPrefix(body, "+")
		}
		nanos, err := ParseInterval(rest)
		switch {
		case err == nil && minus:
			return later(end, -nanos), nil
		case err == nil:
			return later(start, nanos), nil
		case rest == "" || numberLen(rest[skipBlanks(rest, 0):]) > 0:
			first = err
		}
		if minus { // a unit that only date text has: "- 2 weeks"
			body = "-" + rest[skipBlanks(rest, 0):]
		}
	}
	ref := to
	if relativeToStart(body) {
		ref = from
	}
	t, fault := freeDate(body, from, ref)
	switch {
	case fault == nil:
		return pcp.FromStd(t), nil
	case first != nil:
		return 0, first
	}
	fault.Span = &[2]int{0, utf16Len(text)}
	return 0, fault
}
