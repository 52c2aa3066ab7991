package ui

import (
	"strconv"

	"pcpscope/core/api"
	"pcpscope/web/app"
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
	SparkKey, SparkClass           string
}

// missing is the heading of dashboards that the source has no data for.
const missing = "Not in this archive"

// Rows are the available dashboards with their headings, then the unavailable ones.
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
		rows = append(rows, DashboardRow{Heading: missing, Class: "board heading", TestID: "board-heading", SparkClass: "spark none"})
		rows = append(rows, out...)
	}
	return rows
}

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
