package state

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pattern"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
)

// Times is what the menu of times holds.
type Times struct {
	From, To string // as typed
	Fault    string
	Zone     string  // "" for the archive's, "UTC", "mine" or the name of one
	Named    string  // as typed
	Said     string  // what is understood of From and To
	Speed    float64 // of the running cursor, times that of a clock; 0 for the window in a minute
	playing  int     // grows with each start and stop; odd while the cursor runs
	asked    int     // number of the last question what texts mean
}

// length is a length of time after the start, as -T of PCP's tools takes it.
var length = pattern.New(`^\+?\s*[0-9.]+\s*[a-z]`)

// ShowTimes shows the stretch between two times in PCP's syntax: "@10:00",
// "-5min" before the end, and for the end also "+10min" after the start.
func (w *Work) ShowTimes(from, to string) {
	w.understand(from, to, func(next Window) {
		w.app.Menu = ""
		w.Zoom(next.Start, next.End)
	})
}

// TypeTimes says what is understood of two times while they are typed. What is
// not a time yet is no fault.
func (w *Work) TypeTimes(from, to string) {
	w.understand(from, to, nil)
}

// understand asks what two texts mean, says so or why not, and acts on the
// window between them.
func (w *Work) understand(from, to string, act func(Window)) {
	w.Times.From, w.Times.To = from, to
	w.Times.asked++
	n := w.Times.asked
	from, to = strings.TrimSpace(from), strings.TrimSpace(to)
	zone, whole := w.zoneOfTexts(w.Window.Start), w.Whole()
	w.app.work(func() func() {
		start, err := w.resolveTime(from, zone, whole.Start)
		end := whole.End
		if err == nil {
			switch {
			case length().MatchString(to):
				end, err = w.after(start, strings.TrimPrefix(to, "+"))
			default:
				end, err = w.resolveTime(to, zone, whole.End)
			}
		}
		return func() {
			if n != w.Times.asked {
				return // more has been typed
			}
			fault := ""
			switch {
			case err != nil:
				fault = pcp.AsFault(err).Message
			case end <= start:
				fault = "The end is not after the start."
			case end <= whole.Start || start >= whole.End:
				fault = "Nothing was logged then: this source is from " + w.Clock.DateTime(whole.Start) + " to " + w.Clock.DateTime(whole.End) + "."
			}
			w.Times.Fault, w.Times.Said = "", ""
			switch {
			case fault == "" && act != nil:
				act(Window{start, end})
			case fault == "" && from+to != "":
				w.Times.Said = w.Clock.DateTime(start) + " – " + w.Clock.DateTime(end) + " " + w.Clock.Offset(start) + ", " + format.Span(int64(end-start))
			case act != nil:
				w.Times.Fault = fault
			}
		}
	})
}

// anyMetric is one that a question about times can be about.
func (w *Work) anyMetric() string {
	for i := range w.Metrics {
		if numeric(&w.Metrics[i]) {
			return w.Metrics[i].Name
		}
	}
	return ""
}

// resolveTime asks the engine what a text means. It is slow work.
func (w *Work) resolveTime(text, zone string, absent pcp.Time) (pcp.Time, error) {
	if text == "" {
		return absent, nil
	}
	if text[0] >= '0' && text[0] <= '9' && strings.Contains(text, ":") {
		text = "@" + text // a time of day, as people write it
	}
	second := int64(time.Second)
	ask := func(zone string) (pcp.Time, error) {
		f, err := w.app.Engine.Fetch(w.ctx, api.Query{Source: w.Source.ID, Metrics: []string{w.anyMetric()}, Start: &api.When{Text: text}, Interval: &api.When{Nanos: &second}, Count: 1, Zone: zone}, nil)
		if err != nil || len(f.Times) == 0 {
			return absent, err
		}
		return at(f, 0), nil
	}
	t, err := ask(zone)
	if then := w.zoneOfTexts(t); err == nil && then != zone { // the clocks were changed between
		return ask(then)
	}
	return t, err
}

// after adds a length of time in PCP's syntax. It is slow work.
func (w *Work) after(start pcp.Time, text string) (pcp.Time, error) {
	f, err := w.app.Engine.Fetch(w.ctx, api.Query{Source: w.Source.ID, Metrics: []string{w.anyMetric()}, Start: whenAt(start), Interval: &api.When{Text: text}, Count: 2}, nil)
	if err != nil {
		return 0, err
	}
	if len(f.Times) < 2 {
		return start, nil
	}
	return at(f, 1), nil
}

// zoneOfTexts is the zone that typed times are in, as TZ has it; "" for the
// archive's. The engine knows no zones by name, so that it is told how far the
// clock is from UTC at t.
func (w *Work) zoneOfTexts(t pcp.Time) string {
	if w.Times.Zone == "" {
		return ""
	}
	east := w.Clock.At(t)
	sign := '-' // in TZ, west is positive
	if east < 0 {
		sign, east = '+', -east
	}
	return fmt.Sprintf("<here>%c%02d:%02d:%02d", sign, east/3600, east/60%60, east%60)
}

// SetZone shows times on another clock: "" for the archive's, "UTC", "mine"
// for that of the browser, or the name of a zone. It reports whether there is
// such a one.
func (w *Work) SetZone(zone string) bool {
	clock, ok := w.clockIn(zone)
	if !ok {
		w.Times.Fault = "No zone is called “" + zone + "”. Names look like Europe/Prague."
		return false
	}
	w.Times.Fault = ""
	w.Times.Zone, w.Clock = zone, clock
	w.Drawer.key = ""
	w.app.windowChanged()
	return true
}

func (w *Work) clockIn(zone string) (format.Clock, bool) {
	s := w.Source
	switch zone {
	case "":
		return w.app.clock(s), true
	case "UTC":
		return format.UTC, true
	case "mine":
		zone = w.app.LocalZone
	}
	if w.app.Resolve != nil && zone != "" {
		if f, ok := w.app.Resolve(zone); ok {
			return format.NewClock(zone, f, s.Start, s.End), true
		}
	}
	return format.Clock{}, false
}

// Playing says whether the cursor runs.
func (w *Work) Playing() bool { return w.Times.playing%2 == 1 }

// tick is how long the running cursor stands.
const tick = 200 * time.Millisecond

// Speeds are those that the cursor may run with.
var Speeds = []float64{0, 1, 10, 100, 1000}

// Play lets the cursor run at Times.Speed to the end of the source, and takes
// the window along; or it stops it.
func (w *Work) Play() {
	w.Times.playing++
	if !w.Playing() {
		return
	}
	a, n := w.app, w.Times.playing
	if !a.HasCur || a.Cursor < w.Window.Start || a.Cursor >= w.Window.End {
		a.SetCursor(w.Window.Start)
	}
	a.Go(func() {
		for {
			time.Sleep(tick)
			a.Loop.Lock()
			if w.Times.playing != n || a.current != w || w.ctx.Err() != nil {
				a.Loop.UnlockOnly()
				return
			}
			if !w.run() {
				w.Times.playing++
			}
			a.Loop.UnlockRender()
		}
	})
}

// run moves the cursor by what a tick is worth. It reports whether there is
// more to come.
func (w *Work) run() bool {
	speed := w.Times.Speed
	if speed == 0 {
		speed = float64(w.Window.Len()) / float64(time.Minute)
	}
	at := w.Window.Start
	if w.app.HasCur {
		at = max(at, w.app.Cursor)
	}
	at += pcp.Time(speed * float64(tick))
	if at > w.Window.End && w.Window.End < w.Whole().End {
		w.Pan(1)
		at = max(at, w.Window.Start)
	}
	at = min(at, w.Window.End)
	w.app.SetCursor(at)
	return at < w.Whole().End
}

// landmarks are the moments that the key g goes to: gaps and marks, and
// starts of the host.
func (w *Work) landmarks() []pcp.Time {
	var list []pcp.Time
	for _, g := range w.Source.Gaps {
		list = append(list, g.Start)
	}
	for _, h := range w.Holes() {
		list = append(list, h.Start)
	}
	whole := w.Whole()
	for _, b := range w.Boots() {
		if b > whole.Start && b < whole.End {
			list = append(list, b)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// NextLandmark moves the cursor to the next gap, mark or start of the host,
// around the end. It reports whether there is any.
func (a *App) NextLandmark(w *Work) bool {
	list := w.landmarks()
	if len(list) == 0 {
		return false
	}
	next := list[0]
	for _, t := range list {
		if a.HasCur && t > a.Cursor {
			next = t
			break
		}
	}
	if next < w.Window.Start || next > w.Window.End {
		half := pcp.Time(w.Window.Len() / 2)
		w.Zoom(next-half, next+half)
	}
	a.SetCursor(next)
	return true
}
