package app

// A Key is a key that was pressed, and where.
type Key struct {
	Name             string // as KeyboardEvent.key has it
	Ctrl, Shift, Alt bool
	In               string // data-testid of the focused element, "" for the page
	Typing           bool   // a text field has the focus
}

// A Focus is where the focus should go after a key: the data-testid of an
// element, "page" to leave a field, "" to stay.
type Focus string

// Press acts on a key. It reports whether the key meant something.
func (a *App) Press(k Key) (focus Focus, used bool) {
	if k.Ctrl && (k.Name == "k" || k.Name == "K") || !k.Typing && k.Name == "/" {
		if a.current == nil {
			return "", false
		}
		a.Search.Start()
		return "search", true
	}
	if k.Ctrl && !k.Shift && !k.Alt && (k.Name == "p" || k.Name == "P") && a.current != nil && a.Page.Print != nil {
		a.Share.Print() // the browser's own would not wait for what is out of sight
		return "", true
	}
	if a.NoteEditor.Open || a.Share.Open || a.Saving.Open {
		if used := a.pressInCards(k); used {
			return "", true
		}
	}
	if a.Editor.Page != "" && !a.Layout.covered() {
		if focus, used := a.Editor.press(k); used {
			return focus, true
		}
	}
	if k.Ctrl || k.Alt {
		return "", false
	}
	if k.Name == "Escape" {
		return a.escape(k)
	}
	tab := a.current
	if tab == nil {
		return "", false
	}
	switch {
	case k.In == "search" && bound(k.In, k.Name):
		return a.Search.press(k)
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

// escape closes what is open, the nearest first.
func (a *App) escape(k Key) (Focus, bool) {
	switch {
	case a.Search.Open:
		a.Search.Close()
		return "page", true
	case a.Layout.Menu != "":
		a.Layout.Menu = ""
	case a.Layout.Help:
		a.Layout.Help = false
	case a.Layout.Sheet != "":
		a.Layout.Sheet = ""
	case a.Cursor.Pinned:
		a.Cursor.Clear()
	case k.In == "tree-filter" && a.current != nil && a.current.Tree.Filter != "":
		a.current.Tree.SetFilter("")
		return "", true
	case k.Typing:
		return "page", true
	case a.Layout.Drawer != "":
		a.Layout.Drawer = ""
	case a.Cursor.On:
		a.Cursor.Clear()
	default:
		return "", false
	}
	return "", true
}

// pressOnPage acts on a key outside of fields and lists.
func (a *App) pressOnPage(tab *Tab, k Key) bool {
	for _, b := range Bindings() {
		if do := b.press[k.Name]; do != nil {
			return do(a, tab)
		}
	}
	return false
}

// pressInCards acts on keys while a note is written or the dialog for sharing or saving
// is open.
func (a *App) pressInCards(k Key) bool {
	switch {
	case k.Name == "Escape" && a.NoteEditor.Open:
		a.NoteEditor.Open = false
	case k.Name == "Escape" && a.Saving.Open:
		a.Saving.Close()
	case k.Name == "Escape":
		a.Share.Open = false
	case a.NoteEditor.Open && k.In == "remark-text" && bound(k.In, k.Name):
		a.NoteEditor.Save()
	default:
		return false
	}
	return true
}
