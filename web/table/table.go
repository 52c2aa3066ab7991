// Package table is the tables in the drawer below the panels: what a table is,
// what a user chooses of it, and how answers of the engine become tables.
package table

import "slices"

// A Table is one page of the drawer. The browser draws the rows on screen, and
// sorts and filters.
type Table struct {
	Page    string // of the drawer: "cursor", "processes", "summary", "records", "metrics", "instances", "problems"
	Title   string
	Note    string
	Name    string // of the file that it is saved as
	Empty   string // what to say where there is no row
	Rows    int
	Columns []Column
	SortBy  int // column, -1 for none
	Full    float64
	Marks   []string // classes of rows, or nil
}

// A Column has one text or one number for each row. Where it has both,
// the texts are shown, and the numbers are what is sorted and exported.
type Column struct {
	Head, Group         string
	As                  string // what it is called where it is exported, if that differs
	Kind                string // "text", "number", "bar", "figure": a number as text, "exact": the same, exported as text, "id", "badge", "time": seconds since the epoch, "action": a button, or one for each line, that picks the row
	Width               string // as CSS has it; "" for what suits the kind
	Decimals            int    // of a number, -1: as each needs; of the seconds of a time
	Strong, Faint, Mono bool
	Spare               bool // not shown until it is asked for
	Wide                bool // not shown on a narrow page until it is asked for
	Texts               []string
	Numbers             []float64
	Tags                []string // words set apart before the text of some rows, with spaces between them; or nil
	Under               *Column  // of texts, in a second line
}

// Name is the column's, unlike that of any other of its table.
func (c *Column) Name() string {
	if c.Group != "" {
		return c.Head + ", " + c.Group
	}
	return c.Head
}

// A View is what the user chose of a page of the drawer.
type View struct {
	Sort   string `json:"sort,omitempty"` // name of a column; "" for the table's own order
	Down   bool   `json:"down,omitempty"`
	Filter string `json:"filter,omitempty"`
	// Columns says of some, by name, whether they are shown: of those where
	// the user wants it otherwise than the page has it.
	Columns map[string]bool `json:"columns,omitempty"`
}

// Shows reports whether a column is to be shown, on a narrow page or another.
func (v View) Shows(c *Column, narrow bool) bool {
	if on, chosen := v.Columns[c.Name()]; chosen {
		return on
	}
	return !c.Spare && !(narrow && c.Wide)
}

// textColumn is a column of n texts, yet to come.
func textColumn(head, width string, n int) Column {
	return Column{Head: head, Kind: "text", Width: width, Texts: make([]string, 0, n)}
}

// titled puts a column of what people call the instances after theirs, the
// one at place at, where they are called anything else.
func (t *Table) titled(at int, titles []string) {
	if !slices.ContainsFunc(titles, func(s string) bool { return s != "" }) {
		return
	}
	called := textColumn("called", "minmax(90px, 1fr)", 0)
	called.Texts = titles
	t.Columns = slices.Insert(t.Columns, at+1, called)
}
