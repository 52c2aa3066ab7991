package web

import (
	"fmt"
	"strconv"

	"pcpscope/web/format"
	"pcpscope/web/state"
)

// Work is the source on screen.
func (c *Toolbar) Work() *state.Work { return c.App.Current() }

// Heading is the title of the view.
func (c *Toolbar) Heading() string {
	w := c.Work()
	switch {
	case c.App.Comparing:
		return "What changed"
	case w != nil && w.Board != nil:
		return w.Board.Title
	}
	return "Charts"
}

// How says what kind of values the panels show.
func (c *Toolbar) How() string {
	w := c.Work()
	if w == nil {
		return ""
	}
	if r := w.Compare.Result; c.App.Comparing {
		if r == nil || w.Compare.Busy {
			return "comparing…"
		}
		return format.Count(r.Differ) + " of " + format.Count(r.Compared) + " series differ; those that move together are one row"
	}
	text := format.Plural(len(w.Panels), "panel")
	var least int64
	for _, p := range w.Panels {
		if p.Step > 0 && (least == 0 || p.Step < least) {
			least = p.Step
		}
	}
	if w.Source.End > w.Source.Start && least > 0 {
		text += ", interpolated every " + format.Span(least) + ", counters as rates"
	}
	return text
}

// DetailsPressed is the aria-pressed of the button for the column at the right.
func (c *Toolbar) DetailsPressed() string { return fmt.Sprint(c.App.Details) }

// NewPanel shows the selected metric in a panel of its own.
func (c *Toolbar) NewPanel() {
	w := c.Work()
	if w == nil {
		return
	}
	if w.Selected != "" {
		w.AddPanel(w.Selected)
		return
	}
	c.App.Sheet = "rail"
}

// On marks the chosen one of two.
func (c *Toolbar) On(on bool) string {
	if on {
		return "on"
	}
	return ""
}

// SetTables shows all panels as tables, or as charts.
func (c *Toolbar) SetTables(tables bool) {
	if c.Work() != nil && c.App.Tables != tables {
		c.App.ToggleTables()
	}
}

// A Choice is one of a row of buttons.
type Choice struct{ ID, Value, Text, Class string }

// Who is how processes are grouped, where the panels say that.
func (c *Toolbar) Who() *state.Who {
	if w := c.Work(); w != nil && !c.App.Comparing {
		return w.WhoShown()
	}
	return nil
}

// Groups are the ways to group processes.
func (c *Toolbar) Groups() []Choice {
	q := c.Who()
	if q == nil {
		return nil
	}
	list := []Choice{
		{"by-process", "process", "Process", c.On(q.By == "process")}, {"by-command", "command", "Command", c.On(q.By == "command")}, {"by-user", "user", "User", c.On(q.By == "user")},
	}
	if c.Work().KnowsCgroups() {
		list = append(list, Choice{"by-cgroup", "cgroup", "Cgroup", c.On(q.By == "cgroup")})
	}
	return list
}

// Tops are how many are shown by name.
func (c *Toolbar) Tops() []Choice {
	q := c.Who()
	if q == nil {
		return nil
	}
	return []Choice{{"top-7", "7", "Top 7", c.On(q.Top == 7)}, {"top-15", "15", "Top 15", c.On(q.Top == 15)}}
}

// Groupings are the ways to group cgroups, where there are panels of them.
func (c *Toolbar) Groupings() []Choice {
	w := c.Work()
	if w == nil || c.App.Comparing {
		return nil
	}
	now := w.Grouping()
	if now == "" {
		return nil
	}
	return []Choice{
		{"groups-innermost", state.Innermost, "Innermost", c.On(now == state.Innermost)}, {"groups-slice", state.BySlice, "By slice", c.On(now == state.BySlice)}, {"groups-all", state.AllGroups, "All", c.On(now == state.AllGroups)},
	}
}

// Regroup groups cgroups another way.
func (c *Toolbar) Regroup(by string) { c.Work().SetGrouping(by) }

// Group groups processes another way.
func (c *Toolbar) Group(by string) { c.Work().SetWho(by, c.Who().Top) }

// Top shows more or fewer by name.
func (c *Toolbar) Top(n string) {
	top, _ := strconv.Atoi(n)
	c.Work().SetWho(c.Who().By, top)
}

// Sorts are the ways to sort what changed.
func (c *Toolbar) Sorts() []Choice {
	w := c.Work()
	if w == nil || !c.App.Comparing {
		return nil
	}
	now := w.Compare.Sort
	return []Choice{{"sort-effect", "", "Effect", c.On(now == "")}, {"sort-shift", "shift", "Shift", c.On(now == "shift")}, {"sort-family", "family", "Family", c.On(now == "family")}}
}

// SortBy sorts what changed.
func (c *Toolbar) SortBy(by string) { c.Work().SortCompared(by) }

// CompareWindows shows which windows are compared, and what counts, on a page
// that has no room for it beside what changed.
func (c *Toolbar) CompareWindows() { c.App.Tab, c.App.Sheet = "findings", "rail" }

// EndCompare goes back to the charts.
func (c *Toolbar) EndCompare() {
	c.App.Comparing = false
	if c.App.WindowChanged != nil {
		c.App.WindowChanged()
	}
}

// Only is the instance that alone is drawn; "" for all.
func (c *Toolbar) Only() string {
	if w := c.Work(); w != nil && !c.App.Comparing {
		return w.Only
	}
	return ""
}

func (c *Toolbar) OnlyText() string { return "only " + c.called() }

// called is what people call that instance.
func (c *Toolbar) called() string {
	if w := c.Work(); w != nil {
		return w.CalledAs(c.Only())
	}
	return ""
}

func (c *Toolbar) OnlyTitle() string {
	return "Only " + c.called() + " is shown in panels that have it: show all again"
}

// ShowAll draws all instances again.
func (c *Toolbar) ShowAll() { c.Work().ShowOnly("") }
