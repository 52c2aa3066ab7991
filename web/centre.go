package web

import (
	"slices"
	"strings"

	"pcpscope/web/format"
	"pcpscope/web/state"
)

// Work is the source on screen.
func (c *Centre) Work() *state.Work { return c.App.Current() }

// ReadingClass lets the list of files fill the canvas while there is nothing
// else.
func (c *Centre) ReadingClass() string {
	if c.Work() == nil {
		return "reading full"
	}
	return "reading"
}

// ReadAllText says what reading everything would fetch.
func (c *Centre) ReadAllText() string {
	if w := c.Work(); w != nil {
		if !w.Source.OnDemand {
			return "Read the rest"
		}
		return "Read all " + format.Bytes(float64(w.Source.Bytes))
	}
	return ""
}

// PreviewText says why not everything is shown.
func (c *Centre) PreviewText() string {
	if w := c.Work(); w != nil && !w.Source.OnDemand {
		upTo := ""
		if t := w.Pulse.ReadTo; t != nil {
			upTo = " up to " + w.Clock.Within(*t, w.Source.Start, w.Source.End)
		}
		return "Reading was cancelled: everything" + upTo + " is here, and of the rest a few records at most."
	}
	return "This archive lies on a server; what you see are some of its records in this window. Zoom in for more of them."
}

// LostTitle says how much of the span is there, where some is not; else how
// many problems there are.
func (c *Centre) LostTitle() string {
	w := c.Work()
	if w == nil || len(w.Source.Problems) == 0 {
		return ""
	}
	if w.Lost() <= 0 || w.Whole().Len() <= 0 {
		if n := len(w.Source.Problems); n > 1 {
			return format.Plural(n, "problem") + ", no data lost."
		}
		return w.Source.Problems[0].Message
	}
	share := 1 - float64(w.Lost())/float64(w.Whole().Len())
	return format.Percent(max(0, share)) + " of the span is readable."
}

// LostText says what that means.
func (c *Centre) LostText() string {
	w := c.Work()
	if w == nil || len(w.Source.Problems) == 0 {
		return ""
	}
	if first := w.Source.Problems[0]; w.Lost() <= 0 {
		if len(w.Source.Problems) > 1 {
			return "The first: " + first.Message
		}
		return first.Done
	}
	return format.Span(w.Lost()) + " of " + format.Span(w.Whole().Len()) + " are lost and hatched. Averages count only what is there; no line crosses a hole."
}

// ProblemsText names the button for the list of problems.
func (c *Centre) ProblemsText() string {
	if c.App.Drawer == "problems" {
		return "Hide problems"
	}
	return "Show problems"
}

// Panels are the charts.
func (c *Centre) Panels() []*state.Panel {
	if w := c.Work(); w != nil {
		return w.Panels
	}
	return nil
}

// Hint says how to go on.
func (c *Centre) Hint() string {
	w := c.Work()
	switch {
	case w == nil || w.Fault != nil:
		return ""
	case len(w.Metrics) == 0:
		return "Reading the list of metrics…"
	case len(w.Panels) == 0 && len(w.Boards) == 0 && !c.App.Idle():
		return "Reading the dashboards…"
	case len(w.Panels) == 0:
		return "Nothing is shown. Pick a metric in the tree."
	}
	return "Select metrics in the tree to add them."
}

// crowd is from how many lines on the style sheet spares panels that are
// scrolled away.
const crowd = 200

// PanelsClass sets the panels in one column or two.
func (c *Centre) PanelsClass() string {
	class := "panels"
	if c.App.Columns == 2 {
		class += " two-columns"
	}
	w := c.Work()
	if w == nil {
		return class
	}
	lines := 0
	for _, p := range w.Panels {
		if lines += p.Lines(); lines > crowd {
			class += " crowded"
			break
		}
	}
	if !slices.ContainsFunc(w.Panels, func(p *state.Panel) bool { return !p.Tabular() && !c.App.Tables }) {
		class += " no-legends"
	}
	return class
}

// MissingText says which panels of the dashboard the source has nothing for.
func (c *Centre) MissingText() string {
	w := c.Work()
	if w == nil || w.Board == nil {
		return ""
	}
	var parts []string
	for _, m := range w.Board.Missing {
		if m.Series == "" {
			part := m.Panel
			if len(m.Needs) > 0 {
				part += " (needs " + strings.Join(m.Needs[:min(2, len(m.Needs))], ", ") + ")"
			}
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Not logged in this archive: " + strings.Join(parts, "; ") + "."
}
