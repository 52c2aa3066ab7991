package app

// A Binding is a line of the help: keys, and what they do.
type Binding struct {
	Keys string // each between backquotes
	What string // with keys, too

	// press acts on keys of the page itself, by KeyboardEvent.key; nil where a
	// list, a field or a canvas acts on them.
	press map[string]func(a *App, tab *Tab) bool
}

// Bindings are all keys, in the order of the help.
func Bindings() []Binding {
	type keys = map[string]func(a *App, tab *Tab) bool
	do := func(f func(a *App, tab *Tab)) func(a *App, tab *Tab) bool {
		return func(a *App, tab *Tab) bool {
			f(a, tab)
			return true
		}
	}
	zoom := func(factor float64) func(a *App, tab *Tab) bool {
		return do(func(a *App, tab *Tab) { tab.ZoomBy(factor, a.Cursor.within(tab.Window)) })
	}
	dashboards := keys{}
	for n := 1; n <= 9; n++ {
		dashboards[string(rune('0'+n))] = func(_ *App, tab *Tab) bool { return tab.Dashboard.OpenNth(n) }
	}
	return []Binding{
		{"`/` `Ctrl K`", "search names, help, instances, labels, units, texts; `>` lists all commands", nil},
		{"`↑` `↓` `←` `→`", "in the tree: move, fold and unfold", nil},
		{"`Enter` `Shift Enter`", "add to the marked panel; in a new panel", nil},
		{"`Delete`", "in the tree: take the metric off the panels", nil},
		{"`w` `s` `a` `d`", "zoom in, out, earlier, later", keys{
			"w": zoom(0.5), "+": zoom(0.5), "=": zoom(0.5), "s": zoom(2), "-": zoom(2),
			"a": do(func(_ *App, tab *Tab) { tab.Pan(-0.25) }),
			"d": do(func(_ *App, tab *Tab) { tab.Pan(0.25) }),
		}},
		{"`0`", "the whole span", keys{"0": do(func(_ *App, tab *Tab) { tab.ShowLast(0) })}},
		{"`z` `Shift Z`", "the view before; forward again", keys{
			"z": do(func(_ *App, tab *Tab) { tab.History.Undo() }),
			"Z": do(func(_ *App, tab *Tab) { tab.History.Redo() }),
		}},
		{"`←` `→`", "move the cursor", keys{
			"ArrowLeft":  do(func(a *App, tab *Tab) { a.Cursor.step(tab, -1) }),
			"ArrowRight": do(func(a *App, tab *Tab) { a.Cursor.step(tab, 1) }),
		}},
		{"`p`, click on a chart", "pin the cursor, so that its values stay; again or `Esc` lets it go", keys{"p": do(func(a *App, _ *Tab) { a.Cursor.TogglePin() })}},
		{"`n`", "a note at the cursor", keys{"n": do(func(a *App, _ *Tab) { a.NoteEditor.OpenHere() })}},
		{"`g`", "next gap, mark or start of the host", keys{"g": func(a *App, tab *Tab) bool { return a.Cursor.NextLandmark(tab) }}},
		{"`Ctrl` wheel, `Shift` wheel", "on a chart: zoom at the pointer; pan", nil},
		{"`1` – `9`", "the dashboards by number", dashboards},
		{"`t`", "tables in place of charts", keys{"t": do(func(a *App, _ *Tab) { a.Layout.ToggleTables() })}},
		{"`↑` `↓` `Enter`", "in a table whose rows can be chosen: go along them, choose one", nil},
		{"`Tab` to an edge", "arrows resize a part of the page, `Enter` folds it away", nil},
		{"`?`", "this list", keys{"?": do(func(a *App, _ *Tab) { a.Layout.Help = !a.Layout.Help })}},
		{"`Esc`", "close what is open", nil},
	}
}
