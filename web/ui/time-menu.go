package ui

import (
	"strconv"

	"github.com/vugu/vugu"

	"pcpscope/core/pcp"
	"pcpscope/web/app"
	"pcpscope/web/format"
)

func (c *TimeMenu) work() *app.Tab { return c.App.Current() }

// Show shows the stretch between the two times.
func (c *TimeMenu) Show(event vugu.DOMEvent) {
	event.PreventDefault()
	if tab := c.work(); tab != nil {
		tab.Times.Show(c.FromText(), c.ToText())
	}
}

// FromText and ToText are what was typed, at first what is shown.
func (c *TimeMenu) FromText() string {
	if tab := c.work(); tab != nil && (!c.own || c.of != ends(tab)) {
		return tab.Clock.Typed(tab.Window.Start)
	}
	return c.From
}

func (c *TimeMenu) ToText() string {
	if tab := c.work(); tab != nil && (!c.own || c.of != ends(tab)) {
		return tab.Clock.Typed(tab.Window.End)
	}
	return c.To
}

func ends(tab *app.Tab) [2]pcp.Time { return [2]pcp.Time{tab.Window.Start, tab.Window.End} }

// begin takes over what is shown, before one of the fields changes.
func (c *TimeMenu) begin() {
	c.From, c.To, c.own = c.FromText(), c.ToText(), true
	if tab := c.work(); tab != nil {
		c.of = ends(tab)
	}
}

// Fault says why a text is no time or no zone.
func (c *TimeMenu) Fault() string {
	if tab := c.work(); tab != nil {
		return tab.Times.Fault
	}
	return ""
}

// TypeFrom and TypeTo take what is typed and have it understood.
func (c *TimeMenu) TypeFrom(text string) {
	c.begin()
	c.From = text
	c.typed()
}

func (c *TimeMenu) TypeTo(text string) {
	c.begin()
	c.To = text
	c.typed()
}

func (c *TimeMenu) typed() {
	if tab := c.work(); tab != nil {
		tab.Times.Type(c.From, c.To)
	}
}

// Said is what is understood of the two times.
func (c *TimeMenu) Said() string {
	if tab := c.work(); tab != nil {
		return tab.Times.Said
	}
	return ""
}

// Speeds are those of the running cursor.
func (c *TimeMenu) Speeds() []Choice {
	tab := c.work()
	if tab == nil {
		return nil
	}
	var list []Choice
	for _, s := range app.Speeds {
		v := strconv.FormatFloat(s, 'f', -1, 64)
		text := format.Count(int(s)) + " ×"
		if s == 0 {
			text = "the window in a minute"
		}
		list = append(list, Choice{"speed-" + v, v, text, chosen(tab.Times.Speed == s)})
	}
	return list
}

// SetSpeed lets the cursor run faster or slower.
func (c *TimeMenu) SetSpeed(v string) {
	if tab := c.work(); tab != nil {
		tab.Times.Speed, _ = strconv.ParseFloat(v, 64)
	}
}

// Zones are the clocks that need no name.
func (c *TimeMenu) Zones() []Choice {
	tab := c.work()
	if tab == nil {
		return nil
	}
	mine := "Mine"
	if c.App.Page.LocalZone != "" {
		mine += ", " + c.App.Page.LocalZone
	}
	return []Choice{
		{"zone-archive", "", "The archive’s", chosen(tab.Times.Zone == "")}, {"zone-utc", "UTC", "UTC", chosen(tab.Times.Zone == "UTC")}, {"zone-mine", "mine", mine, chosen(tab.Times.Zone == "mine")},
	}
}

// SetZone shows times on another clock.
func (c *TimeMenu) SetZone(zone string) {
	if tab := c.work(); tab != nil {
		tab.Times.SetZone(zone)
	}
}

// Play lets the cursor run, or stops it.
func (c *TimeMenu) Play() {
	if tab := c.work(); tab != nil {
		tab.Times.Play()
	}
}

// PlayText names what Play does.
func (c *TimeMenu) PlayText() string {
	if tab := c.work(); tab != nil && tab.Times.Playing() {
		return "Stop playing"
	}
	return "Play: move the cursor"
}

// Next goes to the next gap, mark or reboot.
func (c *TimeMenu) Next() {
	if tab := c.work(); tab != nil && !c.App.Cursor.NextLandmark(tab) {
		tab.Times.Fault = "This source has no gaps, marks or reboots."
	}
}

// HasWorst and Worst are about the worst minute.
func (c *TimeMenu) HasWorst() bool {
	tab := c.work()
	if tab == nil {
		return false
	}
	_, _, ok := tab.Pulse.WorstMinute()
	return ok
}

func (c *TimeMenu) Worst() {
	c.App.Layout.Menu = ""
	if tab := c.work(); tab != nil {
		tab.Pulse.ShowWorstMinute()
	}
}
