package state

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
)

// Compare is what changed between two windows, A and B.
type Compare struct {
	A, B   Window
	Moving string       // the window that the next drag on the strip moves: "A", "B"
	Other  api.SourceID // that B lies in; 0 for the same source
	Effect float64
	Shift  float64 // a share, 0 to 1
	Off    map[string]bool
	Sort   string // "" by effect, "shift", "family"
	At     int    // the change that is shown above the list
	Result *api.Comparison
	Shown  []api.Change // those whose family is not off
	Fault  string
	Busy   bool
	Rev    int
	asked  int
	pick   int    // the change to be shown once the answer has come
	wanted string // fingerprint of the source that B shall lie in, once it is open
}

// Families are the groups of metrics that a comparison can leave out.
var Families = []string{"CPU and tasks", "Memory", "Disks and filesystems", "Network", "Collector", "Other", "Processes"}

// BeginCompare compares the window on screen with the time before it; the
// second half of the source with the first where all of it is on screen.
func (w *Work) BeginCompare() {
	w.app.Comparing = true
	w.app.Tab = "findings"
	c := &w.Compare
	if c.Off == nil {
		c.Off = map[string]bool{"Processes": true}
		c.Effect, c.Shift, c.Moving = 0.3, 0.05, "B"
	}
	whole, now := w.Whole(), w.Window
	length := now.End - now.Start
	switch {
	case c.Result != nil && now == whole:
	case now == whole:
		mid := whole.Start + (whole.End-whole.Start)/2
		c.A, c.B = Window{whole.Start, mid}, Window{mid, whole.End}
	case now.Start-length >= whole.Start:
		c.A, c.B = Window{now.Start - length, now.Start}, now
	case now.End+length <= whole.End:
		c.A, c.B = now, Window{now.End, now.End + length}
	default:
		c.A, c.B = Window{whole.Start, now.Start}, now
		if c.A.Len() <= 0 {
			c.A, c.B = now, Window{now.End, whole.End}
		}
	}
	w.app.windowChanged()
	w.compare()
}

// MoveCompared moves one of the windows.
func (w *Work) MoveCompared(start, end pcp.Time) {
	if start > end {
		start, end = end, start
	}
	whole := w.Whole()
	next := Window{max(start, whole.Start), min(end, whole.End)}
	if next.Len() <= 0 {
		return
	}
	if w.Compare.Moving == "A" {
		w.Compare.A, w.Compare.Moving = next, "B"
	} else {
		w.Compare.B, w.Compare.Other = next, 0
	}
	w.app.windowChanged()
	w.compare()
}

// SwapCompared takes B for A.
func (w *Work) SwapCompared() {
	if w.Compare.Other != 0 { // A lies in this source
		return
	}
	w.Compare.A, w.Compare.B = w.Compare.B, w.Compare.A
	w.app.windowChanged()
	w.compare()
}

// CompareWith takes the whole of another source for B; 0 for this one again.
func (w *Work) CompareWith(id api.SourceID) {
	c := &w.Compare
	c.Other = 0
	for _, o := range w.app.Works {
		if o.Source.ID == id && o != w {
			c.Other, c.B = id, o.Whole()
		}
	}
	if c.Other == 0 {
		c.B = w.Window
	}
	w.app.windowChanged()
	w.compare()
}

// CountFrom sets what counts as a change.
func (w *Work) CountFrom(effect, shift float64) {
	if effect >= 0 && effect <= 1 && shift >= 0 {
		w.Compare.Effect, w.Compare.Shift = effect, shift
		w.compare()
	}
}

// ToggleFamily leaves a group of metrics out, or takes it in again.
func (w *Work) ToggleFamily(family string) {
	c := &w.Compare
	c.Off[family] = !c.Off[family]
	if family == "Processes" && !c.Off[family] {
		w.compare()
		return
	}
	w.sift()
}

func (w *Work) compare() {
	c := &w.Compare
	c.asked++
	c.Busy = true
	n := c.asked
	q := api.CompareQuery{Source: w.Source.ID, AStart: whenAt(c.A.Start), AEnd: whenAt(c.A.End), BStart: whenAt(c.B.Start), BEnd: whenAt(c.B.End), Effect: c.Effect, Shift: c.Shift, Other: c.Other, Processes: !c.Off["Processes"]}
	w.app.work(func() func() {
		r, err := w.app.Insight.Compare(w.ctx, q)
		return func() {
			if n != c.asked {
				return
			}
			c.Busy, c.Fault = false, ""
			if err != nil {
				w.app.failed(err)
				c.Result, c.Fault = nil, pcp.AsFault(err).Message
			} else {
				c.Result = &r
			}
			w.sift()
		}
	})
}

// sift takes the families that are left out from the list.
func (w *Work) sift() {
	c := &w.Compare
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

// SortCompared sorts the list; the change above it stays.
func (w *Work) SortCompared(by string) {
	c := &w.Compare
	if !slices.Contains(Orders, by) || by == c.Sort {
		return
	}
	c.Sort = by
	was := c.Picked()
	if was == nil {
		return
	}
	metric, instance := was.Metric, was.Instance
	w.sift()
	c.At = max(0, slices.IndexFunc(c.Shown, func(ch api.Change) bool { return ch.Metric == metric && ch.Instance == instance }))
}

// order sorts the list: by the shift as a share of the larger median, or by
// family; what is alike stays as the engine ranked it.
func (c *Compare) order() {
	switch c.Sort {
	case "shift":
		slices.SortStableFunc(c.Shown, func(a, b api.Change) int { return cmp.Compare(relative(&b), relative(&a)) })
	case "family":
		slices.SortStableFunc(c.Shown, func(a, b api.Change) int {
			return cmp.Compare(slices.Index(Families, a.Family), slices.Index(Families, b.Family))
		})
	}
}

// relative is how far a change went, as a share of the larger median.
func relative(ch *api.Change) float64 {
	if middle := max(math.Abs(ch.MedianA), math.Abs(ch.MedianB)); middle > 0 {
		return math.Abs(ch.Shift) / middle
	}
	return 0 // mostly 0 in both windows
}

// Pick shows a change above the list.
func (c *Compare) Pick(i int) {
	if i >= 0 && i < len(c.Shown) {
		c.At = i
		c.Rev++
	}
}

// Picked is the change above the list; nil where there is none.
func (c *Compare) Picked() *api.Change {
	if c.At < len(c.Shown) {
		return &c.Shown[c.At]
	}
	return nil
}

// CountFamily counts the changes of a family.
func (c *Compare) CountFamily(family string) int {
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

// ShownOf is the unit of a change.
func (w *Work) ShownOf(c *api.Change) format.Shown {
	utilisation := false
	if m := w.Metric(c.Metric); m != nil {
		utilisation = w.Utilisation(m) && c.Units == ""
	}
	largest := math.Max(math.Abs(c.MedianA), math.Abs(c.MedianB))
	for _, list := range [][]float64{c.A, c.B} {
		for _, v := range list {
			if !math.IsNaN(v) {
				largest = max(largest, math.Abs(v))
			}
		}
	}
	s := format.Show(c.Units, utilisation, largest, false)
	if s.Unit == "" || s.Unit == "count/s" && strings.HasSuffix(c.Unit, "/s") {
		s.Unit = c.Unit
	}
	return s
}

// Sentence says in words what changed.
func (w *Work) Sentence(c *api.Change) string {
	s := w.ShownOf(c)
	unit := ""
	if s.Unit != "" {
		unit = " " + s.Unit
	}
	if s.Unit == "%" {
		unit = " percentage points"
	}
	direction, by := "higher", c.Shift
	if c.Shift < 0 {
		direction, by = "lower", -c.Shift
	}
	text := fmt.Sprintf("In B it is %s by %s%s (median %s to %s)", direction, s.Text(by), unit, s.Text(c.MedianA), s.Text(c.MedianB))
	switch {
	case c.Effect >= 1:
		text += "; every sample of B lies above every sample of A"
	case c.Effect <= -1:
		text += "; every sample of B lies below every sample of A"
	}
	return text + "."
}

// WorstMinute is the minute in which the strip's series was highest on
// average, and that average. A minute of a source whose grid is wider is one
// step of it.
func (w *Work) WorstMinute() (worst Window, mean float64, ok bool) {
	p := &w.Pulse
	if len(p.Times) < 3 || len(p.Values) != len(p.Times) {
		return worst, 0, false
	}
	step := (p.Times[len(p.Times)-1] - p.Times[0]) / float64(len(p.Times)-1)
	n := max(1, int(math.Round(60/step)))
	if n >= len(p.Times) {
		return worst, 0, false
	}
	best := -1
	for i := 0; i+n <= len(p.Values); i++ {
		part := p.Values[i : i+n]
		if slices.ContainsFunc(part, math.IsNaN) {
			continue
		}
		sum := 0.0
		for _, v := range part {
			sum += v
		}
		if best < 0 || sum/float64(n) > mean {
			best, mean = i, sum/float64(n)
		}
	}
	if best < 0 {
		return worst, 0, false
	}
	// A rate belongs to the time before it. Samples come some milliseconds late:
	// a little later they are within, and the window still says the same second.
	late := min(step/10, 0.25)
	start := p.Start + pcp.Time((p.Times[best]-step+late)*1e9)
	return Window{start, start + pcp.Time(float64(n)*step*1e9)}, mean, true
}

// ShowWorstMinute shows it, with the processes of that time where these were
// logged.
func (w *Work) ShowWorstMinute() {
	worst, _, ok := w.WorstMinute()
	if !ok {
		return
	}
	w.app.ClearCursor()
	w.Zoom(worst.Start, worst.End)
	if w.Metric("proc.psinfo.utime") != nil || w.Metric("hotproc.psinfo.utime") != nil {
		w.app.Drawer = "processes"
	}
}
