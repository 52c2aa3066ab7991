package state

import (
	"cmp"
	"slices"
	"strings"

	"pcpscope/core/pcp"
	"pcpscope/core/sorting"
)

// Remarking is the field in which a note on the time axis is written.
type Remarking struct {
	Open bool
	At   pcp.Time
	Text string
	Old  int // index of the note that is changed, -1 for a new one
	Rev  int // changes with each opening
}

// RemarkHere opens the field for a note at the cursor, or in the middle of
// the window where there is none.
func (a *App) RemarkHere() {
	w := a.current
	if w == nil {
		return
	}
	at := w.Window.Start + (w.Window.End-w.Window.Start)/2
	if a.HasCur {
		at = a.Cursor
	}
	a.Remarking = Remarking{Open: true, At: at, Old: -1, Rev: a.Remarking.Rev + 1}
	a.Menu = ""
}

// EditRemark opens the field on a note that is there.
func (a *App) EditRemark(i int) {
	if w := a.current; w != nil && i >= 0 && i < len(w.Remarks) {
		r := w.Remarks[i]
		a.Remarking = Remarking{Open: true, At: r.At, Text: r.Text, Old: i, Rev: a.Remarking.Rev + 1}
	}
}

// SaveRemark keeps the note; one without text is taken away.
func (a *App) SaveRemark() {
	w, r := a.current, a.Remarking
	a.Remarking.Open = false
	if w == nil || !r.Open {
		return
	}
	list := slices.Clone(w.Remarks) // kept sessions share it
	if r.Old >= 0 && r.Old < len(list) {
		list = slices.Delete(list, r.Old, r.Old+1)
	}
	if text := strings.TrimSpace(r.Text); text != "" {
		list = append(list, Remark{r.At, clip(text)})
	}
	sorting.Stable(list, func(x, y Remark) int { return cmp.Compare(x.At, y.At) })
	w.Remarks = list
	w.RemarkRev++
	a.windowChanged()
}

// RemoveRemark takes a note away.
func (a *App) RemoveRemark(i int) {
	if w := a.current; w != nil && i >= 0 && i < len(w.Remarks) {
		w.Remarks = slices.Delete(slices.Clone(w.Remarks), i, i+1)
		w.RemarkRev++
		a.windowChanged()
	}
}

// ShowRemark moves the cursor to a note, and the window where it lies outside.
func (a *App) ShowRemark(i int) {
	w := a.current
	if w == nil || i < 0 || i >= len(w.Remarks) {
		return
	}
	at := w.Remarks[i].At
	if at < w.Window.Start || at > w.Window.End {
		half := pcp.Time(w.Window.Len() / 2)
		w.Zoom(at-half, at+half)
	}
	a.SetCursor(at)
}

// pressInCards acts on keys while a note is written or the dialog for sharing
// is open.
func (a *App) pressInCards(k Key) bool {
	switch {
	case k.Name == "Escape" && a.Remarking.Open:
		a.Remarking.Open = false
	case k.Name == "Escape":
		a.Share.Open = false
	case k.Name == "Enter" && a.Remarking.Open && k.In == "remark-text":
		a.SaveRemark()
	default:
		return false
	}
	return true
}
