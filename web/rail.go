package web

import (
	"github.com/vugu/vugu"

	"pcpscope/web/format"
	"pcpscope/web/state"
)

// Class opens the rail as a sheet on a phone.
func (c *Rail) Class() string {
	if c.App.Sheet == "rail" {
		return "rail open"
	}
	return "rail"
}

// Count is the number of metrics that were logged.
func (c *Rail) Count() string {
	if w := c.App.Current(); w != nil {
		return format.Count(w.Source.Metrics)
	}
	return ""
}

// Filter is the text of the filter.
func (c *Rail) Filter() string {
	if w := c.App.Current(); w != nil {
		return w.Tree.Filter
	}
	return ""
}

// SetFilter changes it.
func (c *Rail) SetFilter(text string) {
	if w := c.App.Current(); w != nil {
		w.Tree.SetFilter(text)
	}
}

// Note says what the filter found.
func (c *Rail) Note() string {
	w := c.App.Current()
	switch {
	case w == nil:
		return ""
	case w.Fault != nil:
		return w.Fault.Message
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
func (c *Rail) Rows() []TreeRow {
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

// RowClass gives a row its depth and marks the selected and the drawn.
func (c *Rail) RowClass(i int, r TreeRow) string {
	w := c.App.Current()
	class := "row d" + string(rune('0'+min(r.Depth, 7)))
	if r.At == w.Tree.At {
		class += " selected"
	}
	if r.Metric != nil && w.Showing(r.Path) {
		class += " drawn"
	}
	return class
}

// RowID is the data-testid of a row.
func (c *Rail) RowID(r TreeRow) string {
	if r.Metric == nil {
		return "tree-fold"
	}
	return "tree-metric"
}

// RowTitle tells what the metric is, before it is chosen.
func (c *Rail) RowTitle(r TreeRow) string {
	if r.Metric == nil {
		return r.Path
	}
	if r.Metric.Oneline == "" {
		return r.Path
	}
	return r.Path + ": " + r.Metric.Oneline
}

// Twist is the mark of an open or closed prefix.
func (c *Rail) Twist(r TreeRow) string {
	switch {
	case r.Metric != nil:
		return ""
	case r.Open:
		return "▾"
	}
	return "▸"
}

// Last is the unit of a metric, the count of a prefix.
func (c *Rail) Last(r TreeRow) string {
	if r.Metric == nil {
		return format.Count(r.Count)
	}
	return r.Unit()
}

// LastClass tells the two apart.
func (c *Rail) LastClass(r TreeRow) string {
	if r.Metric == nil {
		return "unit n"
	}
	return "unit"
}

// Click folds a prefix or shows a metric's details; with ctrl or shift it
// adds the metric.
func (c *Rail) Click(r TreeRow, i int, event vugu.DOMEvent) {
	w := c.App.Current()
	w.Tree.At = r.At
	switch {
	case r.Metric == nil:
		w.Tree.Fold(r.Path, !r.Open)
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
func (c *Rail) DoubleClick(r TreeRow) {
	if r.Metric != nil {
		c.App.Current().Add(r.Path)
	}
}
