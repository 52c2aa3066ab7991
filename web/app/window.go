package app

import (
	"time"

	"pcpscope/core/pcp"
	"pcpscope/web/timeline"
)

// Whole is the window over the whole source. A source with a single sample, such as an MMV
// file, gets a minute around it.
func (tab *Tab) Whole() timeline.Window {
	if tab.Follow.From > 0 && tab.Source.End > tab.Follow.From {
		return timeline.Window{Start: tab.Follow.From, End: tab.Source.End}
	}
	s, e := tab.Source.Start, tab.Source.End
	if e <= s {
		half := pcp.Time(30 * time.Second)
		return timeline.Window{Start: s - half, End: s + half}
	}
	return timeline.Window{Start: s, End: e}
}

// Zoom shows the range from start to end, limited to the source's span.
func (tab *Tab) Zoom(start, end pcp.Time) {
	next := timeline.Window{Start: start, End: end}.Widened().Within(tab.Whole())
	if next.Len() <= 0 || next == tab.Window {
		return
	}
	tab.History.remember()
	tab.moveTo(next)
}

// Unzoom returns to the view before the last zoom; the whole span if there is none.
func (tab *Tab) Unzoom() {
	for i := len(tab.History.past) - 1; i >= 0; i-- {
		if p := tab.History.past[i].window; p.Start <= tab.Window.Start && p.End >= tab.Window.End && p != tab.Window {
			tab.Zoom(p.Start, p.End)
			return
		}
	}
	whole := tab.Whole()
	tab.Zoom(whole.Start, whole.End)
}

// ZoomBy makes the window factor times as long around at.
func (tab *Tab) ZoomBy(factor float64, at pcp.Time) {
	before := float64(at-tab.Window.Start) * factor
	after := float64(tab.Window.End-at) * factor
	tab.Zoom(at-pcp.Time(before), at+pcp.Time(after))
}

// Pan moves the window by a fraction of its length, within the source.
func (tab *Tab) Pan(share float64) {
	d := pcp.Time(float64(tab.Window.Len()) * share)
	whole := tab.Whole()
	d = max(d, whole.Start-tab.Window.Start)
	d = min(d, whole.End-tab.Window.End)
	if d != 0 {
		tab.History.remember()
		tab.moveTo(timeline.Window{Start: tab.Window.Start + d, End: tab.Window.End + d})
	}
}

// ShowLast shows the last part of the given length; 0 is the whole span.
func (tab *Tab) ShowLast(d time.Duration) {
	whole := tab.Whole()
	if d <= 0 {
		tab.Zoom(whole.Start, whole.End)
		return
	}
	tab.Zoom(whole.End-pcp.Time(d), whole.End)
}

// moveTo moves the window: known values are shown at once, missing ones are requested once
// that is on screen. Otherwise replies would arrive in between, for windows that the user
// only passes through.
func (tab *Tab) moveTo(next timeline.Window) {
	tab.Window = next
	tab.app.windowChanged()
	if !tab.moving {
		tab.moving = true
		tab.app.afterDrawing(func() {
			tab.moving = false
			if tab.ctx.Err() == nil { // otherwise it was closed in the meantime
				tab.data.refresh()
			}
		})
	}
}
