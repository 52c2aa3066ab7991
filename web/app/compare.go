package app

import (
	"strings"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/wasm/rpc"
	"pcpscope/web/compare"
	"pcpscope/web/format"
	"pcpscope/web/timeline"
)

// Comparison is the comparison of two windows.
type Comparison struct {
	compare.State
	tab     *Tab
	asked   int
	typed   int    // sequence number of the last typed text
	Refused string // why the last typed text is not a window
	wanted  string // fingerprint of the source that B belongs to, once it is open
}

// Start compares the window on screen with the time before it or, if the whole source is
// on screen, its second half with its first.
func (c *Comparison) Start() {
	tab := c.tab
	tab.app.Layout.Comparing = true
	tab.app.Layout.Rail = "findings"
	c.State.Start(tab.Window, tab.Whole())
	tab.app.windowChanged()
	c.run()
}

// End returns to the charts.
func (c *Comparison) End() { c.tab.app.Layout.endComparison() }

// Move moves one of the windows.
func (c *Comparison) Move(start, end pcp.Time) {
	if start > end {
		start, end = end, start
	}
	next := timeline.Window{Start: start, End: end}.Within(c.tab.Whole())
	if next.Len() <= 0 {
		return
	}
	if c.Moving == "A" {
		c.A, c.Moving = next, "B"
	} else {
		c.B, c.Other = next, 0
	}
	c.tab.app.windowChanged()
	c.run()
}

// Type sets window A or B to the range between two texts, in the syntax of Times.Show, or
// says why they are invalid.
func (c *Comparison) Type(which, from, to string) { c.read(which, from, to, nil) }

// TypeStart sets the start of window A or B. One beyond the end moves the window there, as
// long as it is.
func (c *Comparison) TypeStart(which, text string) {
	_, to := c.Texts(which)
	c.read(which, text, to, func(w timeline.Window, length pcp.Time) timeline.Window {
		return timeline.Window{Start: w.Start, End: w.Start + length}
	})
}

// TypeEnd sets the end likewise.
func (c *Comparison) TypeEnd(which, text string) {
	from, _ := c.Texts(which)
	c.read(which, from, text, func(w timeline.Window, length pcp.Time) timeline.Window {
		return timeline.Window{Start: w.End - length, End: w.End}
	})
}

// read is Type. If the end is not after the start, moved, which may be nil, makes a window
// of them that is as long as the one shown.
func (c *Comparison) read(which, from, to string, moved func(w timeline.Window, length pcp.Time) timeline.Window) {
	of := c.tabOf(which)
	c.typed++
	n := c.typed
	zone, whole := of.Times.zone(of.Window.Start), of.Whole()
	_, shown := c.Side(which)
	c.tab.app.work(func() func() {
		next, fault := of.Times.read(strings.TrimSpace(from), strings.TrimSpace(to), zone, whole, shown)
		if reversed := fault != "" && next != (timeline.Window{}); reversed && moved != nil {
			next, fault = moved(next, shown.End-shown.Start), ""
		}
		return func() {
			if n != c.typed {
				return
			}
			if c.Refused = fault; fault != "" {
				return
			}
			c.Set(which, next.Start, next.End)
		}
	})
}

// Side returns window A or B, and the tab of the source that it lies in.
func (c *Comparison) Side(which string) (*Tab, timeline.Window) {
	if which == "A" {
		return c.tabOf(which), c.A
	}
	return c.tabOf(which), c.B
}

// Set moves window A or B, clipped to its source.
func (c *Comparison) Set(which string, start, end pcp.Time) {
	w := timeline.Window{Start: start, End: end}.Within(c.tabOf(which).Whole())
	if w.Len() <= 0 {
		return
	}
	if which == "A" {
		c.A = w
	} else {
		c.B = w
	}
	c.tab.app.windowChanged()
	c.run()
}

// Texts are the ends of window A or B in a form that can be typed.
func (c *Comparison) Texts(which string) (from, to string) {
	of, w := c.Side(which)
	return of.Clock.Typed(w.Start), of.Clock.Typed(w.End)
}

// tabOf is the tab of the source that window A or B lies in.
func (c *Comparison) tabOf(which string) *Tab {
	for _, o := range c.tab.app.Tabs {
		if which == "B" && c.Other != 0 && o.Source.ID == c.Other {
			return o
		}
	}
	return c.tab
}

// Swap exchanges A and B.
func (c *Comparison) Swap() {
	if c.Other != 0 { // A is in this source
		return
	}
	c.A, c.B = c.B, c.A
	c.tab.app.windowChanged()
	c.run()
}

// CompareWith uses the whole of another source as B; 0 is this one again. A, if it was half
// of what is on screen, becomes all of that.
func (c *Comparison) CompareWith(id api.SourceID) {
	if c.Other == 0 && c.A.End == c.B.Start {
		c.A = c.tab.Window
	}
	c.Other = 0
	for _, o := range c.tab.app.Tabs {
		if o.Source.ID == id && o != c.tab {
			c.Other, c.B = id, o.Whole()
		}
	}
	if c.Other == 0 {
		c.Result = nil
		c.State.Start(c.tab.Window, c.tab.Whole())
	}
	c.tab.app.windowChanged()
	c.run()
}

// SetThresholds sets the thresholds for a change.
func (c *Comparison) SetThresholds(effect, shift float64) {
	if effect >= 0 && effect <= 1 && shift >= 0 {
		c.Effect, c.Shift = effect, shift
		c.run()
	}
}

// ToggleFamily excludes or includes a group of metrics.
func (c *Comparison) ToggleFamily(family string) {
	c.Off[family] = !c.Off[family]
	if family == "Processes" && !c.Off[family] {
		c.run()
		return
	}
	c.DropExcluded()
}

func (c *Comparison) run() {
	tab := c.tab
	c.asked++
	c.Busy = true
	n := c.asked
	q := c.Query(tab.Source.ID)
	tab.app.work(func() func() {
		r, err := rpc.Invoke(tab.ctx, tab.app.Engine, rpc.Compare, q, nil)
		return func() {
			if n != c.asked {
				return
			}
			c.Busy, c.Fault = false, ""
			if err != nil {
				tab.app.failed(err)
				c.Result, c.Fault = nil, pcp.AsFault(err).Message
			} else {
				c.Result = &r
			}
			c.DropExcluded()
		}
	})
}

// ShownOf is the unit of a change.
func (comparison *Comparison) ShownOf(c *api.Change) format.Shown {
	return compare.ShownOf(c, comparison.tab.utilisation(c.Metric))
}

// keep returns what to save of the comparison; nil if there is none.
func (c *Comparison) keep() *compare.Saved {
	if !c.Started() {
		return nil
	}
	other := c.wanted
	if o := c.tabOf("B"); o != c.tab {
		other = o.Source.Fingerprint
	}
	return c.Save(c.tab.app.Layout.Comparing && c.tab == c.tab.app.current, other)
}

// restore restores a saved comparison if its windows are within the open sources. B waits
// for its source.
func (comparison *Comparison) restore(k *compare.Saved) {
	tab := comparison.tab
	if tab == tab.app.current {
		tab.app.Layout.Comparing = false
	}
	if k != nil {
		c := comparison
		if state, ok := k.Restored(tab.Whole(), c.Rev); ok {
			c.State, c.wanted = state, k.Other
			if tab == tab.app.current {
				tab.app.Layout.Comparing = k.On
			}
			comparison.awaitOther()
			if k.Other == "" {
				comparison.run()
			}
		}
	}
	for _, o := range tab.app.Tabs { // may be the source that another tab waits for
		o.Compare.awaitOther()
	}
}

// awaitOther sets B once its source is open.
func (c *Comparison) awaitOther() {
	for _, o := range c.tab.app.Tabs {
		if c.wanted != "" && o != c.tab && o.Source.Fingerprint == c.wanted && o.Source.Loaded >= 1 {
			b := c.B.Within(o.Whole())
			if b.Len() <= 0 {
				b = o.Whole()
			}
			c.Other, c.B, c.wanted = o.Source.ID, b, ""
			c.run()
			return
		}
	}
}
