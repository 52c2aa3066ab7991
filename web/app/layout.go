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

// ToggleMenu opens a menu, or closes it when it is open.
func (l *Layout) ToggleMenu(menu string, panel int) {
	if l.Menu == menu && l.MenuFor == panel {
		l.Menu = ""
		return
	}
	l.Menu, l.MenuFor = menu, panel
}

// ToggleDrawer opens a page of the drawer, or closes it.
func (l *Layout) ToggleDrawer(page string) {
	if l.Drawer == page {
		page = ""
	}
	l.Drawer = page
}

// ToggleSheet opens a sheet on a phone, or closes it.
func (l *Layout) ToggleSheet(sheet string) {
	if l.Sheet == sheet {
		sheet = ""
	}
	l.Sheet = sheet
}

// ToggleConstant hides the metrics that never move in every tree, or shows them.
func (l *Layout) ToggleConstant() {
	l.HideConstant = !l.HideConstant
	for _, tab := range l.app.Tabs {
		tab.Tree.SetHideConstant(l.HideConstant)
	}
}

// ViewTable keeps how the user sorted and filtered a page of the drawer.
func (l *Layout) ViewTable(page string, v table.View) {
	v.Columns = l.Views[page].Columns
	l.keepView(page, v)
}

// ShowColumn shows a column of a page of the drawer, or hides it.
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

// covered says that something lies over the page that Escape closes first.
func (l *Layout) covered() bool {
	return l.app.Search.Open || l.Menu != "" || l.Help || l.Sheet != ""
}

// Layout is what is open and folded of the page itself.
type Layout struct {
	Rail         string // its page: "boards", "metrics", "findings"
	Tables       bool   // panels are shown as tables
	Columns      int    // of panels: 1 or 2
	Comparing    bool   // windows A and B are compared
	HideConstant bool   // leave out of the tree what never moves

	Menu    string // the open menu: "", "sources", "time", "panel"
	MenuFor int    // of which panel
	Help    bool
	Sheet   string                // on a phone: "", "rail" or "details"
	Details bool                  // the column at the right is open
	Drawer  string                // the page of the drawer: "" while it is closed
	Views   map[string]table.View // what was chosen of its pages

	ViewsRev   int // grows when anything but the page changes Views
	ToTopRev   int // grows when the panels should be shown from their top
	TreeRows   int // rows that fit the tree
	SearchRoom int // lines that fit the list of what was found
	app        *App
}

// restore lays the page out as a session kept it.
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
