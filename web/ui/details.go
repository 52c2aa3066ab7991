package ui

import (
	"fmt"

	"pcpscope/web/app"
	"pcpscope/web/format"
	"pcpscope/web/metric"
)

func (c *Details) detail() *app.Detail {
	if tab := c.App.Current(); tab != nil {
		return tab.Detail
	}
	return nil
}

// None reports whether no metric is selected.
func (c *Details) None() bool { return c.detail() == nil }

// Closed reports whether the pane is closed.
func (c *Details) Closed() bool {
	if c.App.Layout.Sheet == "details" {
		return c.App.Current() == nil
	}
	return c.detail() == nil || !c.App.Layout.Details
}

// Class opens the pane as a sheet on a phone.
func (c *Details) Class() string {
	if c.App.Layout.Sheet == "details" {
		return "details open"
	}
	return "details"
}

// Close closes the pane.
func (c *Details) Close() { c.App.Layout.Details, c.App.Layout.Sheet = false, "" }

// Name is the metric.
func (c *Details) Name() string {
	if d := c.detail(); d != nil {
		return d.Metric.Name
	}
	return "No metric selected"
}

// Oneline is its help in one line.
func (c *Details) Oneline() string {
	if d := c.detail(); d != nil {
		return d.Metric.Oneline
	}
	return "Select a metric in the tree to see what it is: type, semantics, unit, help, labels and instances."
}

// AddText is the label of Toggle.
func (c *Details) AddText() string {
	if d := c.detail(); d != nil && c.App.Current().Dashboard.Showing(d.Metric.Name) {
		return "Remove from panels"
	}
	return "Add to panel"
}

// Toggle adds the metric to the panels or removes it.
func (c *Details) Toggle() {
	if d := c.detail(); d != nil {
		c.App.Current().Dashboard.Toggle(d.Metric.Name)
		c.App.Layout.Sheet = ""
	}
}

// NewPanel shows the metric in a panel of its own.
func (c *Details) NewPanel() {
	if d := c.detail(); d != nil {
		c.App.Current().Dashboard.AddPanel(d.Metric.Name)
		c.App.Layout.Sheet = ""
	}
}

// The descriptor.
func (c *Details) PMID() string {
	if d := c.detail(); d != nil {
		return d.Metric.PMID
	}
	return ""
}

func (c *Details) Type() string {
	if d := c.detail(); d != nil {
		return metric.TypeText(d.Metric.Type)
	}
	return ""
}

func (c *Details) Semantics() string {
	if d := c.detail(); d != nil {
		return metric.SemanticsText(d.Metric, c.App.Current().Rates())
	}
	return ""
}

func (c *Details) Units() string {
	if d := c.detail(); d != nil {
		return metric.UnitsText(d.Metric, d.Shown, c.App.Current().Rates())
	}
	return ""
}

func (c *Details) InDom() string {
	if d := c.detail(); d != nil {
		return d.InDomText()
	}
	return ""
}

func (c *Details) Logged() string {
	d := c.detail()
	switch {
	case d == nil:
		return ""
	case d.Logged == "" && d.Loading:
		return "…"
	}
	return d.Logged
}

// Help is the long help text.
func (c *Details) Help() string {
	if d := c.detail(); d != nil {
		return d.Help
	}
	return ""
}

// Labels are the metric's labels by name.
func (c *Details) Labels() [][2]string {
	if d := c.detail(); d != nil {
		return d.Labels
	}
	return nil
}

// Instances are the rows of the table of instances.
func (c *Details) Instances() []app.InstanceRow {
	if d := c.detail(); d != nil {
		return d.Instances
	}
	return nil
}

// InstanceAbout is the full name of an instance, and its own labels.
func (c *Details) InstanceAbout(i app.InstanceRow) string {
	text := i.Name
	for _, l := range i.Labels {
		text += "\n" + l[0] + ": " + l[1]
	}
	return text
}

// InstanceMovesLabel is what the button of an instance does.
func (c *Details) InstanceMovesLabel(i app.InstanceRow) string {
	return i.DisplayName + ": what moves with it"
}

// InstancesTitle says which instances are listed.
func (c *Details) InstancesTitle() string {
	d := c.detail()
	if d == nil {
		return ""
	}
	if n := len(d.Instances); n < d.All {
		return fmt.Sprintf("Instances, the %d largest of %s", n, format.Count(d.All))
	}
	return "Instances in this window"
}

// Head is the header of a column of values, with the unit.
func (c *Details) Head(name string) string {
	if d := c.detail(); d != nil && d.Shown.Unit != "" {
		return name + " " + d.Shown.Unit
	}
	return name
}

// Value formats a value of the table.
func (c *Details) Value(v float64) string {
	if d := c.detail(); d != nil {
		return d.Shown.For(v).Text(v)
	}
	return ""
}

// Expression is what a derived metric is computed from.
func (c *Details) Expression() string {
	if d := c.detail(); d != nil {
		return d.Metric.Expression
	}
	return ""
}

// NoDerive reports whether nothing can be computed from the metric.
func (c *Details) NoDerive() bool {
	d := c.detail()
	return d == nil || !metric.Numeric(d.Metric)
}

// DeriveText is the label of Derive.
func (c *Details) DeriveText() string {
	if c.Expression() != "" {
		return "Edit…"
	}
	return "Derive…"
}

// Derive opens the editor starting from the metric.
func (c *Details) Derive() {
	if d := c.detail(); d != nil {
		c.App.Editor.OpenFor(d.Metric)
	}
}
