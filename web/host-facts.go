package web

import (
	"pcpscope/core/api"
	"pcpscope/web/format"
)

// Word stands in place of facts while there are none.
func (c *HostFacts) Word() string {
	if w := c.App.Current(); w != nil && w.Overview == nil {
		return "More is known when all of the source has been read."
	}
	return ""
}

// Facts are name and value: of the host, then of time.
func (c *HostFacts) Facts() [][2]string {
	if w := c.App.Current(); w != nil {
		return w.Facts()
	}
	return nil
}

// Logged are the groups of metrics by how often they were recorded.
func (c *HostFacts) Logged() [][2]string {
	w := c.App.Current()
	if w == nil || w.Overview == nil {
		return nil
	}
	var list [][2]string
	for i, g := range w.Overview.Coverage {
		if i == 6 {
			list = append(list, [2]string{"", format.Plural(len(w.Overview.Coverage)-i, "smaller group")})
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
