package app

import (
	"cmp"
	"slices"
	"strings"

	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
	"pcpscope/web/session"
)

// NoteEditor is the field for writing a note on the time axis.
type NoteEditor struct {
	Open bool
	At   pcp.Time
	Text string
	Old  int // index of the note being edited, -1 for a new one
	Rev  int // incremented each time it opens
	app  *App
}

// OpenHere opens the field for a note at the cursor, or in the middle of the window if
// there is no cursor.
func (n *NoteEditor) OpenHere() {
	a := n.app
	tab := a.current
	if tab == nil {
		return
	}
	at := tab.Window.Start + (tab.Window.End-tab.Window.Start)/2
	if a.Cursor.On {
		at = a.Cursor.At
	}
	*n = NoteEditor{app: a, Open: true, At: at, Old: -1, Rev: n.Rev + 1}
	a.Layout.Menu = ""
}

// Edit opens the field for an existing note.
func (n *NoteEditor) Edit(i int) {
	if tab := n.app.current; tab != nil && i >= 0 && i < len(tab.Notes) {
		r := tab.Notes[i]
		*n = NoteEditor{app: n.app, Open: true, At: r.At, Text: r.Text, Old: i, Rev: n.Rev + 1}
	}
}

// Save saves the note; an empty one is removed.
func (n *NoteEditor) Save() {
	tab, r := n.app.current, *n
	n.Open = false
	if tab == nil || !r.Open {
		return
	}
	list := slices.Clone(tab.Notes) // saved sessions share the slice
	if r.Old >= 0 && r.Old < len(list) {
		list = slices.Delete(list, r.Old, r.Old+1)
	}
	if text := strings.TrimSpace(r.Text); text != "" {
		list = append(list, session.Note{At: r.At, Text: session.Clip(text)})
	}
	sorting.Stable(list, func(x, y session.Note) int { return cmp.Compare(x.At, y.At) })
	tab.Notes = list
	tab.NotesRev++
	n.app.windowChanged()
}

// Remove deletes a note.
func (n *NoteEditor) Remove(i int) {
	if tab := n.app.current; tab != nil && i >= 0 && i < len(tab.Notes) {
		tab.Notes = slices.Delete(slices.Clone(tab.Notes), i, i+1)
		tab.NotesRev++
		n.app.windowChanged()
	}
}

// Show moves the cursor to a note, and the window if it is outside.
func (n *NoteEditor) Show(i int) {
	tab := n.app.current
	if tab == nil || i < 0 || i >= len(tab.Notes) {
		return
	}
	at := tab.Notes[i].At
	if at < tab.Window.Start || at > tab.Window.End {
		half := pcp.Time(tab.Window.Len() / 2)
		tab.Zoom(at-half, at+half)
	}
	n.app.Cursor.Set(at)
}
