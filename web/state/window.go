package state

import (
	"slices"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A Window is the stretch of time that the charts show.
type Window struct{ Start, End pcp.Time }

// Len is its length in nanoseconds.
func (w Window) Len() int64 { return int64(w.End - w.Start) }

// shortest is the narrowest window: a microsecond's worth of points has no use.
const shortest = int64(10 * time.Millisecond)

// Whole is the window over the whole source. A source of one moment, such as
// an MMV file, gets a minute around it.
func (w *Work) Whole() Window {
	if w.Watch.From > 0 && w.Source.End > w.Watch.From {
		return Window{w.Watch.From, w.Source.End}
	}
	s, e := w.Source.Start, w.Source.End
	if e <= s {
		half := pcp.Time(30 * time.Second)
		return Window{s - half, s + half}
	}
	return Window{s, e}
}

// A view is what undo goes back to: the window and what the panels show.
type view struct {
	window Window
	panels []Panel // settings only
	board  *api.Dashboard
	active int
	only   string
}

func (w *Work) view() view {
	v := view{window: w.Window, active: w.Active, board: w.Board, only: w.Only}
	for _, p := range w.Panels {
		v.panels = append(v.panels, p.settings())
	}
	return v
}

// remember makes the present view one that undo returns to. It is called
// before each change of view.
func (w *Work) remember() {
	w.past = append(w.past, w.view())
	if len(w.past) > 200 {
		w.past = slices.Delete(w.past, 0, 1)
	}
	w.future = nil
}

// CanUndo and CanRedo say whether there is a view to go to.
func (w *Work) CanUndo() bool { return len(w.past) > 0 }
func (w *Work) CanRedo() bool { return len(w.future) > 0 }

// Changes counts the changes of view that undo can take back.
func (w *Work) Changes() int { return len(w.past) }

// GoTo undoes or redoes until so many changes are left, as far as that goes.
func (w *Work) GoTo(changes int) {
	for len(w.past) > changes && w.CanUndo() {
		w.Undo()
	}
	for len(w.past) < changes && w.CanRedo() {
		w.Redo()
	}
}

// Undo goes back one view.
func (w *Work) Undo() { w.travel(&w.past, &w.future) }

// Redo takes an Undo back.
func (w *Work) Redo() { w.travel(&w.future, &w.past) }

func (w *Work) travel(from, to *[]view) {
	n := len(*from)
	if n == 0 {
		return
	}
	v := (*from)[n-1]
	*from = (*from)[:n-1]
	*to = append(*to, w.view())
	w.restore(v)
}

func (w *Work) restore(v view) {
	moved := w.Window != v.window || w.Only != v.only
	w.Window, w.Active, w.Board, w.Only = v.window, v.active, v.board, v.only
	old := w.Panels
	w.Panels = nil
	for _, s := range v.panels {
		i := slices.IndexFunc(old, func(p *Panel) bool { return p.ID == s.ID })
		p := &Panel{ID: s.ID}
		if i >= 0 {
			p = old[i]
		}
		same := slices.Equal(p.Metrics, s.Metrics) && p.Frame != nil
		p.apply(s)
		w.Panels = append(w.Panels, p)
		if !same && !moved {
			w.fetch(p)
		}
	}
	if moved {
		w.app.windowChanged()
		w.refresh()
	}
}

// Zoom shows the stretch from start to end, held to the source's span.
func (w *Work) Zoom(start, end pcp.Time) {
	if start > end {
		start, end = end, start
	}
	whole := w.Whole()
	if int64(end-start) < shortest {
		mid := start + (end-start)/2
		start, end = mid-pcp.Time(shortest/2), mid+pcp.Time(shortest/2)
	}
	next := Window{max(start, whole.Start), min(end, whole.End)}
	if next.Len() <= 0 || next == w.Window {
		return
	}
	w.remember()
	w.moveTo(next)
}

// Unzoom shows the view before the last zoom; the whole span where there is
// none.
func (w *Work) Unzoom() {
	for i := len(w.past) - 1; i >= 0; i-- {
		if p := w.past[i].window; p.Start <= w.Window.Start && p.End >= w.Window.End && p != w.Window {
			w.Zoom(p.Start, p.End)
			return
		}
	}
	whole := w.Whole()
	w.Zoom(whole.Start, whole.End)
}

// ZoomBy makes the window factor times as long around at.
func (w *Work) ZoomBy(factor float64, at pcp.Time) {
	before := float64(at-w.Window.Start) * factor
	after := float64(w.Window.End-at) * factor
	w.Zoom(at-pcp.Time(before), at+pcp.Time(after))
}

// Pan moves the window by a share of its length, as far as the source goes.
func (w *Work) Pan(share float64) {
	d := pcp.Time(float64(w.Window.Len()) * share)
	whole := w.Whole()
	d = max(d, whole.Start-w.Window.Start)
	d = min(d, whole.End-w.Window.End)
	if d != 0 {
		w.remember()
		w.moveTo(Window{w.Window.Start + d, w.Window.End + d})
	}
}

// ShowLast shows the last stretch of the given length; 0 the whole span.
func (w *Work) ShowLast(d time.Duration) {
	whole := w.Whole()
	if d <= 0 {
		w.Zoom(whole.Start, whole.End)
		return
	}
	w.Zoom(whole.End-pcp.Time(d), whole.End)
}

// moveTo shows another window: at once what is known of it, and what that
// lacks is asked for when it is on screen. The answers would come in between,
// and of windows that are passed through nobody looks at them.
func (w *Work) moveTo(next Window) {
	w.Window = next
	w.app.windowChanged()
	if !w.moving {
		w.moving = true
		w.app.later(func() {
			w.moving = false
			if w.ctx.Err() == nil { // else it was closed meanwhile
				w.refresh()
			}
		})
	}
}

// steps are the distances of grid points that people expect.
var steps = []time.Duration{
	time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond,
	100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 20 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 20 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 48 * time.Hour, 7 * 24 * time.Hour,
}

// stepFor chooses the distance of grid points for a window: no finer than the
// logger's own, no more than points of them.
func stepFor(length, cadence int64, points int) int64 {
	least := max(length/int64(max(points, 2)), 1)
	if cadence > 0 && cadence >= least {
		return cadence
	}
	for _, s := range steps {
		if int64(s) >= least && int64(s) >= cadence {
			return int64(s)
		}
	}
	return least
}

// gridOf returns the grid for a window: on multiples of step from the start of
// the source, reaching one step beyond both ends of the window, because a
// rate needs the sample before.
func (w *Work) gridOf(window Window, step int64) (start, end pcp.Time) {
	origin := w.Source.Start
	floor := func(t pcp.Time) pcp.Time {
		n := int64(t-origin) / step
		if int64(t-origin)%step < 0 {
			n--
		}
		return origin + pcp.Time(n*step)
	}
	start = floor(window.Start) - pcp.Time(step)
	end = floor(window.End) + pcp.Time(step)
	return max(start, origin), end
}
