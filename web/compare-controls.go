package web

import (
	"strconv"

	"pcpscope/core/api"
	"pcpscope/web/format"
	"pcpscope/web/state"
)

// Open says whether windows are compared.
func (c *CompareControls) Open() bool { return comparing(c.App) != nil }

// RangeA and RangeB are the windows.
func (c *CompareControls) RangeA() string { return rangeOf(comparing(c.App), true, false) }
func (c *CompareControls) RangeB() string { return rangeOf(comparing(c.App), false, false) }

// Move makes the next drag on the strip move a window. On a narrow page this
// list lies upon the strip.
func (c *CompareControls) Move(which string) {
	if w := comparing(c.App); w != nil {
		w.Compare.Moving, c.App.Sheet = which, ""
	}
}

// MoveText says which window a drag moves.
func (c *CompareControls) MoveText(which string) string {
	if w := comparing(c.App); w != nil && w.Compare.Moving == which {
		return "Drag above"
	}
	return "Move"
}

// Swap takes B for A.
func (c *CompareControls) Swap() {
	if w := comparing(c.App); w != nil {
		w.SwapCompared()
	}
}

// Effect and Shift are what counts as a change.
func (c *CompareControls) Effect() string {
	if w := comparing(c.App); w != nil {
		return strconv.FormatFloat(w.Compare.Effect, 'f', 2, 64)
	}
	return ""
}

func (c *CompareControls) Shift() string {
	if w := comparing(c.App); w != nil {
		return strconv.FormatFloat(100*w.Compare.Shift, 'f', -1, 64)
	}
	return ""
}

// SetEffect and SetShift change it.
func (c *CompareControls) SetEffect(text string) {
	if w := comparing(c.App); w != nil {
		if v, err := number(text); err == nil {
			w.CountFrom(v, w.Compare.Shift)
		}
	}
}

func (c *CompareControls) SetShift(text string) {
	if w := comparing(c.App); w != nil {
		if v, err := number(text); err == nil {
			w.CountFrom(w.Compare.Effect, v/100)
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
	w := comparing(c.App)
	if w == nil {
		return nil
	}
	var list []FamilyView
	for _, name := range state.Families {
		v := FamilyView{Name: name, On: !w.Compare.Off[name]}
		if v.On || name != "Processes" {
			v.Count = format.Count(w.Compare.CountFamily(name))
		}
		list = append(list, v)
	}
	return list
}

// Toggle leaves a group out, or takes it in again.
func (c *CompareControls) Toggle(name string) {
	if w := comparing(c.App); w != nil {
		w.ToggleFamily(name)
	}
}

// Elsewhere says that B lies in another source.
func (c *CompareControls) Elsewhere() bool {
	w := comparing(c.App)
	return w != nil && w.Compare.Other != 0
}

// Others are the sources that B can lie in.
func (c *CompareControls) Others() []Choice {
	w := comparing(c.App)
	if w == nil {
		return nil
	}
	list := []Choice{{"with-this", "0", "B in this source", chosen(w.Compare.Other == 0)}}
	for _, o := range c.App.Works {
		if o != w && o.Source.Kind == w.Source.Kind {
			id := strconv.Itoa(int(o.Source.ID))
			list = append(list, Choice{"with-" + id, id, "B is " + o.Title() + ", " + o.Subtitle(), chosen(w.Compare.Other == o.Source.ID)})
		}
	}
	return list
}

// With takes another source for B.
func (c *CompareControls) With(id string) {
	if w := comparing(c.App); w != nil {
		n, _ := strconv.Atoi(id)
		w.CompareWith(api.SourceID(n))
	}
}
