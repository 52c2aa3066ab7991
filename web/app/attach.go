package app

import (
	"pcpscope/core/api"
	"pcpscope/web/timeline"
)

// Attach shows a source that is already open in the engine, over a window, and fetches
// everything shown: programs without a page get what a page would show.
func (i *Intake) Attach(s api.Source, window timeline.Window) *Tab {
	a := i.app
	tab := a.newTab(s)
	tab.Window = window.Within(tab.Whole())
	a.Tabs = append(a.Tabs, tab)
	a.Show(s.ID)
	tab.start()
	return tab
}
