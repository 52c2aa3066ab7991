package web

import "pcpscope/web/format"

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
