package web

import (
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
)

// Word stands in place of facts while there are none.
func (c *HostFacts) Word() string {
	if w := c.App.Current(); w != nil && w.Overview == nil {
		return "More is known when all of the source has been read."
	}
	return ""
}

// asked are the facts that people look for: where one is not logged, that is
// said.
var asked = []string{"kernel", "CPUs", "memory", "disks"}

// Facts are name and value: of the host, then of time.
func (c *HostFacts) Facts() [][2]string {
	w := c.App.Current()
	if w == nil {
		return nil
	}
	var list [][2]string
	if w.Overview != nil {
		known := map[string]bool{}
		for _, f := range w.Overview.Who {
			known[f.Name] = true
			list = append(list, [2]string{f.Name, f.Value})
		}
		for _, name := range asked {
			if !known[name] && w.Source.Kind == "archive" {
				list = append(list, [2]string{name, "not logged"})
			}
		}
	}
	s := w.Source
	stamp := func(t pcp.Time) string {
		text := w.Clock.DateTime(t) + " " + w.Clock.Offset(t)
		if w.Clock.At(t) != 0 {
			text += ", " + format.UTC.DateTime(t) + " UTC"
		}
		return text
	}
	list = append(list, [2]string{"from", stamp(s.Start)}, [2]string{"to", stamp(s.End)}, [2]string{"zone", w.Clock.Name})
	if w.Overview != nil && s.Kind == "archive" {
		boots := []string{}
		for _, b := range w.Boots() {
			boots = append(boots, stamp(b))
		}
		if len(boots) == 0 {
			boots = []string{"not logged"}
		}
		list = append(list, [2]string{"started", strings.Join(boots, "; ")})
	}
	return list
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
