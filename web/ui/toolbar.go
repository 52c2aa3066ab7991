package ui

import (
	"fmt"
	"strconv"

	"pcpscope/web/app"
	"pcpscope/web/format"
	"pcpscope/web/panel"
)

// Tab is the source on screen.
func (c *Toolbar) Tab() *app.Tab { return c.App.Current() }

// Heading is the title of the view.
func (c *Toolbar) Heading() string {
	tab := c.Tab()
	switch {
	case c.App.Layout.Comparing:
		return "What changed"
	case tab != nil && tab.Dashboard.Shown != nil:
		return tab.Dashboard.Shown.Title
	}
	return "Charts"
}

// ValuesText describes the kind of values in the panels.
func (c *Toolbar) ValuesText() string {
	tab := c.Tab()
	if tab == nil {
		return ""
	}
	if r := tab.Compare.Result; c.App.Layout.Comparing {
		if r == nil || tab.Compare.Busy {
			return "comparing…"
		}
		if len(r.Changes) == 0 {
			return format.Count(r.Compared) + " series compared"
		}
		return format.Count(r.Differ) + " of " + format.Count(r.Compared) + " series differ; a row for each subject"
	}
	text := format.Plural(len(tab.Dashboard.Panels), "panel")
	var least int64
	stands, reduced := "", false
	for _, p := range tab.Dashboard.Panels {
		if p.Step > 0 && !p.Once && !p.Lanes() && p.Frame != nil && (least == 0 || p.Step < least) {
			least, stands, reduced = p.Step, p.PointText(), p.Reduced() != "" && p.Reduced() != "sample"
		}
	}
	switch {
	case tab.Source.End <= tab.Source.Start || least == 0 || stands == "":
	case reduced:
		text += ", " + stands + ", counters as rates"
	default:
		text += ", interpolated " + stands + ", counters as rates"
	}
	return text
}

// DetailsPressed is the aria-pressed of the button for the right column.
func (c *Toolbar) DetailsPressed() string { return fmt.Sprint(c.App.Layout.Details) }

// NewPanel shows the selected metric in a panel of its own, or the metrics to select one.
func (c *Toolbar) NewPanel() {
	tab := c.Tab()
	if tab == nil {
		return
	}
	if tab.Selected != "" {
		tab.Dashboard.AddPanel(tab.Selected)
		return
	}
	c.App.Layout.Rail, c.App.Layout.Sheet = "metrics", "rail"
}

// OnClass marks a selected button.
func (c *Toolbar) OnClass(on bool) string {
	if on {
		return "on"
	}
	return ""
}

// SetTables shows all panels as tables, or as charts.
func (c *Toolbar) SetTables(tables bool) {
	if c.Tab() != nil && c.App.Layout.Tables != tables {
		c.App.Layout.ToggleTables()
	}
}

// A Choice is one of a row of buttons.
type Choice struct{ ID, Value, Text, Class string }

// Breakdown is the grouping of processes, if the panels have one.
func (c *Toolbar) Breakdown() *panel.Breakdown {
	if tab := c.Tab(); tab != nil && !c.App.Layout.Comparing {
		return tab.Dashboard.Breakdown()
	}
	return nil
}

// Groups are the ways to group processes.
func (c *Toolbar) Groups() []Choice {
	q := c.Breakdown()
	if q == nil {
		return nil
	}
	list := []Choice{
		{"by-process", "process", "Process", c.OnClass(q.By == "process")}, {"by-command", "command", "Command", c.OnClass(q.By == "command")}, {"by-user", "user", "User", c.OnClass(q.By == "user")},
	}
	if c.Tab().HasCgroups() {
		list = append(list, Choice{"by-cgroup", "cgroup", "Cgroup", c.OnClass(q.By == "cgroup")})
	}
	return list
}

// Tops are the numbers of individually named processes to choose from.
func (c *Toolbar) Tops() []Choice {
	q := c.Breakdown()
	if q == nil {
		return nil
	}
	return []Choice{{"top-7", "7", "Top 7", c.OnClass(q.Top == 7)}, {"top-15", "15", "Top 15", c.OnClass(q.Top == 15)}}
}

// Groupings are the ways to group cgroups, if there are panels of them.
func (c *Toolbar) Groupings() []Choice {
	tab := c.Tab()
	if tab == nil || c.App.Layout.Comparing {
		return nil
	}
	now := tab.Dashboard.Grouping()
	if now == "" {
		return nil
	}
	return []Choice{
		{"groups-innermost", app.Innermost, "Innermost", c.OnClass(now == app.Innermost)}, {"groups-slice", app.BySlice, "By slice", c.OnClass(now == app.BySlice)}, {"groups-all", app.AllGroups, "All", c.OnClass(now == app.AllGroups)},
	}
}

// Regroup changes the grouping of cgroups.
func (c *Toolbar) Regroup(by string) { c.Tab().Dashboard.SetGrouping(by) }

// Group changes the grouping of processes.
func (c *Toolbar) Group(by string) { c.Tab().Dashboard.SetBreakdown(by, c.Breakdown().Top) }

// Top changes how many are shown by name.
func (c *Toolbar) Top(n string) {
	top, _ := strconv.Atoi(n)
	c.Tab().Dashboard.SetBreakdown(c.Breakdown().By, top)
}

// SortChoices are the ways to sort changes.
func (c *Toolbar) SortChoices() []Choice {
	tab := c.Tab()
	if tab == nil || !c.App.Layout.Comparing {
		return nil
	}
	now := tab.Compare.Sort
	return []Choice{{"sort-effect", "", "Difference", c.OnClass(now == "")}, {"sort-shift", "shift", "Shift", c.OnClass(now == "shift")}, {"sort-family", "family", "Family", c.OnClass(now == "family")}}
}

// SortBy sorts the changes.
func (c *Toolbar) SortBy(by string) { c.Tab().Compare.SortBy(by) }

// CompareWindows opens the settings of the comparison on a screen that has no
// room for them beside the list.
func (c *Toolbar) CompareWindows() { c.App.Layout.Rail, c.App.Layout.Sheet = "findings", "rail" }

// EndCompare returns to the charts.
func (c *Toolbar) EndCompare() {
	if tab := c.Tab(); tab != nil {
		tab.Compare.End()
	}
}

// Only is the only instance drawn, "" for all.
func (c *Toolbar) Only() string {
	if tab := c.Tab(); tab != nil && !c.App.Layout.Comparing {
		return tab.Dashboard.Only
	}
	return ""
}

func (c *Toolbar) OnlyText() string { return "only " + c.called() }

// called is the human-readable name of that instance.
func (c *Toolbar) called() string {
	if tab := c.Tab(); tab != nil {
		return tab.DisplayName(c.Only())
	}
	return ""
}

func (c *Toolbar) OnlyTitle() string {
	return "Only " + c.called() + " is shown in panels that have it: show all again"
}

// ShowAll draws all instances again.
func (c *Toolbar) ShowAll() { c.Tab().Dashboard.ShowOnly("") }
