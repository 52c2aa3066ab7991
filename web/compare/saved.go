package compare

import (
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/web/timeline"
)

// A Saved is a comparison as stored in links and files: windows A and B and the
// filters.
type Saved struct {
	On     bool     `json:"on,omitempty"` // shown on screen
	A      Span     `json:"a"`
	B      Span     `json:"b"`
	Other  string   `json:"other,omitempty"` // fingerprint of the source that has window B; "" if the same
	Effect float64  `json:"effect"`
	Shift  float64  `json:"shift"`
	Off    []string `json:"off,omitempty"`  // families excluded
	Sort   string   `json:"sort,omitempty"` // as Compare.Sort
	At     int      `json:"at,omitempty"`   // the change selected above the list
}

// A Span is a time range.
type Span struct {
	Start pcp.Time `json:"start,string"`
	End   pcp.Time `json:"end,string"`
}

// Save returns the comparison to store. on says that it is on screen; other is the
// fingerprint of the source that has window B.
func (c *State) Save(on bool, other string) *Saved {
	k := &Saved{On: on, A: Span(c.A), B: Span(c.B), Other: other, Effect: c.Effect, Shift: c.Shift, Sort: c.Sort, At: c.At}
	for _, f := range Families {
		if c.Off[f] {
			k.Off = append(k.Off, f)
		}
	}
	return k
}

// Restored returns the saved comparison, if its windows lie within the source;
// B may be in another source.
func (k *Saved) Restored(whole timeline.Window, rev int) (State, bool) {
	c := State{Moving: "B", Effect: max(0, min(k.Effect, 1)), Shift: max(0, k.Shift), Off: map[string]bool{}, pick: max(0, k.At), Rev: rev}
	if slices.Contains(Orders, k.Sort) {
		c.Sort = k.Sort
	}
	for _, f := range k.Off {
		c.Off[f] = slices.Contains(Families, f)
	}
	c.A, c.B = timeline.Window(k.A).Within(whole), timeline.Window(k.B)
	if k.Other == "" {
		c.B = c.B.Within(whole)
	}
	return c, c.A.Len() > 0 && (k.Other != "" || c.B.Len() > 0)
}
