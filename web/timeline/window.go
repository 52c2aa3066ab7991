// Package timeline is about the time axis, whatever is drawn along it: the window,
// the grid of points in it, logging intervals, and time ranges with missing data.
package timeline

import (
	"math"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
)

// A Window is the time range that the charts show.
type Window struct{ Start, End pcp.Time }

// Len is its length in nanoseconds.
func (w Window) Len() int64 { return int64(w.End - w.Start) }

// Middle is the moment half way through it.
func (w Window) Middle() pcp.Time { return w.Start + (w.End-w.Start)/2 }

// Contains reports whether a moment lies within it, its ends included.
func (w Window) Contains(t pcp.Time) bool { return t >= w.Start && t <= w.End }

// Within is the part of it that lies within another; its Len is not positive if
// there is none.
func (w Window) Within(other Window) Window {
	return Window{max(w.Start, other.Start), min(w.End, other.End)}
}

// Shortest is the length of the shortest window, in nanoseconds.
const Shortest = int64(10 * time.Millisecond)

// Widened is the window with its ends in order and at least Shortest apart.
func (w Window) Widened() Window {
	if w.Start > w.End {
		w.Start, w.End = w.End, w.Start
	}
	if w.Len() < Shortest {
		mid := w.Middle()
		w = Window{mid - pcp.Time(Shortest/2), mid + pcp.Time(Shortest/2)}
	}
	return w
}

// At is the time of a frame's grid point.
func At(f *api.Frame, i int) pcp.Time { return f.Start + pcp.Time(math.Round(f.Times[i]*1e9)) }

// When is a time in the form that queries take.
func When(t pcp.Time) *api.When { n := int64(t); return &api.When{Nanos: &n} }
