package state

import (
	"strconv"
	"strings"
	"time"
)

// A Command is something that the page can do, as the list of them names it.
type Command struct {
	ID    string
	Title string
	Sub   string       // what it comes to, where that needs words
	Keys  string       // that do the same; "" for none
	Do    func() Focus // under the lock; says where the focus goes
}

// A menu is a list of commands in the making.
type menu []Command

func (m *menu) add(id, title, keys string, do func()) {
	*m = append(*m, Command{ID: id, Title: title, Keys: keys, Do: func() Focus { do(); return "page" }})
}

// Commands are all that can be done now.
func (a *App) Commands() []Command {
	w := a.current
	if w == nil {
		return nil
	}
	var m menu
	w.onlyCommands(&m)
	w.timeCommands(&m)
	w.boardCommands(&m)
	w.metricCommands(&m)
	a.tableCommands(&m)
	a.sourceCommands(&m)
	return m
}

// timeCommands move the window.
func (w *Work) timeCommands(m *menu) {
	press := func(id, title, key string) {
		m.add(id, title, key, func() { w.app.pressOnPage(w, Key{Name: key}) })
	}
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
			m.add("last-"+s.d.String(), "Show the last "+s.title, "", func() { w.ShowLast(s.d) })
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
	if _, _, ok := w.WorstMinute(); ok {
		m.add("worst", "Worst minute, and who used it", "", w.ShowWorstMinute)
	}
	if w.app.Pinned {
		m.add("pin", "Let the cursor go", "p", w.app.TogglePin)
	} else {
		m.add("pin", "Pin the cursor", "p", w.app.TogglePin)
	}
	m.add("note", "Note at the cursor", "n", w.app.RemarkHere)
}

// boardCommands choose what is shown.
func (w *Work) boardCommands(m *menu) {
	keys := map[string]string{}
	for i, b := range w.Numbered() {
		keys[b.ID] = strconv.Itoa(i + 1)
	}
	for _, b := range w.Boards {
		if b.Available {
			m.add("board", "Dashboard "+b.Title, keys[b.ID], func() { w.ShowBoard(b.ID) })
		}
	}
	m.add("new-board", "New dashboard", "", w.NewBoard)
	if len(w.Panels) > 0 {
		m.add("remove-panels", "Remove all panels", "", func() { w.SetPanels(nil) })
	}
	m.add("tables", "Tables in place of charts, or charts again", "t", w.app.ToggleTables)
	m.add("columns", "One column of panels, or two", "", func() { w.app.Columns = 3 - max(w.app.Columns, 1) })
	if w.rates() {
		m.add("compare", "Compare this window with another", "", w.BeginCompare)
	}
}

// metricCommands are about the tree and the metric that is selected.
func (w *Work) metricCommands(m *menu) {
	if w.Tree.HideStill {
		m.add("show-still", "Show constant and empty metrics too", "", w.app.ToggleStill)
	} else {
		m.add("hide-still", "Hide constant and empty metrics", "", w.app.ToggleStill)
	}
	if s := w.Metric(w.Selected); s != nil {
		m.add("add", "Add "+s.Name+" to a panel", "Enter", func() { w.Add(s.Name) })
		m.add("add-panel", "New panel with "+s.Name, "Shift Enter", func() { w.AddPanel(s.Name) })
		m.add("derive-from", "Derive a metric from "+s.Name, "", func() { w.app.DeriveFrom(s) })
		m.add("details", "Details of "+s.Name, "", func() { w.app.Details, w.app.Sheet = !w.app.Details, "" })
	}
	m.add("derived", "Derived metrics", "", w.app.OpenDefinitions)
	m.add("derive", "New derived metric", "", func() { w.app.OpenDerive("", "") })
}

// tableCommands open the drawer, and save what is shown.
func (a *App) tableCommands(m *menu) {
	for _, page := range [][2]string{{"cursor", "Values at the cursor"}, {"processes", "Processes"}, {"summary", "Summary of the window"}, {"records", "Records as they were logged"}, {"metrics", "Table of all metrics"}, {"instances", "Instances of the selected metric"}, {"problems", "Problems of this source"}} {
		m.add(page[0], page[1], "", func() { a.ToggleDrawer(page[0]) })
	}
	m.add("share", "Share, keep, export", "", a.OpenShare)
	m.add("report", "Save a report of this source", "", a.SaveReport)
	m.add("export-csv", "Save the values on screen as CSV", "", func() { a.ExportView("csv") })
	m.add("export-json", "Save the values on screen as JSON", "", func() { a.ExportView("json") })
}

// sourceCommands are about what is open, and about the page.
func (a *App) sourceCommands(m *menu) {
	w := a.current
	if w.Preview() {
		m.add("read-all", "Read the rest of this source", "", w.ReadAll)
	}
	switch {
	case w.Watch.On:
		m.add("unwatch", "Stop watching", "", w.StopWatch)
	case w.CanWatch():
		m.add("watch", "Watch this file", "", func() { a.StartWatch(w) })
	}
	for _, o := range a.Works {
		if o != w {
			m.add("source", "Show "+o.Title()+", "+o.Source.Name, "", func() { a.Show(o.Source.ID) })
		}
	}
	m.add("close", "Close "+w.Title()+", "+w.Source.Name, "", func() { a.Close(w.Source.ID) })
	for _, c := range [][2]string{{"files", "Open more files…"}, {"folder", "Open a folder…"}, {"theme", "Light or dark"}} {
		m.add(c[0], c[1], "", func() { a.outside(c[0]) })
	}
	m.add("help", "Help and keys", "?", func() { a.Help = true })
}

// ToggleStill hides the metrics that never move in every tree, or shows them.
func (a *App) ToggleStill() {
	a.HideStill = !a.HideStill
	for _, w := range a.Works {
		w.Tree.SetHideStill(a.HideStill)
	}
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
