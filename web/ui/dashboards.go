package ui

import (
	"strconv"

	"pcpscope/core/api"
	"pcpscope/web/app"
	"pcpscope/web/format"
)

// Known reports whether the list of dashboards has arrived.
func (c *Dashboards) Known() bool {
	tab := c.App.Current()
	return tab == nil || tab.Dashboard.List != nil
}

// A DashboardRow is one row of the list: a dashboard or a heading.
type DashboardRow struct {
	ID, Key, Name, Title, Headline string
	Heading                        string
	Class, TestID, Icon, Current   string
	Off                            bool
	Fold                           string // the line that stands for the unavailable ones
	SparkKey, SparkClass           string
}

// Rows are the available dashboards with their headings, then a line for the unavailable
// ones, or all of these if the user unfolded it.
func (c *Dashboards) Rows() []DashboardRow {
	tab := c.App.Current()
	if tab == nil {
		return nil
	}
	keys := map[string]string{}
	for i, b := range tab.Dashboard.Numbered() {
		keys[b.ID] = strconv.Itoa(i + 1)
	}
	var rows, out []DashboardRow
	group := ""
	for _, b := range tab.Dashboard.List {
		if !b.Available {
			out = append(out, DashboardRow{ID: b.ID, Name: b.Title, Title: b.Title + ": " + b.WhyNot, Headline: b.WhyNot, Class: "board off", TestID: "board-missing", Icon: "tri none", SparkClass: "spark none", Off: true, Current: "false"})
			continue
		}
		if b.Group != group {
			group = b.Group
			rows = append(rows, DashboardRow{Heading: group, Class: "board heading", TestID: "board-heading", SparkClass: "spark none"})
		}
		rows = append(rows, c.row(tab, b, keys[b.ID]))
	}
	if len(tab.Dashboard.Imported) > 0 {
		rows = append(rows, DashboardRow{Heading: "Imported", Class: "board heading", TestID: "board-heading", SparkClass: "spark none"})
	}
	for _, d := range tab.Dashboard.Imported {
		rows = append(rows, c.row(tab, api.DashboardInfo{ID: d.ID, Title: d.Title, What: d.What}, ""))
	}
	if len(out) > 0 {
		fold := "▸ "
		if c.unfolded {
			fold = "▾ "
		}
		rows = append(rows, DashboardRow{Fold: fold + format.Count(len(out)) + " more, not in this archive", Class: "board fold", TestID: "board-fold", SparkClass: "spark none", Current: strconv.FormatBool(c.unfolded)})
		if c.unfolded {
			rows = append(rows, out...)
		}
	}
	return rows
}

// Unfold lists the unavailable dashboards, or folds them.
func (c *Dashboards) Unfold() { c.unfolded = !c.unfolded }

func (c *Dashboards) row(tab *app.Tab, b api.DashboardInfo, key string) DashboardRow {
	r := DashboardRow{ID: b.ID, Key: key, Name: b.Title, Title: b.What, Headline: b.Headline, Class: "board", TestID: "board", Icon: "tri none", SparkClass: "spark none", Current: "false"}
	if tab.Dashboard.Shown != nil && tab.Dashboard.Shown.ID == b.ID && !c.App.Layout.Comparing {
		r.Class, r.Current = "board selected", "true"
	}
	switch b.Level {
	case "look":
		r.Icon = "tri"
	case "broken":
		r.Icon = "tri broken"
	}
	if len(b.Sparkline) > 1 && b.ID != "overview" {
		r.SparkKey, r.SparkClass = "board "+b.ID, "spark"
	}
	if b.ID == "overview" {
		r.Headline = ""
	}
	return r
}

// Show shows a dashboard.
func (c *Dashboards) Show(id string) {
	if tab := c.App.Current(); tab != nil && id != "" {
		c.App.Layout.Sheet = ""
		if !tab.Dashboard.ShowImported(id) {
			tab.Dashboard.Open(id)
		}
	}
}

// New starts a dashboard of the user's own.
func (c *Dashboards) New() {
	if tab := c.App.Current(); tab != nil {
		tab.Dashboard.New()
		c.App.Layout.Rail = "metrics"
	}
}
