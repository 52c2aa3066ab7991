package ui

import (
	"strconv"

	"pcpscope/core/api"
	"pcpscope/web/compare"
	"pcpscope/web/format"
)

// Open says whether windows are compared.
func (c *CompareControls) Open() bool { return comparing(c.App) != nil }

// RangeA and RangeB are the windows.
func (c *CompareControls) RangeA() string { return rangeOf(comparing(c.App), true, false) }

func (c *CompareControls) RangeB() string { return rangeOf(comparing(c.App), false, false) }

// Move makes the next drag on the strip move a window. On a narrow page this
// list lies upon the strip.
func (c *CompareControls) Move(which string) {
	if tab := comparing(c.App); tab != nil {
		tab.Compare.Moving, c.App.Layout.Sheet = which, ""
	}
}

// MoveText says which window a drag moves.
func (c *CompareControls) MoveText(which string) string {
	if tab := comparing(c.App); tab != nil && tab.Compare.Moving == which {
		return "Drag above"
	}
	return "Move"
}

// From and To are the ends of window A or B as they can be typed; TypeFrom and
// TypeTo take others.
func (c *CompareControls) From(which string) string {
	if tab := comparing(c.App); tab != nil {
		from, _ := tab.Compare.Texts(which)
		return from
	}
	return ""
}

func (c *CompareControls) To(which string) string {
	if tab := comparing(c.App); tab != nil {
		_, to := tab.Compare.Texts(which)
		return to
	}
	return ""
}

func (c *CompareControls) TypeFrom(which, text string) {
	if tab := comparing(c.App); tab != nil {
		tab.Compare.Type(which, text, c.To(which))
	}
}

func (c *CompareControls) TypeTo(which, text string) {
	if tab := comparing(c.App); tab != nil {
		tab.Compare.Type(which, c.From(which), text)
	}
}

// Refused says why what was typed is no window.
func (c *CompareControls) Refused() string {
	if tab := comparing(c.App); tab != nil {
		return tab.Compare.Refused
	}
	return ""
}

// Swap takes B for A.
func (c *CompareControls) Swap() {
	if tab := comparing(c.App); tab != nil {
		tab.Compare.Swap()
	}
}

// Effect and Shift are what counts as a change.
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

// SetEffect and SetShift change it.
func (c *CompareControls) SetEffect(text string) {
	if tab := comparing(c.App); tab != nil {
		if v, err := number(text); err == nil {
			tab.Compare.CountFrom(v, tab.Compare.Shift)
		}
	}
}

func (c *CompareControls) SetShift(text string) {
	if tab := comparing(c.App); tab != nil {
		if v, err := number(text); err == nil {
			tab.Compare.CountFrom(tab.Compare.Effect, v/100)
		}
	}
}

// A FamilyView is a group of metrics that can be left out.
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

// Toggle leaves a group out, or takes it in again.
func (c *CompareControls) Toggle(name string) {
	if tab := comparing(c.App); tab != nil {
		tab.Compare.ToggleFamily(name)
	}
}

// Elsewhere says that B lies in another source.
func (c *CompareControls) Elsewhere() bool {
	tab := comparing(c.App)
	return tab != nil && tab.Compare.Other != 0
}

// Others are the sources that B can lie in.
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

// With takes another source for B.
func (c *CompareControls) With(id string) {
	if tab := comparing(c.App); tab != nil {
		n, _ := strconv.Atoi(id)
		tab.Compare.With(api.SourceID(n))
	}
}
