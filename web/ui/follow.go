package ui

import (
	"strconv"

	"pcpscope/web/app"
)

// Tab is the source on screen.
func (c *Follow) Tab() *app.Tab { return c.App.Current() }

// Can reports whether there is a file to follow.
func (c *Follow) Can() bool { return c.Tab() != nil && c.Tab().Follow.Can() }

// On reports whether it is being followed.
func (c *Follow) On() bool { return c.Can() && c.Tab().Follow.On }

// Pressed is the aria-pressed of the button.
func (c *Follow) Pressed() string { return strconv.FormatBool(c.On()) }

// ToggleText is the label of the button.
func (c *Follow) ToggleText() string {
	if c.On() {
		return "Stop following"
	}
	return "Follow"
}

// Toggle starts or stops following.
func (c *Follow) Toggle() {
	switch {
	case c.On():
		c.Tab().Follow.Stop()
	case c.Can():
		c.Tab().Follow.Start()
	}
}

// Manual reports whether the user must select the file for each reading.
func (c *Follow) Manual() bool {
	r := c.App.Page.Files
	return c.Can() && r != nil && !r.Can(c.Tab().Source.Members[0]) && !r.CanAsk()
}

// Text says what is happening, or what following would do.
func (c *Follow) Text() string {
	if !c.Can() {
		return ""
	}
	tab := c.Tab()
	if text := tab.Follow.Text(tab.Clock); text != "" {
		return text
	}
	if c.Manual() {
		return "This browser cannot re-read a file. Choose it again for each new reading; counters become rates with the second."
	}
	return "The values of one moment. Following re-reads the file every second; counters become rates."
}
