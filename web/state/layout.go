package state

import "slices"

// Pages are those of the drawer.
var Pages = []string{"cursor", "processes", "summary", "records", "metrics", "instances", "problems"}

// mostColumns bounds what a layout from outside says of a table's columns.
const mostColumns = 100

// heal makes a layout from outside one that the page can have.
func (l *Layout) heal() {
	if !slices.Contains([]string{"boards", "metrics", "findings"}, l.Tab) {
		l.Tab = ""
	}
	if !slices.Contains(Pages, l.Drawer) {
		l.Drawer = ""
	}
	if l.Columns != 1 && l.Columns != 2 {
		l.Columns = 0
	}
	views := map[string]TableView{}
	for page, v := range l.Views {
		if slices.Contains(Pages, page) {
			view := TableView{Sort: clip(v.Sort), Down: v.Down, Filter: clip(v.Filter)}
			for name, on := range v.Columns {
				if view.Columns == nil {
					view.Columns = map[string]bool{}
				}
				if len(view.Columns) < mostColumns {
					view.Columns[clip(name)] = on
				}
			}
			views[page] = view
		}
	}
	l.Views = views
}

// restoreLayout lays the page out as a session kept it.
func (a *App) restoreLayout(l Layout) {
	if l.Tab != "" {
		a.Tab = l.Tab
	}
	if l.Columns != 0 {
		a.Columns = l.Columns
	}
	if a.Tables != l.Tables {
		a.ToggleTables()
	}
	a.Drawer, a.Views = l.Drawer, l.Views
	a.ViewsRev++
}

// keepCompare keeps what was compared; nil for nothing.
func (w *Work) keepCompare() *KeptCompare {
	c := &w.Compare
	if c.Off == nil {
		return nil
	}
	k := &KeptCompare{On: w.app.Comparing && w == w.app.current, A: KeptSpan(c.A), B: KeptSpan(c.B), Other: c.wanted, Effect: c.Effect, Shift: c.Shift, Sort: c.Sort, At: c.At}
	for _, f := range Families {
		if c.Off[f] {
			k.Off = append(k.Off, f)
		}
	}
	for _, o := range w.app.Works {
		if c.Other != 0 && o.Source.ID == c.Other {
			k.Other = o.Source.Fingerprint
		}
	}
	return k
}

// restoreCompare compares what was compared, as far as its windows lie in
// what is open. B waits for its source.
func (w *Work) restoreCompare(k *KeptCompare) {
	if w == w.app.current {
		w.app.Comparing = false
	}
	whole := w.Whole()
	within := func(s KeptSpan, of Window) (Window, bool) {
		in := Window{max(s.Start, of.Start), min(s.End, of.End)}
		return in, in.Len() > 0
	}
	if k != nil && w.app.Insight != nil {
		c := Compare{Moving: "B", Effect: max(0, min(k.Effect, 1)), Shift: max(0, k.Shift), Off: map[string]bool{}, pick: max(0, k.At), wanted: k.Other, Rev: w.Compare.Rev, asked: w.Compare.asked}
		if slices.Contains(Orders, k.Sort) {
			c.Sort = k.Sort
		}
		for _, f := range k.Off {
			c.Off[f] = slices.Contains(Families, f)
		}
		okA, okB := false, true
		c.A, okA = within(k.A, whole)
		if c.B = Window(k.B); k.Other == "" {
			c.B, okB = within(k.B, whole)
		}
		if okA && okB {
			w.Compare = c
			if w == w.app.current {
				w.app.Comparing = k.On
			}
			w.compareWanted()
			if k.Other == "" {
				w.compare()
			}
		}
	}
	for _, o := range w.app.Works { // this may be the source that one of them waits for
		o.compareWanted()
	}
}

// compareWanted takes the source that B shall lie in, when it is open.
func (w *Work) compareWanted() {
	c := &w.Compare
	for _, o := range w.app.Works {
		if c.wanted != "" && o != w && o.Source.Fingerprint == c.wanted && o.Source.Loaded >= 1 {
			b := Window{max(c.B.Start, o.Whole().Start), min(c.B.End, o.Whole().End)}
			if b.Len() <= 0 {
				b = o.Whole()
			}
			c.Other, c.B, c.wanted = o.Source.ID, b, ""
			w.compare()
			return
		}
	}
}
