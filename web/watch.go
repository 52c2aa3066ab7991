package web

import (
	"strconv"

	"pcpscope/web/state"
)

// Work is the source on screen.
func (c *Watch) Work() *state.Work { return c.App.Current() }

// Can says whether there is a file to follow.
func (c *Watch) Can() bool { return c.Work() != nil && c.Work().CanWatch() }

// On says whether it is being followed.
func (c *Watch) On() bool { return c.Can() && c.Work().Watch.On }

// Pressed is the aria-pressed of the button.
func (c *Watch) Pressed() string { return strconv.FormatBool(c.On()) }

// ToggleText names what the button does.
func (c *Watch) ToggleText() string {
	if c.On() {
		return "Stop watching"
	}
	return "Watch"
}

// Toggle begins or ends the watching.
func (c *Watch) Toggle() {
	switch {
	case c.On():
		c.Work().StopWatch()
	case c.Can():
		c.App.StartWatch(c.Work())
	}
}

// ByHand says that the browser must be given the file for each reading.
func (c *Watch) ByHand() bool {
	r := c.App.Rereader
	return c.Can() && r != nil && !r.Can(c.Work().Source.Members[0]) && !r.CanAsk()
}

// Text says what goes on, or what watching would do.
func (c *Watch) Text() string {
	if !c.Can() {
		return ""
	}
	w := c.Work()
	if text := w.Watch.Text(w.Clock); text != "" {
		return text
	}
	if c.ByHand() {
		return "This browser cannot read a file again by itself. Choose it again for each new reading; counters become rates with the second."
	}
	return "The values of one moment. Watching reads the file each second; counters become rates."
}
