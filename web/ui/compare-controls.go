package ui

import (
	"strconv"

	"pcpscope/core/api"
	"pcpscope/web/compare"
	"pcpscope/web/format"
)

// Open reports whether windows are being compared.
func (c *CompareControls) Open() bool { return comparing(c.App) != nil }

// A WindowView is one of the two windows, with its ends in a form that can be typed, and
// the test ids of its controls.
type WindowView struct {
	Name, Class, Heading, Range, From, To, Move string
	RangeID, FromID, ToID, MoveID               string
	Moving                                      bool // the next drag, and the calendar, move it
}

// Windows are A and B. Move says which one a drag moves.
func (c *CompareControls) Windows() []WindowView {
	tab := comparing(c.App)
	if tab == nil {
		return nil
	}
	list := []WindowView{
		{Name: "A", Class: "ab a", Heading: "Window A, before", RangeID: "window-a", FromID: "a-from", ToID: "a-to", MoveID: "move-a"},
		{Name: "B", Class: "ab b", Heading: "Window B, after", RangeID: "window-b", FromID: "b-from", ToID: "b-to", MoveID: "move-b"},
	}
	for i := range list {
		w := &list[i]
		w.Range, w.Move = rangeOf(tab, w.Name, false), "Move"
		w.From, w.To = tab.Compare.Texts(w.Name)
		if tab.Compare.Moving == w.Name {
			w.Move, w.Moving = "Drag above", true
		}
	}
	return list
}

// Move makes the next drag on the strip move a window. On a narrow page this list covers
// the strip.
func (c *CompareControls) Move(name string) {
	if tab := comparing(c.App); tab != nil {
		tab.Compare.Moving, c.App.Layout.Sheet = name, ""
	}
}

// TypeFrom and TypeTo set an end of a window.
func (c *CompareControls) TypeFrom(w WindowView, text string) {
	if tab := comparing(c.App); tab != nil {
		tab.Compare.TypeStart(w.Name, text)
	}
}

func (c *CompareControls) TypeTo(w WindowView, text string) {
	if tab := comparing(c.App); tab != nil {
		tab.Compare.TypeEnd(w.Name, text)
	}
}

// Refused says why the typed text is not a window.
func (c *CompareControls) Refused() string {
	if tab := comparing(c.App); tab != nil {
		return tab.Compare.Refused
	}
	return ""
}

// Swap exchanges A and B.
func (c *CompareControls) Swap() {
	if tab := comparing(c.App); tab != nil {
		tab.Compare.Swap()
	}
}

// Effect and Shift are the thresholds for a change.
func (c *CompareControls) Effect() string {
	if tab := comparing(c.App); tab != nil {
		return strconv.FormatFloat(tab.Compare.Effect, 'f', 2, 64)
	}
	return ""
}

func (c *CompareControls) Shift() string {
	if tab := comparing(c.App); tab != nil {
		return strconv.FormatFloat(100*tab.Compare.Shift, 'f', -1, 64)
	}
	return ""
}

// SetEffect and SetShift set them.
func (c *CompareControls) SetEffect(text string) {
	if tab := comparing(c.App); tab != nil {
		if v, err := number(text); err == nil {
			tab.Compare.SetThresholds(v, tab.Compare.Shift)
		}
	}
}

func (c *CompareControls) SetShift(text string) {
	if tab := comparing(c.App); tab != nil {
		if v, err := number(text); err == nil {
			tab.Compare.SetThresholds(tab.Compare.Effect, v/100)
		}
	}
}

// A FamilyView is a group of metrics that can be excluded.
type FamilyView struct {
	Name, Count string
	On          bool
}

// Families are the groups.
func (c *CompareControls) Families() []FamilyView {
	tab := comparing(c.App)
	if tab == nil {
		return nil
	}
	var list []FamilyView
	for _, name := range compare.Families {
		v := FamilyView{Name: name, On: !tab.Compare.Off[name]}
		if v.On || name != "Processes" {
			v.Count = format.Count(tab.Compare.CountFamily(name))
		}
		list = append(list, v)
	}
	return list
}

// Toggle excludes or includes a group.
func (c *CompareControls) Toggle(name string) {
	if tab := comparing(c.App); tab != nil {
		tab.Compare.ToggleFamily(name)
	}
}

// OtherSource reports whether B is in another source.
func (c *CompareControls) OtherSource() bool {
	tab := comparing(c.App)
	return tab != nil && tab.Compare.Other != 0
}

// Others are the sources that B can be in.
func (c *CompareControls) Others() []Choice {
	tab := comparing(c.App)
	if tab == nil {
		return nil
	}
	list := []Choice{{"with-this", "0", "B in this source", chosen(tab.Compare.Other == 0)}}
	for _, o := range c.App.Tabs {
		if o != tab && o.Source.Kind == tab.Source.Kind {
			id := strconv.Itoa(int(o.Source.ID))
			list = append(list, Choice{"with-" + id, id, "B is " + o.Title() + ", " + o.Subtitle(), chosen(tab.Compare.Other == o.Source.ID)})
		}
	}
	return list
}

// With selects the source of B.
func (c *CompareControls) With(id string) {
	if tab := comparing(c.App); tab != nil {
		n, _ := strconv.Atoi(id)
		tab.Compare.CompareWith(api.SourceID(n))
	}
}

// More lists what only one window has, and settings that differ.
func (c *CompareControls) More() []string {
	tab := comparing(c.App)
	if tab == nil {
		return nil
	}
	return tab.Compare.Others()
}
