package app

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pattern"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/metric"
	"pcpscope/web/timeline"
)

// Times is the state of the time menu.
type Times struct {
	From, To string // as typed
	Fault    string
	Zone     string  // "" for the archive's, "UTC", "mine" or the name of a zone
	Named    string  // as typed
	Said     string  // how From and To were understood
	Speed    float64 // playback speed, as a multiple of real time; 0 plays the window in a minute
	playing  int     // incremented with each start and stop; odd while playing
	tab      *Tab
	asked    int // number of the last request to parse times
}

var (
	// length matches a duration after the start, in the syntax of -T in PCP's tools.
	length = pattern.New(`^\+?\s*([0-9.]+\s*[a-z]+\s*)+$`)
	// dateAlone matches a date; used as an end, it includes the whole day.
	dateAlone = pattern.New(`^@?(\d{4}-\d{2}-\d{2}|\d{1,2} [A-Za-z]{3,9}( \d{4})?)$`)
)

// What people type that PCP's syntax has not, or takes for a number of seconds: "6 Mar
// 10:00", as the page writes times, "20170306" and "20170306T1000", as files are named.
var (
	dayAndTime = pattern.New(`^@?(\d{1,2}) ([A-Za-z]{3})[a-z]* (\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?)$`)
	compact    = pattern.New(`^@?((?:19|20)\d{2})(\d{2})(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2}))?(Z|[+-]\d{2}:?\d{2})?)?$`)
	hourOfDay  = pattern.New(`^@?(\d{1,3}):\d{2}(:\d{2})?$`)
	dotted     = pattern.New(`^@?\d{1,2}\.\d{1,2}\.(\d{4}|\d{2})?( |$)`)
	timeAlone  = pattern.New(`(?i)^(\d{1,2})(?::(\d{2}))?(?::(\d{2}(?:\.\d+)?))?\s*([ap]m)?\s*(Z|UTC|GMT|(?:UTC|GMT)?[+\-\x{2212}]\d{1,2}(?::?\d{2})?)?$`)
	yearAlone  = pattern.New(`^(19|20)\d{2}$`)
)

// asPCP returns a typed time in a syntax that the engine reads, or a sentence why it is none:
// PCP's tools would take "06.03.2017" for 6.2317 seconds and "25:00" for the 25th.
func asPCP(text string) (asked, fault string) {
	if m := compact().FindStringSubmatch(text); m != nil {
		asked = m[1] + "-" + m[2] + "-" + m[3]
		if m[4] != "" {
			asked += "T" + m[4] + ":" + m[5] + ":" + cmp.Or(m[6], "00") + m[7]
		}
		return asked, ""
	}
	if m := dayAndTime().FindStringSubmatch(text); m != nil {
		return "@" + m[2] + " " + m[1] + " " + m[3], ""
	}
	if m := hourOfDay().FindStringSubmatch(text); m != nil && (len(m[1]) > 2 || m[1] > "23" && len(m[1]) == 2) {
		return "", "“" + text + "” is not a time of day: there is no hour " + m[1] + "."
	}
	switch {
	case dotted().MatchString(text):
		return "", "“" + text + "” is not understood. Write a date as 2018-04-16 or 16 Apr 2018."
	case yearAlone().MatchString(text):
		return "", "“" + text + "” is a year, or a number of seconds. Write a date as 2018-04-16, and seconds as " + text + "sec."
	}
	return text, ""
}

// onDay adds the day of a moment to a time of day that was typed without one, "10:00",
// "1pm" or "02:55 +02:00". PCP's tools take a day of the archive: the first one for "@10:00", the last for
// "@1pm".
func onDay(text string, clock format.Clock, day pcp.Time) (full string, added bool) {
	m := timeAlone().FindStringSubmatch(text)
	if m == nil || m[2]+m[4] == "" {
		return text, false
	}
	hour, _ := strconv.Atoi(m[1])
	switch half := strings.ToLower(m[4]); {
	case half != "" && (hour < 1 || hour > 12):
		return text, false
	case half == "am":
		hour %= 12
	case half == "pm":
		hour = hour%12 + 12
	}
	date, _, _ := strings.Cut(clock.Typed(day), " ")
	return strings.TrimSpace(fmt.Sprintf("%s %02d:%s:%s %s", date, hour, cmp.Or(m[2], "00"), cmp.Or(m[3], "00"), m[5])), true
}

// Show shows the range between two times in PCP's syntax: "@10:00", "-5min" before the
// end, and for the end also "+10min" after the start.
func (t *Times) Show(from, to string) {
	t.understand(from, to, func(next timeline.Window) {
		t.tab.app.Layout.Menu = ""
		t.tab.Zoom(next.Start, next.End)
	})
}

// Type shows how two times are understood while they are being typed. Incomplete times are
// not an error.
func (t *Times) Type(from, to string) {
	t.understand(from, to, nil)
}

// understand parses two times, reports the result or the error, and acts on the window
// between them.
func (t *Times) understand(from, to string, act func(timeline.Window)) {
	tab := t.tab
	t.From, t.To = from, to
	t.asked++
	n := t.asked
	from, to = strings.TrimSpace(from), strings.TrimSpace(to)
	zone, whole, shown := t.zone(tab.Window.Start), tab.Whole(), tab.Window
	tab.app.work(func() func() {
		w, fault := t.read(from, to, zone, whole, shown)
		return func() {
			if n != t.asked {
				return // the user kept typing
			}
			t.Fault, t.Said = "", ""
			switch {
			case fault == "" && act != nil:
				act(w)
			case fault == "" && from+to != "":
				t.Said = tab.Clock.DateTime(w.Start) + " – " + tab.Clock.DateTime(w.End) + " " + tab.Clock.Offsets(w.Start, w.End) + ", " + format.Span(w.Len())
			case act != nil:
				t.Fault = fault
			}
		}
	})
}

// read parses two times: it returns a window, or a sentence why there is none. Then w is
// zero, unless both times were understood and are in the wrong order. A time of day alone is
// one of the day that is shown, or the next if that day has none. It is slow work.
func (t *Times) read(from, to, zone string, whole, shown timeline.Window) (w timeline.Window, fault string) {
	tab := t.tab
	if from, fault = asPCP(from); fault != "" {
		return w, fault
	}
	if to, fault = asPCP(to); fault != "" {
		return w, fault
	}
	dated := func(text string, day, absent pcp.Time, likely timeline.Window, late func(pcp.Time) bool) (pcp.Time, error) {
		full, alone := onDay(text, tab.Clock, day)
		at, err := t.resolve(full, zone, absent, likely)
		if alone && err == nil && late(at) {
			full, _ = onDay(text, tab.Clock, tab.Clock.NextDay(day))
			if next, err := t.resolve(full, zone, absent, likely); err == nil && next < whole.End {
				return next, nil
			}
		}
		return at, err
	}
	start, err := dated(from, shown.Start, whole.Start, whole, func(at pcp.Time) bool { return at < whole.Start })
	end := whole.End
	if err == nil {
		rest := timeline.Window{Start: start + 1, End: whole.End}
		switch {
		case length().MatchString(to) && !timeAlone().MatchString(to): // else "12pm" is one
			end, err = t.after(start, strings.TrimPrefix(to, "+"))
		case dateAlone().MatchString(to):
			if end, err = t.resolve(to, zone, whole.End, rest); err == nil { // the day without its year
				end, err = t.resolve(tab.Clock.Date(end)+" 24:00", zone, whole.End, rest)
			}
		default:
			end, err = dated(to, start, whole.End, rest, func(at pcp.Time) bool { return at <= start })
		}
	}
	switch {
	case err != nil:
		return w, pcp.AsFault(err).Message
	case start >= whole.End:
		return w, "Nothing was logged at " + t.moment(start, whole) + " or later: " + t.spans(whole)
	case end <= whole.Start:
		return w, "Nothing was logged until " + t.moment(end, whole) + ": " + t.spans(whole)
	case end <= start:
		return timeline.Window{Start: start, End: end}, "The end must be after the start."
	}
	return timeline.Window{Start: start, End: end}, ""
}

// spans says when a source was logged.
func (t *Times) spans(whole timeline.Window) string {
	return "this source spans " + t.moment(whole.Start, whole) + " to " + t.moment(whole.End, whole) + "."
}

// moment writes a time; with its distance from UTC, if that changes in the source.
func (t *Times) moment(at pcp.Time, whole timeline.Window) string {
	clock := t.tab.Clock
	if clock.Changes(whole.Start, whole.End) {
		return clock.DateTime(at) + " " + clock.Offset(at)
	}
	return clock.DateTime(at)
}

// anyMetric returns a metric to use in a query that is only about times.
func (t *Times) anyMetric() string {
	for i := range t.tab.Metrics {
		if metric.Numeric(&t.tab.Metrics[i]) {
			return t.tab.Metrics[i].Name
		}
	}
	return ""
}

// resolve has the engine parse a time. A local time that occurs twice, when summer time
// ends, is the first one in the window where it is likely. It is slow work.
func (times *Times) resolve(text, zone string, absent pcp.Time, likely timeline.Window) (pcp.Time, error) {
	if text == "" {
		return absent, nil
	}
	if text[0] >= '0' && text[0] <= '9' && strings.Contains(text, ":") {
		text = "@" + text // a date and time, as people type it
	}
	second := int64(time.Second)
	ask := func(zone string) (pcp.Time, error) {
		f, err := times.tab.data.query(times.tab.ctx, api.Query{Metrics: []string{times.anyMetric()}, Start: &api.When{Text: text}, Interval: &api.When{Nanos: &second}, Count: 1, Zone: zone})
		if err != nil || len(f.Times) == 0 {
			return absent, err
		}
		return timeline.At(f, 0), nil
	}
	t, err := ask(zone)
	if then := times.zone(t); err == nil && then != zone { // the clocks were changed in between
		t, err = ask(then)
	}
	if err != nil {
		return t, err
	}
	for _, other := range times.tab.Clock.Same(t) {
		switch {
		case other < likely.Start || other > likely.End:
		case other == t:
			return t, nil
		default: // unless the text means the same moment in every zone
			if at, err := ask(offsetZone(times.tab.Clock.At(other))); err == nil && at == other {
				return other, nil
			}
		}
	}
	return t, nil
}

// after adds a duration in PCP's syntax. It is slow work.
func (t *Times) after(start pcp.Time, text string) (pcp.Time, error) {
	f, err := t.tab.data.query(t.tab.ctx, api.Query{Metrics: []string{t.anyMetric()}, Start: timeline.When(start), Interval: &api.When{Text: text}, Count: 2})
	if err != nil {
		return 0, err
	}
	if len(f.Times) < 2 {
		return start, nil
	}
	return timeline.At(f, 1), nil
}

// zone is the zone of typed times, as a TZ string; "" for the archive's. The engine does
// not know zones by name, so this gives the clock's offset from UTC at t.
func (times *Times) zone(t pcp.Time) string {
	if times.Zone == "" {
		return ""
	}
	return offsetZone(times.tab.Clock.At(t))
}

// offsetZone is the zone that is always so many seconds east of UTC, as a TZ string.
func offsetZone(east int) string {
	sign := '-' // in TZ strings, west is positive
	if east < 0 {
		sign, east = '+', -east
	}
	return fmt.Sprintf("<here>%c%02d:%02d:%02d", sign, east/3600, east/60%60, east%60)
}

// SetZone changes the zone in which times are shown: "" for the archive's, "UTC", "mine"
// for the browser's, or a name. It reports whether the zone exists.
func (t *Times) SetZone(zone string) bool {
	clock, ok := t.clockIn(zone)
	if !ok {
		t.Fault = "There is no time zone “" + zone + "”. Use a name such as Europe/Prague."
		return false
	}
	t.Fault = ""
	t.Zone, t.tab.Clock = zone, clock
	t.tab.Drawer.key = ""
	t.tab.app.windowChanged()
	return true
}

func (t *Times) clockIn(zone string) (format.Clock, bool) {
	clock, ok := t.clockOf(zone)
	start, end := t.tab.Source.Start, t.tab.Source.End
	clock.Dates, clock.Years = end-start > format.Day, clock.Year(start) != clock.Year(end)
	return clock, ok
}

func (t *Times) clockOf(zone string) (format.Clock, bool) {
	tab := t.tab
	s := tab.Source
	switch zone {
	case "":
		return tab.app.clock(s), true
	case "UTC":
		return format.UTC, true
	case "mine":
		zone = tab.app.Page.LocalZone
	}
	if tab.app.Page.Resolve != nil && zone != "" {
		if f, ok := tab.app.Page.Resolve(zone); ok {
			return format.NewClock(zone, f, s.Start, s.End), true
		}
	}
	return format.Clock{}, false
}

// zoneName is the zone as the engine knows it; "" for the archive's.
func (t *Times) zoneName() string {
	if t.Zone == "mine" {
		return t.tab.app.Page.LocalZone
	}
	return t.Zone
}

// Playing reports whether the cursor is playing.
func (t *Times) Playing() bool { return t.playing%2 == 1 }

// tick is the interval at which the playing cursor moves.
const tick = 200 * time.Millisecond

// Speeds are the playback speeds to choose from.
var Speeds = []float64{0, 1, 10, 100, 1000}

// Play plays the cursor at Times.Speed to the end of the source, moving the window along,
// or stops it.
func (t *Times) Play() {
	tab := t.tab
	t.playing++
	if !t.Playing() {
		return
	}
	a, n := tab.app, t.playing
	if !a.Cursor.On || a.Cursor.At < tab.Window.Start || a.Cursor.At >= tab.Window.End {
		a.Cursor.Set(tab.Window.Start)
	}
	a.Go(func() {
		for {
			time.Sleep(tick)
			a.Loop.Lock()
			if t.playing != n || a.current != tab || tab.ctx.Err() != nil {
				a.Loop.UnlockOnly()
				return
			}
			if !t.run() {
				t.playing++
			}
			a.Loop.UnlockRender()
		}
	})
}

// run moves the cursor by one tick. It reports whether the end has not been reached.
func (t *Times) run() bool {
	tab := t.tab
	speed := t.Speed
	if speed == 0 {
		speed = float64(tab.Window.Len()) / float64(time.Minute)
	}
	at := tab.Window.Start
	if tab.app.Cursor.On {
		at = max(at, tab.app.Cursor.At)
	}
	at += pcp.Time(speed * float64(tick))
	if at > tab.Window.End && tab.Window.End < tab.Whole().End {
		tab.Pan(1)
		at = max(at, tab.Window.Start)
	}
	at = min(at, tab.Window.End)
	tab.app.Cursor.Set(at)
	return at < tab.Whole().End
}
