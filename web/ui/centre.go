package ui

import (
	"fmt"
	"slices"
	"strings"

	"pcpscope/web/app"
	"pcpscope/web/format"
)

// Tab is the source on screen.
func (c *Centre) Tab() *app.Tab { return c.App.Current() }

// ReadingClass lets the list of files fill the page while nothing else is shown.
func (c *Centre) ReadingClass() string {
	if c.Tab() == nil {
		return "reading full"
	}
	return "reading"
}

// ReadAllText says how much reading everything would fetch.
func (c *Centre) ReadAllText() string {
	if tab := c.Tab(); tab != nil {
		if !tab.Source.OnDemand {
			return "Read the rest"
		}
		return "Read all " + format.Bytes(float64(tab.Source.Bytes))
	}
	return ""
}

// PreviewText says why not everything is shown.
func (c *Centre) PreviewText() string {
	if tab := c.Tab(); tab != nil && !tab.Source.OnDemand {
		upTo := ""
		if t := tab.Pulse.ReadTo; t != nil {
			upTo = " up to " + tab.Clock.Within(*t, tab.Source.Start, tab.Source.End)
		}
		return "Reading stopped: everything" + upTo + " is here, and at most a few records after that."
	}
	return "This archive is on a server; you see a sample of its records in this window. Zoom in for more."
}

// LostTitle says how much of the span is missing, if much is; otherwise the number of
// problems.
func (c *Centre) LostTitle() string {
	tab := c.Tab()
	if tab == nil {
		return ""
	}
	if tab.Findings.LargelyMissing() {
		return tab.Findings.MissingTitle()
	}
	if len(tab.Source.Problems) == 0 {
		return ""
	}
	if tab.Lost() <= 0 || tab.Whole().Len() <= 0 {
		if n := len(tab.Source.Problems); n > 1 {
			return format.Plural(n, "problem") + "."
		}
		return tab.Source.Problems[0].Message
	}
	share := 1 - float64(tab.Lost())/float64(tab.Whole().Len())
	return format.Percent(max(0, share)) + " of the span is readable."
}

// LostText explains it.
func (c *Centre) LostText() string {
	tab := c.Tab()
	if tab == nil {
		return ""
	}
	if tab.Findings.LargelyMissing() {
		text := tab.Findings.MissingText()
		if n := len(tab.Source.Problems); n > 0 {
			text += " Reading found " + format.Plural(n, "problem") + "."
		}
		return text
	}
	if len(tab.Source.Problems) == 0 {
		return ""
	}
	if first := tab.Source.Problems[0]; tab.Lost() <= 0 {
		if len(tab.Source.Problems) > 1 {
			return "The first: " + first.Message
		}
		return first.Done
	}
	return format.Span(tab.Lost()) + " of " + format.Span(tab.Whole().Len()) + " are lost and hatched. Averages include only what is there; no line crosses a gap."
}

// NoProblems reports whether the list of problems is empty.
func (c *Centre) NoProblems() bool { return c.Tab() == nil || len(c.Tab().Source.Problems) == 0 }

// ProblemsText is the label of the button for the list of problems.
func (c *Centre) ProblemsText() string {
	if c.App.Layout.Drawer == "problems" {
		return "Hide problems"
	}
	return "Show problems"
}

// Panels are the charts.
func (c *Centre) Panels() []*app.Panel {
	if tab := c.Tab(); tab != nil {
		return tab.Dashboard.Panels
	}
	return nil
}

// Hint suggests what to do next.
func (c *Centre) Hint() string {
	tab := c.Tab()
	switch {
	case tab == nil || tab.Fault != nil:
		return ""
	case len(tab.Metrics) == 0:
		return "Reading the list of metrics…"
	case len(tab.Dashboard.Panels) == 0 && len(tab.Dashboard.List) == 0 && !c.App.Idle():
		return "Reading the dashboards…"
	case len(tab.Dashboard.Panels) == 0:
		return "Nothing is shown. Pick a metric in the tree."
	}
	return "Select metrics in the tree to add them."
}

// manyLines is the number of lines from which on the style sheet skips panels scrolled out of
// view.
const manyLines = 200

// PanelsClass selects one or two columns of panels.
func (c *Centre) PanelsClass() string {
	class := "panels"
	if c.App.Layout.Columns == 2 {
		class += " two-columns"
	}
	tab := c.Tab()
	if tab == nil {
		return class
	}
	lines := 0
	for _, p := range tab.Dashboard.Panels {
		if lines += p.Count(); lines > manyLines {
			class += " crowded"
			break
		}
	}
	if !slices.ContainsFunc(tab.Dashboard.Panels, func(p *app.Panel) bool { return !p.Tabular() && !c.App.Layout.Tables }) {
		class += " no-legends"
	}
	return class
}

// MissingText lists the dashboard's panels for which the source has no data.
func (c *Centre) MissingText() string {
	tab := c.Tab()
	if tab == nil || tab.Dashboard.Shown == nil {
		return ""
	}
	var parts []string
	for _, m := range tab.Dashboard.Shown.Missing {
		if m.Series == "" {
			part := m.Panel
			if len(m.Needs) > 0 {
				part += " (needs " + strings.Join(m.Needs[:min(2, len(m.Needs))], ", ") + ")"
			}
			parts = append(parts, part)
		}
	}
	const named = 4 // an archive of another kind lacks nearly all
	switch n := len(parts); {
	case n == 0:
		return ""
	case n > named+1:
		return fmt.Sprintf("Not logged in this archive: %s; and %d more panels.", strings.Join(parts[:named], "; "), n-named)
	}
	return "Not logged in this archive: " + strings.Join(parts, "; ") + "."
}
