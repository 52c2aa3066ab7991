package web

import (
	"bytes"
	"unsafe"

	"github.com/vugu/vugu"

	"pcpscope/core/api"
	"pcpscope/core/pcp"
	"pcpscope/web/format"
	"pcpscope/web/state"
)

// PanelKept is a PanelView that is built again only when something that it
// shows has changed: with dozens of panels, building them all would take
// longer than all else that a click causes.
type PanelKept struct {
	App   *state.App
	Work  *state.Work
	Panel *state.Panel

	view  PanelView
	built *vugu.BuildOut
	look  panelLook
	panel state.Panel // as it was then
}

// panelLook is what a panel's view depends on beside the panel. A test knows
// what the view asks for.
type panelLook struct {
	work                 *state.Work
	panel                *state.Panel
	active, menu, tables bool
	zone, only           string
	segments             *format.Segment
	metrics              *api.Metric
	known                int // metrics there are
	ends                 pcp.Time
}

// Build is called by Vugu at each drawing. What it returns is, where nothing
// has changed, what it returned before: then nothing of it is sent to the page.
func (c *PanelKept) Build(in *vugu.BuildIn) *vugu.BuildOut {
	look := c.lookNow()
	if c.built == nil || look != c.look || !unchanged(&c.panel, c.Panel) {
		c.view = PanelView{c.App, c.Work, c.Panel}
		c.built = c.view.Build(in)
		c.look, c.panel = look, *c.Panel // after building, which remembers words
	}
	return c.built
}

func (c *PanelKept) lookNow() panelLook {
	w := c.Work
	look := panelLook{work: w, panel: c.Panel, tables: c.App.Tables, active: w.Active == c.Panel.ID, zone: w.Clock.Name, only: w.Only, known: len(w.Metrics), ends: w.Source.End}
	look.menu = c.App.Menu == "panel" && c.App.MenuFor == c.Panel.ID
	if len(w.Clock.Segments) > 0 {
		look.segments = &w.Clock.Segments[0]
	}
	if len(w.Metrics) > 0 {
		look.metrics = &w.Metrics[0]
	}
	return look
}

// unchanged compares two panels field by field, and slices, maps and texts by
// where they lie; a is a copy, which keeps them from being used again for
// others. What is changed in place comes with another Rev, without which the
// chart would not follow either.
func unchanged(a, b *state.Panel) bool {
	if b.Waiting() == a.Waiting() { // all that the view asks of Loading
		a.Loading = b.Loading
	}
	return bytes.Equal(memory(a), memory(b))
}

func memory(p *state.Panel) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(p)), unsafe.Sizeof(*p))
}
