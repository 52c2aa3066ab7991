package when

import (
	"strings"
	"time"

	"pcpscope/core/pcp"
)

// Options are the window options of PCP's tools as texts; "" if not given.
type Options struct {
	Start  string // -S
	End    string // -T
	Origin string // -O, of the first sample
	Align  string // -A, an interval
}

// A Window is the stretch of time selected by options.
type Window struct {
	Start, End pcp.Time
	Origin     pcp.Time // of the first sample
	// Misaligned says that Align could not be applied, because no multiple of
	// it lies inside.
	Misaligned bool
}

// ParseWindow parses window options for an archive from start to end. Texts
// with calendar times are read in zone; nil is UTC. Start is limited to the
// archive's start but not to its end, End to its end but not to Start: a window
// with End < Start is empty. See spec/interp.md section 15.2.
func ParseWindow(o Options, start, end pcp.Time, zone *time.Location) (Window, error) {
	w := Window{Start: start, End: end}
	if o.Start != "" {
		t, err := ParsePoint(o.Start, start, end, zone)
		if err != nil {
			return w, err
		}
		w.Start = max(t, start)
	}
	var align int64
	if o.Align != "" {
		var err error
		if align, err = ParseInterval(o.Align); err != nil {
			return w, err
		}
		if align == 0 {
			return w, pcp.Faultf(pcp.BadArgument, "The alignment %q must be longer than 0.", o.Align)
		}
		if t := alignUp(w.Start, align); t >= start && t <= end {
			w.Start = t
		} else {
			w.Misaligned = true
		}
	}
	if o.End != "" {
		t, err := ParsePoint(o.End, w.Start, end, zone)
		if err != nil {
			return w, err
		}
		w.End = min(t, end)
	}
	w.Origin = w.Start
	if o.Origin == "" {
		return w, nil
	}
	t, err := ParsePoint(o.Origin, w.Start, w.End, zone)
	if err != nil {
		return w, err
	}
	if t < w.Start {
		t = w.Start
	} else if t > w.End {
		t = w.End
	}
	w.Origin = t
	if align != 0 {
		t := alignUp(w.Origin, align)
		if t > w.End {
			t -= pcp.Time(align)
		}
		if t >= w.Start && t <= w.End {
			w.Origin = t
		} else {
			w.Misaligned = true
		}
	}
	return w, nil
}

// alignUp rounds t up to a multiple of step since the epoch.
func alignUp(t pcp.Time, step int64) pcp.Time {
	rest := int64(t) % step
	if rest < 0 {
		rest += step
	}
	if rest == 0 {
		return t
	}
	return later(t, step-rest)
}

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
