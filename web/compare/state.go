// Package compare is the state of a comparison of two windows: which windows,
// what counts as a change, how changes are sorted, and their descriptions.
package compare

import (
	"cmp"
	"math"
	"slices"

	"pcpscope/core/api"
	"pcpscope/core/sorting"
	"pcpscope/web/timeline"
)

// A State is a comparison and its result.
type State struct {
	A, B   timeline.Window
	Moving string       // the window that the next drag on the strip moves: "A", "B"
	Other  api.SourceID // that B lies in; 0 for the same source
	Effect float64
	Shift  float64 // a share, 0 to 1
	Off    map[string]bool
	Sort   string // "" by how far apart the windows are, "shift", "family"
	At     int    // the change selected above the list
	Result *api.Comparison
	Shown  []api.Change // those whose family is not excluded
	Fault  string
	Busy   bool
	Rev    int
	pick   int // the change to select once the reply arrives
}

// Started reports whether anything has been compared yet.
func (c *State) Started() bool { return c.Off != nil }

// Start chooses the windows: the visible one and the time before it, or the
// second and first half of the source if all of it is visible.
func (c *State) Start(now, whole timeline.Window) {
	if c.Off == nil {
		c.Off = map[string]bool{}
		c.Effect, c.Shift, c.Moving = 0.3, 0.1, "B"
	}
	length := now.End - now.Start
	switch {
	case c.Result != nil && now == whole:
	case now == whole:
		mid := whole.Middle()
		c.A, c.B = timeline.Window{Start: whole.Start, End: mid}, timeline.Window{Start: mid, End: whole.End}
	case now.Start-length >= whole.Start:
		c.A, c.B = timeline.Window{Start: now.Start - length, End: now.Start}, now
	case now.End+length <= whole.End:
		c.A, c.B = now, timeline.Window{Start: now.End, End: now.End + length}
	default:
		c.A, c.B = timeline.Window{Start: whole.Start, End: now.Start}, now
		if c.A.Len() <= 0 {
			c.A, c.B = now, timeline.Window{Start: now.End, End: whole.End}
		}
	}
}

// Query asks the engine what changed between the windows.
func (c *State) Query(source api.SourceID) api.CompareQuery {
	return api.CompareQuery{Source: source, AStart: timeline.When(c.A.Start), AEnd: timeline.When(c.A.End), BStart: timeline.When(c.B.Start), BEnd: timeline.When(c.B.End), Effect: c.Effect, Shift: c.Shift, Other: c.Other, Processes: !c.Off["Processes"]}
}

// Families are the groups of metrics that a comparison can leave out.
var Families = []string{"CPU and tasks", "Memory", "Disks and filesystems", "Network", "Collector", "Other", "Processes"}

// DropExcluded removes the excluded families from the list.
func (c *State) DropExcluded() {
	c.Shown, c.At = nil, 0
	if c.Result != nil {
		for _, ch := range c.Result.Changes {
			if !c.Off[ch.Family] {
				c.Shown = append(c.Shown, ch)
			}
		}
		c.order()
		if c.pick < len(c.Shown) {
			c.At = c.pick
		}
		c.pick = 0
	}
	c.Rev++
}

// Orders are the ways to sort changes; the first is the engine's own.
var Orders = []string{"", "shift", "family"}

// SortBy sorts the list; the selected change stays selected.
func (c *State) SortBy(by string) {
	if !slices.Contains(Orders, by) || by == c.Sort {
		return
	}
	c.Sort = by
	was := c.Picked()
	if was == nil {
		return
	}
	metric, instance := was.Metric, was.Instance
	c.DropExcluded()
	c.At = max(0, slices.IndexFunc(c.Shown, func(ch api.Change) bool { return ch.Metric == metric && ch.Instance == instance }))
}

// order sorts the list by the shift relative to the larger level, or by
// family. Ties keep the engine's ranking.
func (c *State) order() {
	switch c.Sort {
	case "shift":
		sorting.Stable(c.Shown, func(a, b api.Change) int { return cmp.Compare(relative(&b), relative(&a)) })
	case "family":
		sorting.Stable(c.Shown, func(a, b api.Change) int {
			return cmp.Compare(slices.Index(Families, a.Family), slices.Index(Families, b.Family))
		})
	}
}

// Levels returns the levels before and after a change, and the difference: medians,
// or means if the change came in bursts, which hardly affect the median.
func Levels(ch *api.Change) (from, to, by float64, bursts bool) {
	if mean := ch.MeanB - ch.MeanA; math.Abs(mean) > 2*math.Abs(ch.Shift) {
		return ch.MeanA, ch.MeanB, mean, true
	}
	return ch.MedianA, ch.MedianB, ch.Shift, false
}

// relative is the shift of a change as a fraction of the larger level.
func relative(ch *api.Change) float64 {
	from, to, by, _ := Levels(ch)
	if level := max(math.Abs(from), math.Abs(to)); level > 0 {
		return math.Abs(by) / level
	}
	return 0
}

// Pick selects the change to show above the list.
func (c *State) Pick(i int) {
	if i >= 0 && i < len(c.Shown) {
		c.At = i
		c.Rev++
	}
}

// Picked is the selected change, or nil.
func (c *State) Picked() *api.Change {
	if c.At < len(c.Shown) {
		return &c.Shown[c.At]
	}
	return nil
}

// CountFamily counts the changes of a family.
func (c *State) CountFamily(family string) int {
	n := 0
	if c.Result != nil {
		for _, ch := range c.Result.Changes {
			if ch.Family == family {
				n++
			}
		}
	}
	return n
}
