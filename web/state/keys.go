package state

import (
	"time"

	"pcpscope/core/pcp"
)

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
		a.OpenSearch()
		return "search", true
	}
	if a.Remarking.Open || a.Share.Open {
		if used := a.pressInCards(k); used {
			return "", true
		}
	}
	if a.Derive.Page != "" && !a.covered() {
		if focus, used := a.pressInDerive(k); used {
			return focus, true
		}
	}
	if k.Ctrl || k.Alt {
		return "", false
	}
	if k.Name == "Escape" {
		return a.escape(k)
	}
	w := a.current
	if w == nil {
		return "", false
	}
	switch k.In {
	case "search":
		return a.pressInSearch(k)
	case "tree", "tree-filter":
		if focus, used := w.pressInTree(k); used {
			return focus, true
		}
	}
	if k.Typing {
		return "", false
	}
	return "", a.pressOnPage(w, k)
}

// escape closes what is open, the nearest first.
func (a *App) escape(k Key) (Focus, bool) {
	switch {
	case a.Search.Open:
		a.CloseSearch()
		return "page", true
	case a.Menu != "":
		a.Menu = ""
	case a.Help:
		a.Help = false
	case a.Sheet != "":
		a.Sheet = ""
	case a.Pinned:
		a.ClearCursor()
	case k.In == "tree-filter" && a.current != nil && a.current.Tree.Filter != "":
		a.current.Tree.SetFilter("")
		return "", true
	case k.Typing:
		return "page", true
	case a.Drawer != "":
		a.Drawer = ""
	case a.HasCur:
		a.ClearCursor()
	default:
		return "", false
	}
	return "", true
}

func (a *App) pressInSearch(k Key) (Focus, bool) {
	switch k.Name {
	case "ArrowDown":
		a.SearchMove(1)
	case "ArrowUp":
		a.SearchMove(-1)
	case "Enter":
		return a.SearchPick(a.Search.At, k.Shift), true
	case "PageDown":
		a.SearchMove(8)
	case "PageUp":
		a.SearchMove(-8)
	default:
		return "", false
	}
	return "", true
}

func (w *Work) pressInTree(k Key) (Focus, bool) {
	t := &w.Tree
	if k.In == "tree-filter" {
		switch k.Name {
		case "ArrowDown", "Enter":
			t.At = max(t.At, 0)
			w.follow()
			return "tree", true
		}
		return "", false
	}
	switch row := t.Row(); k.Name {
	case "ArrowDown":
		t.Move(1)
		w.follow()
	case "ArrowUp":
		if t.At <= 0 {
			return "tree-filter", true
		}
		t.Move(-1)
		w.follow()
	case "PageDown":
		t.Move(w.app.TreeRows - 2)
		w.follow()
	case "PageUp":
		t.Move(2 - w.app.TreeRows)
		w.follow()
	case "Home":
		t.Move(-len(t.Rows))
		w.follow()
	case "End":
		t.Move(len(t.Rows))
		w.follow()
	case "ArrowRight":
		switch {
		case row == nil || row.Metric != nil:
		case row.More > 0:
			t.Fold(row.Path, true)
		case row.Open:
			t.Move(1)
			w.follow()
		default:
			t.Fold(row.Path, true)
		}
	case "ArrowLeft":
		switch {
		case row == nil:
		case row.Branch() && row.Open:
			t.Fold(row.Path, false)
		default:
			for depth := row.Depth; t.At > 0 && t.Rows[t.At].Depth >= depth; {
				t.At--
			}
			w.follow()
		}
	case "Enter", " ":
		switch {
		case row == nil:
		case row.Metric == nil: // a row "14 more" is not open, either
			t.Fold(row.Path, !row.Open)
		case k.Shift:
			w.AddPanel(row.Path)
		default:
			w.Add(row.Path)
		}
	case "Delete", "Backspace":
		if row != nil && row.Metric != nil && w.Showing(row.Path) {
			w.Toggle(row.Path)
		}
	default:
		return "", false
	}
	return "", true
}

// follow scrolls the tree to the keyboard and shows the metric's details.
func (w *Work) follow() {
	t := &w.Tree
	n := max(w.app.TreeRows-1, 1)
	switch {
	case t.At < t.First:
		t.First = t.At
	case t.At >= t.First+n:
		t.First = t.At - n + 1
	}
	if r := t.Row(); r != nil && r.Metric != nil {
		w.Select(r.Path)
	}
}

func (a *App) pressOnPage(w *Work, k Key) bool {
	mid := w.Window.Start + (w.Window.End-w.Window.Start)/2
	if a.HasCur && a.Cursor >= w.Window.Start && a.Cursor <= w.Window.End {
		mid = a.Cursor
	}
	switch k.Name {
	case "w", "+", "=":
		w.ZoomBy(0.5, mid)
	case "s", "-":
		w.ZoomBy(2, mid)
	case "a":
		w.Pan(-0.25)
	case "d":
		w.Pan(0.25)
	case "z":
		w.Undo()
	case "Z":
		w.Redo()
	case "0":
		w.ShowLast(0)
	case "g":
		return a.NextLandmark(w)
	case "n":
		a.RemarkHere()
	case "p":
		a.TogglePin()
	case "ArrowLeft":
		a.stepCursor(w, -1)
	case "ArrowRight":
		a.stepCursor(w, 1)
	case "?":
		a.Help = !a.Help
	case "t":
		a.ToggleTables()
	case "1", "2", "3", "4", "5", "6", "7", "8", "9":
		return w.ShowNthBoard(int(k.Name[0] - '0'))
	default:
		return false
	}
	return true
}

// stepCursor moves the cursor to the next grid point of the first panel.
func (a *App) stepCursor(w *Work, by int) {
	step := pcp.Time(time.Second)
	for _, p := range w.Panels {
		if p.Step > 0 {
			step = pcp.Time(p.Step)
			break
		}
	}
	t := a.Cursor
	if !a.HasCur {
		t = w.Window.Start + (w.Window.End-w.Window.Start)/2
		by = 0
	}
	n := (t - w.Source.Start + step/2) / step
	t = w.Source.Start + (n+pcp.Time(by))*step
	a.SetCursor(max(w.Window.Start, min(w.Window.End, t)))
}
