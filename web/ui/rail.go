package ui

import (
	"fmt"

	"pcpscope/web/format"
)

// Class shows the rail as a sheet on a phone.
func (c *Rail) Class() string {
	if c.App.Layout.Sheet == "rail" {
		return "rail open"
	}
	return "rail"
}

// Count is the number of metrics.
func (c *Rail) Count() string {
	if tab := c.App.Current(); tab != nil {
		return format.Count(tab.Source.Metrics)
	}
	return ""
}

// TabClass marks the open tab.
func (c *Rail) TabClass(tab string) string {
	if c.App.Layout.Rail == tab {
		return "on"
	}
	return ""
}

// Selected is the aria-selected of a tab.
func (c *Rail) Selected(tab string) string { return fmt.Sprint(c.App.Layout.Rail == tab) }

// Findings is the number of findings that deserve attention.
func (c *Rail) Findings() string {
	if tab := c.App.Current(); tab != nil {
		if broken, look, _ := tab.Findings.Count(); broken+look > 0 {
			return format.Count(broken + look)
		}
	}
	return ""
}
