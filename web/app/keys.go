package app

import "strings"

// A Key is a key press, and where it happened.
type Key struct {
	Name             string // KeyboardEvent.key
	Ctrl, Shift, Alt bool
	In               string // data-testid of the focused element, "" for the page
	Typing           bool   // a text field has the focus
}

// A Focus is where the focus should go after a key: the data-testid of an
// element, "page" to leave a field, "back" to where it was before the search, "" to stay.
type Focus string

// Press handles a key. It reports whether the key was used.
func (a *App) Press(k Key) (focus Focus, used bool) {
	for _, b := range Bindings() {
		if do := b.anywhere[k.chord()]; do != nil {
			if focus, used := do(a, k); used {
				return focus, true
			}
		}
	}
	if a.NoteEditor.Open && k.In == "note-text" && bound(k.In, k.Name) {
		a.NoteEditor.Save()
		return "", true
	}
	if a.Editor.Page != "" && !a.Layout.covered() && a.Editor.press(k) {
		return "", true
	}
	if k.Ctrl || k.Alt {
		return "", false
	}
	tab := a.current
	if tab == nil {
		return "", false
	}
	switch {
	case k.In == "search" && bound(k.In, k.Name):
		return a.Search.press(k)
	case k.In == "story-lane" && bound(k.In, k.Name):
		if tab.Story.press(k) {
			return "", true
		}
	case bound(k.In, k.Name) && (k.In == "tree" || k.In == "tree-filter"):
		if focus, used := tab.Tree.press(k); used {
			return focus, true
		}
	}
	if k.Typing {
		return "", false
	}
	return "", a.pressOnPage(tab, k)
}

// chord returns the name of a key with Ctrl, such as "Ctrl k"; otherwise the plain name.
func (k Key) chord() string {
	if k.Ctrl {
		return "Ctrl " + strings.ToLower(k.Name)
	}
	return k.Name
}

// startSearch focuses the search, unless a "/" is being typed into a field.
func startSearch(a *App, k Key) (Focus, bool) {
	if a.current == nil || k.Typing && !k.Ctrl {
		return "", false
	}
	a.Search.Start()
	return "search", true
}

// printReport prints a report instead of the browser's own printout, which would not wait
// for panels out of sight.
func printReport(a *App, k Key) (Focus, bool) {
	if k.Shift || k.Alt || a.current == nil || a.Page.Print == nil {
		return "", false
	}
	a.Share.Print()
	return "", true
}

// escape closes what is open, innermost first.
func (a *App) escape(k Key) (Focus, bool) {
	if a.Editor.Page != "" && !a.Layout.covered() && !a.NoteEditor.Open && !a.Saving.Open && !a.Share.Open {
		return a.Editor.escape(k), true
	}
	switch {
	case a.NoteEditor.Open:
		a.NoteEditor.Open = false
	case a.Saving.Open:
		a.Saving.Close()
	case a.Share.Open:
		a.Share.Open = false
	case a.Search.Open:
		a.Search.Close()
		return "back", true
	case a.Layout.Menu != "":
		a.Layout.Menu = ""
	case a.Layout.Help:
		a.Layout.Help = false
	case a.Layout.Sheet != "":
		a.Layout.Sheet = ""
	case a.Cursor.Pinned && !a.Layout.Comparing: // it is pinned on the charts
		a.Cursor.Clear()
	case k.In == "tree-filter" && a.current != nil && a.current.Tree.Filter != "":
		a.current.Tree.SetFilter("")
		return "", true
	case k.Typing:
		return "page", true
	case a.Layout.Drawer != "":
		a.Layout.Drawer = ""
	case a.Layout.Comparing:
		a.Layout.endComparison()
	case a.Cursor.On:
		a.Cursor.Clear()
	default:
		return "", false
	}
	return "", true
}

// pressOnPage handles a key outside of fields and lists.
func (a *App) pressOnPage(tab *Tab, k Key) bool {
	for _, b := range Bindings() {
		if do := b.press[k.Name]; do != nil {
			return do(a, tab)
		}
	}
	return false
}
