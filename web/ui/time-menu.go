package ui

import (
	"strconv"

	"github.com/vugu/vugu"

	"pcpscope/core/pcp"
	"pcpscope/web/app"
	"pcpscope/web/format"
)

func (c *TimeMenu) work() *app.Tab { return c.App.Current() }

// Show shows the range between the two times.
func (c *TimeMenu) Show(event vugu.DOMEvent) {
	event.PreventDefault()
	if tab := c.work(); tab != nil {
		tab.Times.Show(c.FromText(), c.ToText())
	}
}

// FromText and ToText are the typed times, initially those of the window.
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

// begin copies the window's times into the fields before one is edited.
func (c *TimeMenu) begin() {
	c.From, c.To, c.own = c.FromText(), c.ToText(), true
	if tab := c.work(); tab != nil {
		c.of = ends(tab)
	}
}

// Fault says why a text is not a valid time or zone.
func (c *TimeMenu) Fault() string {
	if tab := c.work(); tab != nil {
		return tab.Times.Fault
	}
	return ""
}

// TypeFrom and TypeTo take the typed text and parse it.
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

// ParsedText is the parsed range.
func (c *TimeMenu) ParsedText() string {
	if tab := c.work(); tab != nil {
		return tab.Times.Said
	}
	return ""
}

// Speeds are the playback speeds of the cursor.
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

// SetSpeed sets the playback speed.
func (c *TimeMenu) SetSpeed(v string) {
	if tab := c.work(); tab != nil {
		tab.Times.Speed, _ = strconv.ParseFloat(v, 64)
	}
}

// Zones are the predefined time zones.
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

// SetZone shows times in another time zone.
func (c *TimeMenu) SetZone(zone string) {
	if tab := c.work(); tab != nil {
		tab.Times.SetZone(zone)
	}
}

// Play starts or stops the playback.
func (c *TimeMenu) Play() {
	if tab := c.work(); tab != nil {
		tab.Times.Play()
	}
}

// PlayText is the label of the button for Play.
func (c *TimeMenu) PlayText() string {
	if tab := c.work(); tab != nil && tab.Times.Playing() {
		return "Stop playing"
	}
	return "Play: move the cursor"
}

// Next jumps to the next gap, mark or reboot.
func (c *TimeMenu) Next() {
	if tab := c.work(); tab != nil && !c.App.Cursor.NextLandmark(tab) {
		tab.Times.Fault = "This source has no gaps, marks or reboots."
	}
}

// HasWorst reports whether there is a worst minute, which Worst shows.
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
