package canvas

import (
	"bytes"
	"slices"
	"syscall/js"
	"unsafe"

	"pcpscope/core/api"
	"pcpscope/web/app"
	"pcpscope/web/panel"
)

// sentPanel is what the canvases have of a panel: a line that is hidden or shown
// alone changes none of the others, and their values need not go over again.
type sentPanel struct {
	frame    *api.Frame
	observed int            // series whose observations are shown
	series   []panel.Series // as they were
	lines    []js.Value
	peaks    []float64
}

// sentOf is what was sent of a panel; nothing where it has other values now.
func (c *Charts) sentOf(tab *app.Tab, p *app.Panel) *sentPanel {
	s := c.sent[p.ID]
	if s == nil || s.frame != p.Frame || s.observed != len(p.Observed) || len(s.series) != len(p.Series) {
		n := len(p.Series)
		s = &sentPanel{p.Frame, len(p.Observed), make([]panel.Series, n), make([]js.Value, n), make([]float64, n)}
		c.sent[p.ID] = s
		for id := range c.sent { // those of panels that are gone
			if !slices.ContainsFunc(tab.OnScreen(), func(p *app.Panel) bool { return p.ID == id }) {
				delete(c.sent, id)
			}
		}
	}
	return s
}

// line is the object for a series, and whether it holds all that it should.
func (s *sentPanel) line(p *app.Panel, i int) (line js.Value, known bool) {
	a, b := &s.series[i], &p.Series[i]
	if !s.lines[i].IsUndefined() && bytes.Equal(memoryOf(a), memoryOf(b)) {
		return s.lines[i], true
	}
	s.series[i], s.lines[i], s.peaks[i] = *b, object(), 0
	return s.lines[i], false
}

func memoryOf(s *panel.Series) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(s)), unsafe.Sizeof(*s))
}
