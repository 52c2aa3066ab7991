package ui

import (
	"strconv"

	"github.com/vugu/vugu"

	"pcpscope/web/app"
	"pcpscope/web/format"
	"pcpscope/web/tree"
)

// Filter is the filter's text.
func (c *TreeView) Filter() string {
	if tab := c.App.Current(); tab != nil {
		return tab.Tree.Filter
	}
	return ""
}

// SetFilter changes it.
func (c *TreeView) SetFilter(text string) {
	if tab := c.App.Current(); tab != nil {
		tab.Tree.SetFilter(text)
	}
}

// Note says what the filter matched.
func (c *TreeView) Note() string {
	tab := c.App.Current()
	switch {
	case tab == nil:
		return ""
	case tab.Fault != nil:
		return tab.Fault.Message
	case tab.Tree.HideConstant && tab.Tree.Filter == "":
		return format.Plural(tab.Tree.Found, "metric") + " of " + metricCount(tab) + " change"
	case tab.Tree.Filter == "" && tab.Left > 0:
		return "The first " + format.Count(len(tab.Metrics)) + " metrics of " + format.Count(len(tab.Metrics)+tab.Left) + "; use the search for the others"
	case tab.Tree.Filter == "":
		return "C counter · I instant · D discrete"
	case tab.Tree.Found == 0:
		return "No metric’s name, help or unit matches"
	}
	return format.Plural(tab.Tree.Found, "metric") + " of " + metricCount(tab)
}

// metricCount is how many metrics the source has: "1,121 and 7 derived".
func metricCount(tab *app.Tab) string {
	text := format.Count(tab.Source.Metrics)
	if n := tab.Derived(); n > 0 {
		text += " and " + format.Count(n) + " derived"
	}
	return text
}

// A TreeRow is a visible row with its index in the whole list.
type TreeRow struct {
	tree.Row
	At int
}

// Rows are the visible rows.
func (c *TreeView) Rows() []TreeRow {
	tab := c.App.Current()
	if tab == nil {
		return nil
	}
	var rows []TreeRow
	for i, r := range tab.Tree.Visible(c.App.Layout.TreeRows) {
		rows = append(rows, TreeRow{r, tab.Tree.First + i})
	}
	return rows
}

// HidesConstant is the aria-checked of the switch.
func (c *TreeView) HidesConstant() string {
	tab := c.App.Current()
	return strconv.FormatBool(tab != nil && tab.Tree.HideConstant)
}

// ToggleConstant hides metrics that never change, or shows them again.
func (c *TreeView) ToggleConstant() {
	c.App.Layout.ToggleConstant()
}

// RowClass indents a row, and marks selected, drawn and constant metrics.
func (c *TreeView) RowClass(r TreeRow) string {
	tab := c.App.Current()
	class := "row d" + string(rune('0'+min(r.Depth, 7)))
	if r.At == tab.Tree.At {
		class += " selected"
	}
	if r.Metric != nil && tab.Dashboard.Showing(r.Path) {
		class += " drawn"
	}
	if r.Constant {
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

// RowElement is the ID of a row's element, for aria-activedescendant.
func (c *TreeView) RowElement(r TreeRow) string { return "tree-row-" + strconv.Itoa(r.At) }

// ActiveID is the ID of the row with the keyboard cursor, if visible.
func (c *TreeView) ActiveID() string {
	tab := c.App.Current()
	if tab == nil || tab.Tree.At < tab.Tree.First || tab.Tree.At >= tab.Tree.First+len(tab.Tree.Visible(c.App.Layout.TreeRows)) {
		return ""
	}
	return "tree-row-" + strconv.Itoa(tab.Tree.At)
}

// Level, RowExpanded and Selected are ARIA attributes of a row.
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

// RowName is the last part of the name, or how many are not shown.
func (c *TreeView) RowName(r TreeRow) string {
	if r.More > 0 {
		return format.Count(r.More) + " more"
	}
	return r.Name
}

// ConstantNote says that a metric never changes.
func (c *TreeView) ConstantNote(r TreeRow) string {
	switch {
	case r.Metric == nil:
	case r.State == "constant":
		return "const"
	case r.State == "empty":
		return "empty"
	}
	return ""
}

// Spark is the name of a row's sparkline; SparkClass hides the element if
// there is none.
func (c *TreeView) Spark(r TreeRow) string {
	if r.Metric == nil || r.Constant {
		return ""
	}
	return c.App.Current().Sparks.Of(r.Path)
}

func (c *TreeView) SparkClass(r TreeRow) string {
	if r.Metric == nil || r.Constant {
		return "spark none"
	}
	return "spark"
}

// RowTitle is the tooltip, which describes the metric.
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

// FoldIcon is the symbol of an open or closed prefix.
func (c *TreeView) FoldIcon(r TreeRow) string {
	switch {
	case !r.Branch():
		return ""
	case r.Open:
		return "▾"
	}
	return "▸"
}

// Last is a metric's unit, or a prefix's count.
func (c *TreeView) Last(r TreeRow) string {
	switch {
	case r.More > 0:
		return ""
	case r.Metric == nil:
		return format.Count(r.Count)
	}
	return r.Unit()
}

// LastClass distinguishes the two.
func (c *TreeView) LastClass(r TreeRow) string {
	if r.Metric == nil {
		return "unit n"
	}
	return "unit"
}

// Click opens or closes a prefix, or shows a metric's details; with ctrl or
// shift it adds the metric to a panel.
func (c *TreeView) Click(r TreeRow, event vugu.DOMEvent) {
	tab := c.App.Current()
	tab.Tree.At = r.At
	switch {
	case r.Metric == nil:
		tab.Tree.Fold(r.Path, !r.Open) // "14 more" is not open either
	case event.PropBool("shiftKey"):
		tab.Dashboard.AddPanel(r.Path)
	case event.PropBool("ctrlKey") || event.PropBool("metaKey"):
		tab.Dashboard.Toggle(r.Path)
	default:
		c.App.Layout.Details = true
		tab.Select(r.Path)
		if c.App.Layout.Sheet == "rail" {
			c.App.Layout.Sheet = "details"
		}
	}
}

// DoubleClick adds a metric to a panel.
func (c *TreeView) DoubleClick(r TreeRow) {
	if r.Metric != nil {
		c.App.Current().Dashboard.Add(r.Path)
	}
}
