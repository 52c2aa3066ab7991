package state

import (
	"strings"
	"time"
)

// A Command is something that the page can do, as the list of them names it.
type Command struct {
	ID    string
	Title string
	Keys  string       // that do the same; "" for none
	Do    func() Focus // under the lock; says where the focus goes
}

// Commands are all that can be done now.
func (a *App) Commands() []Command {
	w := a.current
	if w == nil {
		return nil
	}
	var list []Command
	do := func(id, title, keys string, f func()) {
		list = append(list, Command{id, title, keys, func() Focus { f(); return "page" }})
	}
	press := func(id, title, key string) { do(id, title, key, func() { a.pressOnPage(w, Key{Name: key}) }) }
	press("zoom-in", "Zoom in", "w")
	press("zoom-out", "Zoom out", "s")
	press("earlier", "Earlier", "a")
	press("later", "Later", "d")
	press("whole", "Show the whole span", "0")
	for _, s := range []struct {
		title string
		d     time.Duration
	}{{"minute", time.Minute}, {"10 minutes", 10 * time.Minute}, {"hour", time.Hour}, {"day", 24 * time.Hour}} {
		if int64(s.d) < w.Whole().Len() {
			do("last-"+s.d.String(), "Show the last "+s.title, "", func() { w.ShowLast(s.d) })
		}
	}
	if w.CanUndo() {
		press("undo", "Back to the view before", "z")
	}
	if w.CanRedo() {
		press("redo", "Forward again", "Z")
	}
	if len(w.Source.Gaps) > 0 {
		press("gap", "Next gap or mark", "g")
	}
	if w.Tree.HideStill {
		do("show-still", "Show constant and empty metrics too", "", func() { w.Tree.SetHideStill(false) })
	} else {
		do("hide-still", "Hide constant and empty metrics", "", func() { w.Tree.SetHideStill(true) })
	}
	if m := w.Metric(w.Selected); m != nil {
		do("add", "Add "+m.Name+" to a panel", "Enter", func() { w.Add(m.Name) })
		do("add-panel", "New panel with "+m.Name, "Shift Enter", func() { w.AddPanel(m.Name) })
	}
	if len(w.Panels) > 0 {
		do("remove-panels", "Remove all panels", "", func() { w.SetPanels(nil) })
	}
	do("cursor-table", "Values at the cursor", "", func() { a.ToggleDrawer("cursor") })
	do("problems", "Problems of this source", "", func() { a.ToggleDrawer("problems") })
	if w.Detail != nil {
		do("details", "Details of "+w.Selected, "", func() { a.Details, a.Sheet = !a.Details, "" })
	}
	if w.Preview() {
		do("read-all", "Read the rest of this source", "", w.ReadAll)
	}
	for _, o := range a.Works {
		if o != w {
			do("source", "Show "+o.Title()+", "+o.Source.Name, "", func() { a.Show(o.Source.ID) })
		}
	}
	do("close", "Close "+w.Title()+", "+w.Source.Name, "", func() { a.Close(w.Source.ID) })
	for _, c := range []struct{ id, title string }{{"files", "Open more files…"}, {"folder", "Open a folder…"}, {"theme", "Light or dark"}} {
		do(c.id, c.title, "", func() { a.outside(c.id) })
	}
	do("derived", "Derived metrics", "", a.OpenDefinitions)
	do("derive", "New derived metric", "", func() { a.OpenDerive("", "") })
	do("share", "Share, keep, export", "", a.OpenShare)
	do("note", "Note at the cursor", "n", a.RemarkHere)
	if w.CanWatch() && !w.Watch.On {
		do("watch", "Watch this file", "", func() { a.StartWatch(w) })
	} else if w.Watch.On {
		do("unwatch", "Stop watching", "", w.StopWatch)
	}
	do("help", "Help and keys", "?", func() { a.Help = true })
	return list
}

// outside has the page around the components do something.
func (a *App) outside(action string) {
	if a.Outside != nil {
		a.Outside(action)
	}
}

// foundCommands are the commands that the search means: all of them for no
// text, else those with all its words in their titles.
func (a *App) foundCommands() []Command {
	text := strings.ToLower(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(a.Search.Text), ">")))
	words := strings.Fields(text)
	var found []Command
next:
	for _, c := range a.Commands() {
		for _, word := range words {
			if !strings.Contains(strings.ToLower(c.Title), word) {
				continue next
			}
		}
		found = append(found, c)
	}
	return found
}
