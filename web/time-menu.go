package web

import (
	"strconv"

	"github.com/vugu/vugu"

	"pcpscope/web/format"
	"pcpscope/web/state"
)

func (c *TimeMenu) work() *state.Work { return c.App.Current() }

// Show shows the stretch between the two times.
func (c *TimeMenu) Show(event vugu.DOMEvent) {
	event.PreventDefault()
	if w := c.work(); w != nil {
		w.ShowTimes(c.From, c.To)
	}
}

// Fault says why a text is no time or no zone.
func (c *TimeMenu) Fault() string {
	if w := c.work(); w != nil {
		return w.Times.Fault
	}
	return ""
}

// TypeFrom and TypeTo take what is typed and have it understood.
func (c *TimeMenu) TypeFrom(text string) {
	c.From = text
	c.typed()
}

func (c *TimeMenu) TypeTo(text string) {
	c.To = text
	c.typed()
}

func (c *TimeMenu) typed() {
	if w := c.work(); w != nil {
		w.TypeTimes(c.From, c.To)
	}
}

// Said is what is understood of the two times.
func (c *TimeMenu) Said() string {
	if w := c.work(); w != nil {
		return w.Times.Said
	}
	return ""
}

// Speeds are those of the running cursor.
func (c *TimeMenu) Speeds() []Choice {
	w := c.work()
	if w == nil {
		return nil
	}
	var list []Choice
	for _, s := range state.Speeds {
		v := strconv.FormatFloat(s, 'f', -1, 64)
		text := format.Count(int(s)) + " ×"
		if s == 0 {
			text = "the window in a minute"
		}
		list = append(list, Choice{"speed-" + v, v, text, chosen(w.Times.Speed == s)})
	}
	return list
}

// SetSpeed lets the cursor run faster or slower.
func (c *TimeMenu) SetSpeed(v string) {
	if w := c.work(); w != nil {
		w.Times.Speed, _ = strconv.ParseFloat(v, 64)
	}
}

// Zones are the clocks that need no name.
func (c *TimeMenu) Zones() []Choice {
	w := c.work()
	if w == nil {
		return nil
	}
	mine := "Mine"
	if c.App.LocalZone != "" {
		mine += ", " + c.App.LocalZone
	}
	return []Choice{
		{"zone-archive", "", "The archive’s", chosen(w.Times.Zone == "")}, {"zone-utc", "UTC", "UTC", chosen(w.Times.Zone == "UTC")}, {"zone-mine", "mine", mine, chosen(w.Times.Zone == "mine")},
	}
}

// SetZone shows times on another clock.
func (c *TimeMenu) SetZone(zone string) {
	if w := c.work(); w != nil {
		w.SetZone(zone)
	}
}

// Play lets the cursor run, or stops it.
func (c *TimeMenu) Play() {
	if w := c.work(); w != nil {
		w.Play()
	}
}

// PlayText names what Play does.
func (c *TimeMenu) PlayText() string {
	if w := c.work(); w != nil && w.Playing() {
		return "Stop the cursor"
	}
	return "Let the cursor run"
}

// Next goes to the next gap, mark or start of the host.
func (c *TimeMenu) Next() {
	if w := c.work(); w != nil && !c.App.NextLandmark(w) {
		w.Times.Fault = "There is no gap, no mark and no start of the host in this source."
	}
}

// HasWorst and Worst are about the worst minute.
func (c *TimeMenu) HasWorst() bool {
	w := c.work()
	if w == nil {
		return false
	}
	_, _, ok := w.WorstMinute()
	return ok
}

func (c *TimeMenu) Worst() {
	c.App.Menu = ""
	if w := c.work(); w != nil {
		w.ShowWorstMinute()
	}
}
