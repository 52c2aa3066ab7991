package ui

import (
	"pcpscope/core/api"
	"pcpscope/web/format"
)

// Word is shown while there are no facts.
func (c *HostFacts) Word() string {
	if tab := c.App.Current(); tab != nil && tab.Findings.Overview == nil {
		return "More appears once the whole source has been read."
	}
	return ""
}

// Facts are names and values: first of the host, then of time.
func (c *HostFacts) Facts() [][2]string {
	if tab := c.App.Current(); tab != nil {
		return tab.Facts()
	}
	return nil
}

// Logged are groups of metrics by logging interval.
func (c *HostFacts) Logged() [][2]string {
	tab := c.App.Current()
	if tab == nil || tab.Findings.Overview == nil {
		return nil
	}
	var list [][2]string
	for i, g := range tab.Findings.Overview.Coverage {
		if i == 6 {
			list = append(list, [2]string{"", format.Plural(len(tab.Findings.Overview.Coverage)-i, "smaller group")})
			break
		}
		list = append(list, [2]string{format.Plural(g.Metrics, "metric"), rhythm(g)})
	}
	return list
}

func rhythm(g api.Coverage) string {
	text := "once"
	if g.Samples > 1 {
		text = format.Plural(g.Samples, "time")
	}
	if g.Interval > 0 {
		text = "every " + often(g.Interval)
		if g.Missed > 0 {
			text += ", " + format.Plural(g.Missed, "sample") + " missing"
		}
	}
	if len(g.Examples) > 0 {
		text += ", such as " + g.Examples[0]
	}
	return text
}
