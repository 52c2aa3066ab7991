package app

import (
	"pcpscope/core/api"
	"pcpscope/web/timeline"
)

// Attach shows a source that the engine has open already, over a window, and
// asks for all that is shown of it: so programs without a page get what a page
// would show.
func (i *Intake) Attach(s api.Source, window timeline.Window) *Tab {
	a := i.app
	tab := a.newTab(s)
	tab.Window = window.Within(tab.Whole())
	a.Tabs = append(a.Tabs, tab)
	a.Show(s.ID)
	tab.start()
	return tab
}
