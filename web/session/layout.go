package session

import (
	"slices"

	"pcpscope/web/table"
)

// Pages are the pages of the drawer.
var Pages = []string{"cursor", "processes", "summary", "records", "metrics", "instances", "problems"}

// maxColumns limits how many columns of a table a layout from outside may
// mention.
const maxColumns = 100

// sanitize removes from a layout from outside what the page cannot have.
func (l *Layout) sanitize() {
	if !slices.Contains([]string{"boards", "metrics", "findings"}, l.Tab) {
		l.Tab = ""
	}
	if !slices.Contains(Pages, l.Drawer) {
		l.Drawer = ""
	}
	if l.Columns != 1 && l.Columns != 2 {
		l.Columns = 0
	}
	views := map[string]table.View{}
	for page, v := range l.Views {
		if slices.Contains(Pages, page) {
			view := table.View{Sort: Clip(v.Sort), Down: v.Down, Filter: Clip(v.Filter)}
			for name, on := range v.Columns {
				if view.Columns == nil {
					view.Columns = map[string]bool{}
				}
				if len(view.Columns) < maxColumns {
					view.Columns[Clip(name)] = on
				}
			}
			views[page] = view
		}
	}
	l.Views = views
}
