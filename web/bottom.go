package web

import (
	"strconv"

	"pcpscope/web/format"
	"pcpscope/web/state"
)

// Work is the source on screen.
func (c *Bottom) Work() *state.Work { return c.App.Current() }

// Count is the number of problems that reading met with.
func (c *Bottom) Count() int {
	if w := c.Work(); w != nil {
		return len(w.Source.Problems)
	}
	return 0
}

// Inspect looks for more than disturbs a reader.
func (c *Bottom) Inspect() {
	if w := c.Work(); w != nil {
		w.Inspect()
	}
}

// InspectText says what the inspection came to, or what it would be.
func (c *Bottom) InspectText() string {
	w := c.Work()
	switch {
	case w == nil:
		return ""
	case w.Inspected.Busy:
		return "Looking at every value…"
	case w.Inspected.Fault != "":
		return w.Inspected.Fault
	case w.Inspected.Done && len(w.Inspected.Found) == 0:
		return "Nothing that pmlogcheck would complain of was found."
	case w.Inspected.Done:
		return "All that pmlogcheck would complain of is in the list, " + format.Count(len(w.Inspected.Found)) + " in all."
	}
	return "Only what disturbs reading is listed."
}

// TabClass marks the open page of the drawer.
func (c *Bottom) TabClass(page string) string {
	if c.App.Drawer == page {
		return "tab on"
	}
	return "tab"
}

// Class tells whether the drawer is open.
func (c *Bottom) Class() string {
	if c.App.Drawer != "" {
		return "bottom open"
	}
	return "bottom"
}

// TableID is the data-testid of that table.
func (c *Bottom) TableID() string {
	switch c.App.Drawer {
	case "cursor":
		return "cursor-values"
	case "problems":
		return "problem-list"
	}
	return c.App.Drawer + "-table"
}

// TableClass greys a table of which newer values are on their way.
func (c *Bottom) TableClass() string {
	if w := c.Work(); w != nil && w.Drawer.Late(c.App.Drawer) {
		return "drawer-table late"
	}
	return "drawer-table"
}

// State says whether anything is under way.
func (c *Bottom) State() string {
	switch {
	case c.App.Reading != nil:
		return "Reading"
	case !c.App.Idle():
		return "Working"
	}
	return "Ready"
}

// Figures counts what is on screen.
func (c *Bottom) Figures() string {
	w := c.Work()
	if w == nil {
		return ""
	}
	points := 0
	for _, p := range w.Panels {
		if !p.OutOfSight() {
			points += p.Points()
		}
	}
	return format.Count(w.Lines()) + " series, " + format.Plural(points, "point")
}

// Version names the build.
func (c *Bottom) Version() string { return "pcpscope " + c.App.Version }

// Class marks the part of a phone's page that is on screen.
func (c *PhoneNav) Class(part string) string {
	on := c.App.Sheet
	switch {
	case c.App.Search.Open:
		on = "search"
	case c.App.Menu == "time":
		on = "time"
	case c.App.Drawer != "" || c.App.Menu == "more":
		on = "more"
	case on == "" || on == "rail" && c.App.Tab != "metrics":
		on = "charts"
	}
	if on == part {
		return "on"
	}
	return ""
}

// The buttons of the bar on a phone.
func (c *PhoneNav) Charts() {
	if c.App.Sheet == "" && c.App.Menu == "" && c.App.Drawer == "" { // nothing lies over them: the list of dashboards
		c.App.Tab, c.App.Sheet = "boards", "rail"
		return
	}
	c.App.Sheet, c.App.Menu, c.App.Drawer = "", "", ""
}

func (c *PhoneNav) Sheet(sheet string) {
	c.App.Menu, c.App.Drawer = "", ""
	if sheet == "rail" && c.App.Tab != "metrics" {
		c.App.Tab, c.App.Sheet = "metrics", "rail"
		return
	}
	c.App.ToggleSheet(sheet)
}

func (c *PhoneNav) Search() {
	c.App.Sheet, c.App.Menu, c.App.Drawer = "", "", ""
	c.App.OpenSearch()
}

func (c *PhoneNav) Time() {
	c.App.Sheet, c.App.Drawer = "", ""
	c.App.ToggleMenu("time", 0)
}

// More is the list of what has no room of its own in the bar.
func (c *PhoneNav) More() {
	c.App.Sheet, c.App.Drawer = "", ""
	c.App.ToggleMenu("more", 0)
}

func (c *PhoneNav) Expanded() string { return strconv.FormatBool(c.App.Menu == "more") }

// ProblemsText says how many problems there are.
func (c *PhoneNav) ProblemsText() string {
	if n := (&Bottom{App: c.App}).Count(); n > 0 {
		return "Problems: " + strconv.Itoa(n)
	}
	return "Problems: none"
}

// Drawer opens a page of the drawer.
func (c *PhoneNav) Drawer(page string) {
	c.App.Sheet, c.App.Menu = "", ""
	c.App.ToggleDrawer(page)
}

func (c *PhoneNav) CanRedo() bool { return c.App.Current() != nil && c.App.Current().CanRedo() }

func (c *PhoneNav) Redo() {
	c.App.Menu = ""
	c.App.Current().Redo()
}

func (c *PhoneNav) Help() { c.App.Menu, c.App.Help = "", true }
