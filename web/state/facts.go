package state

import (
	"strings"

	"pcpscope/core/pcp"
	"pcpscope/web/format"
)

// asked are the facts that people look for: where one is not logged, that is
// said.
var asked = []string{"kernel", "CPUs", "memory", "disks"}

// Facts are name and value: of the host, then of time.
func (w *Work) Facts() [][2]string {
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
