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
	if a.NoteEditor.Open || a.Share.Open {
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
	switch k.In {
	case "search":
		return a.Search.press(k)
	case "tree", "tree-filter":
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

func (a *App) pressOnPage(tab *Tab, k Key) bool {
	mid := tab.Window.Start + (tab.Window.End-tab.Window.Start)/2
	if a.Cursor.On && a.Cursor.At >= tab.Window.Start && a.Cursor.At <= tab.Window.End {
		mid = a.Cursor.At
	}
	switch k.Name {
	case "w", "+", "=":
		tab.ZoomBy(0.5, mid)
	case "s", "-":
		tab.ZoomBy(2, mid)
	case "a":
		tab.Pan(-0.25)
	case "d":
		tab.Pan(0.25)
	case "z":
		tab.History.Undo()
	case "Z":
		tab.History.Redo()
	case "0":
		tab.ShowLast(0)
	case "g":
		return a.Cursor.NextLandmark(tab)
	case "n":
		a.NoteEditor.OpenHere()
	case "p":
		a.Cursor.TogglePin()
	case "ArrowLeft":
		a.Cursor.step(tab, -1)
	case "ArrowRight":
		a.Cursor.step(tab, 1)
	case "?":
		a.Layout.Help = !a.Layout.Help
	case "t":
		a.Layout.ToggleTables()
	case "1", "2", "3", "4", "5", "6", "7", "8", "9":
		return tab.Dashboard.OpenNth(int(k.Name[0] - '0'))
	default:
		return false
	}
	return true
}

// pressInCards acts on keys while a note is written or the dialog for sharing
// is open.
func (a *App) pressInCards(k Key) bool {
	switch {
	case k.Name == "Escape" && a.NoteEditor.Open:
		a.NoteEditor.Open = false
	case k.Name == "Escape":
		a.Share.Open = false
	case k.Name == "Enter" && a.NoteEditor.Open && k.In == "remark-text":
		a.NoteEditor.Save()
	default:
		return false
	}
	return true
}
