package ui

import (
	"strconv"

	"pcpscope/web/app"
	"pcpscope/web/format"
)

// Tab is the source on screen.
func (c *Bottom) Tab() *app.Tab { return c.App.Current() }

// Count is the number of problems found while reading.
func (c *Bottom) Count() int {
	if tab := c.Tab(); tab != nil {
		return len(tab.Source.Problems)
	}
	return 0
}

// Inspect runs the checks of pmlogcheck.
func (c *Bottom) Inspect() {
	if tab := c.Tab(); tab != nil {
		tab.Findings.Inspect()
	}
}

// InspectText is the result of the inspection, or what it would check.
func (c *Bottom) InspectText() string {
	tab := c.Tab()
	switch {
	case tab == nil:
		return ""
	case tab.Findings.Inspected.Busy:
		return "Looking at every value…"
	case tab.Findings.Inspected.Fault != "":
		return tab.Findings.Inspected.Fault
	case tab.Findings.Inspected.Done && len(tab.Findings.Inspected.Found) == 0:
		return "pmlogcheck would find nothing wrong."
	case tab.Findings.Inspected.Done:
		return "Everything that pmlogcheck would report is listed, " + format.Count(len(tab.Findings.Inspected.Found)) + " in all."
	}
	return "Only problems that affect reading are listed."
}

// TabClass marks the drawer's open page.
func (c *Bottom) TabClass(page string) string {
	if c.App.Layout.Drawer == page {
		return "tab on"
	}
	return "tab"
}

// Class reports whether the drawer is open.
func (c *Bottom) Class() string {
	if c.App.Layout.Drawer != "" {
		return "bottom open"
	}
	return "bottom"
}

// TableID is the data-testid of that table.
func (c *Bottom) TableID() string {
	switch c.App.Layout.Drawer {
	case "cursor":
		return "cursor-values"
	case "problems":
		return "problem-list"
	}
	return c.App.Layout.Drawer + "-table"
}

// TableClass greys out a table while newer values are on their way.
func (c *Bottom) TableClass() string {
	if tab := c.Tab(); tab != nil && tab.Drawer.Stale(c.App.Layout.Drawer) {
		return "drawer-table late"
	}
	return "drawer-table"
}

// State reports what is under way.
func (c *Bottom) State() string {
	switch {
	case c.App.Intake.Reading != nil:
		return "Reading"
	case !c.App.Idle():
		return "Working"
	}
	return "Ready"
}

// Figures counts what is on screen.
func (c *Bottom) Figures() string {
	tab := c.Tab()
	if tab == nil {
		return ""
	}
	points := 0
	for _, p := range tab.Dashboard.Panels {
		if !p.Offscreen() {
			points += p.Points()
		}
	}
	return format.Count(tab.Dashboard.Lines()) + " series, " + format.Plural(points, "point")
}

// Version is the version of the build.
func (c *Bottom) Version() string { return "pcpscope " + c.App.Version }

// Class marks the part of the page that a phone shows.
func (c *PhoneNav) Class(part string) string {
	on := c.App.Layout.Sheet
	switch {
	case c.App.Search.Open:
		on = "search"
	case c.App.Layout.Menu == "time":
		on = "time"
	case c.App.Layout.Drawer != "" || c.App.Layout.Menu == "more":
		on = "more"
	case on == "" || on == "rail" && c.App.Layout.Rail != "metrics":
		on = "charts"
	}
	if on == part {
		return "on"
	}
	return ""
}

// The buttons of the bar on a phone.
func (c *PhoneNav) Charts() {
	if c.App.Layout.Sheet == "" && c.App.Layout.Menu == "" && c.App.Layout.Drawer == "" { // nothing is on top: the list of dashboards
		c.App.Layout.Rail, c.App.Layout.Sheet = "boards", "rail"
		return
	}
	c.App.Layout.Sheet, c.App.Layout.Menu, c.App.Layout.Drawer = "", "", ""
}

func (c *PhoneNav) Sheet(sheet string) {
	c.App.Layout.Menu, c.App.Layout.Drawer = "", ""
	if sheet == "rail" && c.App.Layout.Rail != "metrics" {
		c.App.Layout.Rail, c.App.Layout.Sheet = "metrics", "rail"
		return
	}
	c.App.Layout.ToggleSheet(sheet)
}

func (c *PhoneNav) Search() {
	c.App.Layout.Sheet, c.App.Layout.Menu, c.App.Layout.Drawer = "", "", ""
	c.App.Search.Start()
}

func (c *PhoneNav) Time() {
	c.App.Layout.Sheet, c.App.Layout.Drawer = "", ""
	c.App.Layout.ToggleMenu("time", 0)
}

// More is the menu of what has no button in the bar.
func (c *PhoneNav) More() {
	c.App.Layout.Sheet, c.App.Layout.Drawer = "", ""
	c.App.Layout.ToggleMenu("more", 0)
}

func (c *PhoneNav) Expanded() string { return strconv.FormatBool(c.App.Layout.Menu == "more") }

// ProblemsText says how many problems there are.
func (c *PhoneNav) ProblemsText() string {
	if n := (&Bottom{App: c.App}).Count(); n > 0 {
		return "Problems: " + strconv.Itoa(n)
	}
	return "Problems: none"
}

// Drawer opens a page of the drawer.
func (c *PhoneNav) Drawer(page string) {
	c.App.Layout.Sheet, c.App.Layout.Menu = "", ""
	c.App.Layout.ToggleDrawer(page)
}

func (c *PhoneNav) CanRedo() bool { return c.App.Current() != nil && c.App.Current().History.CanRedo() }

func (c *PhoneNav) Redo() {
	c.App.Layout.Menu = ""
	c.App.Current().History.Redo()
}

func (c *PhoneNav) Help() { c.App.Layout.Menu, c.App.Layout.Help = "", true }
