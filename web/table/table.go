// Package table makes the tables of the drawer below the panels: what a table
// contains, what the user chooses of it, and how the engine's replies become
// tables.
package table

import "slices"

// A Table is one page of the drawer. The browser draws the rows on screen, and
// sorts and filters.
type Table struct {
	Page    string // of the drawer: "cursor", "processes", "summary", "records", "metrics", "instances", "problems"
	Title   string
	Note    string
	Name    string // base name of exported files
	Empty   string // text if there are no rows
	Rows    int
	Columns []Column
	SortBy  int // column, -1 for none
	Full    float64
	Marks   []string // classes of rows, or nil
}

// A Column has one text or one number for each row. If it has both, the texts
// are shown, and the numbers are sorted and exported.
type Column struct {
	Head, Group         string
	As                  string // name in exports, if different
	Kind                string // "text", "number", "bar", "figure": a number as text, "exact": the same, exported as text, "id", "badge", "time": seconds since the epoch, "action": a button, or one for each line, that picks the row
	Width               string // in CSS; "" for the default of the kind
	Decimals            int    // of a number, -1 for as many as each needs; of the seconds of a time
	Strong, Faint, Mono bool
	Spare               bool // hidden by default
	Wide                bool // hidden by default on a narrow page
	Texts               []string
	Numbers             []float64
	Tags                []string // words shown before the text of some rows, separated by spaces; or nil
	Under               *Column  // of texts, shown as a second line
}

// Name is the column's name, unique within its table.
func (c *Column) Name() string {
	if c.Group != "" {
		return c.Head + ", " + c.Group
	}
	return c.Head
}

// A View is what the user has chosen for a page of the drawer.
type View struct {
	Sort   string `json:"sort,omitempty"` // name of a column; "" for the table's own order
	Down   bool   `json:"down,omitempty"`
	Filter string `json:"filter,omitempty"`
	// Columns says, by name, whether a column is shown, where the user has
	// changed the default.
	Columns map[string]bool `json:"columns,omitempty"`
}

// Shows reports whether a column is shown, on a narrow page or a wide one.
func (v View) Shows(c *Column, narrow bool) bool {
	if on, chosen := v.Columns[c.Name()]; chosen {
		return on
	}
	return !c.Spare && !(narrow && c.Wide)
}

// textColumn is a column with room for n texts.
func textColumn(head, width string, n int) Column {
	return Column{Head: head, Kind: "text", Width: width, Texts: make([]string, 0, n)}
}

// titled inserts a column of display names after the one at place at, which
// names the instances, if any of them differ.
func (t *Table) titled(at int, titles []string) {
	if !slices.ContainsFunc(titles, func(s string) bool { return s != "" }) {
		return
	}
	called := textColumn("called", "minmax(90px, 1fr)", 0)
	called.Texts = titles
	t.Columns = slices.Insert(t.Columns, at+1, called)
}
