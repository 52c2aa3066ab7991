package web

import (
	"fmt"

	"pcpscope/web/format"
)

// Class opens the rail as a sheet on a phone.
func (c *Rail) Class() string {
	if c.App.Sheet == "rail" {
		return "rail open"
	}
	return "rail"
}

// Count is the number of metrics.
func (c *Rail) Count() string {
	if w := c.App.Current(); w != nil {
		return format.Count(w.Source.Metrics)
	}
	return ""
}

// TabClass marks the open tab.
func (c *Rail) TabClass(tab string) string {
	if c.App.Tab == tab {
		return "on"
	}
	return ""
}

// Selected is the aria-selected of a tab.
func (c *Rail) Selected(tab string) string { return fmt.Sprint(c.App.Tab == tab) }

// Findings is how many findings deserve a look.
func (c *Rail) Findings() string {
	if w := c.App.Current(); w != nil {
		if look, _ := w.CountFindings(); look > 0 {
			return format.Count(look)
		}
	}
	return ""
}
