package core

import (
	"context"
	"math"
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/interp/when"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/core/zone"
)

// A window is the stretch of time that a question is about.
type window struct {
	from, to pcp.Time
}

// window resolves start and end against the source: nil means the source's own,
// texts are PCP's time syntax, read in zone. Texts are limited to the recording as
// PCP's tools do, the start before an end that counts from it; a window that lies
// beyond the recording remains as asked for. See spec/interp.md section 15.2.
func (s *Session) window(src *source, start, end *api.When, zone string) (window, error) {
	first, last := src.span()
	w, err := s.unlimited(src, start, end, zone)
	if err != nil {
		return w, err
	}
	limited := w
	if isText(start) && w.from < first {
		limited, err = s.unlimited(src, &api.When{Nanos: (*int64)(&first)}, end, zone)
	}
	if isText(end) {
		limited.to = min(limited.to, last)
	}
	if err == nil && limited.from <= limited.to {
		return limited, nil
	}
	return w, err
}

// unlimited is what was asked for, which may be beyond the recording.
func (s *Session) unlimited(src *source, start, end *api.When, zone string) (window, error) {
	first, last := src.span()
	w := window{first, last}
	loc, err := s.location(src, zone)
	if err != nil && (isText(start) || isText(end)) {
		return w, err
	}
	if w.from, err = point(start, w.from, first, last, loc); err != nil {
		return w, err
	}
	w.to, err = point(end, w.to, w.from, last, loc)
	return w, err
}

// windowOnceRead waits until the source has been read, and resolves a window that
// must not be reversed.
func (s *Session) windowOnceRead(ctx context.Context, src *source, start, end *api.When, zone string, progress func(api.Progress)) (window, error) {
	if err := src.wait(ctx, progress); err != nil {
		return window{}, err
	}
	w, err := s.window(src, start, end, zone)
	if err == nil && w.to < w.from {
		err = w.reversed()
	}
	return w, err
}

// recorded is the part of a window from first to last, or all of it if that is nothing.
func (w window) recorded(first, last pcp.Time) window {
	if cut := (window{max(w.from, first), min(w.to, last)}); cut.from <= cut.to {
		return cut
	}
	return w
}

// reversed is the fault of a window that ends before it starts, for example if
// only a start is given and it is after the last record.
func (w window) reversed() error {
	const form = "2006-01-02 15:04:05 MST"
	return pcp.Faultf(pcp.BadArgument, "The window ends before it starts: it is from %s to %s.", w.from.Std().Format(form), w.to.Std().Format(form))
}

// missed is the fault of a window that has nothing of the recording, from first to last; nil if
// it has.
func (w window) missed(first, last pcp.Time) error {
	if w.from <= last && w.to >= first {
		return nil
	}
	return nothingRecorded(first, last)
}

func nothingRecorded(first, last pcp.Time) error {
	const form = "2006-01-02 15:04:05 MST"
	return pcp.Faultf(pcp.BadArgument, "Nothing was recorded in this window: the recording is from %s to %s.", first.Std().Format(form), last.Std().Format(form))
}

func isText(t *api.When) bool { return t != nil && t.Nanos == nil }

// point resolves one moment. A text counts from start or, with a minus, back
// from end.
func point(t *api.When, none, start, end pcp.Time, loc *time.Location) (pcp.Time, error) {
	switch {
	case t == nil:
		return none, nil
	case t.Nanos != nil:
		return pcp.Time(*t.Nanos), nil
	}
	return when.ParsePoint(t.Text, start, end, loc)
}

// locationOrUTC is location, but UTC where the source's own zone is not known.
func (s *Session) locationOrUTC(src *source, name string) (*time.Location, error) {
	loc, err := s.location(src, name)
	if err != nil && name == "" {
		return time.UTC, nil
	}
	return loc, err
}

// location returns a zone by its name: "" is the source's own, see ownZone; "archive" is what
// -z of PCP's tools takes, the label's value of TZ (spec/interp.md section 15.7); "local" is
// this machine's; anything else is a value of TZ.
func (s *Session) location(src *source, name string) (*time.Location, error) {
	switch name {
	case "":
		name = s.ownZone(src.about.Timezone, src.about.Zoneinfo)
	case "archive":
		loc, err := s.loadZone(src.about.Timezone)
		if err != nil && src.about.Zoneinfo != "" { // for TZ strings that libpcp cannot parse
			loc, err = s.loadZone(src.about.Zoneinfo)
		}
		return loc, err
	case "local":
		return time.Local, nil
	}
	return s.loadZone(name)
}

// ownZone is the zone of a host's times, of the two that a label has: the one that it has by
// name, which goes on through a change to summer time, where the value of TZ is the offset when
// the archive was begun (spec/archive.md section 4.2). All that is shown is in that zone, so what
// is typed and worked out by days and hours has to be, too.
func (s *Session) ownZone(timezone, zoneinfo string) string {
	if zoneinfo != "" {
		if _, err := s.loadZone(zoneinfo); err == nil {
			return strings.TrimPrefix(zoneinfo, ":")
		}
	}
	return timezone
}

func (s *Session) loadZone(name string) (*time.Location, error) {
	if s.opt.Zone != nil {
		return zone.Load(name, s.opt.Zone)
	}
	return zone.Load(name, time.LoadLocation)
}

// gridOf makes the grid of a query: from the start in steps of the interval, up
// to the end or for count points.
func gridOf(q api.Query, w window) (series.Grid, error) {
	g := series.Grid{Start: w.from, Count: q.Count}
	step, err := intervalOf(q, w)
	if err != nil {
		return g, err
	}
	g.Step = step
	if g.Count == 0 {
		if w.to < w.from {
			return g, w.reversed()
		}
		length, err := w.length()
		if err != nil {
			return g, err
		}
		g.Count = int(min(length/step, math.MaxInt64-1)) + 1
	}
	switch {
	case g.Count > maxPoints:
		return g, pcp.Faultf(pcp.BadArgument, "%s points are too many for one query; ask for fewer, or for a longer interval.", pcp.Grouped(int64(g.Count)))
	case wraps(g):
		return g, pcp.Faultf(pcp.BadArgument, "The points of the query reach beyond the years 1678 to 2262, or are more than 292 years apart; ask for fewer points or a shorter interval.")
	}
	return g, nil
}

// length is how long a window that is not reversed is, in nanoseconds.
func (w window) length() (int64, error) {
	if w.to-w.from < 0 { // more than an int64 holds, as between two moments of a damaged archive
		return 0, pcp.Faultf(pcp.BadArgument, "The window is longer than 292 years; ask for a shorter one.")
	}
	return int64(w.to - w.from), nil
}

// wraps reports whether points of a grid lie beyond what pcp.Time covers, or the last is further
// from the first than an int64 holds.
func wraps(g series.Grid) bool {
	room, step := uint64(pcp.MaxTime)-uint64(g.Start), uint64(g.Step)
	if g.Step < 0 {
		room, step = uint64(g.Start)+1<<63, -step
	}
	return g.Count > 1 && uint64(g.Count-1) > min(room, math.MaxInt64)/step
}

// intervalOf returns the step in nanoseconds. By default it is a second, as
// with PCP's tools, or with pixels what gives about one point for each.
func intervalOf(q api.Query, w window) (int64, error) {
	if q.Interval != nil {
		var step int64
		var err error
		if q.Interval.Nanos != nil {
			step = *q.Interval.Nanos
		} else if step, err = when.ParseInterval(q.Interval.Text); err != nil {
			return 0, err
		}
		if step == 0 && q.Count != 1 || step < 0 && q.Count == 0 { // so many points may go backwards
			return 0, pcp.Faultf(pcp.BadArgument, "The interval must be longer than 0.")
		}
		return step, nil
	}
	if q.Pixels > 0 && w.to > w.from {
		gaps := int64(max(1, q.Pixels-1)) // a single point is made of two: see chart.Reduce
		length, err := w.length()
		return (length-1)/gaps + 1, err // rounded up
	}
	return int64(time.Second), nil
}

// Window returns the stretch of a source that two times mean, in the syntax of
// -S and -T of PCP's tools; nil is its start or its end. It may be beyond the recording,
// so that whoever typed it can be told.
func (s *Session) Window(id api.SourceID, start, end *api.When, zone string) (pcp.Span, error) {
	src, err := s.source(id)
	if err != nil {
		return pcp.Span{}, err
	}
	w, err := s.unlimited(src, start, end, zone)
	if err == nil && w.to < w.from {
		err = w.reversed()
	}
	return pcp.Span{Start: w.from, End: w.to}, err
}

// HaveRecords refuses a window that has nothing of the recording of a source that has been read,
// for programs that are asked for one and nothing else.
func (s *Session) HaveRecords(id api.SourceID, start, end *api.When, zone string) error {
	if start == nil && end == nil {
		return nil
	}
	src, err := s.source(id)
	if err != nil {
		return err
	}
	w, err := s.window(src, start, end, zone)
	if err != nil {
		return err
	}
	return w.missed(src.span())
}
