package app

import (
	"strconv"
	"time"
)

// A Command is an action of the page, as the command list names it.
type Command struct {
	ID    string
	Title string
	Sub   string       // additional description, if needed
	Keys  string       // keyboard shortcut; "" for none
	Do    func() Focus // called under the lock; returns where the focus goes
}

// A menu is a list of commands being built.
type menu []Command

func (m *menu) add(id, title, keys string, do func()) {
	*m = append(*m, Command{ID: id, Title: title, Keys: keys, Do: func() Focus { do(); return "page" }})
}

// Commands lists everything that can be done now.
func (a *App) Commands() []Command {
	tab := a.current
	if tab == nil {
		return nil
	}
	var m menu
	m.only(tab)
	m.time(tab)
	m.dashboards(tab)
	m.metrics(tab)
	m.tables(a)
	m.sources(a)
	return m
}

// time adds commands that move the window.
func (m *menu) time(tab *Tab) {
	press := func(id, title, key string) {
		m.add(id, title, key, func() { tab.app.pressOnPage(tab, Key{Name: key}) })
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
		if int64(s.d) < tab.Whole().Len() {
			m.add("last-"+s.d.String(), "Show the last "+s.title, "", func() { tab.ShowLast(s.d) })
		}
	}
	if tab.History.CanUndo() {
		press("undo", "Back to the previous view", "z")
	}
	if tab.History.CanRedo() {
		press("redo", "Forward again", "Z")
	}
	if len(tab.Source.Gaps) > 0 {
		press("gap", "Next gap or mark", "g")
	}
	if _, _, ok := tab.Pulse.WorstMinute(); ok {
		m.add("worst", "Worst minute, and its top processes", "", tab.Pulse.ShowWorstMinute)
		if tab.Explain.Available() {
			m.add("explain-worst", "Explain the worst minute", "", tab.Pulse.ExplainWorstMinute)
		}
	}
	if tab.app.Cursor.Pinned {
		m.add("pin", "Unpin the cursor", "p", tab.app.Cursor.TogglePin)
	} else {
		m.add("pin", "Pin the cursor", "p", tab.app.Cursor.TogglePin)
	}
	m.add("note", "Note at the cursor", "n", tab.app.NoteEditor.OpenHere)
}

// dashboards adds commands that choose what is shown.
func (m *menu) dashboards(tab *Tab) {
	keys := map[string]string{}
	for i, b := range tab.Dashboard.Numbered() {
		keys[b.ID] = strconv.Itoa(i + 1)
	}
	for _, b := range tab.Dashboard.List {
		if b.Available {
			m.add("board", "Dashboard "+b.Title, keys[b.ID], func() { tab.Dashboard.Open(b.ID) })
		}
	}
	m.add("new-board", "New dashboard", "", tab.Dashboard.New)
	if len(tab.Dashboard.Panels) > 0 {
		m.add("remove-panels", "Remove all panels", "", func() { tab.Dashboard.SetPanels(nil) })
	}
	m.add("tables", "Switch between charts and tables", "t", tab.app.Layout.ToggleTables)
	m.add("columns", "Switch between one and two columns", "", func() { tab.app.Layout.Columns = 3 - max(tab.app.Layout.Columns, 1) })
	if tab.Explain.Available() {
		m.add("explain", "Explain this window: what was unusual", "e", tab.Explain.Toggle)
	}
	if tab.Lanes.Available() {
		m.add("pmie-rules", "Rules in the language of pmie: when were they true?", "", tab.Lanes.Toggle)
	}
	if tab.Days.Available() {
		m.add("days", "Show or hide days at a glance", "", tab.Days.Toggle)
	}
	if tab.Rates() {
		m.add("compare", "Compare this window with another", "", tab.Compare.Start)
	}
}

// metrics adds commands about the tree and the selected metric.
func (m *menu) metrics(tab *Tab) {
	if tab.Tree.HideConstant {
		m.add("show-still", "Show constant and empty metrics too", "", tab.app.Layout.ToggleConstant)
	} else {
		m.add("hide-still", "Hide constant and empty metrics", "", tab.app.Layout.ToggleConstant)
	}
	if s := tab.Metric(tab.Selected); s != nil {
		m.add("add", "Add "+s.Name+" to a panel", "Enter", func() { tab.Dashboard.Add(s.Name) })
		m.add("add-panel", "New panel with "+s.Name, "Shift Enter", func() { tab.Dashboard.AddPanel(s.Name) })
		m.moves(tab)
		m.add("derive-from", "Derive a metric from "+s.Name, "", func() { tab.app.Editor.OpenFor(s) })
		m.add("details", "Details of "+s.Name, "", func() { tab.app.Layout.Details, tab.app.Layout.Sheet = !tab.app.Layout.Details, "" })
	}
	m.add("derived", "Derived metrics", "", tab.app.Editor.OpenList)
	m.add("derive", "New derived metric", "", func() { tab.app.Editor.Open("", "") })
}

// tables adds commands that open the drawer or save what is shown.
func (m *menu) tables(a *App) {
	for _, page := range [][2]string{{"cursor", "Values at the cursor"}, {"processes", "Processes"}, {"summary", "Summary of the window"}, {"records", "Records as they were logged"}, {"metrics", "Table of all metrics"}, {"instances", "Instances of the selected metric"}, {"problems", "Problems of this source"}} {
		m.add(page[0], page[1], "", func() { a.Layout.ToggleDrawer(page[0]) })
	}
	m.add("share", "Share, save, export", "", a.Share.Show)
	m.add("save-archive", "Save archive…", "", a.Saving.Show)
	m.add("export", "Export tables: Parquet, Arrow, CSV…", "", func() { a.Saving.ShowTables(nil) })
	m.add("report-page", "Save a report of this view as HTML, with charts", "", a.Share.SavePage)
	m.add("report", "Save a report of this source as text", "", a.Share.SaveReport)
	m.add("print", "Print a report of this view", "Ctrl P", a.Share.Print)
	m.add("export-csv", "Save the values on screen as CSV", "", func() { a.Share.ExportView("csv") })
	m.add("export-json", "Save the values on screen as JSON", "", func() { a.Share.ExportView("json") })
}

// sources adds commands about the open sources and the page.
func (m *menu) sources(a *App) {
	tab := a.current
	if tab.Loading.Preview() {
		m.add("read-all", "Read the rest of this source", "", tab.Loading.ReadAll)
	}
	switch {
	case tab.Follow.On:
		m.add("unwatch", "Stop following", "", tab.Follow.Stop)
	case tab.Follow.Can():
		m.add("watch", "Follow this file", "", func() { tab.Follow.Start() })
	}
	for _, o := range a.Tabs {
		if o != tab {
			m.add("source", "Show "+o.Title()+", "+o.Source.Name, "", func() { a.Show(o.Source.ID) })
		}
	}
	m.add("close", "Close "+tab.Title()+", "+tab.Source.Name, "", func() { a.Close(tab.Source.ID) })
	for _, c := range [][2]string{{"files", "Open more files…"}, {"folder", "Open a folder…"}, {"theme", "Light or dark"}} {
		m.add(c[0], c[1], "", func() { a.do(c[0]) })
	}
	m.add("help", "Help and keys", "?", func() { a.Layout.Help = true })
}

// do runs an action of the page outside the components: its file inputs and theme.
func (a *App) do(action string) {
	if a.Page.Do != nil {
		a.Page.Do(action)
	}
}
