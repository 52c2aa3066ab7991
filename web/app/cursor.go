package app

import (
	"slices"
	"time"

	"pcpscope/core/pcp"
	"pcpscope/web/timeline"
)

// Set moves the cursor from code other than the charts.
func (c *Cursor) Set(t pcp.Time) {
	c.At, c.On = t, true
	c.Rev++
}

// Clear removes the cursor.
func (c *Cursor) Clear() {
	c.On, c.Pinned = false, false
	c.Rev++
}

// TogglePin pins the cursor, or lets it follow the pointer again. If there is no cursor,
// it is first placed in the middle of the window.
func (c *Cursor) TogglePin() {
	tab := c.app.current
	if tab == nil {
		return
	}
	if !c.On {
		c.step(tab, 0)
	}
	c.Pinned = !c.Pinned
	c.Rev++
}

// Cursor is the crosshair, one for all charts.
type Cursor struct {
	At     pcp.Time
	On     bool // the cursor is shown
	Pinned bool // it stays when the pointer moves
	Rev    int  // incremented when anything but the charts moves it
	app    *App
}

// step moves the cursor to the next grid point of the first panel.
func (c *Cursor) step(tab *Tab, by int) {
	step := pcp.Time(time.Second)
	for _, p := range tab.Dashboard.Panels {
		if p.Step > 0 {
			step = pcp.Time(p.Step)
			break
		}
	}
	t := c.At
	if !c.On {
		t = tab.Window.Start + (tab.Window.End-tab.Window.Start)/2
		by = 0
	}
	n := (t - tab.Source.Start + step/2) / step
	t = tab.Source.Start + (n+pcp.Time(by))*step
	c.Set(max(tab.Window.Start, min(tab.Window.End, t)))
}

// landmarks are the times that the key g jumps to: gaps, marks and reboots.
func (t *Times) landmarks() []pcp.Time {
	var list []pcp.Time
	for _, g := range t.tab.Source.Gaps {
		list = append(list, g.Start)
	}
	for _, h := range t.tab.holes() {
		list = append(list, h.Start)
	}
	whole := t.tab.Whole()
	for _, b := range t.tab.Findings.Boots() {
		if b > whole.Start && b < whole.End {
			list = append(list, b)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// NextLandmark moves the cursor to the next gap, mark or reboot, wrapping around. It
// reports whether there is any.
func (c *Cursor) NextLandmark(tab *Tab) bool {
	list := tab.Times.landmarks()
	if len(list) == 0 {
		return false
	}
	next := list[0]
	for _, t := range list {
		if c.On && t > c.At {
			next = t
			break
		}
	}
	if next < tab.Window.Start || next > tab.Window.End {
		half := pcp.Time(tab.Window.Len() / 2)
		tab.Zoom(next-half, next+half)
	}
	c.Set(next)
	return true
}

// within is the cursor's time clamped to a window: the middle if it lies outside.
func (c *Cursor) within(window timeline.Window) pcp.Time {
	if c.On && window.Contains(c.At) {
		return c.At
	}
	return window.Middle()
}
