package app

import "slices"

// A Binding is one line of the help: keys, and what they do.
type Binding struct {
	Keys string // each in backquotes
	What string // may contain keys, too

	// anywhere handles keys by their chord, wherever the focus is and whatever is open;
	// unused keys are passed on.
	anywhere map[string]func(a *App, k Key) (Focus, bool)

	// press handles keys pressed on the page itself, by KeyboardEvent.key.
	press map[string]func(a *App, tab *Tab) bool

	// Elements (by data-testid) that handle these keys themselves while focused. They
	// ignore keys without a binding.
	in   []string
	keys []string
}

// bound reports whether the focused element, by data-testid, handles a key.
func bound(in, key string) bool {
	return slices.ContainsFunc(Bindings(), func(b Binding) bool { return slices.Contains(b.in, in) && slices.Contains(b.keys, key) })
}

// Bindings are all keys, in the order of the help. Lines with text only describe what
// scripts handle: the wheel over a chart (static/charts/panel.js), rows of a table
// (static/charts/table.js), the dividers between panes (static/layout.js).
func Bindings() []Binding {
	type keys = map[string]func(a *App, tab *Tab) bool
	type everywhere = map[string]func(a *App, k Key) (Focus, bool)
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
		{Keys: "`/` `Ctrl K`", What: "search names, help, instances, labels, units, texts; `>` lists all commands",
			anywhere: everywhere{"/": startSearch, "Ctrl k": startSearch}},
		{Keys: "`↑` `↓` `PgUp` `PgDn` `Enter`", What: "in the search: move through the results, choose one",
			in: []string{"search"}, keys: []string{"ArrowUp", "ArrowDown", "PageUp", "PageDown", "Enter"}},
		{Keys: "`↑` `↓` `PgUp` `PgDn` `Home` `End`", What: "in the tree: move, including to and from its filter",
			in: []string{"tree"}, keys: []string{"ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"}},
		{Keys: "`↓` `Enter`", What: "in the tree’s filter: go to the matches", in: []string{"tree-filter"}, keys: []string{"ArrowDown", "Enter"}},
		{Keys: "`←` `→`", What: "in the tree: collapse and expand", in: []string{"tree"}, keys: []string{"ArrowLeft", "ArrowRight"}},
		{Keys: "`Enter` `Space` `Shift Enter`", What: "in the tree: add to the selected panel; to a new panel", in: []string{"tree"}, keys: []string{"Enter", " "}},
		{Keys: "`Delete` `Backspace`", What: "in the tree: remove the metric from the panels", in: []string{"tree"}, keys: []string{"Delete", "Backspace"}},
		{Keys: "`←` `→` `↑` `↓` `Home` `End` `Enter` `Space`", What: "in the lane of incidents, above the strip: choose one, explain it",
			in: []string{"story-lane"}, keys: []string{"ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "Enter", " "}},
		{Keys: "`↑` `↓` `Tab` `Enter`", What: "in the derived metric editor: choose a completion; `Ctrl Enter` saves",
			in: []string{"derive-text"}, keys: []string{"ArrowUp", "ArrowDown", "Tab", "Enter"}},
		{Keys: "`Enter`", What: "in a note: save it", in: []string{"note-text"}, keys: []string{"Enter"}},
		{Keys: "`w` `s` `a` `d`", What: "zoom in, out, earlier, later", press: keys{
			"w": zoom(0.5), "+": zoom(0.5), "=": zoom(0.5), "s": zoom(2), "-": zoom(2),
			"a": do(func(_ *App, tab *Tab) { tab.Pan(-0.25) }),
			"d": do(func(_ *App, tab *Tab) { tab.Pan(0.25) }),
		}},
		{Keys: "`0`", What: "the whole span", press: keys{"0": do(func(_ *App, tab *Tab) { tab.ShowLast(0) })}},
		{Keys: "`z` `Shift Z`", What: "previous view; next view", press: keys{
			"z": do(func(_ *App, tab *Tab) { tab.History.Undo() }),
			"Z": do(func(_ *App, tab *Tab) { tab.History.Redo() }),
		}},
		{Keys: "`←` `→`", What: "move the cursor", press: keys{
			"ArrowLeft":  do(func(a *App, tab *Tab) { a.Cursor.step(tab, -1) }),
			"ArrowRight": do(func(a *App, tab *Tab) { a.Cursor.step(tab, 1) }),
		}},
		{Keys: "`p`, click on a chart", What: "pin the cursor, so that its values stay; again or `Esc` unpins it", press: keys{"p": do(func(a *App, _ *Tab) { a.Cursor.TogglePin() })}},
		{Keys: "`n`", What: "a note at the cursor", press: keys{"n": do(func(a *App, _ *Tab) { a.NoteEditor.OpenHere() })}},
		{Keys: "`g`", What: "next gap, mark or reboot", press: keys{"g": func(a *App, tab *Tab) bool { return a.Cursor.NextLandmark(tab) }}},
		{Keys: "`Ctrl` wheel, `Shift` wheel", What: "on a chart: zoom at the pointer; pan"},
		{Keys: "`e`", What: "explain this window: what was unusual in it", press: keys{"e": func(_ *App, tab *Tab) bool {
			if tab.Explain.Available() {
				tab.Explain.Toggle()
			}
			return tab.Explain.Available()
		}}},
		{Keys: "`1` – `9`", What: "dashboards by number", press: dashboards},
		{Keys: "`t`", What: "tables instead of charts", press: keys{"t": do(func(a *App, _ *Tab) { a.Layout.ToggleTables() })}},
		{Keys: "`↑` `↓` `Enter`", What: "in a table with selectable rows: move, choose a row"},
		{Keys: "`Ctrl P`", What: "print a report: all panels of the view, findings, what is missing", anywhere: everywhere{"Ctrl p": printReport}},
		{Keys: "`Tab` to a divider", What: "arrow keys resize a pane, `Enter` collapses it"},
		{Keys: "`?`", What: "this list", press: keys{"?": do(func(a *App, _ *Tab) { a.Layout.Help = !a.Layout.Help })}},
		{Keys: "`Esc`", What: "close what is open", anywhere: everywhere{"Escape": (*App).escape}},
	}
}
