package core

import "pcpscope/core/interp"

// summarised lists the metrics in a summary of everything: all logged ones, and
// the user's own derived ones.
func (src *source) summarised() []string {
	own := map[string]bool{}
	src.mu.Lock()
	for _, d := range src.derived.Definitions() {
		own[d.Name] = true
	}
	src.mu.Unlock()
	list := src.metricList("")
	names := make([]string, 0, len(list))
	for i := range list {
		if m := &list[i]; m.more == nil || own[m.name] { // what is in event records has no values of its own
			names = append(names, m.name)
		}
	}
	return names
}

// oneSegment is the whole time line of a source, with all its marks.
func (src *source) oneSegment() []interp.Segment {
	start, end := src.span()
	return []interp.Segment{{Start: start, End: end, Marks: src.markTimes()}}
}
