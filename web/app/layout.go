package app

import (
	"maps"

	"pcpscope/web/session"
	"pcpscope/web/table"
)

// ToggleTables shows all panels as tables, or as charts.
func (l *Layout) ToggleTables() {
	l.Tables = !l.Tables
	if tab := l.app.current; tab != nil {
		for _, p := range tab.Dashboard.Panels {
			p.Rev++
		}
	}
}

// ToggleMenu opens or closes a menu.
func (l *Layout) ToggleMenu(menu string, panel int) {
	if l.Menu == menu && l.MenuFor == panel {
		l.Menu = ""
		return
	}
	l.Menu, l.MenuFor = menu, panel
}

// ToggleDrawer opens or closes a page of the drawer.
func (l *Layout) ToggleDrawer(page string) {
	if l.Drawer == page {
		page = ""
	}
	l.Drawer = page
}

// ToggleSheet opens or closes a sheet on a phone.
func (l *Layout) ToggleSheet(sheet string) {
	if l.Sheet == sheet {
		sheet = ""
	}
	l.Sheet = sheet
}

// ToggleConstant hides or shows constant metrics in every tree.
func (l *Layout) ToggleConstant() {
	l.HideConstant = !l.HideConstant
	for _, tab := range l.app.Tabs {
		tab.Tree.SetHideConstant(l.HideConstant)
	}
}

// ViewTable stores how the user sorted and filtered a page of the drawer.
func (l *Layout) ViewTable(page string, v table.View) {
	v.Columns = l.Views[page].Columns
	l.keepView(page, v)
}

// ShowColumn shows or hides a column of a page of the drawer.
func (l *Layout) ShowColumn(page, name string, on bool) {
	v := l.Views[page]
	v.Columns = maps.Clone(v.Columns)
	if v.Columns == nil {
		v.Columns = map[string]bool{}
	}
	v.Columns[name] = on
	l.keepView(page, v)
}

func (l *Layout) keepView(page string, v table.View) {
	if l.Views == nil {
		l.Views = map[string]table.View{}
	}
	l.Views[page] = v
}

// covered reports whether something is open on top of the page that Escape closes first.
func (l *Layout) covered() bool {
	return l.app.Search.Open || l.Menu != "" || l.Help || l.Sheet != ""
}

// endComparison returns from a comparison to the charts, on the strip as well.
func (l *Layout) endComparison() {
	if l.Comparing {
		l.Comparing = false
		l.app.windowChanged()
	}
}

// Layout is the page's layout: what is open, and what is collapsed.
type Layout struct {
	Rail         string // the left pane's page: "boards", "metrics", "findings"
	Tables       bool   // panels are shown as tables
	Columns      int    // of panels: 1 or 2
	Comparing    bool   // windows A and B are compared
	HideConstant bool   // hide constant metrics in the tree

	Menu    string // the open menu: "", "sources", "time", "panel"
	MenuFor int    // the panel it belongs to
	Help    bool
	Sheet   string                // on a phone: "", "rail" or "details"
	Details bool                  // the details pane is open
	Drawer  string                // the drawer's page: "" while closed
	Views   map[string]table.View // sort order, filter and columns of its pages

	ViewsRev    int // incremented when anything but the page changes Views
	ToTopRev    int // incremented when the panels should scroll to the top
	TreeRows    int // rows that fit into the tree
	SearchLines int // lines that fit into the search results
	app         *App
}

// restore applies a saved layout.
func (layout *Layout) restore(l session.Layout) {
	if l.Tab != "" {
		layout.Rail = l.Tab
	}
	if l.Columns != 0 {
		layout.Columns = l.Columns
	}
	if layout.Tables != l.Tables {
		layout.ToggleTables()
	}
	layout.Drawer, layout.Views = l.Drawer, l.Views
	layout.ViewsRev++
}
