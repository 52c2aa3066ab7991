package web

import (
	"strconv"

	"github.com/vugu/vugu"

	"pcpscope/web/format"
	"pcpscope/web/state"
)

// Filter is the text of the filter.
func (c *TreeView) Filter() string {
	if w := c.App.Current(); w != nil {
		return w.Tree.Filter
	}
	return ""
}

// SetFilter changes it.
func (c *TreeView) SetFilter(text string) {
	if w := c.App.Current(); w != nil {
		w.Tree.SetFilter(text)
	}
}

// Note says what the filter found.
func (c *TreeView) Note() string {
	w := c.App.Current()
	switch {
	case w == nil:
		return ""
	case w.Fault != nil:
		return w.Fault.Message
	case w.Tree.HideStill && w.Tree.Filter == "":
		return format.Plural(w.Tree.Found, "metric") + " of " + format.Count(w.Source.Metrics) + " change"
	case w.Tree.Filter == "":
		return "C counter · I instant · D discrete"
	case w.Tree.Found == 0:
		return "No metric has this in its name, help or unit"
	}
	return format.Plural(w.Tree.Found, "metric") + " of " + format.Count(w.Source.Metrics)
}

// A TreeRow is a row on screen with its place in the whole list.
type TreeRow struct {
	state.Row
	At int
}

// Rows are the rows on screen.
func (c *TreeView) Rows() []TreeRow {
	w := c.App.Current()
	if w == nil {
		return nil
	}
	var rows []TreeRow
	for i, r := range w.Tree.Visible(c.App.TreeRows) {
		rows = append(rows, TreeRow{r, w.Tree.First + i})
	}
	return rows
}

// Hiding is the aria-checked of the switch.
func (c *TreeView) Hiding() string {
	w := c.App.Current()
	return strconv.FormatBool(w != nil && w.Tree.HideStill)
}

// ToggleStill hides what never moves, or shows it again.
func (c *TreeView) ToggleStill() {
	c.App.ToggleStill()
}

// RowClass gives a row its depth and marks the selected, the drawn and the still.
func (c *TreeView) RowClass(r TreeRow) string {
	w := c.App.Current()
	class := "row d" + string(rune('0'+min(r.Depth, 7)))
	if r.At == w.Tree.At {
		class += " selected"
	}
	if r.Metric != nil && w.Showing(r.Path) {
		class += " drawn"
	}
	if r.Still {
		class += " dim"
	}
	return class
}

// RowID is the data-testid of a row.
func (c *TreeView) RowID(r TreeRow) string {
	switch {
	case r.More > 0:
		return "tree-more"
	case r.Metric == nil:
		return "tree-fold"
	}
	return "tree-metric"
}

// RowElement is the id of a row's element, which tells screen readers where
// the keyboard is.
func (c *TreeView) RowElement(r TreeRow) string { return "tree-row-" + strconv.Itoa(r.At) }

// ActiveID is the id of the row of the keyboard, while it is on screen.
func (c *TreeView) ActiveID() string {
	w := c.App.Current()
	if w == nil || w.Tree.At < w.Tree.First || w.Tree.At >= w.Tree.First+len(w.Tree.Visible(c.App.TreeRows)) {
		return ""
	}
	return "tree-row-" + strconv.Itoa(w.Tree.At)
}

// Level, RowExpanded and Selected are what a row is to a screen reader.
func (c *TreeView) Level(r TreeRow) string { return strconv.Itoa(r.Depth + 1) }

func (c *TreeView) RowExpanded(r TreeRow) any {
	if !r.Branch() {
		return nil // no attribute: it does not fold
	}
	return strconv.FormatBool(r.Open)
}

func (c *TreeView) Selected(r TreeRow) string {
	return strconv.FormatBool(r.At == c.App.Current().Tree.At)
}

// RowName is the last part of the name, or how much is not shown.
func (c *TreeView) RowName(r TreeRow) string {
	if r.More > 0 {
		return format.Count(r.More) + " more"
	}
	return r.Name
}

// Still says that a metric never moves.
func (c *TreeView) Still(r TreeRow) string {
	switch {
	case r.Metric == nil:
	case r.State == "constant":
		return "const"
	case r.State == "empty":
		return "empty"
	}
	return ""
}

// Spark names the sparkline of a row, and SparkClass hides it where there is
// none.
func (c *TreeView) Spark(r TreeRow) string {
	if r.Metric == nil || r.Still {
		return ""
	}
	return c.App.Current().Spark(r.Path)
}

func (c *TreeView) SparkClass(r TreeRow) string {
	if r.Metric == nil || r.Still {
		return "spark none"
	}
	return "spark"
}

// RowTitle tells what the metric is, before it is chosen.
func (c *TreeView) RowTitle(r TreeRow) string {
	if r.More > 0 {
		return "Show all of " + r.Path
	}
	if r.Metric == nil {
		return r.Path
	}
	if r.Metric.Oneline == "" {
		return r.Path
	}
	return r.Path + ": " + r.Metric.Oneline
}

// Twist is the mark of an open or closed prefix.
func (c *TreeView) Twist(r TreeRow) string {
	switch {
	case !r.Branch():
		return ""
	case r.Open:
		return "▾"
	}
	return "▸"
}

// Last is the unit of a metric, the count of a prefix.
func (c *TreeView) Last(r TreeRow) string {
	switch {
	case r.More > 0:
		return ""
	case r.Metric == nil:
		return format.Count(r.Count)
	}
	return r.Unit()
}

// LastClass tells the two apart.
func (c *TreeView) LastClass(r TreeRow) string {
	if r.Metric == nil {
		return "unit n"
	}
	return "unit"
}

// Click folds a prefix or shows a metric's details; with ctrl or shift it
// adds the metric.
func (c *TreeView) Click(r TreeRow, event vugu.DOMEvent) {
	w := c.App.Current()
	w.Tree.At = r.At
	switch {
	case r.Metric == nil:
		w.Tree.Fold(r.Path, !r.Open) // "14 more" is not open, either
	case event.PropBool("shiftKey"):
		w.AddPanel(r.Path)
	case event.PropBool("ctrlKey") || event.PropBool("metaKey"):
		w.Toggle(r.Path)
	default:
		c.App.Details = true
		w.Select(r.Path)
		if c.App.Sheet == "rail" {
			c.App.Sheet = "details"
		}
	}
}

// DoubleClick adds a metric.
func (c *TreeView) DoubleClick(r TreeRow) {
	if r.Metric != nil {
		c.App.Current().Add(r.Path)
	}
}
